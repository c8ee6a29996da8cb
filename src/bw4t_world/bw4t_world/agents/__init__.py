# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Example agents, and what one needs to write others."""

from bw4t_world.agents.agent import Agent
from bw4t_world.agents.beliefs import Beliefs
from bw4t_world.agents.driver import Driver, Motion
from bw4t_world.agents.geography import Geography
from bw4t_world.agents.player import Player
from bw4t_world.agents.roamer import Roamer
from bw4t_world.agents.searcher import Searcher
from bw4t_world.agents.team_knowledge import Intention, Purpose, TeamKnowledge
from bw4t_world.agents.teams import TEAMS, Team, TeamKind, WorldPlayer, team_kind

__all__ = [
    "TEAMS",
    "Agent",
    "Beliefs",
    "Driver",
    "Geography",
    "Intention",
    "Motion",
    "Player",
    "Purpose",
    "Roamer",
    "Searcher",
    "Team",
    "TeamKind",
    "TeamKnowledge",
    "WorldPlayer",
    "team_kind",
]
