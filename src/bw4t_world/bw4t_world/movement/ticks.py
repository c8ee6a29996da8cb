# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What one tick does to one robot: the rules of motion, doors, collisions and batteries.

This is the readable reference (docs/originals/bw4t.md, 3). Stepping the world is nothing but
:meth:`Movement.tick` of every robot in the order in which they came; the closed form of
:mod:`bw4t_world.movement.time_stepping` jumps over ticks in which it would only move straight on.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from math import hypot

from bw4t_world.maps.model import DOOR_WIDTH
from bw4t_world.model.entities import Entity, EPartner, Robot, Stop
from bw4t_world.model.ground import Ground, Zone
from bw4t_world.model.journal import EventKind, Journal
from bw4t_world.model.motion import ARRIVAL_DISTANCE
from bw4t_world.model.profiles import Profile

COLLISION_GAP = 0.5
"""Robots closer than this in x and in y collide, in map units."""


@dataclass
class EntityRegistry:
    """The robots and e-partners of a world. Robots act within a tick in the order of ``robots``.

    ``version`` changes with the members; ``news`` when a room becomes occupied or free, and when
    a block is delivered.
    """

    robots: dict[str, Robot] = field(default_factory=dict)
    epartners: dict[str, EPartner] = field(default_factory=dict)
    version: int = 0
    news: int = 0

    def get(self, name: str) -> Entity | None:
        """Return the robot or e-partner of a name."""
        return self.robots.get(name) or self.epartners.get(name)

    def entities(self) -> list[Entity]:
        """Return all robots, then all e-partners, each in the order in which they came."""
        return [*self.robots.values(), *self.epartners.values()]


