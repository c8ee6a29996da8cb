# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""From the game's axes and units to ROS's, and back for the simulator.

Source: docs/originals/roboskate.md, "Coordinates". The game counts in Unity's left-handed axes:
the board starts facing X, Z is left, Y is up. ROS counts in right-handed ones: x forward, y left,
z up (REP-103). The two differ by the exchange of Y and Z, a reflection, so that a rotation turns
the other way: positions and velocities are exchanged, angular velocities (pseudovectors) are
exchanged and negated.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

from legacy_robots_geometry.rotations import (
    Quaternion,
    angles_of_matrix,
    quaternion_of_matrix,
)
from roboskate_game.protocol.dialect import Dialect, Profile
from roboskate_game.protocol.messages import (
    BoardState,
    Rotation,
    RotationMatrix,
    RotationVectors,
    Vector,
)

Matrix = tuple[Vector, Vector, Vector]
"""Three rows of three."""


@dataclass(frozen=True)
class BoardInRos:
    """Board and crane in ROS's axes and units.

    ``position`` (m) and ``linear_velocity_world`` (m/s) are in the frame odom; ``linear_velocity``
    (m/s) and ``angular_velocity`` (rad/s) in the board's own frame base_link. The columns of
    ``rotation`` are the board's axes in odom. Joints are in rad and rad/s.
    """

    position: Vector
    rotation: Matrix
    linear_velocity: Vector
    angular_velocity: Vector
    linear_velocity_world: Vector
    joint_angles: Vector
    joint_velocities: Vector

    @cached_property
    def orientation(self) -> Quaternion:
        """``rotation`` as a quaternion x, y, z, w, w not negative; the simulation needs none."""
        return quaternion_of_matrix(self.rotation)


def board_in_ros(state: BoardState, dialect: Dialect) -> BoardInRos:
    """Return what the game says in ROS's axes and units."""
    rotation = rotation_in_ros(state.rotation)
    velocity = vector_in_ros(state.linear_velocity)
    spin = pseudovector_in_ros(state.angular_velocity)
    unit = joint_unit(dialect)
    return BoardInRos(
        position=vector_in_ros(state.position),
        rotation=rotation,
        linear_velocity=into_frame(rotation, velocity),
        angular_velocity=into_frame(rotation, spin),
        linear_velocity_world=velocity,
        joint_angles=_scaled(state.joint_angles, unit),
        joint_velocities=_scaled(state.joint_velocities, unit),
    )


def board_in_game(board: BoardInRos, dialect: Dialect) -> BoardState:
    """Return the inverse of board_in_ros, for the simulator."""
    spin = out_of_frame(board.rotation, board.angular_velocity)
    unit = 1.0 / joint_unit(dialect)
    return BoardState(
        position=vector_in_ros(board.position),
        linear_velocity=vector_in_ros(board.linear_velocity_world),
        angular_velocity=pseudovector_in_ros(spin),
        rotation=rotation_in_game(board.rotation, dialect),
        joint_angles=_scaled(board.joint_angles, unit),
        joint_velocities=_scaled(board.joint_velocities, unit),
    )


def joint_unit(dialect: Dialect) -> float:
    """Return the wire's unit of joint angles in rad."""
    return math.pi / 180.0 if dialect.profile is Profile.GAME else 1.0


def vector_in_ros(v: Vector) -> Vector:
    """Exchange Y and Z. It is its own inverse."""
    return (v[0], v[2], v[1])


def pseudovector_in_ros(v: Vector) -> Vector:
    """Exchange Y and Z and negate all, since axes of rotation are reflected. Its own inverse."""
    # Subtracted from 0, as there would be -0.0 otherwise.
    return (0.0 - v[0], 0.0 - v[2], 0.0 - v[1])


def rotation_in_ros(rotation: Rotation) -> Matrix:
    """Return the matrix whose columns are the board's forward, left and up axes in odom.

    The result is orthonormal however coarse the game's numbers are.
    """
    if isinstance(rotation, RotationMatrix):
        # The game's columns are right, up and forward.
        _, up, forward = _columns(rotation.rows)
    else:
        forward, up = rotation.forward, rotation.up
    z = _unit(vector_in_ros(up))
    x = vector_in_ros(forward)
    y = _unit(cross(z, x))
    return _columns((cross(y, z), y, z))


def rotation_in_game(matrix: Matrix, dialect: Dialect) -> Rotation:
    """Return the inverse of rotation_in_ros, in the dialect's form."""
    forward, left, up = map(vector_in_ros, _columns(matrix))
    right = _scaled(left, -1.0)
    rows = _columns((right, up, forward))
    if dialect.profile is Profile.SPEC:
        return RotationMatrix(rows)
    return RotationVectors(_unity_euler(rows), quaternion_of_matrix(rows), forward, up)


def into_frame(rotation: Matrix, v: Vector) -> Vector:
    """Return a vector given in odom in the frame whose axes are the columns of ``rotation``."""
    x, y, z = _columns(rotation)
    return (dot(x, v), dot(y, v), dot(z, v))


def out_of_frame(rotation: Matrix, v: Vector) -> Vector:
    """Return the inverse of into_frame."""
    return (dot(rotation[0], v), dot(rotation[1], v), dot(rotation[2], v))


def yaw_pitch_roll(rotation: Matrix) -> Vector:
    """Return yaw, pitch and roll in rad, about z, then y, then x; pitch is negative nose up."""
    return angles_of_matrix(rotation, "rzyx")


def dot(a: Vector, b: Vector) -> float:
    """Return the scalar product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a: Vector, b: Vector) -> Vector:
    """Return the vector product."""
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def _columns(rows: Matrix) -> Matrix:
    (a, b, c), (d, e, f), (g, h, i) = rows
    return ((a, d, g), (b, e, h), (c, f, i))


def _scaled(v: Vector, factor: float) -> Vector:
    return (factor * v[0], factor * v[1], factor * v[2])


def _unit(v: Vector) -> Vector:
    return _scaled(v, 1.0 / math.sqrt(dot(v, v)))


def _unity_euler(rows: Matrix) -> Vector:
    """Return Unity's Euler angles, in degrees: about Z, then X, then Y."""
    y, x, z = angles_of_matrix(rows, "ryxz")
    return (math.degrees(x), math.degrees(y), math.degrees(z))
