# SPDX-License-Identifier: Apache-2.0
"""The objects of one running world that percepts and actions work on."""

from __future__ import annotations

import random
from dataclasses import dataclass

from bw4t_world.blocks import BlockField
from bw4t_world.ground import Ground
from bw4t_world.movement import EntityRegistry, Movement
from bw4t_world.profiles import Profile
from bw4t_world.task import Task
from bw4t_world.time_stepping import TimeStepper


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
