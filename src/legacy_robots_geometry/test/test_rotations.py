# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Rotations against values computed by hand."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from legacy_robots_geometry.rotations import (
    matrix_about,
    matrix_of,
    product,
    quaternion_of,
    quaternion_of_matrix,
    roll_pitch_yaw,
    rotated,
)

HALF = math.sqrt(0.5)
LEFT = (0.0, 0.0, HALF, HALF)
"""A quarter turn to the left."""


def test_roll_pitch_and_yaw_are_about_fixed_axes():
    # First nose down by 90 degrees about y, then 90 degrees to the left about z.
    assert quaternion_of(0.0, math.pi / 2, math.pi / 2) == pytest.approx((-0.5, 0.5, 0.5, 0.5))


def test_a_quarter_turn_to_the_left_brings_forward_to_the_left():
    assert rotated(LEFT, (1.0, 0.0, 0.0)) == pytest.approx((0.0, 1.0, 0.0))
    assert matrix_of(LEFT).tolist() == pytest.approx(matrix_about((0.0, 0.0, 1.0), math.pi / 2))
    assert quaternion_of_matrix([(0, -1, 0), (1, 0, 0), (0, 0, 1)]) == pytest.approx(LEFT)


def test_the_product_is_the_first_after_the_second():
    roll = (HALF, 0.0, 0.0, HALF)
    assert rotated(product(LEFT, roll), (0.0, 1.0, 0.0)) == pytest.approx((0.0, 0.0, 1.0))
    assert rotated(product(roll, LEFT), (0.0, 1.0, 0.0)) == pytest.approx((-1.0, 0.0, 0.0))


angles = st.floats(-3.0, 3.0)


@given(angles, st.floats(-1.5, 1.5), angles)
def test_roll_pitch_and_yaw_are_found_again(roll, pitch, yaw):
    q = quaternion_of(roll, pitch, yaw)
    assert roll_pitch_yaw(q) == pytest.approx((roll, pitch, yaw), abs=1e-6)
    again = quaternion_of_matrix(matrix_of(q))
    assert abs(sum(a * b for a, b in zip(q, again, strict=True))) == pytest.approx(1.0)
