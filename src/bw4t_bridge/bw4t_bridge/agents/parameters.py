# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The parameters of an agent."""

from __future__ import annotations

from dataclasses import dataclass

from bw4t_bridge.bridge.parameters import RANDOM_SEED
from bw4t_world.agents import TEAMS
from legacy_robots_common.node.parameters import parameter


@dataclass(frozen=True)
class AgentParameters:
    """Of an agent; read once at the start."""

    player: str = parameter("Bot_1", "name of the robot to drive, as BW4T has it")
    team: str = parameter(
        "searchers",
        f"example team that it belongs to ({', '.join(TEAMS)}), or an agent module:Class",
    )
    seed: int = parameter(RANDOM_SEED, "seed of its random choices; -1: by chance", minimum=-1)
    turn: int = parameter(
        0,
        "in a stepped launch (docs/integrate.md#a-stepped-demonstration), ticks that its "
        "decisions come after the multiples of its period, so that a team acts in order",
        minimum=0,
    )
