# SPDX-License-Identifier: Apache-2.0
"""When to look at a counting variable next, to see each count soon after it is written. No I/O.

Shared memory tells nobody that it has changed. Robots count regularly, though: a pulse learns the
period and has the variable looked at closely only around the moment when the next count is due.
"""

from __future__ import annotations

import statistics
from collections import deque

FINE_STEP = 0.00015
"""Seconds between two looks around the moment when a count is due."""
_MARGIN = 0.00025
"""Seconds before that moment at which looking closely begins, at least."""
_MARGIN_PART = 0.01
"""The same as a part of the period."""
_GROWTH = 0.3
"""Looks for a count that is overdue come after so large a part of its delay."""
_INTERVALS = 15
_BEATS = 8
"""So many beats are remembered to know when the next one is due."""


class Pulse:
    """One counting variable; all times in monotonic seconds.

    Processes are sometimes late and never early, so the earliest of the last beats tells when the
    next one is due. A beat that came before the first close look moves that moment ahead.

    Parameters
    ----------
    rest
        Longest time between two looks.

    """

    def __init__(self, rest: float) -> None:
        self._rest = rest
        self._value: float | None = None
        self._intervals: deque[float] = deque(maxlen=_INTERVALS)
        self._beats: deque[tuple[float, float]] = deque(maxlen=_BEATS)
        self._due = 0.0
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

    def look(self, value: float | None, began: float, now: float) -> bool:
        """Take the result of a look from ``began`` to ``now``. Tell whether it is a beat."""
        previous, self._value = self._value, value
        beat = previous is not None and value is not None and value != previous
        if beat:
            assert value is not None
            assert previous is not None
            self._old_at = self._looked_at
            self._learn(value, value - previous, now)
            self.beat_at = now
        self._looked_at = began
        self.next_at = self._next_look(now)
        return beat

    def old_look(self, value: float | None) -> float:
        """Return when the last look began that saw something older than ``value``."""
        return self._old_at if value == self._value else self._looked_at

    def _learn(self, value: float, counted: float, now: float) -> None:
        if self.beat_at is None or not 0 < counted < 100:
            self._beats.clear()  # it has been started again
        else:
            self._intervals.append((now - self.beat_at) / counted)
        self._beats.append((value, now))
        if len(self._intervals) < 3:
            return
        period = self.period = statistics.median(self._intervals)
        self._due = min(at + (value + 1.0 - count) * period for count, at in self._beats)

    def _next_look(self, now: float) -> float:
        period = self.period
        if period is None:
            return now + self._rest
        if period < 4 * FINE_STEP:
            return now + min(self._rest, FINE_STEP)
        close_from = self._due - max(_MARGIN, _MARGIN_PART * period)
        if now < close_from:
            return min(close_from, now + self._rest)
        return now + min(max(FINE_STEP, _GROWTH * (now - self._due)), self._rest / 2)
