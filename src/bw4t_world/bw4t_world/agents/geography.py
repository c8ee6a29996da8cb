# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Ways between places, as the zone percepts give them."""

from __future__ import annotations

import heapq
from collections.abc import Collection, Mapping
from math import hypot, inf

DROP_ZONE = "DropZone"

Zones = Mapping[str, tuple[float, float, tuple[str, ...]]]


class Geography:
    """The graph of the places; ways are measured between their centres, in map units."""

    def __init__(self, zones: Zones) -> None:
        self.centers = {name: (x, y) for name, (x, y, _) in zones.items()}
        self.neighbours: dict[str, list[str]] = {name: [] for name in zones}
        for name, (_, _, found) in zones.items():
            for other in found:
                if other in zones:
                    self._connect(name, other)
                    self._connect(other, name)
        self._trees: dict[str, tuple[dict[str, float], dict[str, str]]] = {}
        self.rooms = self._guess_rooms()

    def _connect(self, name: str, other: str) -> None:
        if other not in self.neighbours[name]:
            self.neighbours[name].append(other)

    def _guess_rooms(self) -> list[str]:
        # The environment does not say which places are rooms (specification, "place"). Maps
        # name them so; else a room is where a way ends.
        named = [name for name in self.centers if name.startswith("Room")]
        ends = [name for name, found in self.neighbours.items() if len(found) == 1]
        return named or [name for name in ends if name != DROP_ZONE]

    def front_of(self, place: str) -> str:
        """Return the place from which a room is entered."""
        found = self.neighbours.get(place)
        return found[0] if found else place

    def distance(self, start: str, target: str) -> float:
        """Return the length of the shortest way; infinite where there is none."""
        if start not in self.centers:
            return inf
        if start not in self._trees:
            self._trees[start] = self._tree(start, ())
        return self._trees[start][0].get(target, inf)

    def way(self, start: str, target: str, avoid: Collection[str] = ()) -> list[str] | None:
        """Return the places on the shortest way, both ends included, or ``None``."""
        if start not in self.centers or target not in self.centers:
            return None
        _, before = self._tree(start, avoid)
        if target != start and target not in before:
            return None
        way = [target]
        while way[-1] != start:
            way.append(before[way[-1]])
        return way[::-1]

    def _tree(self, start: str, avoid: Collection[str]) -> tuple[dict[str, float], dict[str, str]]:
        distances, before = {start: 0.0}, dict[str, str]()
        queue = [(0.0, start)]
        while queue:
            distance, name = heapq.heappop(queue)
            if distance > distances[name]:
                continue
            x, y = self.centers[name]
            for other in self.neighbours[name]:
                if other in avoid:
                    continue
                to_x, to_y = self.centers[other]
                further = distance + hypot(to_x - x, to_y - y)
                if further < distances.get(other, inf):
                    distances[other], before[other] = further, name
                    heapq.heappush(queue, (further, other))
        return distances, before
