# SPDX-License-Identifier: Apache-2.0
"""Rotations with quaternions in ROS's order x, y, z, w, computed by transforms3d. No ROS.

transforms3d has w first: the order changes here only. Angles are in rad, matrices orthonormal, in
rows; functions that return a matrix return an array of shape (3, 3).
"""

from __future__ import annotations

from collections.abc import Sequence

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


def _w_first(q: Quaternion) -> tuple[float, float, float, float]:
    x, y, z, w = q
    return w, x, y, z


def _w_last(q: NDArray[np.float64]) -> Quaternion:
    w, x, y, z = q.tolist()
    return x, y, z, w
