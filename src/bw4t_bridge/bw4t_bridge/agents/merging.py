# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Merges percept messages of several cycles into what one poll would have brought. ROS-free.

Agents think less often than percepts come. What they get must lead to the same beliefs as a poll
at the moment of the last cycle.
"""

from __future__ import annotations

from bw4t_world import Percept, PerceptUpdate
from bw4t_world.model.percept_base import REPEATED, PerceptBase
from bw4t_world.model.percepts import negated


class Merger:
    """Collects cycles. For one thread at a time."""

    def __init__(self) -> None:
        self._add: list[Percept] = []
        self._delete: list[Percept] = []
        self._base = PerceptBase()
        self._next: int | None = None
        self._tick = 0
        self.ticks = 0
        """Ticks that have passed since the last :meth:`take`."""
        self.missed = 0
        """Cycles that were lost on the way."""
        self.run = 0
        """How often the world has begun again."""

    @property
    def has_begun(self) -> bool:
        """Whether the first cycle of a stream has come."""
        return self._next is not None

    def feed(self, number: int, tick: int, update: PerceptUpdate) -> bool:
        """Take in a cycle by its number in the stream and the world's tick; return if it counts.

        Nothing counts before the first cycle of a stream, which has everything, nor after a gap
        until the stream begins anew.
        """
        if number == 0:
            self._begin_anew(tick, update)
        elif number != self._next:
            if self._next is not None:
                self.missed += max(1, number - self._next)
                self._next = None
            return False
        self._next = number + 1
        self.ticks += max(0, tick - self._tick)
        self._tick = tick
        self._collect(update)
        return True

    def take(self) -> PerceptUpdate:
        """Return what the cycles since the last call add up to."""
        update = PerceptUpdate(self._add, self._delete)
        self._add, self._delete, self.ticks = [], [], 0
        return update

    def _begin_anew(self, tick: int, update: PerceptUpdate) -> None:
        if tick < self._tick:
            # Another run of the world: nothing of before counts.
            self.run += 1
            self._add, self._delete = [], []
            self._base.clear()
            self._tick = tick
            self.ticks = 0
            return
        # The same run: what was taken back in between was not sent.
        new = set(update.add)
        self._add += [negated(fact) for fact in self._base.facts() if fact not in new]
        self._base.clear()

    def _collect(self, update: PerceptUpdate) -> None:
        if self._delete or update.delete:
            # In one update deletions would come before all additions: what is deleted after an
            # earlier addition is said by a negation in its place.
            self._add += [negated(percept) for percept in update.delete]
            self._delete = self._delete or list(update.delete)
        else:
            self._add = [percept for percept in self._add if percept.name not in REPEATED]
        self._add += update.add
        self._base.update(update)
