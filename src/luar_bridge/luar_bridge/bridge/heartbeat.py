# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""When to look at a counting variable next: once a count where the robot is regular. No I/O.

Shared memory does not notify of changes, but robots count regularly. The first look at each count
is placed where it finds most counts already there, and the others soon after it: a first look that
finds the count moves the next ones a little earlier, one that does not moves them later by a part
of the delay.

A count that is long apart is looked at with another one that is followed anyway, and has no waking
of its own then: it is seen up to a longest wait later.
"""

from __future__ import annotations

import math
import statistics

STEP_S = 0.0001
"""From a first look that found nothing to the second."""
_GROWTH = 0.3
"""Then from look to look, as a fraction of the time since the first."""
_EARLIER = 1 / 2000
"""Of a period: how much earlier the next first look is after one that found the count.

After one that did not it is later by _MISSES as much at most: a few late counts do not move it
far.
"""
_MISSES = 4
"""First looks that find the count for one that does not.

More would save hardly a waking, and counts that jitter would be seen later.
"""
_HITS = 8
"""Number of one kind in a row after which that is doubled each time."""
_PUNCTUAL = 1 / 16
"""Of a period: a first look that is later does not show when the count was written.

A count that is seen earlier than this is early.
"""
_LATER = 1 / 2
"""Of the delay of a count: how much later the next first look is."""
_PERIOD_GAIN = 1 / 64
"""Of the same movement: how much the period changes."""
_OUTLIER = 1 / 2
"""A count that is early or late by this fraction of the period does not move the next ones."""
_MOST_OUTLIERS = 4
"""Number of them in a row after which the robot is measured anew."""
_FIRST_INTERVALS = 6
"""Intervals that are measured before a period is estimated."""
_COARSE_INTERVALS = 2
"""The first ones of them, between counts of which nothing was expected."""
_FIRST_STEP = 1 / 4
"""Wait between looks while they are measured, as a fraction of the longest wait."""
_FINE_FROM = 1.5
"""Of that wait: so long before a count is expected, and one after it, looks are finer."""
_FINE_STEP = 1 / 8
"""Of that wait."""
_GUARD = 1 / 4
"""Of a period: how long before a count further looks begin, where ``guarded``."""
_GUARD_STEP = 1 / 8
"""Of a period: from one of them to the next."""
_WATCHED = 32
"""Counts after an early one in which looks are no further apart than the longest wait."""
_LONG = 2.2
"""Longest waits: a count with a longer period is looked at with another one, if there is one.

