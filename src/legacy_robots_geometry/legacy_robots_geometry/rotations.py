# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Rotations, and poses made of them, with quaternions in ROS's order x, y, z, w. No ROS.

Computed by transforms3d, which has w first: the order changes here only. Angles are in rad,
matrices orthonormal, in rows; functions that return a matrix return an array of shape (3, 3).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from transforms3d import axangles, euler, quaternions

Vector = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]
"""x, y, z, w."""
Matrix = NDArray[np.float64]


def quaternion_of(roll: float, pitch: float, yaw: float) -> Quaternion:
    """Return the rotation about x, then y, then z of the fixed frame (URDF's rpy)."""
    return _w_last(euler.euler2quat(roll, pitch, yaw, "sxyz"))


def quaternion_of_matrix(rows: Sequence[Sequence[float]]) -> Quaternion:
    """Return the unit quaternion of a rotation matrix, w not negative."""
    return _w_last(quaternions.mat2quat(np.asarray(rows, float)))


def matrix_of(q: Quaternion) -> Matrix:
    """Return the matrix of a unit quaternion."""
    matrix: Matrix = quaternions.quat2mat(_w_first(q))
    return matrix


def matrix_about(axis: Vector, angle: float) -> Matrix:
    """Return the matrix that turns by ``angle`` about a unit ``axis``."""
    matrix: Matrix = axangles.axangle2mat(axis, angle, is_normalized=True)
    return matrix


def angles_of_matrix(rows: Sequence[Sequence[float]], axes: str) -> Vector:
    """Return three angles of a rotation matrix about ``axes``, named as transforms3d does.

    "rzyx": about z, then the new y, then the new x: yaw, pitch and roll.
    """
    first, second, third = euler.mat2euler(np.asarray(rows, float), axes)
    return float(first), float(second), float(third)


def roll_pitch_yaw(q: Quaternion) -> Vector:
    """Return the angles of quaternion_of; a quaternion of length 0 is no rotation."""
    roll, pitch, yaw = euler.quat2euler(_w_first(q), "sxyz")
    return float(roll), float(pitch), float(yaw)


def product(a: Quaternion, b: Quaternion) -> Quaternion:
    """Return ``a`` after ``b``."""
    return _w_last(quaternions.qmult(_w_first(a), _w_first(b)))


def rotated(q: Quaternion, v: Vector) -> Vector:
    """Return a vector turned by a unit quaternion."""
    x, y, z = quaternions.rotate_vector(v, _w_first(q)).tolist()
    return x, y, z


@dataclass(frozen=True)
class Pose:
    """Where a frame is in its parent's frame: metres, and a unit quaternion x, y, z, w."""

    translation: Vector
    rotation: Quaternion

    def transform(self, pose: Pose) -> Pose:
        """Return ``pose``, given in the frame of which this is the pose, in this one's parent."""
        moved = rotated(self.rotation, pose.translation)
        x, y, z = (a + b for a, b in zip(self.translation, moved, strict=True))
        return Pose((x, y, z), product(self.rotation, pose.rotation))

    def inverse(self) -> Pose:
        """Return the pose of the parent in this frame."""
        x, y, z, w = self.rotation
        back = (-x, -y, -z, w)
        tx, ty, tz = rotated(back, self.translation)
        return Pose((-tx, -ty, -tz), back)

    @property
    def yaw(self) -> float:
        """Rotation about the parent's z axis, rad."""
        return roll_pitch_yaw(self.rotation)[2]


def _w_first(q: Quaternion) -> tuple[float, float, float, float]:
    x, y, z, w = q
    return w, x, y, z


def _w_last(q: NDArray[np.float64]) -> Quaternion:
    w, x, y, z = q.tolist()
    return x, y, z, w
