# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Maps for planners and rviz: nav_msgs/OccupancyGrid from rectangles."""

from __future__ import annotations

import array
import math

import numpy as np
from geometry_msgs.msg import Point, Pose, Quaternion
from nav_msgs.msg import MapMetaData, OccupancyGrid
from std_msgs.msg import Header

FREE = 0
OCCUPIED = 100
UNKNOWN = -1


class OccupancyMap:
    """Cells of a rectangle, in m, unknown at first; ``x`` and ``y`` are its lower left corner."""

    def __init__(self, x: float, y: float, width: float, height: float, resolution: float) -> None:
        self._x, self._y, self._resolution = x, y, resolution
        cells = (math.ceil(height / resolution - 1e-6), math.ceil(width / resolution - 1e-6))
        self._cells = np.full(cells, UNKNOWN, np.int8)

    def fill(self, left: float, low: float, right: float, high: float, value: int) -> None:
        """Set the cells whose centres are in a rectangle."""
        columns = self._range(left - self._x, right - self._x)
        self._cells[self._range(low - self._y, high - self._y), columns] = value

    def _range(self, start: float, end: float) -> slice:
        first, last = (math.ceil(a / self._resolution - 0.5 - 1e-6) for a in (start, end))
        return slice(max(0, first), max(0, last))

    def message(self, header: Header) -> OccupancyGrid:
        """Return the map as a message; it holds since the time of ``header``."""
        height, width = self._cells.shape
        grid = OccupancyGrid(
            header=header,
            info=MapMetaData(
                map_load_time=header.stamp,
                resolution=self._resolution,
                width=width,
                height=height,
                origin=Pose(position=Point(x=self._x, y=self._y), orientation=Quaternion(w=1.0)),
            ),
        )
        grid.data = array.array("b", self._cells.tobytes())
        return grid
