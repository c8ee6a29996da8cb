# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Read the shapes of a marker back that :mod:`.markers` has drawn, for pages and tests."""

from __future__ import annotations

from visualization_msgs.msg import Marker


def strips(marker: Marker) -> list[tuple[tuple[float, float], tuple[float, float]]]:
    """Return the ends (x, y in m) of the lines of add_strip."""
    found = []
    points = marker.points
    for i in range(0, len(points) - 5, 6):
        a, b, c, d = points[i], points[i + 1], points[i + 2], points[i + 5]
        # Half of the side from a to d, turned: what the square end adds.
        ax, ay = (a.y - d.y) / -2.0, (a.x - d.x) / 2.0
        start = ((a.x + d.x) / 2.0 + ax, (a.y + d.y) / 2.0 + ay)
        found.append((start, ((b.x + c.x) / 2.0 - ax, (b.y + c.y) / 2.0 - ay)))
    return found


def boxes(marker: Marker) -> list[tuple[tuple[float, float], tuple[float, float]]]:
    """Return the corners (x, y in m) of the rectangles of add_rectangle."""
    points = marker.points
    corners = ((points[i], points[i + 2]) for i in range(0, len(points) - 5, 6))
    return [((low.x, low.y), (high.x, high.y)) for low, high in corners]
