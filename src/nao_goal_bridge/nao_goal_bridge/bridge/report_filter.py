# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Limits how many reports a second leave the link, so that none delays a reply."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from nao_goal_bridge.protocol.events import (
    Agent,
    Dropped,
    Holding,
    Location,
    Report,
    See,
    SeeObject,
    State,
)

LATEST_RATE = 100.0
"""Locations, states, objects and agent ids per second; above it only the newest are kept."""
LATEST_DELAY_S = 0.05
"""How long a report that was kept is delayed."""

_SUBJECTS: dict[type[Report], type[Report]] = {
    Location: Location, State: State, Agent: Agent, Holding: Holding, Dropped: Holding,
}  # fmt: skip
"""Reports of the same value, of which the newest replaces older ones."""


class TokenBucket:
    """Admits ``rate`` events a second on average, and bursts of one second's events.

    Not thread-safe. ``clock`` returns seconds.
    """

    def __init__(self, rate: float, clock: Callable[[], float]) -> None:
        self._rate = rate
        self._burst = max(1.0, rate)
        self._clock = clock
        self._tokens = self._burst
        self._filled_at = clock()

    def admits(self) -> bool:
        """Return whether one more event may happen now; if so it is counted."""
        if self._tokens < 1.0:
            now = self._clock()
            # The link may have changed to another clock, which begins anew.
            earned = max(0.0, now - self._filled_at) * self._rate
            self._tokens = min(self._burst, self._tokens + earned)
            self._filled_at = now
            if self._tokens < 1.0:
                return False
        self._tokens -= 1.0
        return True


class ReportFilter:
    """Drops sightings above ``sighting_rate`` (1/s); of other floods it keeps the newest report.

    Replies, errors and signs of life pass. Not thread-safe. ``on_problem`` is LinkObserver's.
    """

    def __init__(
        self,
        sighting_rate: float,
        on_problem: Callable[[str, str], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._on_problem = on_problem
        self._clock = clock
        self._sightings = TokenBucket(sighting_rate, clock)
        self._latest = TokenBucket(LATEST_RATE, clock)
        self._kept: dict[type[Report], Report] = {}
        self._sighting_rate = sighting_rate
        self.due = math.inf
        """When ``take`` is to be called, on the clock (s)."""

    def admits(self, report: Report) -> bool:
        """Return whether ``report`` may pass now; otherwise it is dropped or kept."""
        kind = type(report)
        if kind is See or kind is SeeObject:
            if self._sightings.admits():
                return True
            text = f"the robot reports more than {self._sighting_rate:g} sightings a second"
            self._on_problem("dropped sightings", f"{text}: the surplus is dropped")
            return False
        subject = _SUBJECTS.get(kind)
        if subject is None:
            return True
        if self._latest.admits():
            self._kept.pop(subject, None)
            return True
        self._kept[subject] = report
        self.due = min(self.due, self._clock() + LATEST_DELAY_S)
        text = f"the robot reports its state more than {LATEST_RATE:g} times a second"
        self._on_problem("coalesced reports", f"{text}: only the newest reports are passed on")
        return False

    def take(self) -> list[Report]:
        """Return the reports that were kept, once they are due."""
        if self._clock() < self.due:
            return []
        self.due = math.inf
        kept = list(self._kept.values())
        self._kept.clear()
        return kept
