# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""From cmd_vel to walk commands: limits, rate, watchdog."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from legacy_robots_common.goals.velocity import STILL, Velocity, VelocityControl, VelocityLimits

LIMITS = VelocityLimits(0.18, 0.14, 1.8)


def test_what_changes_is_sent_at_once_and_what_does_not_is_kept_alive() -> None:
    control = VelocityControl(LIMITS)
    assert control.request(0.0, (0.1, 0.0, 0.0)) == (0.1, 0.0, 0.0)
    for tenth in range(1, 10):
        assert control.request(tenth / 10, (0.1, 0.0, 0.0)) is None
    assert control.request(1.0, (0.1, 0.0, 0.0)) == (0.1, 0.0, 0.0)
    assert control.request(1.1, (0.1, 0.0, 0.5)) == (0.1, 0.0, 0.5)


def test_quick_changes_are_thinned_to_the_latest_but_a_stop_never_waits() -> None:
    control = VelocityControl(LIMITS)
    assert control.request(0.000, (0.10, 0.0, 0.0)) is not None
    assert control.request(0.010, (0.11, 0.0, 0.0)) is None
    assert control.request(0.020, (0.12, 0.0, 0.0)) is None
    assert control.due(0.040) == (0.12, 0.0, 0.0)
    assert control.request(0.041, STILL) == STILL
    assert not control.walking


def test_the_watchdog() -> None:
    control = VelocityControl(LIMITS)
    control.request(0.0, (0.1, 0.0, 0.0))
    assert not control.timed_out(0.5)
    assert control.due(0.5) is None
    assert control.timed_out(0.51)
    assert control.due(0.51) == STILL
    assert not control.timed_out(0.52)
    assert control.due(9.0) is None
    assert control.request(9.1, (0.1, 0.0, 0.0)) == (0.1, 0.0, 0.0)


def test_standing_still_is_not_repeated() -> None:
    control = VelocityControl(LIMITS)
    assert control.request(0.0, STILL) is None
    assert control.request(0.0, (-0.0, 0.0, -0.0)) is None


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_what_is_no_number_stops_the_robot(bad: float) -> None:
    control = VelocityControl(LIMITS)
    control.request(0.0, (0.1, 0.0, 0.0))
    with pytest.raises(ValueError, match="not finite"):
        control.request(0.1, (0.1, bad, 0.0))
    assert control.due(0.1) == STILL


def test_reset_forgets() -> None:
    control = VelocityControl(LIMITS)
    control.request(0.0, (0.1, 0.0, 0.0))
    control.reset()
    assert not control.walking
    assert not control.timed_out(5.0)
    assert control.due(5.0) is None
    assert control.request(5.0, (0.1, 0.0, 0.0)) == (0.1, 0.0, 0.0)


speeds = st.tuples(*[st.floats(-10, 10)] * 3)


@given(st.lists(st.tuples(st.floats(0.0, 0.3), st.none() | speeds), max_size=40))
def test_the_robot_always_ends_with_what_was_requested_within_its_limits(
    events: list[tuple[float, Velocity | None]],
) -> None:
    control = VelocityControl(LIMITS)
    now, robot, requested, sent_at = 0.0, STILL, STILL, []
    for wait, request in events:
        now += wait
        sent = control.due(now) if request is None else control.request(now, request)
        requested = request or requested
        if sent is not None:
            robot = sent
            if sent != STILL:
                sent_at.append(now)
        for value, limit in zip(robot, (0.18, 0.14, 1.8), strict=True):
            assert abs(value) <= limit
    assert all(b - a >= 0.032 for a, b in itertools.pairwise(sent_at))
    while control.walking:
        now += 0.05
        robot = control.due(now) or robot
        assert now < 1e3
    assert control.due(now) is None
    assert robot == STILL


def test_a_robot_that_flies_has_a_fourth_part_and_a_change_of_it_alone_is_sent() -> None:
    control = VelocityControl(VelocityLimits(0.5, 0.5, 1.0, upward=0.4))
    assert control.request(0.0, (0.1, 0.0, 0.0, 0.0)) == (0.1, 0.0, 0.0, 0.0)
    assert control.request(0.1, (0.1, 0.0, 0.0, 2.0)) == (0.1, 0.0, 0.0, 0.4)
    assert control.due(0.7) == (0.0, 0.0, 0.0, 0.0)
    assert not control.walking
