# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Axes and units against values computed by hand."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roboskate_game.model.coordinates import (
    BoardInRos,
    board_in_game,
    board_in_ros,
    cross,
    dot,
    out_of_frame,
    yaw_pitch_roll,
)
from roboskate_game.protocol.dialect import Dialect, Profile
from roboskate_game.protocol.messages import BoardState, RotationMatrix, RotationVectors

SPEC, GAME = Dialect(Profile.SPEC), Dialect(Profile.GAME)
HALF = math.sqrt(0.5)
IDENTITY = RotationMatrix(((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)))
# The start of the game: forward is Unity's X, up is Y, and right is then -Z, in the columns
# right, up, forward.
START = RotationMatrix(((0.0, 0.0, 1.0), (0.0, 1.0, 0.0), (-1.0, 0.0, 0.0)))


def vectors(forward, up):
    return RotationVectors((0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0), forward, up)


def state(
    rotation=START, position=(0.0, 0.0, 0.0), linear=(0.0, 0.0, 0.0), angular=(0.0, 0.0, 0.0)
):
    return BoardState(position, linear, angular, rotation, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))


def assert_close(actual, expected):
    assert actual == pytest.approx(expected, abs=1e-9)


def test_position_x_stays_z_becomes_left_and_y_becomes_up() -> None:
    assert board_in_ros(state(position=(1.0, 2.0, 3.0)), SPEC).position == (1.0, 3.0, 2.0)


@pytest.mark.parametrize(
    "dialect, rotation, expected",
    [
        # The document's identity faces Unity's +Z, which is left: yaw +90 degrees.
        (SPEC, IDENTITY, (0.0, 0.0, HALF, HALF)),
        (GAME, vectors((0.0, 0.0, 1.0), (0.0, 1.0, 0.0)), (0.0, 0.0, HALF, HALF)),
        # The start of the game faces +X: no rotation at all.
        (SPEC, START, (0.0, 0.0, 0.0, 1.0)),
        (GAME, vectors((1.0, 0.0, 0.0), (0.0, 1.0, 0.0)), (0.0, 0.0, 0.0, 1.0)),
        # Facing -Z is facing right: yaw -90 degrees. Right is then -X.
        (
            SPEC,
            RotationMatrix(((-1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, -1.0))),
            (0.0, 0.0, -HALF, HALF),
        ),
        (GAME, vectors((0.0, 0.0, -1.0), (0.0, 1.0, 0.0)), (0.0, 0.0, -HALF, HALF)),
        # Facing +X, nose straight up: pitch -90 degrees. Up is then -X, right still -Z.
        (
            SPEC,
            RotationMatrix(((0.0, -1.0, 0.0), (0.0, 0.0, 1.0), (-1.0, 0.0, 0.0))),
            (0.0, -HALF, 0.0, HALF),
        ),
        (GAME, vectors((0.0, 1.0, 0.0), (-1.0, 0.0, 0.0)), (0.0, -HALF, 0.0, HALF)),
        # Facing +X, leaning over to the right by 90 degrees: up is -Z (right), right is -Y (down).
        (
            SPEC,
            RotationMatrix(((0.0, 0.0, 1.0), (-1.0, 0.0, 0.0), (0.0, -1.0, 0.0))),
            (HALF, 0.0, 0.0, HALF),
        ),
        (GAME, vectors((1.0, 0.0, 0.0), (0.0, 0.0, -1.0)), (HALF, 0.0, 0.0, HALF)),
        # Upside down and facing +X: a half turn about x.
        (GAME, vectors((1.0, 0.0, 0.0), (0.0, -1.0, 0.0)), (1.0, 0.0, 0.0, 0.0)),
    ],
)
def test_orientation(dialect, rotation, expected) -> None:
    assert_close(board_in_ros(state(rotation), dialect).orientation, expected)


def test_a_column_major_matrix_is_the_transpose() -> None:
    from roboskate_game.protocol.dialect import MatrixOrder

    # START, row by row, as a game would send it that stores columns one after another.
    by_columns = (0.0, 0.0, -1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0)
    dialect = Dialect(Profile.SPEC, MatrixOrder.COLUMN_MAJOR)
    reply = dialect.encode_info(state(START))
    assert reply.rotation == by_columns
    assert dialect.decode_info(reply).rotation == START


def test_twist_of_a_board_that_drives_left() -> None:
    # Facing Unity's +Z (left) and driving at 2 m/s that way: all of it is forward for the board.
    board = board_in_ros(state(IDENTITY, linear=(0.0, 0.0, 2.0)), SPEC)
    assert_close(board.linear_velocity, (2.0, 0.0, 0.0))
    assert_close(board.linear_velocity_world, (0.0, 2.0, 0.0))
    # Drifting towards Unity's +X while facing left is drifting to the board's right.
    board = board_in_ros(state(IDENTITY, linear=(1.5, 0.0, 0.0)), SPEC)
    assert_close(board.linear_velocity, (0.0, -1.5, 0.0))


