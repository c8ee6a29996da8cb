# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""When a count is looked at: soon after it is written, and about once."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import accumulate, cycle, islice

import pytest

from luar_bridge.bridge.heartbeat import Heartbeat

PERIOD = 0.01
LATE = 0.00008
"""Seconds that a thread wakes after it wanted to."""


def followed(*, guarded: bool = False) -> Heartbeat:
    heartbeat = Heartbeat(0.01, 0.1, guarded=guarded)
    heartbeat.follow(closely=True)
    return heartbeat


def watch(heartbeat: Heartbeat, written: Iterator[float]) -> list[tuple[float, int]]:
    """Look whenever the heartbeat wants to; return delay and number of looks of each count."""
    now, looks, seen = 10.0, 0, []
    for beat, at in enumerate(written):
        while now < at:
            heartbeat.look(float(beat), now, now)
            looks += 1
            now = max(heartbeat.next_at, now) + LATE
        assert heartbeat.look(beat + 1.0, now, now)
        seen.append((now - at, looks + 1))
        looks, now = 0, max(heartbeat.next_at, now) + LATE
    return seen


def regular(count: int, jitter: float, moved_at: int = 0, moved: float = 0.0) -> Iterator[float]:
    """Yield when a process writes, each time late or early by a chance deviation."""
    chance = random.Random(1)
    for beat in range(1, count + 1):
        yield 10.0 + PERIOD * beat + moved * (beat >= moved_at > 0) + chance.gauss(0.0, jitter)


