# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The counting variables of one robot: which of them have counted, and when to look again."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

from luar_bridge.bridge.heartbeat import Heartbeat
from luar_bridge.protocol.layout_table import LayoutTable
from luar_bridge.protocol.segment import Segment, Snapshot


@dataclass(frozen=True, eq=False)
class Count:
    """A counting variable."""

    segment_name: str
    variable: str
    segment: Segment
    heartbeat: Heartbeat


class Counts:
    """Looks at the counting variables that a table knows, as far as they exist. Not thread-safe.

    Parameters
    ----------
    table
        Which variables count, and which segments hold images.
    longest_wait, idle_wait
        See Heartbeat.

    """

    def __init__(self, table: LayoutTable, longest_wait: float, idle_wait: float) -> None:
        self.now = time.monotonic
        """The time in seconds; may be replaced by another clock."""
        self._waits = longest_wait, idle_wait
        self._guarded = frozenset(table.images.values())
        self._variables: dict[str, list[str]] = {}
        for pairs in table.heartbeats.values():
            for segment, variable in pairs:
                self._variables.setdefault(segment, []).append(variable)
        self._counts: dict[tuple[str, str], Count] = {}

    def __iter__(self) -> Iterator[Count]:
        """Yield all that exist. Thread-safe."""
        return iter(list(self._counts.values()))

    def __len__(self) -> int:
        return len(self._counts)

    def heartbeat(self, segment_name: str, variable: str) -> Heartbeat | None:
        """Return a variable's heartbeat; None where it does not exist."""
        count = self._counts.get((segment_name, variable))
        return count.heartbeat if count is not None else None

    def add_new(self, name: str, segment: Segment, snapshot: Snapshot) -> None:
        """Look at those of a segment that exist by now."""
        for variable in self._variables.get(name, ()):
            if (name, variable) not in self._counts and snapshot.length(variable) == 1:
                heartbeat = Heartbeat(*self._waits, guarded=name in self._guarded)
                heartbeat.value = snapshot.number(variable)  # a count before the first look counts
                self._counts[name, variable] = Count(name, variable, segment, heartbeat)

    def forget(self, name: str) -> None:
        """Forget those of a segment that is gone."""
        for key in [key for key in self._counts if key[0] == name]:
            del self._counts[key]

    def follow(self, names: set[str]) -> None:
        """Have every count of these segments seen soon, and no others."""
        for count in self._counts.values():
            count.heartbeat.follow(closely=count.segment_name in names)

    @property
    def next_at(self) -> float:
        """When to look again; inf without counting variables."""
        return min((c.heartbeat.next_at for c in self._counts.values()), default=float("inf"))

    def is_any_faster_than(self, period: float) -> bool:
        """Return whether one that is followed counts more often than once in ``period`` s."""
        heartbeats = (count.heartbeat for count in self._counts.values())
        return any(h.closely and h.period and h.period < period for h in heartbeats)

    def look(self, now: float) -> list[Count]:
        """Look at those that are due at ``now``; return the ones that have counted."""
        counts = self._counts.values()
        due = [count for count in counts if now >= count.heartbeat.next_at]
        if not due:
            return []
        counted = [count for count in due if self._look_at(count)]
        # Polling now saves a wake-up.
        frequent = any(count.heartbeat.is_frequent for count in counted)
        for other in [count for count in counts if count not in counted]:
            heartbeat = other.heartbeat
            wanted = heartbeat.closely if frequent else heartbeat.is_worth_a_look
            if wanted and other not in due and self._look_at(other):
                counted.append(other)
            if frequent and heartbeat.closely:
                heartbeat.accompany(now)
        return counted

    def _look_at(self, count: Count) -> bool:
        began = self.now()
        value = count.segment.peek(count.variable)
        return count.heartbeat.look(value, began, self.now())
