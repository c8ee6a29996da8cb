# SPDX-License-Identifier: Apache-2.0
"""The ground of the simulated game: one flat, continuous track with the widths of the facts.

What lies between the known checkpoints is of our making: straights, an arc, an S-curve and round
platforms at the corners.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

from roboskate_bridge.levels import Point

_SPACING = 2.0
_CELL = 4.0


@dataclass(frozen=True)
class Stretch:
    """A ribbon of ``width`` metres along ``points``."""

    points: tuple[Point, ...]
    width: float


@dataclass(frozen=True)
class Platform:
    """A round piece of ground."""

    centre: Point
    radius: float


class Track:
    """Ribbons and platforms; knows whether there is ground at a place."""

    def __init__(self, stretches: tuple[Stretch, ...], platforms: tuple[Platform, ...]) -> None:
        self.stretches = stretches
        self.platforms = platforms
        # Segments and discs by the cells of a grid that they may touch.
        self._segments: dict[tuple[int, int], list[tuple[Point, Point, float]]] = {}
        self._discs: dict[tuple[int, int], list[tuple[Point, float]]] = {}
        for stretch in stretches:
            half = stretch.width / 2.0
            for a, b in pairwise(stretch.points):
                for cell in _cells(a, b, half):
                    self._segments.setdefault(cell, []).append((a, b, half))
        for disc in platforms:
            for cell in _cells(disc.centre, disc.centre, disc.radius):
                self._discs.setdefault(cell, []).append((disc.centre, disc.radius))

    def contains(self, x: float, y: float) -> bool:
        """Tell whether there is ground at x, y."""
        cell = (math.floor(x / _CELL), math.floor(y / _CELL))
        for (ax, ay), (bx, by), half in self._segments.get(cell, ()):
            dx, dy = bx - ax, by - ay
            along = ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy)
            along = 0.0 if along < 0.0 else 1.0 if along > 1.0 else along
            ex, ey = x - ax - along * dx, y - ay - along * dy
            if ex * ex + ey * ey <= half * half:
                return True
        return any(
            (x - cx) ** 2 + (y - cy) ** 2 <= radius * radius
            for (cx, cy), radius in self._discs.get(cell, ())
        )


def _cells(a: Point, b: Point, margin: float) -> list[tuple[int, int]]:
    low_x = math.floor((min(a[0], b[0]) - margin) / _CELL)
    high_x = math.floor((max(a[0], b[0]) + margin) / _CELL)
    low_y = math.floor((min(a[1], b[1]) - margin) / _CELL)
    high_y = math.floor((max(a[1], b[1]) + margin) / _CELL)
    return [(i, j) for i in range(low_x, high_x + 1) for j in range(low_y, high_y + 1)]


def straight(a: Point, b: Point, width: float) -> Stretch:
    """Return a straight ribbon, with points every two metres or so."""
    count = max(1, round(math.dist(a, b) / _SPACING))
    return Stretch(
        tuple(
            (a[0] + (b[0] - a[0]) * i / count, a[1] + (b[1] - a[1]) * i / count)
            for i in range(count + 1)
        ),
        width,
    )


def right_arc(start: Point, radius: float, width: float) -> Stretch:
    """Return a quarter circle to the right that begins with heading +x."""
    count = max(1, round(0.5 * math.pi * radius / _SPACING))
    turns = [0.5 * math.pi * i / count for i in range(count + 1)]
    return Stretch(
        tuple(
            (start[0] + radius * math.sin(t), start[1] - radius * (1.0 - math.cos(t)))
            for t in turns
        ),
        width,
    )


def curve(points: tuple[Point, Point, Point, Point], width: float) -> Stretch:
    """Return a ribbon along the cubic Bézier curve of four points."""
    count = max(1, round(math.dist(points[0], points[3]) * 1.2 / _SPACING))
    line = []
    for i in range(count + 1):
        t = i / count
        weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
        line.append(
            (
                sum(w * p[0] for w, p in zip(weights, points, strict=True)),
                sum(w * p[1] for w, p in zip(weights, points, strict=True)),
            )
        )
    return Stretch(tuple(line), width)


def game_track() -> Track:
    """Return the track of levels 0, 1 and 2 (docs/originals/roboskate.md, "The course")."""
    return Track(
        stretches=(
            # Level 0: a wide start, then a quarter circle to the right.
            straight((-8.0, 0.0), (72.5, 0.0), 14.0),
            right_arc((72.5, 0.0), 35.2, 12.0),
            straight((107.69, -35.2), (107.69, -51.0), 12.0),
            # Level 1: a beam, then a narrow path round two corners.
            straight((107.69, -51.0), (107.69, -73.0), 2.5),
            straight((107.69, -73.0), (82.2, -77.4), 3.3),
            straight((82.2, -77.4), (80.0, -58.0), 3.3),
            # Level 2: an S-curve.
            straight((80.0, -58.0), (80.0, -50.0), 7.0),
            curve(((80.0, -50.0), (80.0, -34.0), (47.5, -46.0), (47.5, -30.0)), 7.0),
            straight((47.5, -30.0), (47.5, -24.0), 7.0),
        ),
        platforms=(
            Platform((105.7, -75.5), 5.5),
            Platform((82.6, -75.9), 5.5),
        ),
    )
