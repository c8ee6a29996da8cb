# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Requests to let ticks pass in a world that stands still. ROS-free."""

from __future__ import annotations

from collections import deque
from concurrent.futures import Future
from dataclasses import dataclass

from bw4t_world import WorldError

MAX_STEP_TICKS = 1_000_000
"""Ticks that can be asked for in one step."""


@dataclass
class Step:
    """``left``: number of ticks to come; ``done`` gets the world's tick after the last."""

    left: int
    done: Future[int]


class Steps:
    """The requests, in order. For one thread."""

    def __init__(self) -> None:
        self._steps: deque[Step] = deque()

    def __bool__(self) -> bool:
        """Whether there is anything to do."""
        return bool(self._steps)

    def add(self, ticks: int, done: Future[int]) -> None:
        """Add a request. Raises ValueError for a bad number of ticks."""
        if isinstance(ticks, bool) or not 1 <= ticks <= MAX_STEP_TICKS:
            raise ValueError(
                f"the number of ticks must be from 1 to {MAX_STEP_TICKS}, not {ticks!r}"
            )
        self._steps.append(Step(ticks, done))

    @property
    def first(self) -> Step:
        """The request that is worked on."""
        return self._steps[0]

    def passed(self, step: Step, ticks: int, now: int) -> None:
        """Count down a request by the ticks that have passed; ``now`` is the world's tick."""
        if not self._steps or self._steps[0] is not step:
            return  # it has failed meanwhile
        step.left -= ticks
        if step.left <= 0:
            self._steps.popleft()
            step.done.set_result(now)

    def fail(self, reason: str) -> None:
        """End all requests with a WorldError."""
        steps, self._steps = self._steps, deque()
        for step in steps:
            step.done.set_exception(WorldError(reason))
