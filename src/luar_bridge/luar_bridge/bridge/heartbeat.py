# SPDX-License-Identifier: Apache-2.0
"""When to look at a counting variable next: once a count where the robot is regular. No I/O.

Shared memory does not notify of changes, but robots count regularly. The first look at each count
is placed where it finds most counts already there, and the others soon after it: a first look that
finds the count moves the next ones a little earlier, one that does not moves them later by a part
of the delay.

A process that counts irregularly may still do it a fixed time after another count that is followed
anyway, as one that is paced by the other does. The looks are placed by that count then.
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
_MOST = 1 / 8
"""Of a period: the most that a first look is moved at once."""
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
_RECENT = 1 / 16
"""Of a period: a look that is older is made again with that at another count."""
_WATCHED = 32
"""Counts after an early one in which looks are no further apart than the longest wait."""
_WATCHED_STEP_S = 0.0005
"""Then the first step is longer too: when they come is not known well."""
_LONG = 1.5
"""Longest waits: in a longer period that is so in any case, if not ``guarded``."""
_ACCOMPANIED_GUARD = 1 / 8
"""Of a period: instead of the guard, where looks come with another count: one, so long before."""
_DELAY_GAIN = 1 / 8
"""Of each new delay after another count: how much their mean changes, and their deviation."""
_LEAST_FITTED, _MOST_FITTED = 3, 14
"""Counts to which the mean of an irregular one is fitted: at first, and at most."""
_STEADY = 1 / 32
"""Of a period: with a smaller deviation a count follows the other one."""
_UNUSUAL = 1 / 24
"""Of a period: a delay that differs by more from steady ones does not change them."""
_SHORT_S = 0.01
"""In a shorter period they follow each other by STEP_S: no time is left to be late by a look."""


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
        self._other_at = 0.0
        """When the other one was seen to count."""
        self._delay = self._deviation = math.inf
        """From the other count to this one, and how much that varies."""
        self._placed = False
        """Whether the next count's time is known from the other's."""
        self.value: float | None = None
        """What was seen last."""
        self.forward = False
        """Whether it was more than before; less belongs to a process that begins."""
        self._intervals: list[float] = []
        self._interval_before: float | None = None
        """The usual interval when measuring began."""
        self._due = 0.0
        self._mean_due = 0.0
        """When the next one is due by the mean of the past, without regard to the other one."""
        self._fitted = _LEAST_FITTED
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
            self._learn_delay(now)
            self._learn(value - previous, began, now)
            self._placed = False
            self.counted_at = now
        self.looked_at = began
        self.next_at = self._next_look(now)
        return counted

    @property
    def is_frequent(self) -> bool:
        """Whether it counts often enough for looks at other counts to be made with it."""
        return self.closely and self.period is not None and not self._long

    def is_worth_a_look(self, now: float) -> bool:
        """Whether to look with another count that is due, as the old one has not been seen lately.

        Only where that is to be seen shortly before the new one.
        """
        if not self._guard or not self.closely or self.period is None:
            return False
        return now - self.looked_at > _RECENT * self.period

    def accompany(self, now: float) -> None:
        """Note that a frequent count was seen, and that this one was looked at with it."""
        self._accompanied_until = now + _LONG * self._longest_wait
        self._other_at = now
        if not self._long:
            return
        at = now + self._delay
        if self._follows_other(now) and at > self._mean_due - self._longest_wait / 2:
            if not self._placed:
                self._hits = 0
            self._due, self._placed = at, True
        self.next_at = self._next_look(now)

    def _follows_other(self, now: float) -> bool:
        assert self.period is not None
        return now < self._accompanied_until and self._deviation < _STEADY * self.period

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
                self._due = self._mean_due = now + self.period
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
        most = _MOST * self.period
        moved = min(max(moved, -most), most)
        self.period += _PERIOD_GAIN * moved
        self._due = due + moved + self.period
        if self._placed:
            self._delay = max(0.0, self._delay + moved)
        self._fit_mean(counted, now)
        if self._due <= now:  # looked at too late: the next one at its own time
            self._due += self.period * math.ceil((now - self._due) / self.period)

    def _fit_mean(self, counted: float, now: float) -> None:
        """Fit period and next time of an irregular count: a growing-memory filter of degree 1.

        That is a line by least squares, whose gains stay as they are after ``_MOST_FITTED``.
        """
        assert self.period is not None
        if not self._follows_other(now):
            self._fitted, self._mean_due = _LEAST_FITTED, now + self.period
            return
        written = min(max(self._older_at, self._other_at + self._delay), now)
        mean_due = self._mean_due + (counted - 1.0) * self.period
        late, most = written - mean_due, _MOST * self.period
        n = self._fitted = min(self._fitted + 1, _MOST_FITTED)
        self.period += 6 / ((n + 1) * (n + 2)) * min(max(late, -most), most)
        self._mean_due = mean_due + (4 * n + 2) / ((n + 1) * (n + 2)) * late + self.period

    def _learn_delay(self, now: float) -> None:
        """Learn how long after the other count this one comes."""
        if now >= self._accompanied_until:
            self._delay = self._deviation = math.inf
            return
        least, most = self._older_at - self._other_at, now - self._other_at
        if math.isinf(self._delay):
            self._delay, self._deviation = most, self._longest_wait / 2
        wrong = min(max(self._delay, least), most) - self._delay
        period = self.period or math.inf
        self._deviation += _DELAY_GAIN * (min(abs(wrong), _MOST * period) - self._deviation)
        if abs(wrong) > _UNUSUAL * period and self._follows_other(now):
            return
        if not self._placed or most < self._delay:
            self._delay += wrong / 2

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
        if now < self._due:
            return self._next_early_look(now)
        if self._placed and now > self._due + _STEADY / 2 * self.period:
            return max(self._accompanied_until, now + STEP_S)  # it comes after a later one
        step = _WATCHED_STEP_S if self._watched else STEP_S
        return now + min(self._longest_wait, step + _GROWTH * (now - self._due))

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
        if self._long and now < self._accompanied_until:
            if self._follows_other(now) and not self._placed:
                return self._accompanied_until
            before = at - _ACCOMPANIED_GUARD * self.period
            if self._guard and now < before and before - self.looked_at > _RECENT * self.period:
                at = before
            return min(at, self._accompanied_until)
        if self._guard and now < at - self._guard * self.period:
            at -= self._guard * self.period
        elif self._guard:
            step = STEP_S if self.period < _SHORT_S else _GUARD_STEP * self.period
            at = min(at, now + step)
        if self._watched or (self._long and not self._guard):
            at = min(at, now + self._longest_wait)
        return at
