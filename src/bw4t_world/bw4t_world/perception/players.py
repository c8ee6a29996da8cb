# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The percepts of robots, human bots and e-partners."""

from __future__ import annotations

from bw4t_world.model.entities import Entity, EPartner
from bw4t_world.model.percepts import Percept
from bw4t_world.model.policies import Group
from bw4t_world.movement.simulation_context import SimulationContext
from bw4t_world.perception.epartner import EPartnerPerception
from bw4t_world.perception.robot import RobotPerception
from bw4t_world.perception.sight import Sight


class Perception:
    """Reads percepts off one world."""

    def __init__(self, context: SimulationContext, sight: Sight) -> None:
        self._message_as_list = context.profile.message_as_list
        self._of_robots = RobotPerception(context, sight)
        self._of_epartners = EPartnerPerception(context, sight)

    def groups_of(self, entity: Entity) -> tuple[Group, ...]:
        """Return the sources of an entity, grouped by what they depend on."""
        if isinstance(entity, EPartner):
            return self._of_epartners.groups_of(entity)
        return self._of_robots.groups_of(entity)

    def message(self, sender: str, text: str) -> Percept:
        """Return ``message(Sender, Text)``, or with one list of both."""
        content = (sender, text)
        return Percept("message", (content,) if self._message_as_list else content)
