# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The stamps of messages: a segment's own time where it has this machine's clock. No I/O."""

from __future__ import annotations

import time
from collections.abc import Callable

AT_FIRST, AFTERWARDS = 1.0, 30.0
"""Seconds by which a segment's time may be past for its clock to be ours, and once it is known to
be: a machine that has no time for us has us read late."""
AHEAD = 0.01
"""Seconds by which it may be ahead."""


class Stamps:
    """Stamps what is read from segments, which may carry Unix time, another time, or none."""

    def __init__(self) -> None:
        self.now = time.time
        """The Unix time, or that which stamps follow instead."""
        self._follows = False
        self._ours: set[str] = set()
        """Segments with times by the clock of this machine."""

    def follow(self, now: Callable[[], float]) -> None:
        """Stamp with what ``now`` returns (s), whatever times segments have."""
        self.now = now
        self._follows = True

    def of(self, segment: str, reported: float | None) -> float:
        """Return the Unix time of what was just read, with the time in the segment.

        That is the segment's where it is by our clock, else now. A time of exactly 0 has not been
        written yet: the age of the rest is unknown then, as 0 says.
        """
        now = self.now()
        if reported is None:
            return now
        if reported == 0.0:
            return 0.0
        if self._follows:
            return now
        oldest = now - (AFTERWARDS if segment in self._ours else AT_FIRST)
        if not oldest < reported <= now + AHEAD:
            return now
        self._ours.add(segment)
        return reported

    def is_past(self, segment: str, reported: float | None, seconds: float) -> bool:
        """Return whether a segment's time, reported by our clock, was so long ago."""
        if reported is None or segment not in self._ours:
            return False
        return reported + seconds < self.now() < reported + AT_FIRST

    def forget(self, segment: str) -> None:
        """Forget a segment that is gone; the next of its name may have another clock."""
        self._ours.discard(segment)
