# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Two ways to let time pass, with the same result to the bit.

:class:`TickTimeStepper` computes every tick of every robot: the reference.
:class:`EventTimeStepper` knows for every robot how many ticks will pass in which it only moves
straight on, and computes the others; in between a robot is put where it is when its position is
asked for. The ticks that are computed come in the same order as in the reference (by tick, then
by robot), so robots find the same doors open.
"""

from __future__ import annotations

import heapq
from math import inf
from typing import Protocol

from bw4t_world.model.entities import Robot
from bw4t_world.movement.ticks import COLLISION_GAP, Movement

_SPARE_ENTRIES = 1000
"""Void entries that may wait for their tick, beside some for each robot."""


_LOOK_AHEAD = 20
"""Ticks for which a robot remembers who can come near it, where robots collide."""


class TimeStepper(Protocol):
    """Lets time pass. ``now`` is the number of ticks that have passed."""

    @property
    def now(self) -> int:
        """The number of ticks that have passed."""

    def advance(self, ticks: int) -> None:
        """Let a number of ticks pass."""

    def sync(self, robot: Robot) -> None:
        """Bring the position and the charge of a robot up to now."""

    def reschedule(self, robot: Robot) -> None:
        """Handle a new or dropped route of a robot, between two ticks."""

    def reschedule_all(self) -> None:
        """Handle added or removed robots."""

    def next_event(self) -> int | None:
        """Return the next tick in which something may happen; ``None`` if all stand still."""


class TickTimeStepper:
    """Computes tick by tick, robot by robot."""

    def __init__(self, movement: Movement) -> None:
        self._movement = movement

    @property
    def now(self) -> int:
        """The number of ticks that have passed."""
        return self._movement.now

    def advance(self, ticks: int) -> None:
        """Let a number of ticks pass."""
        for _ in range(ticks):
            self._movement.now += 1
            for robot in self._movement.registry.robots.values():
                self._movement.tick(robot)

    def sync(self, robot: Robot) -> None:
        """Do nothing: all robots are always where they are."""

    def reschedule(self, robot: Robot) -> None:
        """Do nothing: nothing is scheduled ahead."""

    def reschedule_all(self) -> None:
        """Do nothing: nothing is scheduled ahead."""

    def next_event(self) -> int | None:
        """Return the next tick if any robot has a route."""
        moving = any(robot.goal is not None for robot in self._movement.registry.robots.values())
        return self.now + 1 if moving else None


class EventTimeStepper:
    """Jumps from event to event.

    An entry of the heap says that a robot's tick must be computed: ``(tick, robot id, ticket)``.
    Ids grow in the order in which robots came. An entry whose ticket is no longer the robot's
    is void.
    """

    def __init__(self, movement: Movement) -> None:
        self._movement = movement
        self._heap: list[tuple[int, int, int, Robot]] = []
        self._charge_after_move = movement.charge_after_move
        self._neighbours: dict[Robot, tuple[int, list[Robot]]] = {}
        movement.nearby = self._nearby

    @property
    def now(self) -> int:
        """The number of ticks that have passed."""
        return self._movement.now

    def advance(self, ticks: int) -> None:
        """Let a number of ticks pass."""
        movement, heap = self._movement, self._heap
        until = movement.now + ticks
        while heap and heap[0][0] <= until:
            tick, _, ticket, robot = heap[0]
            if ticket != robot.schedule_id:
                heapq.heappop(heap)
                continue
            movement.now = tick
            self._compute(robot, tick)  # voids the entry, and not before it is done
        movement.now = until

    def _compute(self, robot: Robot, tick: int) -> None:
        if robot.since < tick - 1:
            _pass_quietly(robot, tick - 1, self._charge_after_move)
        if self._movement.collisions:
            self._settle_nearby(robot, tick)
        for bumped in self._movement.tick(robot):
            bumped.schedule_id += 1
        robot.since = tick
        self._schedule(robot)

    def sync(self, robot: Robot) -> None:
        """Bring the position and the charge of a robot up to now."""
        now = self._movement.now
        if robot.since < now:
            _pass_quietly(robot, now, self._charge_after_move)

    def _settle_nearby(self, robot: Robot, tick: int) -> None:
        # Within a tick, those who came earlier have moved already and the others have not.
        for other in self._nearby(robot):
            until = tick if other.id < robot.id else tick - 1
            if other.since < until:
                _pass_quietly(other, until, self._charge_after_move)

    def reschedule(self, robot: Robot) -> None:
        """Handle a new or dropped route of a robot, between two ticks."""
        if self._movement.collisions:
            for other in self._nearby(robot):
                self.sync(other)
        self._schedule(robot)

    def reschedule_all(self) -> None:
        """Handle added or removed robots: compute when they can meet."""
        self._neighbours.clear()
        for robot in self._movement.registry.robots.values():
            self.sync(robot)
        for robot in self._movement.registry.robots.values():
            self._schedule(robot)

    def next_event(self) -> int | None:
        """Return the next tick in which something may happen; ``None`` if all stand still."""
        heap = self._heap
        while heap and heap[0][2] != heap[0][3].schedule_id:
            heapq.heappop(heap)
        return heap[0][0] if heap else None

    def _schedule(self, robot: Robot) -> None:
        robot.schedule_id += 1
        quiet = self._quiet_ticks(robot)
        if quiet is not None:
            heap = self._heap
            heapq.heappush(heap, (robot.since + 1 + quiet, robot.id, robot.schedule_id, robot))
            if len(heap) > _SPARE_ENTRIES + 4 * len(self._movement.registry.robots):
                heap[:] = [entry for entry in heap if entry[2] == entry[3].schedule_id]
                heapq.heapify(heap)

    def _quiet_ticks(self, robot: Robot) -> int | None:
        """Return for how many ticks a robot surely just moves on; ``None`` for ever."""
        leg = robot.leg
        if leg is None or robot.collided:
            return None
        moved = robot.moved
        # It moves on until it is at the waypoint; the tick after that takes the next one.
        quiet = leg.moves - moved
        changes = robot.zone_changes
        while robot.next_change < len(changes) and changes[robot.next_change] <= moved:
            robot.next_change += 1
        if robot.next_change < len(changes):
            quiet = min(quiet, changes[robot.next_change] - 1 - moved)
        battery = robot.battery
        if battery is not None:
            moves_left = None if robot.in_charging_zone else battery.moves_left()
            if moves_left is not None:
                quiet = min(quiet, moves_left)
        if self._movement.collisions:
            quiet = min(quiet, self._ticks_apart(robot))
        return None if quiet == inf else int(quiet)

    def _ticks_apart(self, robot: Robot) -> int:
        """Return for how many ticks no other robot can come near, however they move."""
        near = self._nearby(robot)
        apart = self._neighbours[robot][0] - robot.since
        for other in near:
            speed = robot.step + other.step
            if speed > 0.0:
                # The other can be one tick older or newer, and steps are rounded to the grain.
                apart = min(apart, int(_gap(robot, other) / speed) - 2)
        return max(0, apart)

    def _nearby(self, robot: Robot) -> list[Robot]:
        """Return those who can come near a robot soon; the list is renewed from time to time."""
        now = self._movement.now
        until, near = self._neighbours.get(robot, (-1, []))
        if now > until:
            until = now + _LOOK_AHEAD
            near = []
            for other in self._movement.registry.robots.values():
                # The other has not been looked at for a while, so it may be anywhere around.
                age = now - min(robot.since, other.since)
                travel = (robot.step + other.step) * (age + _LOOK_AHEAD + 2)
                if other is not robot and _gap(robot, other) <= travel:
                    near.append(other)
            self._neighbours[robot] = (until, near)
        return near


def _gap(robot: Robot, other: Robot) -> float:
    """Return how far two robots are from colliding, in map units; negative when too near."""
    distance = max(abs(other.x - robot.x), abs(other.y - robot.y))
    return distance - (robot.size + other.size) / 2 - COLLISION_GAP


def _pass_quietly(robot: Robot, tick: int, charge_after_move: bool) -> None:
    """Move a robot to where it is after a tick, which must come before its next event."""
    ticks = tick - robot.since
    robot.since = tick
    battery, leg = robot.battery, robot.leg
    if leg is None or robot.collided:
        if battery is not None and robot.in_charging_zone:
            battery.charge = 1.0
        return
    robot.moved += ticks
    robot.x, robot.y = leg.at(robot.moved)
    robot.free = True
    if battery is not None:
        if not robot.in_charging_zone:
            battery.drain(ticks)
        else:
            battery.charge = 1.0
            if not charge_after_move:
                battery.drain()
