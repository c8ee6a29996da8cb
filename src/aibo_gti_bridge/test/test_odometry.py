# SPDX-License-Identifier: Apache-2.0
"""Dead reckoning, with values worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from aibo_gti_bridge.bridge.odometry import Odometry
from aibo_gti_bridge.protocol.commands import STOP, Walk, WalkSteps

LIMITS = (0.18, 0.14, 1.8)
STEP_PERIOD = 0.5


@pytest.fixture
def odometry() -> Odometry:
    return Odometry(LIMITS, STEP_PERIOD)


def test_it_begins_at_the_origin_and_stays_while_the_robot_stands(odometry: Odometry) -> None:
    odometry.command(100.0, STOP)
    odometry.advance(200.0)
    assert (odometry.x, odometry.y, odometry.yaw) == (0.0, 0.0, 0.0)
    assert not odometry.covariance.any()


def test_a_velocity_is_approached_by_the_gaits_acceleration(odometry: Odometry) -> None:
    odometry.command(1.0, Walk(180.0, 0.0, 0.0))
    odometry.advance(2.0)  # 0.5 s to reach 0.18 m/s: a quarter of a second is lost
    assert odometry.x == pytest.approx(0.18 * 0.75, abs=0.001)
    assert odometry.velocity == pytest.approx((0.18, 0.0, 0.0))
    assert odometry.velocity_variance == pytest.approx((0.036**2, 0.0, 0.0))
    odometry.command(2.0, STOP)
    odometry.advance(9.0)
    assert odometry.x == pytest.approx(0.18, abs=0.002)
    assert odometry.velocity == (0.0, 0.0, 0.0)


def test_steps_make_their_displacement(odometry: Odometry) -> None:
    odometry.command(0.0, WalkSteps(0.0, 0.0, math.pi / 2, 4))
    odometry.advance(5.0)
    assert odometry.yaw == pytest.approx(math.pi / 2)
    odometry.command(5.0, WalkSteps(150.0, 50.0, 0.0, 2))
    odometry.advance(6.5)
    assert (odometry.x, odometry.y) == pytest.approx((-0.05, 0.15))


def test_the_covariance_grows_with_the_way_and_the_turn(odometry: Odometry) -> None:
    odometry.command(0.0, WalkSteps(1000.0, 0.0, 0.0, 20))
    odometry.advance(20.0)
    deviation = np.sqrt(np.diag(odometry.covariance))
    assert deviation[0] == pytest.approx(0.1, abs=0.001)
    assert deviation[2] == pytest.approx(0.1, abs=0.001)
    # Sideways the heading's error counts too: integrated over the way, its third.
    assert deviation[1] == pytest.approx(math.sqrt(0.01 + 0.01 / 3), abs=0.001)
    assert np.all(np.linalg.eigvalsh(odometry.covariance) >= 0.0)
    before = odometry.covariance[2, 2]
    odometry.command(20.0, WalkSteps(0.0, 0.0, 1.0, 4))
    odometry.advance(30.0)
    assert odometry.covariance[2, 2] - before == pytest.approx(0.04, abs=0.001)


def test_a_robot_that_was_lost_while_it_walked_may_have_walked_on(odometry: Odometry) -> None:
    odometry.command(0.0, Walk(100.0, 0.0, 0.5))
    odometry.advance(2.0)
    x, before = odometry.x, odometry.covariance.copy()
    odometry.leave(2.0)
    odometry.advance(5.0)
    assert odometry.x == x
    assert odometry.velocity == (0.0, 0.0, 0.0)
    odometry.command(12.0, STOP)
    odometry.advance(13.0)
    assert odometry.x == x
    grown = np.diag(odometry.covariance - before)
    assert grown == pytest.approx([1.0, 1.0, 25.0])
