# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""When the next cycle of a world is due. ROS-free."""

from __future__ import annotations

import math
from collections.abc import Callable

MIN_SPEED, MAX_SPEED = 0.01, 1000.0
"""How many times as fast as nominal a world may run."""

MAX_LAG_SECONDS = 1.0
"""Delay (s) that is caught up with; ticks beyond it are skipped."""

COARSENESS_S = 1e-6
"""Time by which a cycle may begin early: sums of periods are not exact."""


def check_speed(speed: float) -> None:
    """Raise ValueError for a speed out of range."""
    if not MIN_SPEED <= speed <= MAX_SPEED:
        raise ValueError(f"the speed must be from {MIN_SPEED} to {MAX_SPEED:g}, not {speed!r}")


class Schedule:
    """Cycles at a constant rate: as many ticks in each as keep them at ``cycle_rate`` a second.

    ``clock`` gives seconds that never go back; ``tick_seconds`` is the nominal length of a tick.
    Raises ValueError for a speed out of range.
    """

    def __init__(
        self, clock: Callable[[], float], tick_seconds: float, speed: float, cycle_rate: float
    ) -> None:
        self._clock = clock
        self._tick_seconds = tick_seconds
        self._cycle_rate = cycle_rate
        self.due = 0.0
        """When the next cycle is due, by the clock."""
        self.lateness = 0.0
        """By how much the last cycle began later than due, in seconds."""
        self.max_lateness = 0.0
        self.skipped_ticks = 0
        """Ticks that were left out because the owner could not keep up."""
        self.set_speed(speed)

    @property
    def speed(self) -> float:
        """Simulated seconds in a second."""
        return self._speed

    @property
    def ticks_per_cycle(self) -> int:
        """How many ticks pass in a cycle."""
        return self._ticks_per_cycle

    def set_speed(self, speed: float) -> None:
        """Continue at another speed. Raises ValueError."""
        check_speed(speed)
        self._speed = float(speed)
        rate = self._speed / self._tick_seconds
        self._ticks_per_cycle = max(1, math.ceil(rate / self._cycle_rate - 1e-9))
        self._period = self._ticks_per_cycle / rate
        self.restart()

    def restart(self) -> None:
        """Have the next cycle a period from now."""
        self.due = self._clock() + self._period

    def is_due(self) -> bool:
        """Whether the next cycle is due."""
        return self._clock() >= self.due - COARSENESS_S

    def begin_cycle(self) -> int:
        """Begin the cycle that is due; return its number of ticks."""
        self.lateness = self._clock() - self.due
        self.max_lateness = max(self.max_lateness, self.lateness)
        if self.lateness > MAX_LAG_SECONDS:
            lost = math.floor((self.lateness - MAX_LAG_SECONDS) / self._period)
            self.skipped_ticks += lost * self._ticks_per_cycle
            self.due += lost * self._period
        self.due += self._period
        return self._ticks_per_cycle
