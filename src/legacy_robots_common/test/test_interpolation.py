# SPDX-License-Identifier: Apache-2.0
"""Straight lines between the points of a trajectory."""

from __future__ import annotations

import pytest

from legacy_robots_common.interpolation import interpolated


@pytest.mark.parametrize(
    "time, expected",
    [
        (-1.0, (0.0, 4.0)),
        (0.0, (0.0, 4.0)),
        (0.5, (0.5, 3.0)),
        (1.0, (1.0, 2.0)),
        (2.0, (0.5, 2.5)),
        (3.0, (0.0, 3.0)),
        (9.0, (0.0, 3.0)),
    ],
)
def test_from_the_start_through_the_points_to_the_last_one(
    time: float, expected: tuple[float, float]
) -> None:
    points = [(1.0, 2.0), (0.0, 3.0)]
    assert interpolated([1.0, 3.0], points, time, (0.0, 4.0)) == pytest.approx(expected)


def test_a_point_at_the_start_is_there_at_once() -> None:
    assert interpolated([0.0, 1.0], [(1.0,), (2.0,)], 0.0, (5.0,)) == (1.0,)
    assert interpolated([0.0], [(1.0,)], 0.5, (5.0,)) == (1.0,)


def test_points_of_another_number_of_joints_are_an_error() -> None:
    with pytest.raises(ValueError, match="zip"):
        interpolated([1.0], [(1.0, 2.0)], 0.5, (0.0,))
