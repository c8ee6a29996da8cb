# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The ground and the walls of a course as grids that are looked up in constant time.

Each square of the grid holds the number of a plane (height z + slope * x) and of a wall (a
half-plane up to a height). Numbers instead of heights keep the grid small and the slopes exact.
"""

from __future__ import annotations

import functools
import math
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from roboskate_game.model.course import COURSE, Course, Point

VOID = -1000.0
"""Height, in metres, where there is no ground."""
WALL_DEPTH = 0.6
"""Metres behind a wall's face in which it still pushes out."""
WALL_REACH = 0.4
"""Metres before a wall's face within which it is found."""
_MARGIN = 4.0

Ids = NDArray[np.uint8]
Floats = NDArray[np.float64]


class Ground:
    """Planes and walls by position.

    ``plane_z``, ``plane_slope``: height is z + slope * x. ``wall_x``, ``wall_y``, ``wall_c``: the
    signed distance to a wall's face is x * wall_x + y * wall_y - wall_c, positive on the free
    side; ``wall_top`` is the height of its upper edge. Number 0 is no ground, and no wall.
    """

    def __init__(self, course: Course = COURSE) -> None:
        self._course = course
        points = [p for piece in course.ground for polygon in piece.outline for p in polygon]
        low = [min(p[i] for p in points) - _MARGIN for i in (0, 1)]
        high = [max(p[i] for p in points) + _MARGIN for i in (0, 1)]
        self.cell = course.cell
        self.x0, self.y0 = low
        self.columns = math.ceil((high[0] - low[0]) / self.cell)
        self.rows = math.ceil((high[1] - low[1]) / self.cell)
        self.planes: Ids = np.zeros((self.rows, self.columns), np.uint8)
        self.walls: Ids = np.zeros((self.rows, self.columns), np.uint8)
        self.pieces: Ids = np.zeros((self.rows, self.columns), np.uint8)
        planes = [(VOID, 0.0)]
        for number, piece in enumerate(course.ground, 1):
            plane = (piece.z, piece.slope)
            if plane not in planes:
                planes.append(plane)
            for polygon in piece.outline:
                window, inside = self._inside(polygon)
                self.planes[window][inside] = planes.index(plane)
                self.pieces[window][inside] = number
        self.plane_z = [z for z, _ in planes]
        self.plane_slope = [slope for _, slope in planes]
        self._make_walls(course)

    def __reduce__(self) -> tuple[Any, ...]:
        return (usual_ground, ()) if self._course is COURSE else (Ground, (self._course,))

    def height(self, x: float, y: float) -> float:
        """Return the height of the ground in metres, VOID where there is none."""
        plane = self.planes[self._cell(x, y)]
        return float(self.plane_z[plane] + self.plane_slope[plane] * x)

    def contains(self, x: float, y: float) -> bool:
        """Return whether there is ground at x, y."""
        return bool(self.planes[self._cell(x, y)])

    def _cell(self, x: float, y: float) -> tuple[int, int]:
        i, j = math.floor((y - self.y0) / self.cell), math.floor((x - self.x0) / self.cell)
        # The outermost squares are empty, so that what is further out is empty too.
        return (min(max(i, 0), self.rows - 1), min(max(j, 0), self.columns - 1))

    def _centres(self, polygon: tuple[Point, ...]) -> tuple[tuple[slice, slice], Floats, Floats]:
        """Return the window of the grid around a polygon and its squares' centres."""
        low = self._cell(min(p[0] for p in polygon), min(p[1] for p in polygon))
        high = self._cell(max(p[0] for p in polygon), max(p[1] for p in polygon))
        window = (slice(low[0], high[0] + 1), slice(low[1], high[1] + 1))
        y: Floats = self.y0 + (np.arange(low[0], high[0] + 1, dtype=float) + 0.5) * self.cell
        x: Floats = self.x0 + (np.arange(low[1], high[1] + 1, dtype=float) + 0.5) * self.cell
        return window, x[np.newaxis, :], y[:, np.newaxis]

    def _inside(self, polygon: tuple[Point, ...]) -> tuple[tuple[slice, slice], NDArray[np.bool_]]:
        """Return which squares' centres are in a convex polygon, within a window of the grid."""
        window, x, y = self._centres(polygon)
        sides = [
            (bx - ax) * (y - ay) - (by - ay) * (x - ax)
            for (ax, ay), (bx, by) in pairwise((*polygon, polygon[0]))
        ]
        low = np.minimum.reduce(sides)
        return window, (low >= -1e-9) | (np.maximum.reduce(sides) <= 1e-9)

    def _make_walls(self, course: Course) -> None:
        self.wall_x, self.wall_y, self.wall_c, self.wall_top = [0.0], [0.0], [-1e6], [-1e6]
        nearest = np.full((self.rows, self.columns), math.inf)
        for wall in course.walls:
            for (ax, ay), (bx, by) in pairwise(wall.points):
                length = math.hypot(bx - ax, by - ay)
                ux, uy = (bx - ax) / length, (by - ay) / length
                normal_x, normal_y = -uy, ux
                number = len(self.wall_x)
                self.wall_x.append(normal_x)
                self.wall_y.append(normal_y)
                self.wall_c.append(normal_x * ax + normal_y * ay)
                self.wall_top.append(wall.top)
                corners = tuple(
                    (px + normal_x * d, py + normal_y * d)
                    for px, py in ((ax, ay), (bx, by))
                    for d in (-WALL_DEPTH, WALL_REACH)
                )
                window, x, y = self._centres(corners)
                along = (x - ax) * ux + (y - ay) * uy
                off = x * normal_x + y * normal_y - self.wall_c[-1]
                found = (along > -0.05) & (along < length + 0.05)
                found &= (off > -WALL_DEPTH) & (off < WALL_REACH)
                found &= np.abs(off) < nearest[window]
                nearest[window][found] = np.abs(off)[found]
                self.walls[window][found] = number
        if len(self.wall_x) > np.iinfo(np.uint8).max:
            raise ValueError(f"{len(self.wall_x)} pieces of wall are more than the grid can hold")


@functools.cache
def usual_ground() -> Ground:
    """Return the ground of the course; made once in a process, and not to be changed."""
    return Ground()


class ScalarLookup:
    """Ground and walls at one position.

    ``plane(x, y)`` returns z and slope of the ground's plane; ``wall(x, y)`` normal x, normal y,
    offset and top of the nearest wall.
    """

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._x0, self._y0, self._per_metre = ground.x0, ground.y0, 1.0 / ground.cell
        self._columns, self._rows = ground.columns, ground.rows
        self._planes, self._walls = ground.planes.tobytes(), ground.walls.tobytes()
        self._plane_list = list(zip(ground.plane_z, ground.plane_slope, strict=True))
        self._wall_list = list(
            zip(ground.wall_x, ground.wall_y, ground.wall_c, ground.wall_top, strict=True)
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._ground,)

    def plane(self, x: float, y: float) -> tuple[float, float]:
        """Return the ground's plane."""
        i, j = int((y - self._y0) * self._per_metre), int((x - self._x0) * self._per_metre)
        if 0 <= i < self._rows and 0 <= j < self._columns:
            return self._plane_list[self._planes[i * self._columns + j]]
        return self._plane_list[0]

    def wall(self, x: float, y: float) -> tuple[float, float, float, float]:
        """Return the nearest wall."""
        i, j = int((y - self._y0) * self._per_metre), int((x - self._x0) * self._per_metre)
        if 0 <= i < self._rows and 0 <= j < self._columns:
            return self._wall_list[self._walls[i * self._columns + j]]
        return self._wall_list[0]
