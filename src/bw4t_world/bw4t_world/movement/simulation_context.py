# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The objects of one running world that percepts and actions work on."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from bw4t_world.maps.model import BlockColor
from bw4t_world.model.blocks import BlockField
from bw4t_world.model.ground import Ground
from bw4t_world.model.profiles import Profile
from bw4t_world.movement.ticks import EntityRegistry, Movement
from bw4t_world.movement.time_stepping import TimeStepper


class Task:
    """What the team has to do: the sequence of colours to deliver, and how far the team is."""

    __slots__ = ("completed_at", "index", "sequence")

    def __init__(self, sequence: Sequence[BlockColor]) -> None:
        self.sequence = tuple(sequence)
        self.index = 0
        self.completed_at: int | None = None if self.sequence else 0

    @property
    def is_complete(self) -> bool:
        """Whether all colours have been delivered."""
        return self.index >= len(self.sequence)


@dataclass(frozen=True)
class SimulationContext:
    """The objects of one run; ``rng`` decides where blocks are put down."""

    profile: Profile
    ground: Ground
    field: BlockField
    registry: EntityRegistry
    task: Task
    movement: Movement
    stepper: TimeStepper
    rng: random.Random
