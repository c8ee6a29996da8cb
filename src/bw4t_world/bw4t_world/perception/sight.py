# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Who is near what: the blocks, robots and e-partners around a robot."""

from __future__ import annotations

from bw4t_world.model.entities import EPARTNER_SIZE, EPartner, Robot
from bw4t_world.model.ground import Block
from bw4t_world.movement.simulation_context import SimulationContext

_CARRIED_AT = EPARTNER_SIZE


class Sight:
    """Looks around in one world."""

    def __init__(self, context: SimulationContext) -> None:
        self._ground = context.ground
        self._field = context.field
        self._registry = context.registry
        self._stepper = context.stepper
        self._through_walls = context.profile.reach_through_walls
        self._outside_rooms = context.profile.color_outside_rooms

    def blocks_in_reach(self, robot: Robot) -> list[Block]:
        """Return the blocks that a robot is close enough to, the nearest first."""
        if self._through_walls:
            return self._field.within(robot.x, robot.y, robot.reach)
        if robot.zone is None or not robot.zone.blocks:
            return []
        near = self._field.within(robot.x, robot.y, robot.reach)
        return [block for block in near if block.zone is robot.zone]

    def visible_blocks(self, robot: Robot) -> list[Block]:
        """Return the blocks that a robot sees: those in its room."""
        zone = robot.zone
        if zone is None or not (zone.is_room or self._outside_rooms):
            return []
        return list(zone.blocks.values())

    def robots_near(self, robot: Robot) -> list[Robot]:
        """Return the robots in a robot's zone, itself included, in the order of their ids."""
        zone = robot.zone
        if zone is None or len(zone.occupants) == 1:
            return [robot]
        return [other for other in self._registry.robots.values() if other.zone is zone]

    def epartners_near(self, robot: Robot) -> list[EPartner]:
        """Return the e-partners in the zone of a robot, and the one that it carries."""
        zone = robot.zone
        return [
            other
            for other in self._registry.epartners.values()
            if other.holder is robot
            or (zone is not None and self._ground.zone_at(*self.epartner_position(other)) is zone)
        ]

    def epartner_position(self, epartner: EPartner) -> tuple[float, float]:
        """Return where an e-partner is: one unit beside its holder in x and y, if it has one."""
        holder = epartner.holder
        if holder is not None:
            self._stepper.sync(holder)
            x, y = holder.x + _CARRIED_AT, holder.y + _CARRIED_AT
            epartner.x, epartner.y = self._ground.clamp(x, y)
        return epartner.x, epartner.y
