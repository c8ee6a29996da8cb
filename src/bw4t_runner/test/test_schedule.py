# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Schedules, by a clock that a test sets."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bw4t_runner.schedule import MAX_LAG_SECONDS, Schedule


class Clock:
    now = 100.0

    def __call__(self):
        return self.now


def make(speed=1.0, cycle_rate=50.0):
    clock = Clock()
    return clock, Schedule(clock, 0.02, speed, cycle_rate)


@pytest.mark.parametrize(
    "speed, cycle_rate, ticks, seconds",
    [
        (1.0, 50.0, 1, 0.02),
        (0.5, 50.0, 1, 0.04),
        (1.0, 10.0, 5, 0.1),
        (10.0, 50.0, 10, 0.02),
        (1.1, 50.0, 2, 0.04 / 1.1),
    ],
)
def test_cycles_are_no_more_frequent_than_wanted(speed, cycle_rate, ticks, seconds):
    clock, schedule = make(speed, cycle_rate)
    assert schedule.ticks_per_cycle == ticks
    assert schedule.due == pytest.approx(clock.now + seconds)
    assert not schedule.is_due()
    clock.now += seconds + 0.001
    assert schedule.is_due()
    assert schedule.begin_cycle() == ticks
    assert schedule.lateness == pytest.approx(0.001)
    assert not schedule.is_due()


def test_being_late_once_does_not_shift_what_follows():
    clock, schedule = make()
    first = schedule.due
    clock.now = first + 0.5
    schedule.begin_cycle()
    assert schedule.due == pytest.approx(first + 0.02)
    assert schedule.is_due()
    assert (schedule.max_lateness, schedule.skipped_ticks) == (pytest.approx(0.5), 0)


@given(st.lists(st.floats(0.0, 5.0), max_size=20), st.floats(0.1, 100.0))
def test_every_tick_passes_or_is_counted_as_skipped(naps, speed):
    clock, schedule = make(speed)
    ticks = 0
    for nap in naps:
        clock.now += nap
        while schedule.is_due():
            ticks += schedule.begin_cycle()
    expected = (clock.now - 100.0) * speed / 0.02
    assert abs(ticks + schedule.skipped_ticks - expected) <= schedule.ticks_per_cycle + 1e-6


def test_what_cannot_be_made_up_for_is_skipped():
    clock, schedule = make()
    clock.now = schedule.due + MAX_LAG_SECONDS + 10.0
    schedule.begin_cycle()
    assert schedule.skipped_ticks == pytest.approx(500, abs=1)
    assert clock.now - schedule.due <= MAX_LAG_SECONDS


def test_a_new_speed_counts_from_now_on():
    clock, schedule = make()
    clock.now += 50.0
    schedule.set_speed(2.0)
    assert schedule.due == pytest.approx(clock.now + 0.02)
    assert schedule.skipped_ticks == 0
    with pytest.raises(ValueError, match="speed"):
        schedule.set_speed(float("nan"))
    assert schedule.speed == 2.0
