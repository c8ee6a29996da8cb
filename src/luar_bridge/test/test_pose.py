# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The document's pose helpers."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from luar_bridge.model.pose import midpoint, mod_angle, pose_global, pose_relative

METRES = st.floats(-100, 100)
POSES = st.tuples(METRES, METRES, st.floats(-math.pi, math.pi))


def test_the_example_of_the_document() -> None:
    ball, robot = (0.5, 0.2, 0.0), (1.0, -1.0, math.pi / 2)
    assert pose_global(ball, robot) == pytest.approx((0.8, -0.5, math.pi / 2))


def test_relative_by_hand() -> None:
    assert pose_relative((0.8, -0.5, 0.0), (1.0, -1.0, math.pi / 2)) == pytest.approx(
        (0.5, 0.2, -math.pi / 2)
    )


@given(POSES, POSES)
def test_one_is_the_inverse_of_the_other(
    pose: tuple[float, ...], frame: tuple[float, ...]
) -> None:
    x, y, a = pose_relative(pose_global(pose, frame), frame)
    assert (x, y) == pytest.approx(pose[:2], abs=1e-9)
    assert mod_angle(a - pose[2]) == pytest.approx(0, abs=1e-9)


@given(st.floats(-1e6, 1e6))
def test_angles_are_reduced_to_one_turn(angle: float) -> None:
    reduced = mod_angle(angle)
    assert -math.pi <= reduced < math.pi
    assert math.cos(reduced - angle) == pytest.approx(1, abs=1e-6)


def test_between_the_feet_across_the_turn() -> None:
    x, y, a = midpoint((0.0, 0.05, 3.1), (0.2, -0.05, -3.1))
    assert (x, y) == pytest.approx((0.1, 0.0))
    assert abs(mod_angle(a)) == pytest.approx(math.pi)


@pytest.mark.parametrize("wrong", [(1.0, 2.0), (1.0, 2.0, 3.0, 4.0), ()])
def test_a_pose_has_three_numbers(wrong: tuple[float, ...]) -> None:
    with pytest.raises(ValueError, match="x, y and a"):
        pose_global(wrong, (0.0, 0.0, 0.0))
    with pytest.raises(ValueError, match="x, y and a"):
        pose_relative((0.0, 0.0, 0.0), wrong)
