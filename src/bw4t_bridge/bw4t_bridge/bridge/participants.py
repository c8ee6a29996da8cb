# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Who takes part: the scenario without a file, and whom agents are started for."""

from __future__ import annotations

from bw4t_world.maps.reader import UnknownNeighbours
from bw4t_world.model.profiles import SPEC
from bw4t_world.scenarios import BotSpec, Controller, EPartnerSpec, Scenario
from bw4t_world.simulation.simulation import free_names

EPARTNER_TEAM = "bw4t_world.agents.epartner:EPartnerAgent"


def neighbours_of(profile: str) -> UnknownNeighbours:
    """Return what maps of a profile may name: servers ignore neighbours that do not exist."""
    return "refuse" if profile == SPEC.name else "drop"


def default_scenario(robots: int, human: int) -> Scenario:
    """Return the robots ``Bot_1`` … for agents, and the human bots ``Human_1`` …."""
    bots = (
        BotSpec(amount=robots),
        BotSpec(name="Human", controller=Controller.HUMAN, amount=human),
    )
    return Scenario(bots=tuple(bot for bot in bots if bot.amount))


def agents_of(scenario: Scenario, team: str) -> list[tuple[str, str]]:
    """Return the full names of the players that have an agent, each with its team.

    They are the robots that agents drive, of ``team``, and the e-partners.
    """
    taken: set[str] = set()
    agents: list[tuple[str, str]] = []
    specs: tuple[BotSpec | EPartnerSpec, ...] = (*scenario.bots, *scenario.epartners)
    for spec in specs:
        free = free_names(spec.name, taken)
        for _ in range(spec.amount):
            name = next(free)
            taken.add(name)
            if isinstance(spec, EPartnerSpec):
                agents.append((name, EPARTNER_TEAM))
            elif spec.controller is Controller.AGENT:
                agents.append((name, team))
    return agents
