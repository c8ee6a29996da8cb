# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The actions that make robots move: goTo, goToBlock and navigateObstacles."""

from __future__ import annotations

from collections.abc import Callable

from bw4t_world.actions.arguments import block_in_zone, number, shown
from bw4t_world.actions.outcomes import Effect, Outcome
from bw4t_world.model.entities import Robot, Stop
from bw4t_world.model.errors import ActionError
from bw4t_world.movement.obstacle_avoidance import find_way_around
from bw4t_world.movement.routes import RoutePlanner
from bw4t_world.movement.simulation_context import SimulationContext
from bw4t_world.perception.sight import Sight


class Going:
    """Sends robots around in one world (docs/originals/bw4t.md, 3)."""

    def __init__(self, context: SimulationContext, sight: Sight) -> None:
        self._profile = context.profile
        self._ground = context.ground
        self._field = context.field
        self._movement = context.movement
        self._stepper = context.stepper
        self._sight = sight
        self._routes = RoutePlanner(context.ground)

    def to_place(self, robot: Robot, place: object) -> Outcome:
        """``goTo(Place)``: to the centre of a zone."""
        if not isinstance(place, str):
            raise ActionError(f"Expected an Identifier parameter but got {shown(place)}")
        zone = self._ground.by_name.get(place)
        if zone is None:
            raise ActionError(f"unknown place {place}")
        return self._walk(robot, zone.center, self._routes.through_centers, f"to {place}")

    def to_point(self, robot: Robot, x: object, y: object) -> Outcome:
        """``goTo(X, Y)``: to a point, in map units."""
        point = number(x), number(y)
        planner = self._routes.through_centers
        if self._profile.goto_point_shortcuts:
            planner = self._routes.with_shortcuts
        outcome = self._walk(robot, point, planner, f"to ({point[0]:g}, {point[1]:g})")
        if not self._ground.inside(*point):
            text = f"{outcome.text}, which is outside of the map, so it will never arrive"
            outcome = outcome._replace(text=text)
        return outcome

    def to_block(self, robot: Robot, block_id: object) -> Outcome:
        """``goToBlock(Block)``: to a block that the robot sees."""
        block = block_in_zone(self._field, robot, block_id)
        if block is None or block not in self._sight.visible_blocks(robot):
            where = " in the room" if self._profile.block_error_names_room else ""
            raise ActionError(f"there is no block with id={shown(block_id)}{where}")
        target = block.x, block.y
        return self._walk(robot, target, self._routes.through_centers, f"to block {block.id}")

    def _walk(
        self,
        robot: Robot,
        target: tuple[float, float],
        planner: Callable[[float, float, float, float], list[tuple[float, float]]],
        where: str,
    ) -> Outcome:
        waypoints = planner(robot.x, robot.y, *target)
        self._movement.follow(robot, waypoints)
        robot.target = waypoints[-1]
        self._stepper.reschedule(robot)
        return Outcome(Effect.STARTED, f"{robot.name} goes {where}")

    def around_obstacles(self, robot: Robot) -> Outcome:
        """``navigateObstacles``: to the last target, around what the robot bumped into."""
        if robot.target is None:
            raise ActionError("there is no target: the robot was never told to go anywhere")
        if self._profile.navigate_needs_collision and not robot.collided:
            raise ActionError("there is no obstacle: the robot has not collided")
        for obstacle in robot.obstacles:
            self._stepper.sync(obstacle)
        detour = find_way_around(self._ground, robot, robot.target, robot.obstacles)
        if detour is None:
            robot.unreachable = True
            robot.version += 1
            return Outcome(Effect.UNREACHABLE, f"{robot.name} finds no way around the obstacles")
        repeated = robot.abandoned or list(robot.waypoints())
        if not (self._profile.detour_repeats_plan and repeated):
            repeated = [robot.target]
        for obstacle in robot.obstacles:
            self._free(obstacle)
        self._movement.follow(robot, [*detour, *repeated])
        self._stepper.reschedule(robot)
        return Outcome(Effect.STARTED, f"{robot.name} tries another way")

    def _free(self, robot: Robot) -> None:
        robot.collided = False
        robot.obstacles = []
        robot.stop, robot.stopped_by = Stop.NONE, ""
        robot.version += 1
        self._stepper.reschedule(robot)
