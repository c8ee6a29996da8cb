# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The field of RoboCup 2011 (Standard Platform League), in metres. No ROS.

The origin is the centre, x towards the yellow goal, y to the left of it (docs/originals/luar.md,
3).
"""

from __future__ import annotations

import math
from typing import TypeAlias

Point: TypeAlias = tuple[float, float]

HALF_LENGTH = 3.0
HALF_WIDTH = 2.0
BORDER = 0.7
"""Carpet outside the lines."""
LINE_WIDTH = 0.05
CIRCLE_RADIUS = 0.6
PENALTY_LENGTH = 0.6
PENALTY_HALF_WIDTH = 1.1
PENALTY_MARK = 1.8
"""From the goal line."""
GOAL_HALF_WIDTH = 0.7
GOAL_HEIGHT = 0.8
POST_RADIUS = 0.05
BALL_RADIUS = 0.0325


def _box(x1: float, y1: float, x2: float, y2: float) -> list[tuple[Point, Point]]:
    corners = [(x1, y1), (x2, y1), (x2, y2), (x1, y2)]
    return list(zip(corners, corners[1:] + corners[:1], strict=True))


LINES: tuple[tuple[Point, Point], ...] = (
    *_box(-HALF_LENGTH, -HALF_WIDTH, HALF_LENGTH, HALF_WIDTH),
    ((0.0, -HALF_WIDTH), (0.0, HALF_WIDTH)),
    *_box(HALF_LENGTH - PENALTY_LENGTH, -PENALTY_HALF_WIDTH, HALF_LENGTH, PENALTY_HALF_WIDTH),
    *_box(-HALF_LENGTH, -PENALTY_HALF_WIDTH, PENALTY_LENGTH - HALF_LENGTH, PENALTY_HALF_WIDTH),
)
"""The straight lines, from end to end."""

YELLOW_POSTS: tuple[Point, Point] = (
    (HALF_LENGTH, GOAL_HALF_WIDTH),
    (HALF_LENGTH, -GOAL_HALF_WIDTH),
)
"""Left and right, looking into the goal from the field."""
CYAN_POSTS: tuple[Point, Point] = (
    (-HALF_LENGTH, -GOAL_HALF_WIDTH),
    (-HALF_LENGTH, GOAL_HALF_WIDTH),
)
"""Left and right, looking into the goal from the field."""


def circle(points: int = 48) -> list[Point]:
    """Return the centre circle as a closed polygon of ``points`` corners."""
    angles = [2.0 * math.pi * i / points for i in range(points + 1)]
    return [(CIRCLE_RADIUS * math.cos(a), CIRCLE_RADIUS * math.sin(a)) for a in angles]
