# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Which way robots walk: shortest paths over the centres of zones (docs/originals/bw4t.md, 3).

*Planner A* passes the centres of all zones from the robot's to the target's, and then goes to
the target. *Planner B* leaves out centres where that is a detour. Both take the neighbours of
the map in both directions, with the distance of the centres as length.
"""

from __future__ import annotations

import heapq
from math import hypot

from bw4t_world.model.errors import ActionError
from bw4t_world.model.ground import Ground, Zone
from bw4t_world.model.motion import on_grain

Waypoint = tuple[float, float]

_ALIGNED = 2.0


class RoutePlanner:
    """Plans routes on one map. The shortest paths from every zone are computed once."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._edges: dict[Zone, dict[Zone, float]] = {zone: {} for zone in ground.zones}
        self._trees: dict[Zone, dict[Zone, Zone]] = {}
        for zone in ground.zones:
            for name in zone.spec.neighbours:
                other = ground.by_name[name]
                length = hypot(zone.center[0] - other.center[0], zone.center[1] - other.center[1])
                self._edges[zone][other] = self._edges[other][zone] = length

    def zones_between(self, start: Zone, end: Zone) -> list[Zone]:
        """Return the zones of the shortest path, both ends included; empty without a path."""
        if start is end:
            return [start]
        tree = self._trees.get(start)
        if tree is None:
            tree = self._trees[start] = self._shortest_paths(start)
        if end not in tree:
            return []
        path = [end]
        while path[-1] is not start:
            path.append(tree[path[-1]])
        return path[::-1]

    def _shortest_paths(self, start: Zone) -> dict[Zone, Zone]:
        """Return the zone before every other zone on the shortest path from the start."""
        before: dict[Zone, Zone] = {}
        best = {start: 0.0}
        done: set[Zone] = set()
        queue = [(0.0, start.id, start)]
        while queue:
            length, _, zone = heapq.heappop(queue)
            if zone in done:
                continue
            done.add(zone)
            for other, edge in self._edges[zone].items():
                through = length + edge
                # Of equally long ways the one found last is taken, as in the recordings. The
                # original takes another from run to run (docs/originals/bw4t.md, 12).
                if other not in done and through <= best.get(other, through):
                    best[other] = through
                    before[other] = zone
                    heapq.heappush(queue, (through, other.id, other))
        return before

    def through_centers(self, x: float, y: float, to_x: float, to_y: float) -> list[Waypoint]:
        """Return the waypoints of planner A; :class:`ActionError` when there is no path."""
        zones, target = self._path(x, y, to_x, to_y)
        return self._until_edge([zone.center for zone in zones], target)

    def with_shortcuts(self, x: float, y: float, to_x: float, to_y: float) -> list[Waypoint]:
        """Return the waypoints of planner B; :class:`ActionError` when there is no path."""
        zones, target = self._path(x, y, to_x, to_y)
        start, end = self._ground.zone_at(x, y), self._ground.zone_at(*target)
        if start is not None and start is end:
            return [target]
        centers = [zone.center for zone in zones]
        if len(zones) > 1 and not zones[-1].is_walled and _skips_last(centers, target):
            centers.pop()
        if centers and not zones[0].is_walled and centers[0] == (x, y):
            centers.pop(0)
        return self._until_edge(centers, target)

    def _path(self, x: float, y: float, to_x: float, to_y: float) -> tuple[list[Zone], Waypoint]:
        start, end = self._ground.zone_near(x, y), self._ground.zone_near(to_x, to_y)
        if start is None or end is None:
            raise ActionError("there is no path: all zones of this map are rooms")
        zones = self.zones_between(start, end)
        if not zones:
            raise ActionError(f"there is no path from {start.name} to {end.name}")
        if self._ground.inside(to_x, to_y):
            return zones, (on_grain(to_x), on_grain(to_y))
        return zones, (to_x, to_y)

    def _until_edge(self, centers: list[Waypoint], target: Waypoint) -> list[Waypoint]:
        """Append a target to waypoints, with the way along the edge of the map to it.

        A robot sticks to the edge: towards a target beyond, it walks to the point of the map
        that is nearest to the target. There it presses on without ever arriving.
        """
        ground = self._ground
        if ground.inside(*target):
            return [*centers, target]
        nearest = ground.clamp(*target)
        return [*centers, (on_grain(nearest[0]), on_grain(nearest[1])), target]


def _skips_last(centers: list[Waypoint], target: Waypoint) -> bool:
    """Whether planner B goes to the target without passing the centre of its zone."""
    (x0, y0), (x1, y1) = centers[-2:]
    aligned = abs(x0 - x1) < _ALIGNED or abs(y0 - y1) < _ALIGNED
    nearer = hypot(target[0] - x0, target[1] - y0) < hypot(x1 - x0, y1 - y0)
    return aligned and nearer