class Movement:
    """Moves robots. ``now`` is the tick that is being computed; a TimeStepper keeps it."""

    def __init__(
        self,
        ground: Ground,
        registry: EntityRegistry,
        profile: Profile,
        journal: Journal,
        *,
        collisions: bool,
    ) -> None:
        self.ground = ground
        self.registry = registry
        self.journal = journal
        self.collisions = collisions
        self.now = 0
        self.one_bot_per_corridor = ground.spec.one_bot_per_corridor_zone
        self.charge_after_move = profile.charge_after_move
        self.bumped_repeats = profile.bumped_repeats
        self.nearby: Callable[[Robot], Iterable[Robot]] = lambda _: registry.robots.values()
        """Robots that a robot could touch now; a TimeStepper may know that these are few."""

    # --- One tick ------------------------------------------------------------------------

    def tick(self, robot: Robot) -> Iterable[Robot]:
        """Do what a robot does in one tick; return the robots that it bumped into."""
        battery = robot.battery
        if battery is not None and robot.in_charging_zone:
            battery.charge = 1.0
        goal, leg = robot.goal, robot.leg
        if goal is None or leg is None or robot.collided:
            return ()
        if battery is not None and battery.charge <= 0.0:
            self.next_waypoint(robot, Stop.BATTERY)
            return ()
        remaining = hypot(goal[0] - robot.x, goal[1] - robot.y)
        if leg.is_endless:
            x, y = robot.x, robot.y
        elif remaining < ARRIVAL_DISTANCE:
            self.next_waypoint(robot, Stop.ARRIVED)
            return ()
        elif remaining <= robot.step:
            x, y = goal
        else:
            x, y = robot.x + leg.vx, robot.y + leg.vy
        zones = self.ground.zones_at(x, y)
        if zones != robot.zones:
            hit = self.obstruction(robot, zones)
            if hit is not None:
                self.collide(robot, *hit)
                return ()
        if self.collisions:
            touched = self.touching(robot, x, y)
            if touched and robot.free:
                self.bump(robot, touched)
                return touched
            robot.free = not touched
        robot.x, robot.y = x, y
        robot.moved += 1
        if zones != robot.zones:
            self.change_zones(robot, zones)
        if battery is not None:
            battery.drain()
            if self.charge_after_move and robot.in_charging_zone:
                battery.charge = 1.0
        return ()

    # --- Access to zones -----------------------------------------------------------------

    def obstruction(self, robot: Robot, zones: Sequence[Zone]) -> tuple[Stop, str] | None:
        """Return what keeps a robot from entering zones, and the zone's name; the worst first.

        A room is entered through a door, by one robot at a time and not by oversized ones; a
        corridor by one at a time where the map says so. A robot that is in a zone can stay in it.
        """
        entered = [zone for zone in zones if zone not in robot.zones]
        for zone in entered:
            if zone.is_walled and not self._at_door(robot):
                return Stop.WALL, zone.name
        for zone in entered:
            if zone.is_walled and zone.occupants:
                return Stop.CLOSED_DOOR, zone.name
        if self.one_bot_per_corridor:
            for zone in entered:
                if zone.is_corridor and zone.occupants:
                    return Stop.OCCUPIED_ZONE, zone.name
        return None

    def _at_door(self, robot: Robot) -> bool:
        return robot.size < DOOR_WIDTH and self.ground.in_a_door(robot.x, robot.y)

    def change_zones(self, robot: Robot, zones: tuple[Zone, ...]) -> None:
        """Let a robot leave and enter zones."""
        for zone in robot.zones:
            if zone not in zones:
                zone.occupants.discard(robot)
                if zone.is_walled:
                    self.registry.news += 1
        for zone in zones:
            if zone not in robot.zones:
                zone.occupants.add(robot)
                if zone.is_walled:
                    self.registry.news += 1
                    robot.measures.rooms_entered += 1
                    self._note(EventKind.ENTERED, robot, zone.name)
        robot.zones = zones
        robot.zone = zones[0] if zones else None
        robot.version += 1

    # --- Collisions ----------------------------------------------------------------------

    def touching(self, robot: Robot, x: float, y: float) -> list[Robot]:
        """Return the robots that a robot would be too close to if its centre were at a point."""
        clear = robot.size / 2 + COLLISION_GAP
        return [
            other
            for other in self.nearby(robot)
            if other is not robot
            and abs(other.x - x) < clear + other.size / 2
            and abs(other.y - y) < clear + other.size / 2
        ]

    def bump(self, robot: Robot, touched: Iterable[Robot]) -> None:
        """Stop a robot at others, which freeze with their plans until someone frees them."""
        for other in touched:
            if not other.collided:
                self._note(EventKind.COLLIDED, other, f"{Stop.ROBOT.value} {robot.name}")
            other.collided = True
            other.stop, other.stopped_by = Stop.ROBOT, robot.name
            self._add_obstacle(other, robot)
            other.version += 1
            self._add_obstacle(robot, other)
            self.collide(robot, Stop.ROBOT, other.name)

    def _add_obstacle(self, robot: Robot, obstacle: Robot) -> None:
        if self.bumped_repeats or obstacle not in robot.obstacles:
            robot.obstacles.append(obstacle)

    def collide(self, robot: Robot, stop: Stop, stopped_by: str) -> None:
        """Stop a robot where it is; what it wanted to walk is abandoned."""
        if robot.goal is not None:
            robot.abandoned = list(robot.waypoints())
            robot.measures.collisions += 1
            self._note(EventKind.COLLIDED, robot, f"{stop.value} {stopped_by}")
        self._forget_route(robot)
        robot.collided = True
        robot.stop, robot.stopped_by = stop, stopped_by

    # --- Routes --------------------------------------------------------------------------

    def follow(self, robot: Robot, waypoints: Iterable[tuple[float, float]]) -> None:
        """Give a robot a new route, instead of what it was doing."""
        if robot.goal is None:
            robot.measures.idle_ticks += self.now - robot.idle_since
        robot.collided = False
        robot.obstacles = []
        robot.unreachable = False
        robot.abandoned = None
        robot.stop, robot.stopped_by = Stop.NONE, ""
        robot.plan = deque(waypoints)
        self._start_leg(robot, robot.plan.popleft())

    def next_waypoint(self, robot: Robot, stop: Stop) -> None:
        """Go on with the next waypoint; without one, stand still for the reason given."""
        if robot.plan:
            self._start_leg(robot, robot.plan.popleft())
            return
        self._forget_route(robot)
        robot.stop, robot.stopped_by = stop, ""
        kind = EventKind.ARRIVED if stop is Stop.ARRIVED else EventKind.BATTERY_EMPTY
        self._note(kind, robot)

    def halt(self, robot: Robot) -> None:
        """Let a robot forget its route, as if it had arrived."""
        if robot.goal is not None:
            robot.plan.clear()
            self.next_waypoint(robot, robot.stop if robot.collided else Stop.ARRIVED)

    def _start_leg(self, robot: Robot, goal: tuple[float, float]) -> None:
        robot.goal = goal
        robot.leg, robot.zone_changes = self.ground.leg(robot.x, robot.y, *goal, robot.step)
        robot.next_change = 0
        robot.moved = 0
        robot.version += 1

    def _note(self, kind: EventKind, robot: Robot, text: str = "") -> None:
        if self.journal.listeners:
            self.journal.note(self.now, kind, robot.name, text)

    def _forget_route(self, robot: Robot) -> None:
        if robot.goal is not None:
            robot.idle_since = self.now
        robot.goal = None
        robot.leg = None
        robot.plan.clear()
        robot.version += 1
