# SPDX-License-Identifier: Apache-2.0
"""When to look at a counting variable next, to see each count soon after it is written. No I/O.

Shared memory tells nobody that it has changed. Robots count regularly, though: a pulse learns the
period and the jitter, and has the variable looked at closely only around the moment when the next
count is due.
"""

from __future__ import annotations

import statistics

FINE_STEP = 0.000025
"""Seconds between two looks around the moment when a count is due, at least."""
_STEP = 0.25
"""The same in mean deviations: an irregular robot is not looked at more often than others."""
_WINDOW = 2.0
"""Close looks begin so many mean deviations before that moment."""
_WIDENING = 1.5
"""A count that was there before the close looks multiplies the deviation."""
_LEAST_DEVIATION = 0.00005
"""Seconds; no robot is taken to be more regular than this."""
_GROWTH = 0.3
"""Looks for a count that is overdue come after so large a part of its delay."""
_FIRST_INTERVALS = 5
"""So many intervals are measured before a period is believed."""
_FIRST_STEP = 1 / 4
"""The step at which they are measured, as a part of the longest time between two looks."""
_PHASE_GAIN, _PERIOD_GAIN, _DEVIATION_GAIN = 1 / 8, 1 / 256, 1 / 16
_OUTLIER = 1 / 2
"""A count that is so large a part of the period early or late tells nothing of the others."""
_MOST_OUTLIERS = 4
"""After so many of them in a row the robot is measured anew."""


class Pulse:
    """One counting variable; all times in monotonic seconds.

    When the next count is due, its usual deviation and the period are followed as TCP follows the
    round-trip time: each new count moves them by a fraction of its error.

    Parameters
    ----------
    rest
        Longest time between two looks.
    idle_rest
        The same while nobody waits for the counts.

    """

    def __init__(self, rest: float, idle_rest: float) -> None:
        self._rests = rest, idle_rest
        self.closely = False
        """Whether every count is to be seen soon; see ``follow``."""
        self._value: float | None = None
        self._intervals: list[float] = []
        self._due = 0.0
        self._deviation = 0.0
        self._outliers = 0
        self._old_at = 0.0
        self._looked_at = 0.0
        self.beat_at: float | None = None
        """When the present value was first seen; None when the variable has never changed."""
        self.period: float | None = None
        """Usual seconds between two counts; None while too few have been seen."""
        self.next_at = 0.0
        """When to look again."""

    @property
    def value(self) -> float | None:
        """The value that was seen last."""
        return self._value

    def follow(self, *, closely: bool) -> None:
        """Have every count seen soon, or only seen that it counts."""
        if closely and not self.closely:
            self._forget()
            self.next_at = 0.0
        self.closely = closely

    def look(self, value: float | None, began: float, now: float) -> bool:
        """Take the result of a look from ``began`` to ``now``. Tell whether it is a beat."""
        previous, self._value = self._value, value
        beat = previous is not None and value is not None and value != previous
        if beat:
            assert value is not None
            assert previous is not None
            self._old_at = self._looked_at
            self._learn(value - previous, now)
            self.beat_at = now
        self._looked_at = began
        self.next_at = self._next_look(now)
        return beat

    def old_look(self, value: float | None) -> float:
        """Return when the last look began that saw something older than ``value``."""
        return self._old_at if value == self._value else self._looked_at

    def _forget(self) -> None:
        self._intervals.clear()
        self._outliers = 0
        self.period = None

    def _learn(self, counted: float, now: float) -> None:
        if self.beat_at is None or not 0 < counted < 100:
            self._forget()  # it has been started, or started again
            return
        if self.period is None or not self.closely:
            interval = (now - self.beat_at) / counted
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
            if self._looked_at < self._due - _WINDOW * self._deviation:
                self._deviation *= _WIDENING
            # Processes are late now and then, and never early.
            error = min(error, _WINDOW * self._deviation)
            self._due += _PHASE_GAIN * error
            self.period += _PERIOD_GAIN * error
        self._due += self.period

    def _next_look(self, now: float) -> float:
        if not self.closely:
            return now + self._rests[1]
        rest = self._rests[0]
        if self.period is None:
            return now + _FIRST_STEP * rest
        if self.period < 10 * FINE_STEP:
            return now + min(rest, FINE_STEP)
        closely_from = self._due - _WINDOW * self._deviation
        if now < closely_from:
            return min(closely_from, now + rest)
        step = max(FINE_STEP, _STEP * self._deviation, _GROWTH * (now - self._due))
        return now + min(step, rest)
