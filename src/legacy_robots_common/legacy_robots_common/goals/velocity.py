# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""From requested velocities to the walk commands worth sending: limits, rate, watchdog."""

from __future__ import annotations

import math
from dataclasses import dataclass

__all__ = ["STILL", "VelocityLimits"]

Velocity = tuple[float, float, float]
"""m/s forward, m/s to the left, rad/s counter-clockwise."""
STILL: Velocity = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class VelocityLimits:
    """Largest speeds (m/s, m/s, rad/s), timings in seconds.

    ``timeout`` after the last request the robot is stopped; of requests that follow one another
    within ``interval`` only the latest counts; while walking a velocity is repeated every
    ``keep_alive``, in case the robot has stopped by itself.
    """

    forward: float
    sideways: float
    turn: float
    timeout: float = 0.5
    interval: float = 0.032
    keep_alive: float = 1.0


class VelocityControl:
    """Decides what to send. Times are those of any monotonic clock, in seconds."""

    def __init__(self, limits: VelocityLimits) -> None:
        self._limits = limits
        self._requested: Velocity = STILL
        self._requested_at = -math.inf
        self._sent: Velocity = STILL
        self._sent_at = -math.inf

    @property
    def walking(self) -> bool:
        """Whether the robot walks by what was sent, or should."""
        return self._sent != STILL or self._requested != STILL

    def request(self, now: float, velocity: Velocity) -> Velocity | None:
        """Take a request; return the velocity to send now, or None. A stop never waits.

        Raises ValueError for numbers that are not finite; the robot is then to be stopped.
        """
        if not all(map(math.isfinite, velocity)):
            self._requested = STILL
            raise ValueError(f"cmd_vel is not finite: {velocity}")
        limits = (self._limits.forward, self._limits.sideways, self._limits.turn)
        forward, left, turn = (
            min(max(value, -limit), limit) for value, limit in zip(velocity, limits, strict=True)
        )
        # + 0.0 makes a negative zero positive: it is the same request.
        self._requested = (forward + 0.0, left + 0.0, turn + 0.0)
        self._requested_at = now
        return self.due(now)

    def timed_out(self, now: float) -> bool:
        """Whether the watchdog stops the robot now, see ``due``."""
        return self._requested != STILL and now - self._requested_at > self._limits.timeout

    def due(self, now: float) -> Velocity | None:
        """Return the velocity to send now, or None. Call it periodically while walking."""
        if self.timed_out(now):
            self._requested = STILL
        if self._requested == self._sent:
            if self._requested == STILL or now - self._sent_at < self._limits.keep_alive:
                return None
        elif self._requested != STILL and now - self._sent_at < self._limits.interval:
            return None
        self._sent, self._sent_at = self._requested, now
        return self._requested

    def reset(self) -> None:
        """Forget everything: the robot stands still, whatever stopped it."""
        self._requested = self._sent = STILL
        self._sent_at = -math.inf
