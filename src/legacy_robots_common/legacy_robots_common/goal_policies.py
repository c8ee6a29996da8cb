# SPDX-License-Identifier: Apache-2.0
"""Who may move what: a queue of goals, or goals that take joints and legs from one another."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Collection, Iterable
from typing import Any, Protocol

from legacy_robots_common.goals import Goal, GoalPolicy


class GoalQueue(GoalPolicy):
    """One goal at a time, first come first served, for all servers that share it.

    Their outcomes must have the member QUEUE_FULL.

    Parameters
    ----------
    limit
        How many goals may wait behind the one that runs.
    is_free
        Returns whether the robot can take a goal now. When it becomes free otherwise than by the
        end of a goal, call ``advance``.
    on_wait
        Called with a goal that has to wait.

    """

    def __init__(
        self,
        limit: int,
        is_free: Callable[[], bool] = lambda: True,
        on_wait: Callable[[Any], None] = lambda goal: None,
    ) -> None:
        self._limit = limit
        self._is_free = is_free
        self._on_wait = on_wait
        self._lock = threading.Lock()
        self._waiting: deque[Goal] = deque()
        self._running: Goal | None = None

    @property
    def waiting(self) -> int:
        """How many goals wait. Thread-safe."""
        return len(self._waiting)

    def submit(self, goal: Goal) -> None:
        """Begin it if the robot is free, else let it wait, or end it as QUEUE_FULL."""
        with self._lock:
            is_next = not self._waiting and self._running is None and self._is_free()
            is_full = not is_next and len(self._waiting) >= self._limit
            if not is_full:
                self._waiting.append(goal)
        if is_full:
            text = f"{self._limit} goals are waiting already, no more may wait"
            goal.end(goal.server.outcomes["QUEUE_FULL"], text)
        elif is_next:
            self.advance()
        else:
            self._on_wait(goal)

    def withdraw(self, goal: Goal) -> bool:
        """Take a waiting goal out of the queue."""
        with self._lock:
            if goal not in self._waiting:
                return False
            self._waiting.remove(goal)
            return True

    def ended(self, goal: Goal) -> None:
        """Let the next goal begin."""
        with self._lock:
            if goal in self._waiting:
                self._waiting.remove(goal)
            if goal is not self._running:
                return
            self._running = None
        goal.server.node.call_soon(self.advance)

    def end_waiting(self, outcome: str, message: str) -> None:
        """End all goals that wait with a member of their outcomes. Thread-safe."""
        with self._lock:
            waiting = list(self._waiting)
            self._waiting.clear()
        for goal in waiting:
            goal.end(goal.server.outcomes[outcome], message)

    def advance(self) -> None:
        """Begin the goal that waits longest, if the robot is free. On the executor."""
        with self._lock:
            if not self._waiting or self._running is not None or not self._is_free():
                return
            goal = self._running = self._waiting.popleft()
        goal.server.start(goal)


class Claimant(Protocol):
    """What moves parts of the robot: a goal, or a topic of velocities."""

    def interrupt(self, reason: str, taken: Collection[str]) -> None:
        """Give way to another command, for ``reason``, which takes the parts ``taken``.

        All else that it moves has to stop. May raise NotConnectedError.
        """


class PartClaims:
    """Which claimant moves which parts of a robot (joints, legs); the latest claim wins.

    Not thread-safe: call it with the lock of the robot held.
    """

    def __init__(self) -> None:
        self._owners: dict[str, Claimant] = {}

    def claim(self, claimant: Claimant, parts: Iterable[str], reason: str) -> None:
        """Take ``parts`` for ``claimant``; their owners are interrupted for ``reason``."""
        parts = list(parts)
        others = {
            id(owner): owner
            for part in parts
            if (owner := self._owners.get(part)) is not None and owner is not claimant
        }
        for other in others.values():
            self.release(other)
            other.interrupt(reason, parts)
        self._owners.update(dict.fromkeys(parts, claimant))

    def release(self, claimant: Claimant) -> None:
        """Release all parts of ``claimant``."""
        self._owners = {p: owner for p, owner in self._owners.items() if owner is not claimant}

    def interrupt_all(self, reason: str) -> None:
        """Interrupt every owner; all that they move stops."""
        owners = {id(owner): owner for owner in self._owners.values()}
        self._owners.clear()
        for owner in owners.values():
            owner.interrupt(reason, ())
