# SPDX-License-Identifier: Apache-2.0
"""Bound how often something may happen: a token bucket."""

from __future__ import annotations

import time
from collections.abc import Callable


class TokenBucket:
    """Admits ``rate`` events a second on average, and bursts of up to ``burst``.

    Not thread-safe. ``clock`` returns seconds; ``burst`` defaults to one second's events.
    """

    def __init__(
        self,
        rate: float,
        burst: float | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._rate = rate
        self._burst = max(1.0, rate if burst is None else burst)
        self._clock = clock
        self._tokens = self._burst
        self._filled_at = clock()

    def admits(self) -> bool:
        """Return whether one more event may happen now; if so it is counted."""
        if self._tokens < 1.0:
            now = self._clock()
            earned = (now - self._filled_at) * self._rate
            self._tokens = min(self._burst, self._tokens + earned)
            self._filled_at = now
            if self._tokens < 1.0:
                return False
        self._tokens -= 1.0
        return True
