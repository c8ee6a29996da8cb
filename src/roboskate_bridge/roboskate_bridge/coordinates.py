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

from roboskate_bridge.protocol import (
    BoardState,
    Dialect,
    Profile,
    Rotation,
    RotationMatrix,
    RotationVectors,
    Vector,
)

Matrix = tuple[Vector, Vector, Vector]
"""Three rows of three."""
Quaternion = tuple[float, float, float, float]
"""x, y, z, w."""


@dataclass(frozen=True)
class BoardInRos:
    """Board and crane in ROS's axes and units.

    ``position`` (m), ``orientation`` and ``linear_velocity_world`` (m/s) are in the frame odom;
    ``linear_velocity`` (m/s) and ``angular_velocity`` (rad/s) in the board's own frame base_link.
    ``rotation`` is ``orientation`` as a matrix whose columns are the board's axes in odom. Joints
    are in rad and rad/s.
    """

    position: Vector
    orientation: Quaternion
    rotation: Matrix
    linear_velocity: Vector
    angular_velocity: Vector
    linear_velocity_world: Vector
    joint_angles: Vector
    joint_velocities: Vector


def board_in_ros(state: BoardState, dialect: Dialect) -> BoardInRos:
    """Return what the game says in ROS's axes and units."""
    rotation = rotation_in_ros(state.rotation)
    velocity = vector_in_ros(state.linear_velocity)
    spin = pseudovector_in_ros(state.angular_velocity)
    unit = joint_unit(dialect)
    return BoardInRos(
        position=vector_in_ros(state.position),
        orientation=quaternion(rotation),
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
    return RotationVectors(_unity_euler(rows), quaternion(rows), forward, up)


def quaternion(rows: Matrix) -> Quaternion:
    """Return the unit quaternion x, y, z, w of an orthonormal matrix, w not negative."""
    (a, b, c), (d, e, f), (g, h, i) = rows
    # The largest of the four is computed first: dividing by it is safe.
    squares = (1.0 + a - e - i, 1.0 - a + e - i, 1.0 - a - e + i, 1.0 + a + e + i)
    largest = max(range(4), key=squares.__getitem__)
    double = 2.0 * math.sqrt(squares[largest])
    if largest == 3:
        q = ((h - f) / double, (c - g) / double, (d - b) / double, double / 4.0)
    elif largest == 0:
        q = (double / 4.0, (b + d) / double, (c + g) / double, (h - f) / double)
    elif largest == 1:
        q = ((b + d) / double, double / 4.0, (f + h) / double, (c - g) / double)
    else:
        q = ((c + g) / double, (f + h) / double, double / 4.0, (d - b) / double)
    return (-q[0], -q[1], -q[2], -q[3]) if q[3] < 0.0 else q


def rotation_matrix(q: Quaternion) -> Matrix:
    """Return the inverse of quaternion: the orthonormal matrix of a unit quaternion."""
    x, y, z, w = q
    return (
        (1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)),
        (2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)),
        (2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)),
    )


def into_frame(rotation: Matrix, v: Vector) -> Vector:
    """Return a vector given in odom in the frame whose axes are the columns of ``rotation``."""
    x, y, z = _columns(rotation)
    return (dot(x, v), dot(y, v), dot(z, v))


def out_of_frame(rotation: Matrix, v: Vector) -> Vector:
    """Return the inverse of into_frame."""
    return (dot(rotation[0], v), dot(rotation[1], v), dot(rotation[2], v))


def yaw_pitch_roll(rotation: Matrix) -> Vector:
    """Return yaw, pitch and roll in rad, about z, then y, then x; pitch is negative nose up."""
    forward, left, up = _columns(rotation)
    pitch = math.asin(max(-1.0, min(1.0, -forward[2])))
    return (math.atan2(forward[1], forward[0]), pitch, math.atan2(left[2], up[2]))


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
    x = math.asin(max(-1.0, min(1.0, -rows[1][2])))
    y = math.atan2(rows[0][2], rows[2][2])
    z = math.atan2(rows[1][0], rows[1][1])
    return (math.degrees(x), math.degrees(y), math.degrees(z))
