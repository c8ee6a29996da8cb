# SPDX-License-Identifier: Apache-2.0
"""Wait for what has no event, such as a change of rclpy's graph or of shared memory. No ROS."""

from __future__ import annotations

import time
from collections.abc import Callable

from legacy_robots_common.testing.recorder import TIMEOUT

PERIOD_S = 0.02


def until(
    holds: Callable[[], object], problem: str | Callable[[], str], timeout: float = TIMEOUT
) -> None:
    """Return once ``holds`` is true.

    Raises TimeoutError with ``problem``, or with what it returns then, after ``timeout`` s.
    """
    deadline = time.monotonic() + timeout
    while not holds():
        if time.monotonic() > deadline:
            text = problem if isinstance(problem, str) else problem()
            raise TimeoutError(f"{text}, within {timeout} s")
        time.sleep(PERIOD_S)
