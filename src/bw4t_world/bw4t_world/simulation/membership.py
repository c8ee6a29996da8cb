# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Who takes part in a run: the members of a scenario by their full names."""

from __future__ import annotations

from bw4t_world.model.entities import EPartner, Robot
from bw4t_world.model.errors import SpawnError
from bw4t_world.scenarios.model import BotSpec, EPartnerSpec, Scenario
from bw4t_world.scenarios.validator import validate_scenario
from bw4t_world.simulation.simulation import Member, Simulation, free_names


def members_of(scenario: Scenario | None) -> list[Member]:
    """Return the robots and e-partners of a scenario with their full names."""
    if scenario is None:
        return []
    validate_scenario(scenario)
    taken: set[str] = set()
    members: list[Member] = []
    groups: list[BotSpec | EPartnerSpec] = [*scenario.bots, *scenario.epartners]
    for group in groups:
        names = free_names(group.name, taken)
        for _ in range(group.amount):
            name = next(names)
            taken.add(name)
            members.append((name, group))
    return members


def populate(
    simulation: Simulation, members: list[Member]
) -> tuple[dict[str, BotSpec | EPartnerSpec], tuple[str, ...]]:
    """Add members; return who is there, and the names of those for whom there was no place.

    Raises SpawnError unless the profile is silent about it.
    """
    roster: dict[str, BotSpec | EPartnerSpec] = {}
    for index, (name, spec) in enumerate(members):
        try:
            add_member(simulation, name, spec)
        except SpawnError:
            if simulation.profile.spawn_failure_is_silent:
                return roster, tuple(name for name, _ in members[index:])
            raise
        roster[name] = spec
    return roster, ()


def add_member(
    simulation: Simulation, name: str, spec: BotSpec | EPartnerSpec
) -> Robot | EPartner:
    """Add one member; raises SpawnError where there is no place."""
    if isinstance(spec, BotSpec):
        return simulation.add_robot(name, spec)
    return simulation.add_epartner(name, spec)
