# SPDX-License-Identifier: Apache-2.0
"""When to sample a counting variable next, to see each count soon after it is written. No I/O.

Shared memory does not notify of changes, but robots count regularly: the estimator follows period
and jitter of a count, and has it sampled closely only around the moment when it is due.
"""

from __future__ import annotations

import statistics

FINE_STEP = 0.000025
"""Least seconds between two samples around the moment when a count is due."""
_STEP = 0.25
"""The same in mean deviations: an irregular robot is not sampled more often than others."""
_WINDOW = 2.0
"""Close sampling begins so many mean deviations before that moment."""
_WIDENING = 1.5
"""A count that came before the close sampling multiplies the deviation."""
_LEAST_DEVIATION = 0.00005
"""Least deviation in seconds."""
_GROWTH = 0.3
"""Wait between samples for an overdue count, as a fraction of its delay."""
_FIRST_INTERVALS = 5
"""Intervals that are measured before a period is estimated."""
_FIRST_STEP = 1 / 4
"""Wait between samples while they are measured, as a fraction of the longest wait."""
_PHASE_GAIN, _PERIOD_GAIN, _DEVIATION_GAIN = 1 / 8, 1 / 256, 1 / 16
_OUTLIER = 1 / 2
"""A count that is early or late by this fraction of the period does not change the estimate."""
_MOST_OUTLIERS = 4
"""After so many of them in a row the robot is measured anew."""


class HeartbeatEstimator:
    """One counting variable; all times in monotonic seconds.

    When the next count is due, its mean deviation and the period are followed as TCP follows the
    round-trip time: each new count moves them by a fraction of its error.

    Parameters
    ----------
    longest_wait
        Longest time between two samples.
    idle_wait
        The same while the counts have no subscriber.

    """

    def __init__(self, longest_wait: float, idle_wait: float) -> None:
        self._longest_wait = longest_wait
        self._idle_wait = idle_wait
        self.closely = False
        """Whether every count is to be seen soon; see ``follow``."""
        self._value: float | None = None
        self._intervals: list[float] = []
        self._due = 0.0
        self._deviation = 0.0
        self._outliers = 0
        self._older_at = 0.0
        self._sampled_at = 0.0
        self.counted_at: float | None = None
        """When the present value was first seen; None when the variable has never changed."""
        self.period: float | None = None
        """Usual seconds between two counts; None while too few have been seen."""
        self.next_at = 0.0
        """When to sample again."""

    @property
    def value(self) -> float | None:
        """The value that was sampled last."""
        return self._value

    def follow(self, *, closely: bool) -> None:
        """Have every count seen soon, or only seen that it counts."""
        if closely and not self.closely:
            self._forget()
            self.next_at = 0.0
        self.closely = closely

    def sample(self, value: float | None, began: float, now: float) -> bool:
        """Add a sample taken from ``began`` to ``now``; return whether it has counted."""
        previous, self._value = self._value, value
        counted = previous is not None and value is not None and value != previous
        if counted:
            assert value is not None
            assert previous is not None
            self._older_at = self._sampled_at
            self._learn(value - previous, now)
            self.counted_at = now
        self._sampled_at = began
        self.next_at = self._next_sample(now)
        return counted

    def last_sample_before(self, value: float | None) -> float:
        """Return when the last sample began that saw something older than ``value``."""
        return self._older_at if value == self._value else self._sampled_at

    def _forget(self) -> None:
        self._intervals.clear()
        self._outliers = 0
        self.period = None

    def _learn(self, counted: float, now: float) -> None:
        if self.counted_at is None or not 0 < counted < 100:
            self._forget()  # it has been started, or started again
            return
        if self.period is None or not self.closely:
            interval = (now - self.counted_at) / counted
            self._intervals = [*self._intervals[1 - _FIRST_INTERVALS :], interval]
            if len(self._intervals) == _FIRST_INTERVALS:
                self.period = statistics.fmean(self._intervals)
                self._due = now + self.period
                errors = [abs(interval - self.period) for interval in self._intervals]
                self._deviation = max(_LEAST_DEVIATION, *errors)
            return
        self._due += (counted - 1.0) * self.period
        error = now - self._due
        if abs(error) > _OUTLIER * self.period:
            self._outliers += 1
            if self._outliers >= _MOST_OUTLIERS:
                self._forget()
                return
        else:
            self._outliers = 0
            self._deviation += _DEVIATION_GAIN * (abs(error) - self._deviation)
            self._deviation = max(self._deviation, _LEAST_DEVIATION)
            if self._sampled_at < self._due - _WINDOW * self._deviation:
                self._deviation *= _WIDENING
            # Processes are late now and then, and never early.
            error = min(error, _WINDOW * self._deviation)
            self._due += _PHASE_GAIN * error
            self.period += _PERIOD_GAIN * error
        self._due += self.period

    def _next_sample(self, now: float) -> float:
        if not self.closely:
            return now + self._idle_wait
        wait = self._longest_wait
        if self.period is None:
            return now + _FIRST_STEP * wait
        if self.period < 10 * FINE_STEP:
            return now + min(wait, FINE_STEP)
        closely_from = self._due - _WINDOW * self._deviation
        if now < closely_from:
            return min(closely_from, now + wait)
        step = max(FINE_STEP, _STEP * self._deviation, _GROWTH * (now - self._due))
        return now + min(step, wait)
