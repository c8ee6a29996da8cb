# SPDX-License-Identifier: Apache-2.0
"""The parts of one running world that percepts and actions work on."""

from __future__ import annotations

import random
from dataclasses import dataclass

from bw4t_world.blocks import BlockField
from bw4t_world.engines import Engine
from bw4t_world.ground import Ground
from bw4t_world.movement import Crew, Movement
from bw4t_world.profiles import Profile
from bw4t_world.task import Task


@dataclass(frozen=True)
class Parts:
    """The parts of one run; ``rng`` decides where blocks are put down."""

    profile: Profile
    ground: Ground
    field: BlockField
    crew: Crew
    task: Task
    movement: Movement
    engine: Engine
    rng: random.Random
