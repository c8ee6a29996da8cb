# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Who takes part: the scenario without a file, and whom agents are started for."""

from __future__ import annotations

from bw4t_world.scenarios import BotSpec, Controller, Scenario
from bw4t_world.simulation.simulation import free_names


def default_scenario(robots: int, human: int) -> Scenario:
    """Return the robots ``Bot_1`` … for agents, and the human bots ``Human_1`` …."""
    bots = (
        BotSpec(amount=robots),
        BotSpec(name="Human", controller=Controller.HUMAN, amount=human),
    )
    return Scenario(bots=tuple(bot for bot in bots if bot.amount))


def agent_names(scenario: Scenario) -> list[str]:
    """Return the full names of the robots that agents drive, as the world will name them."""
    taken: set[str] = set()
    names: list[str] = []
    for bot in scenario.bots:
        free = free_names(bot.name, taken)
        for _ in range(bot.amount):
            name = next(free)
            taken.add(name)
            if bot.controller is Controller.AGENT:
                names.append(name)
    return names
