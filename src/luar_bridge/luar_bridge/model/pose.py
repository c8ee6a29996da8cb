# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Poses in the plane: the document's util.pose_global and util.pose_relative.

A pose is (x, y, a): metres, metres and radians, right-handed, x forward and y to the left.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeAlias

Pose: TypeAlias = tuple[float, float, float]


def mod_angle(a: float) -> float:
    """Return the angle ``a`` (rad) in [-pi, pi)."""
    a %= 2.0 * math.pi
    return a - 2.0 * math.pi if a >= math.pi else a


def _checked(pose: Sequence[float]) -> Pose:
    if len(pose) != 3:
        raise ValueError(f"a pose has x, y and a; {list(pose)!r} has {len(pose)} numbers")
    return float(pose[0]), float(pose[1]), float(pose[2])


def pose_global(relative: Sequence[float], pose: Sequence[float]) -> Pose:
    """Return ``relative``, a pose in the frame of ``pose``, in the frame that has ``pose``.

    The angle is the plain sum, as in the original: use mod_angle where it must be in one turn.
    Raises ValueError when an argument has not three numbers.
    """
    rx, ry, ra = _checked(relative)
    x, y, a = _checked(pose)
    c, s = math.cos(a), math.sin(a)
    return x + c * rx - s * ry, y + s * rx + c * ry, a + ra


def pose_relative(global_: Sequence[float], pose: Sequence[float]) -> Pose:
    """Return ``global_`` in the frame of ``pose``; its angle is in [-pi, pi).

    The inverse of pose_global. Raises ValueError when an argument has not three numbers.
    """
    gx, gy, ga = _checked(global_)
    x, y, a = _checked(pose)
    c, s = math.cos(a), math.sin(a)
    dx, dy = gx - x, gy - y
    return c * dx + s * dy, -s * dx + c * dy, mod_angle(ga - a)


def turned(pose: Pose) -> Pose:
    """Return a pose in the field's frame turned by half, with x towards the other goal."""
    x, y, a = pose
    return -x, -y, mod_angle(a + math.pi)


def midpoint(left: Sequence[float], right: Sequence[float]) -> Pose:
    """Return the pose half way between two feet, turned half way between them."""
    lx, ly, la = _checked(left)
    rx, ry, ra = _checked(right)
    return (lx + rx) / 2.0, (ly + ry) / 2.0, la + mod_angle(ra - la) / 2.0