@pytest.mark.parametrize(
    "jitter, most", [(0.0, 1.3), (0.00003, 1.35), (0.0001, 1.5), (0.0003, 2.0)]
)
def test_a_regular_count_costs_little_more_than_a_look_and_is_seen_soon(
    jitter: float, most: float
) -> None:
    seen = watch(followed(), regular(1000, jitter))[200:]
    delays = sorted(delay for delay, _ in seen)
    assert sum(looks for _, looks in seen) < most * len(seen)
    assert delays[len(seen) // 2] < 0.0001 + jitter
    assert delays[-1] < 0.0005 + 5.0 * jitter


@pytest.mark.parametrize("guarded", [False, True])
def test_the_first_counts_are_seen_soon(guarded: bool) -> None:
    for phase in range(10):
        written = (10.0 + PERIOD * (beat + phase / 10) for beat in range(1, 50))
        delays = [delay for delay, _ in watch(followed(guarded=guarded), written)]
        assert max(delays[:3]) < 0.003
        assert max(delays[3:]) < 0.0015


@pytest.mark.parametrize("moved", [-0.002, 0.002])
def test_a_process_that_writes_earlier_or_later_from_now_on_is_followed(moved: float) -> None:
    seen = watch(followed(), regular(400, 0.0001, 200, moved))
    assert max(delay for delay, _ in seen[250:]) < 0.001


def test_one_late_look_does_not_make_the_next_ones_late() -> None:
    heartbeat = followed()
    watch(heartbeat, regular(300, 0.0))
    due = heartbeat.next_at
    assert heartbeat.look(301.0, due + 0.004, due + 0.004)  # the thread had to wait
    assert heartbeat.next_at == pytest.approx(due + PERIOD, abs=0.0005)


def test_a_process_that_becomes_slower_is_measured_anew() -> None:
    heartbeat = followed()
    watch(heartbeat, regular(300, 0.0))
    slow = (10.0 + 300 * PERIOD + 4.0 * PERIOD * beat for beat in range(1, 60))
    now, beat = 10.0 + 300 * PERIOD, 300
    for at in slow:
        while now < at:
            heartbeat.look(float(beat), now, now)
            now = heartbeat.next_at + LATE
        beat += 1
        assert heartbeat.look(float(beat), now, now)
    assert heartbeat.period == pytest.approx(4.0 * PERIOD, rel=0.02)


def test_a_guarded_count_is_looked_at_shortly_before_it_is_due() -> None:
    heartbeat = followed(guarded=True)
    watch(heartbeat, regular(300, 0.0001))
    assert heartbeat.period == pytest.approx(PERIOD, rel=0.01)
    before = heartbeat.next_at
    heartbeat.look(300.0, before, before)
    due = 10.0 + 301 * PERIOD
    assert due - before == pytest.approx(PERIOD / 4, rel=0.2)
    looked = [before]
    while heartbeat.next_at < due:  # further ones follow
        looked.append(heartbeat.next_at)
        heartbeat.look(300.0, looked[-1], looked[-1])
    assert heartbeat.look(301.0, heartbeat.next_at, heartbeat.next_at)
    assert heartbeat.last_look_before(301.0) == looked[-1]


def test_a_count_that_stays_away_is_looked_for_ever_less_often() -> None:
    heartbeat = followed()
    watch(heartbeat, regular(300, 0.0))
    now, waits = heartbeat.next_at, []
    for _ in range(100):
        heartbeat.look(300.0, now, now)
        waits.append(heartbeat.next_at - now)
        now = heartbeat.next_at
    assert waits[0] < 0.0001
    assert waits[-1] == pytest.approx(0.01)


def test_when_the_old_count_was_last_seen() -> None:
    heartbeat = followed()
    heartbeat.look(1.0, 10.0, 10.001)
    heartbeat.look(1.0, 10.5, 10.501)
    assert heartbeat.look(2.0, 11.0, 11.001)
    assert heartbeat.last_look_before(2.0) == 10.5
    assert heartbeat.last_look_before(3.0) == 11.0  # counted once more since the last look
    assert heartbeat.counted_at == 11.001
    assert not heartbeat.look(None, 12.0, 12.001)  # the variable is gone
    assert not heartbeat.look(3.0, 13.0, 13.001)


def test_a_count_without_subscribers_is_looked_at_seldom() -> None:
    heartbeat = Heartbeat(0.01, 0.1)
    for beat in range(20):
        now = 10.0 + 0.1 * beat
        heartbeat.look(10.0 * beat, now, now)
        assert heartbeat.next_at == pytest.approx(now + 0.1)
    assert heartbeat.period == pytest.approx(0.01)  # for people who read diagnostics
    heartbeat.follow(closely=True)
    heartbeat.look(200.0, 12.0, 12.0)
    assert heartbeat.next_at <= 12.01


def test_the_usual_interval_is_known_from_the_second_count_on() -> None:
    heartbeat = Heartbeat(0.01, 0.1)
    heartbeat.look(1.0, 10.0, 10.0)
    assert heartbeat.look(2.0, 10.1, 10.1)
    assert heartbeat.usual_interval is None, "when it counted before is not known"
    assert heartbeat.look(5.0, 10.2, 10.2)
    assert heartbeat.usual_interval == pytest.approx(0.1 / 3)
    heartbeat.follow(closely=True)
    assert heartbeat.usual_interval == pytest.approx(0.1 / 3)
    assert heartbeat.look(6.0, 10.21, 10.21)
    assert heartbeat.usual_interval == pytest.approx(0.01), "the shortest"
    assert heartbeat.look(1.0, 10.3, 10.3)
    assert heartbeat.usual_interval is None, "it has been started again"


@pytest.mark.parametrize("guarded", [False, True])
@pytest.mark.parametrize("pattern", [(0.03, 0.03, 0.04), (0.02, 0.05), (0.02, 0.02, 0.05)])
def test_an_irregular_robot_is_followed_without_looking_all_the_time(pattern, guarded) -> None:
    written = accumulate(islice(cycle(pattern), 400), initial=10.001)
    seen = watch(followed(guarded=guarded), written)[100:]
    assert max(delay for delay, _ in seen) <= 0.01
    assert sum(looks for _, looks in seen) < 10 * len(seen)


def watch_with_another(
    heartbeat: Heartbeat, written: list[float], late: float = 0.0
) -> list[tuple[float, int, float]]:
    """Return delay, own looks, and time since the last look at the old one of each count.

    Looks are made with another count as well, every PERIOD. With each 17th of it nothing is found
    at first, but only ``late`` seconds later.
    """
    now, beat, looks, seen, other, others = 10.0, 0, 0, [], 10.0, 0
    while beat < len(written):
        together = other <= heartbeat.next_at
        now = max(now, other if together else heartbeat.next_at) + LATE
        missing = together and late > 0.0 and others % 17 == 0
        if not missing or heartbeat.is_worth_a_look:
            value = float(sum(at <= now for at in written[beat:]) + beat)
            old = heartbeat.value
            looks += not together
            if heartbeat.look(value, now, now):
                older_at = heartbeat.last_look_before(value)
                seen.append((now - written[beat], looks, now - older_at))
                beat, looks = int(value), 0
            assert old is None or heartbeat.value == value
        others += together
        if missing:
            other += late
        elif together:
            heartbeat.accompany(now)
            other = 10.0 + PERIOD * round((other - 10.0) / PERIOD + 1)
    return seen


@pytest.mark.parametrize("steps", [(3, 3, 4), (3, 4), (2, 2, 3), (4,), (6, 7, 7), (3, 3, 3, 4)])
def test_a_count_long_apart_is_looked_at_with_another_one_only(steps: tuple[int, ...]) -> None:
    intervals = islice(cycle(PERIOD * step for step in steps), 300)
    chance = random.Random(1)
    written = [at + chance.gauss(0.0, 0.00005) for at in accumulate(intervals, initial=10.0308)]
    seen = watch_with_another(followed(guarded=True), written)[30:]
    assert sum(looks for _, looks, _ in seen) < 0.1 * len(seen)
    assert max(delay for delay, _, _ in seen) < PERIOD
    assert max(since for _, _, since in seen) < 0.011  # FrameGate is to accept images


def test_another_count_that_is_late_at_times_neither_hides_nor_unsettles() -> None:
    steps = islice(cycle((0.03, 0.03, 0.04)), 300)
    written = list(accumulate(steps, initial=10.0013))
    seen = watch_with_another(followed(guarded=True), written, late=0.0015)[50:]
    assert sum(looks for _, looks, _ in seen) < 2 * len(seen)
    assert max(since for _, _, since in seen) < 0.011  # else FrameGate could not accept images


@pytest.mark.parametrize("period", [0.012, 0.0166, 0.02])
def test_a_count_that_is_not_so_long_apart_is_seen_soon(period: float) -> None:
    written = [10.0308 + period * n for n in range(400)]
    seen = watch_with_another(followed(guarded=True), written)[100:]
    assert sorted(delay for delay, _, _ in seen)[len(seen) // 2] < 0.0003
    assert max(since for _, _, since in seen) < period / 2