def test_angular_velocity_is_a_pseudovector() -> None:
    # About Unity's Y, positive turns from Z towards X. Z is left and X forward: a turn to the
    # right, which is negative about ROS's z.
    board = board_in_ros(state(angular=(0.0, 0.7, 0.0)), SPEC)
    assert_close(board.angular_velocity, (0.0, 0.0, -0.7))
    # About Unity's X, positive turns from Y towards Z: from up to left, which is negative about x.
    board = board_in_ros(state(angular=(0.7, 0.0, 0.0)), SPEC)
    assert_close(board.angular_velocity, (-0.7, 0.0, 0.0))
    # About Unity's Z, positive turns from X towards Y: nose up, which is negative about ROS's y.
    board = board_in_ros(state(angular=(0.0, 0.0, 0.7)), SPEC)
    assert_close(board.angular_velocity, (0.0, -0.7, 0.0))


def test_angular_velocity_is_given_in_the_frame_of_the_board() -> None:
    # Facing left (Unity's +Z): the board's left is then the world's -x. Turning by -0.7 about the
    # world's x is turning by +0.7 about the board's y.
    board = board_in_ros(state(IDENTITY, angular=(0.7, 0.0, 0.0)), SPEC)
    assert_close(board.angular_velocity, (0.0, 0.7, 0.0))


def test_joints_are_in_degrees_in_the_real_game_only() -> None:
    board = BoardState(
        (0.0,) * 3, (0.0,) * 3, (0.0,) * 3, START, (180.0, 90.0, -45.0), (90.0, 0.0, -180.0)
    )
    game = BoardState(**{**vars(board), "rotation": vectors((1.0, 0.0, 0.0), (0.0, 1.0, 0.0))})
    in_degrees = board_in_ros(game, GAME)
    assert_close(in_degrees.joint_angles, (math.pi, math.pi / 2, -math.pi / 4))
    assert_close(in_degrees.joint_velocities, (math.pi / 2, 0.0, -math.pi))
    assert_close(board_in_ros(board, SPEC).joint_angles, (180.0, 90.0, -45.0))


def test_coarse_directions_give_an_orthonormal_frame() -> None:
    board = board_in_ros(state(vectors((0.99, 0.03, 0.05), (0.02, 1.01, 0.0))), GAME)
    columns = list(zip(*board.rotation, strict=True))
    for i, a in enumerate(columns):
        for j, b in enumerate(columns):
            assert dot(a, b) == pytest.approx(1.0 if i == j else 0.0, abs=1e-12)
    assert_close(cross(columns[0], columns[1]), columns[2])
    assert sum(q * q for q in board.orientation) == pytest.approx(1.0)


angles = st.floats(-math.pi, math.pi)
numbers = st.floats(-100.0, 100.0)
triples = st.tuples(numbers, numbers, numbers)


def rotation_of(yaw, pitch, roll):
    cy, sy, cp, sp, cr, sr = (f(a) for a in (yaw, pitch, roll) for f in (math.cos, math.sin))
    return (
        (cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr),
        (sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr),
        (-sp, cp * sr, cp * cr),
    )


@given(angles, st.floats(-1.5, 1.5), angles, triples, triples, triples, triples)
def test_the_way_to_the_game_and_back_changes_nothing(
    yaw, pitch, roll, position, velocity, spin, joints
) -> None:
    rotation = rotation_of(yaw, pitch, roll)
    board = BoardInRos(
        position, rotation, velocity, spin,
        out_of_frame(rotation, velocity), joints, joints,
    )  # fmt: skip
    for dialect in (SPEC, GAME):
        back = board_in_ros(board_in_game(board, dialect), dialect)
        for name in ("position", "linear_velocity", "angular_velocity", "joint_angles"):
            assert getattr(back, name) == pytest.approx(getattr(board, name), abs=1e-6)
        for row, wanted in zip(back.rotation, rotation, strict=True):
            assert row == pytest.approx(wanted, abs=1e-9)


@given(angles, st.floats(-1.5, 1.5), angles)
def test_yaw_pitch_and_roll_are_found_again(yaw, pitch, roll) -> None:
    found = yaw_pitch_roll(rotation_of(yaw, pitch, roll))
    assert math.cos(found[0] - yaw) == pytest.approx(1.0, abs=1e-9)
    assert found[1] == pytest.approx(pitch, abs=1e-6)
    assert math.cos(found[2] - roll) == pytest.approx(1.0, abs=1e-9)
