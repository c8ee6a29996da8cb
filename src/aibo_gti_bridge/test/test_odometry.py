# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Dead reckoning, with values worked out by hand."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from aibo_gti_bridge.bridge.odometry import Odometry
from aibo_gti_bridge.model.room import Room
from aibo_gti_bridge.protocol.commands import STOP, Walk, WalkSteps
from aibo_gti_bridge.simulator.world import DogWorld, Settings

LIMITS = (0.18, 0.14, 1.8)
STEP_PERIOD = 0.5


COURSE = ((0.18, 0.0, 0.0, 4.0), (0.0, 0.0, 1.2, 1.5), (0.0, 0.14, 0.0, 2.0), (0.1, 0.0, 0.6, 3.0))
"""Velocities (m/s, m/s, rad/s) and how long each is walked (s); about 1.3 m and 3.6 rad."""


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


def test_a_command_that_is_confirmed_late_makes_the_pose_uncertain(odometry: Odometry) -> None:
    prompt = Odometry(LIMITS, STEP_PERIOD)
    for estimate, latency in ((odometry, 3.0), (prompt, 0.0)):
        estimate.command(0.0, Walk(100.0, 0.0, 0.5))
        estimate.command(2.0, STOP, latency)
        estimate.advance(10.0)
    assert odometry.x == prompt.x
    grown = np.diag(odometry.covariance - prompt.covariance)
    # Up to 0.3 m and 1.5 rad further: a third of the square of each.
    assert grown == pytest.approx([0.03, 0.03, 0.75], rel=0.05)


@pytest.mark.parametrize("latency", [0.0, 0.3])
def test_twenty_metres_beside_the_simulated_dog(odometry: Odometry, latency: float) -> None:
    """The dog carries each command out up to ``latency`` seconds after it was sent."""
    chance = random.Random(5)
    wide = Room(width=100.0, depth=100.0, balls=[], boxes=[])  # dead reckoning sees no walls
    dog = DogWorld(wide, settings=Settings(x=0.0, y=0.0, noise=0.0))
    sent = 0.0
    for forward, left, turn, seconds in [*COURSE * 16, (0.0, 0.0, 0.0, 3.0)]:
        odometry.command(sent, Walk(forward * 1000.0, left * 1000.0, turn), latency)
        dog.step(sent + chance.uniform(0.0, latency) - dog.time)
        dog.walk(forward, left, turn)
        sent += seconds
    odometry.advance(sent)
    dog.step(sent - dog.time)
    assert not dog.walker.walking
    off = odometry.x - dog.x, odometry.y - dog.y, math.remainder(odometry.yaw - dog.yaw, math.tau)
    deviation = np.sqrt(np.diag(odometry.covariance))
    assert np.all(np.abs(off) <= 3.0 * deviation)
    print(f"off by {math.hypot(*off[:2]):.3f} m, {off[2]:.3f} rad; deviations {deviation}")
    assert latency or math.hypot(*off[:2]) < 0.05