It is seen then a longest wait after the old one at most, in time for FrameGate.
"""
_NEXT_OTHER = 1.5
"""Longest waits: by then the next look with the other count is expected."""


class Heartbeat:
    """One counting variable; all times in monotonic seconds.

    Parameters
    ----------
    longest_wait
        Longest time between two looks at an overdue count.
    idle_wait
        Between two looks while the count has no subscriber.
    guarded
        Whether the old count is to be seen shortly before each new one, see FrameGate.

    """

    def __init__(self, longest_wait: float, idle_wait: float, *, guarded: bool = False) -> None:
        self._longest_wait = longest_wait
        self._idle_wait = idle_wait
        self._guard = _GUARD if guarded else 0.0
        self.closely = False
        """Whether every count is to be seen soon; see ``follow``."""
        self._accompanied_until = 0.0
        """By then a further look with another count is expected."""
        self.value: float | None = None
        """What was seen last."""
        self.forward = False
        """Whether it was more than before; less belongs to a process that begins."""
        self._intervals: list[float] = []
        self._interval_before: float | None = None
        """The usual interval when measuring began."""
        self._due = 0.0
        self._hits = 0
        """First looks in a row that found the count; negative: that did not."""
        self._outliers = 0
        self._watched = 0
        """Counts for which looks are to be no further apart than the longest wait."""
        self._older_at = 0.0
        self.looked_at = 0.0
        """When the last look began."""
        self.counted_at: float | None = None
        """When the present value was first seen; None when the variable has never changed."""
        self.period: float | None = None
        """Usual seconds between two counts; None while too few have been seen."""
        self.next_at = 0.0
        """When to look again."""

    def follow(self, *, closely: bool) -> None:
        """Have every count seen soon, or only seen that it counts."""
        if closely and not self.closely:
            self._measure_anew()
            self.next_at = 0.0
        self.closely = closely

    def look(self, value: float | None, began: float, now: float) -> bool:
        """Take what was seen from ``began`` to ``now``; return whether it has counted."""
        previous, self.value = self.value, value
        counted = previous is not None and value is not None and value != previous
        if counted:
            assert value is not None
            assert previous is not None
            self.forward = value > previous
            self._older_at = self.looked_at
            self._learn(value - previous, began, now)
            self.counted_at = now
        self.looked_at = began
        self.next_at = self._next_look(now)
        return counted

    @property
    def is_frequent(self) -> bool:
        """Whether it counts often enough for looks at other counts to be made with it."""
        return self.closely and self.period is not None and not self._long

    @property
    def is_worth_a_look(self) -> bool:
        """Whether to look with another count, as the old one is to be seen before the new one."""
        return bool(self._guard) and self.closely and self.period is not None

    def accompany(self, now: float) -> None:
        """Note that a frequent count was seen, and that this one was looked at with it."""
        if self._long:
            self._accompanied_until = now + _NEXT_OTHER * self._longest_wait
            self.next_at = self._next_look(now)

    def last_look_before(self, value: float | None) -> float:
        """Return when the last look began that saw something older than ``value``."""
        return self._older_at if value == self.value else self.looked_at

    @property
    def usual_interval(self) -> float | None:
        """Seconds between two counts, not too many; None where too little is known of them."""
        return self.period or min(self._intervals, default=self._interval_before)

    def _forget(self) -> None:
        self._measure_anew()
        self._interval_before = None

    def _measure_anew(self) -> None:
        self._interval_before = self.usual_interval
        self._intervals.clear()
        self._hits = self._outliers = self._watched = 0
        self.period = None

    @property
    def _long(self) -> bool:
        return self.period is not None and self.period > _LONG * self._longest_wait

    def _learn(self, counted: float, began: float, now: float) -> None:
        if self.counted_at is None or not 0 < counted < 100:
            self._forget()  # it has been started, or started again
        elif self.period is None or not self.closely:
            interval = (now - self.counted_at) / counted
            self._intervals = [*self._intervals[1 - _FIRST_INTERVALS :], interval]
            if len(self._intervals) == _FIRST_INTERVALS:
                self.period = statistics.fmean(self._intervals[_COARSE_INTERVALS:])
                self._due = now + self.period
        else:
            self._follow_count(counted, began, now)

    def _follow_count(self, counted: float, began: float, now: float) -> None:
        assert self.period is not None
        due = self._due + (counted - 1.0) * self.period
        moved = 0.0
        early = self._due - now > _PUNCTUAL * self.period
        self._watched = _WATCHED if early and self._long else max(0, self._watched - 1)
        if abs(now - due) > _OUTLIER * self.period:
            self._outliers += 1
            if self._outliers >= _MOST_OUTLIERS:
                self._forget()
                return
            due = min(due, now)  # it counts faster than was thought
        elif self.looked_at < self._due:  # seen by the first look
            self._outliers = 0
            if began - self._due < STEP_S + _PUNCTUAL * self.period:
                self._hits = max(1, self._hits + 1)
                moved = -self._step()
        else:
            self._hits, self._outliers = min(-1, self._hits - 1), 0
            moved = min(_LATER * (now - due), _MISSES * self._step())
        self.period += _PERIOD_GAIN * moved
        self._due = due + moved + self.period
        if self._due <= now:  # looked at too late: the next one at its own time
            self._due += self.period * math.ceil((now - self._due) / self.period)

    def _step(self) -> float:
        """Return by how much the next first look is moved; more after several of one kind."""
        assert self.period is not None
        return _EARLIER * self.period * 2.0 ** max(0, abs(self._hits) - _HITS)

    def _next_look(self, now: float) -> float:
        if not self.closely:
            return now + self._idle_wait
        if self.period is None:
            return self._next_first_look(now)
        if self.period < 4 * STEP_S:
            return now + STEP_S
        if self._long and now < self._accompanied_until:
            return self._accompanied_until
        if now < self._due:
            return self._next_early_look(now)
        return now + min(self._longest_wait, STEP_S + _GROWTH * (now - self._due))

    def _next_first_look(self, now: float) -> float:
        """Return the next look while intervals are measured: finely around the expected count."""
        step = _FIRST_STEP * self._longest_wait
        if not self._intervals:
            return now + step
        assert self.counted_at is not None
        expected = self.counted_at + self._intervals[-1]
        if now < expected - _FINE_FROM * step:
            return min(expected - _FINE_FROM * step, now + self._longest_wait)
        return now + (_FINE_STEP * step if now < expected + step else step)

    def _next_early_look(self, now: float) -> float:
        assert self.period is not None
        at = self._due
        if self._guard and now < at - self._guard * self.period:
            at -= self._guard * self.period
        elif self._guard:
            at = min(at, now + _GUARD_STEP * self.period)
        if self._watched or (self._long and not self._guard):
            at = min(at, now + self._longest_wait)
        return at
