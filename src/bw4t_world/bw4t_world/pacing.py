# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Letting a world run in real time, or at a multiple of it.

::

    pacer = Pacer(world)                 # real time
    while not world.is_complete:
        pacer.sleep_until_due()
        pacer.catch_up()
        ...                              # poll and act

Owners with a timer of their own only call :meth:`Pacer.catch_up` in it.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from bw4t_world.simulation.world import World

MAX_LAG_SECONDS = 1.0
"""After a longer pause of the owner, the time beyond this is not made up for."""


class Pacer:
    """Lets as many ticks pass as are due by a clock.

    ``speed`` is how many times as fast as nominal the world runs (1.0 is real time, 50 ticks a
    second). ``clock`` returns seconds and never goes back. While the world is paused no time
    passes; what an owner is late by is made up for, up to :data:`MAX_LAG_SECONDS`.
    """

    def __init__(
        self, world: World, speed: float = 1.0, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._world = world
        self._clock = clock
        self._set_speed(speed)
        self._last = clock()
        self._due = 0.0

    @property
    def speed(self) -> float:
        """How many times as fast as nominal the world runs; can be changed at any time."""
        return self._speed

    @speed.setter
    def speed(self, speed: float) -> None:
        self._take_time()
        self._set_speed(speed)

    def _set_speed(self, speed: float) -> None:
        if not math.isfinite(speed) or speed <= 0:
            raise ValueError(f"the speed must be a finite number above 0, not {speed!r}")
        self._speed = speed

    def _take_time(self) -> None:
        now = self._clock()
        elapsed, self._last = now - self._last, now
        if not self._world.is_paused:
            seconds = min(elapsed, MAX_LAG_SECONDS) * self._speed
            self._due += seconds / self._world.profile.tick_seconds

    def catch_up(self) -> int:
        """Let the ticks pass that are due; return how many."""
        self._take_time()
        ticks = int(self._due + 1e-9)  # a due tick shall not wait for rounding
        self._due = max(0.0, self._due - ticks)
        return self._world.tick(ticks)

    def seconds_until_due(self) -> float:
        """Return how long it takes, in seconds, until the next tick is due."""
        self._take_time()
        missing = max(0.0, 1.0 - self._due)
        return missing * self._world.profile.tick_seconds / self._speed

    def sleep_until_due(self) -> None:
        """Sleep until the next tick is due."""
        time.sleep(self.seconds_until_due())
