# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Wait for what has no event, such as a change of rclpy's graph or of shared memory. No ROS."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

from legacy_robots_testing.recorder import TIMEOUT

T = TypeVar("T")
PERIOD_S = 0.01


def until(
    holds: Callable[[], T],
    problem: str | Callable[[], str] = "",
    timeout: float = TIMEOUT,
    period: float = PERIOD_S,
) -> T:
    """Return the first true value of ``holds``, called every ``period`` s.

    Raises TimeoutError with ``problem``, or with what it returns then, after ``timeout`` s.
    """
    deadline = time.monotonic() + timeout
    while not (value := holds()):
        if time.monotonic() > deadline:
            text = problem if isinstance(problem, str) else problem()
            raise TimeoutError(f"{text or f'nothing from {holds}'}, within {timeout} s")
        time.sleep(period)
    return value
