# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A queue of goals for a robot that takes one command at a time."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from typing import Any

from legacy_robots_common.goals.goal import Goal, GoalPolicy

__all__ = ["GoalQueue"]


class GoalQueue(GoalPolicy):
    """One goal at a time, first come first served, for all servers that share it.

    Their outcomes must have the member QUEUE_FULL. Up to ``limit`` goals may wait behind the one
    that runs; ``on_wait`` is called with each that has to. ``is_free`` returns whether the robot
    can take a goal now; where it becomes free without the end of a goal, call ``advance``.
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
        with self._lock:  # not while a goal is being added
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
            while self._waiting and self._waiting[0].over:
                self._waiting.popleft()  # it ended, on another thread, while it was submitted
            if not self._waiting or self._running is not None or not self._is_free():
                return
            goal = self._running = self._waiting.popleft()
        goal.server.start(goal)
