# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""ROS time from the game's own: exact, and monotonic across resets unless rewound.

The game reports its total time as a float32, which cannot hold the sum of many small steps. Where
its report agrees with the requested time, exactly the requested time is added; otherwise the
game's own number counts.
"""

from __future__ import annotations

import math

NANOSECONDS = 1_000_000_000
_COARSENESS = 1e-6
"""Seconds of disagreement that are put down to arithmetic, beyond that of float32."""


class SimulationClock:
    """Counts nanoseconds of simulated time."""

    def __init__(self) -> None:
        self._now = 0
        self._total = 0.0

    @property
    def now(self) -> int:
        """The present simulated time in nanoseconds."""
        return self._now

    def advance(self, requested: float, total: float) -> int:
        """Let time pass after a run_game; return the new time in nanoseconds.

        ``requested`` is what run_game was asked for and ``total`` what it answered, in seconds. A
        total below the one before means that the game has restarted: time continues from here.
        """
        passed = total - self._total if total >= self._total else total
        self._total = total
        if abs(passed - requested) <= _COARSENESS + 2.0 * _float32_spacing(total):
            self._now += round(requested * NANOSECONDS)
        else:
            self._now += 1000 * round(passed * 1e6)  # float32 knows nothing finer
        return self._now

    def restart(self, *, rewind: bool) -> int:
        """Continue after the game's own time is 0 again; return the new time in nanoseconds.

        With ``rewind`` it is 0 too. Otherwise it moves on by the smallest step there is: listeners
        of TF pass over what comes twice with one stamp, and what comes now is new.
        """
        self._total = 0.0
        self._now = 0 if rewind else self._now + 1
        return self._now


def _float32_spacing(value: float) -> float:
    """Return the distance between neighbouring float32 numbers at ``value``."""
    return 2.0 ** (math.frexp(value)[1] - 24) if value else 0.0
