# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The way around obstacles that ``navigateObstacles`` takes (docs/originals/bw4t.md, 3).

It leads over the points with whole coordinates, one unit at a time to the left, right, up or
down, through corridors and the zones of the robot and of the target. It stays clear of the
obstacles, of the walls of rooms, and of the edge of the map, and crosses walls only at doors.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from math import floor, hypot

from bw4t_world.model.entities import Robot
from bw4t_world.model.ground import Ground, Zone

CLEARANCE = 1.0
"""Distance kept from the outlines of obstacles, in map units."""

_LatticePoint = tuple[int, int]


def find_way_around(
    ground: Ground, robot: Robot, target: tuple[float, float], obstacles: Sequence[Robot]
) -> list[tuple[float, float]] | None:
    """Return a shortest path of lattice points near ``target``; ``None`` if there is none.

    The path begins at the lattice point nearest to the robot that is clear of the obstacles.
    """
    return _Lattice(ground, robot, target, obstacles).search()


def _nearest(x: float, y: float) -> _LatticePoint:
    return floor(x + 0.5), floor(y + 0.5)


class _Lattice:
    def __init__(
        self,
        ground: Ground,
        robot: Robot,
        target: tuple[float, float],
        obstacles: Sequence[Robot],
    ) -> None:
        self._ground = ground
        self._end = _nearest(*target)
        self._obstacles = obstacles
        self._band = int(robot.size / 2)
        ends = (ground.zone_near(robot.x, robot.y), ground.zone_near(*target))
        own = {zone for zone in ends if zone is not None}
        self._own_rooms = {zone for zone in own if zone.is_walled}
        self._zones = own | {zone for zone in ground.zones if zone.is_corridor}
        self._walls = [zone for zone in ground.rooms if zone not in own]
        self._start = self._way_in(robot)

    def _way_in(self, robot: Robot) -> _LatticePoint:
        """Return the nearest lattice point around a robot, a free one if there is one."""
        around = [
            (x, y)
            for x in (floor(robot.x), floor(robot.x) + 1)
            for y in (floor(robot.y), floor(robot.y) + 1)
        ]

        def badness(point: _LatticePoint) -> tuple[bool, float]:
            free = self._is_free(point, self._zones_at(point))
            return not free, hypot(point[0] - robot.x, point[1] - robot.y)

        return min(around, key=badness)

    def search(self) -> list[tuple[float, float]] | None:
        before: dict[_LatticePoint, _LatticePoint] = {}
        length = {self._start: 0}
        queue = [(self._lower_bound(self._start), 0, self._start)]
        while queue:
            _, steps, point = heapq.heappop(queue)
            if point == self._end:
                return self._path(before)
            if -steps > length[point]:
                continue
            for step in self._steps(point):
                through = length[point] + 1
                if through < length.get(step, through + 1):
                    length[step] = through
                    before[step] = point
                    # Of equally good points the one farther on its way comes first.
                    entry = (through + self._lower_bound(step), -through, step)
                    heapq.heappush(queue, entry)
        return None

    def _lower_bound(self, point: _LatticePoint) -> int:
        return abs(point[0] - self._end[0]) + abs(point[1] - self._end[1])

    def _path(self, before: dict[_LatticePoint, _LatticePoint]) -> list[tuple[float, float]]:
        path = [self._end]
        while path[-1] != self._start:
            path.append(before[path[-1]])
        return [(float(x), float(y)) for x, y in reversed(path)]

    def _steps(self, point: _LatticePoint) -> Iterator[_LatticePoint]:
        x, y = point
        here = self._zones_at(point)
        for step in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)):
            there = self._zones_at(step)
            if self._is_free(step, there) and self._no_wall(point, here, step, there):
                yield step

    def _zones_at(self, point: _LatticePoint) -> tuple[Zone, ...]:
        return self._ground.zones_at(float(point[0]), float(point[1]))

    def _is_free(self, point: _LatticePoint, zones: tuple[Zone, ...]) -> bool:
        x, y = point
        band = self._band
        if not (band <= x <= self._ground.spec.area.x - band):
            return False
        if not (band <= y <= self._ground.spec.area.y - band):
            return False
        if not any(zone in self._zones for zone in zones):
            return False
        for obstacle in self._obstacles:
            clear = obstacle.size / 2 + CLEARANCE
            if abs(x - obstacle.x) <= clear and abs(y - obstacle.y) <= clear:
                return False
        return not self._own_rooms.isdisjoint(zones) or not any(
            wall.min_x - band < x < wall.max_x + band and wall.min_y - band < y < wall.max_y + band
            for wall in self._walls
        )

    def _no_wall(
        self,
        point: _LatticePoint,
        here: tuple[Zone, ...],
        step: _LatticePoint,
        there: tuple[Zone, ...],
    ) -> bool:
        """Whether a step enters and leaves no room, or does so in a door."""
        rooms_here = {zone for zone in here if zone.is_walled}
        rooms_there = {zone for zone in there if zone.is_walled}
        return rooms_here == rooms_there or any(
            self._ground.in_a_door(float(x), float(y)) for x, y in (point, step)
        )
