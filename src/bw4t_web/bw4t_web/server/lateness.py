# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""How late requests of browsers arrive, so that an old one is not carried out."""

from __future__ import annotations

from dataclasses import dataclass
from weakref import WeakKeyDictionary

from bw4t_world import WorldError
from legacy_robots_web import Client

MAX_AGE_S = 2.0
"""A request that took longer is refused. The page gives up after 3 s (connection.js)."""

REMEMBERED_S = 60.0
"""How long the fastest request of a connection counts, or up to twice as long: clocks drift."""


@dataclass
class _Fastest:
    """The least differences of clocks since ``begun``, and in the time before."""

    begun: float
    present: float
    before: float


class Lateness:
    """Compares the clocks of browsers with ours.

    The fastest request of a connection's last minute counts as not late: the page sends one each
    second, and each carries the time of its page's clock.
    """

    def __init__(self) -> None:
        self._fastest: WeakKeyDictionary[Client, _Fastest] = WeakKeyDictionary()

    def of(self, client: Client, sent: float | None, now: float) -> float:
        """Return how late a request is; ``sent`` and ``now`` in s. One without a time is not."""
        if sent is None:
            return 0.0
        difference = now - sent
        fastest = self._fastest.setdefault(client, _Fastest(now, difference, difference))
        if now - fastest.begun >= REMEMBERED_S:
            fastest.begun, fastest.before, fastest.present = now, fastest.present, difference
        fastest.present = min(fastest.present, difference)
        return difference - min(fastest.present, fastest.before)


def refuse_late(age: float) -> None:
    """Raise WorldError for a request that is older than :data:`MAX_AGE_S`."""
    if age > MAX_AGE_S:
        raise WorldError(f"That came {age:.0f} s late and was not carried out.")
