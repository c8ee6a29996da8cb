# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""From requested velocities to the walk commands worth sending: limits, rate, watchdog."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeAlias

__all__ = ["STILL", "Velocity", "VelocityControl", "VelocityLimits"]

Velocity: TypeAlias = "tuple[float, ...]"
"""m/s forward, m/s to the left, rad/s counter-clockwise; of what flies, m/s upward besides."""
STILL: Velocity = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class VelocityLimits:
    """Largest speeds (m/s, m/s, rad/s), timings in seconds.

    ``upward`` (m/s) is that of a robot that flies: its velocities have four parts, others three.

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
    upward: float | None = None

    @property
    def parts(self) -> tuple[float, ...]:
        """The largest speed of each part of a velocity."""
        of_ground = (self.forward, self.sideways, self.turn)
        return of_ground if self.upward is None else (*of_ground, self.upward)

    @property
    def still(self) -> Velocity:
        """The velocity with which the robot stands."""
        return tuple(0.0 for _ in self.parts)


class VelocityControl:
    """Decides what to send. Times are those of any monotonic clock, in seconds."""

    def __init__(self, limits: VelocityLimits) -> None:
        self._limits = limits
        self._still = limits.still
        self._requested = self._still
        self._requested_at = -math.inf
        self._sent = self._still
        self._sent_at = -math.inf

    @property
    def walking(self) -> bool:
        """Whether the robot walks by what was sent, or should."""
        return self._sent != self._still or self._requested != self._still

    def request(self, now: float, velocity: Velocity) -> Velocity | None:
        """Take a request; return the velocity to send now, or None. A stop never waits.

        Raises ValueError for numbers that are not finite; the robot is then to be stopped.
        """
        if not all(map(math.isfinite, velocity)):
            self._requested = self._still
            raise ValueError(f"cmd_vel is not finite: {velocity}")
        # + 0.0 makes a negative zero positive: it is the same request.
        self._requested = tuple(
            min(max(value, -limit), limit) + 0.0
            for value, limit in zip(velocity, self._limits.parts, strict=True)
        )
        self._requested_at = now
        return self.due(now)

    def timed_out(self, now: float) -> bool:
        """Whether the watchdog stops the robot now, see ``due``."""
        return self._requested != self._still and now - self._requested_at > self._limits.timeout

    def due(self, now: float) -> Velocity | None:
        """Return the velocity to send now, or None. Call it periodically while walking."""
        if self.timed_out(now):
            self._requested = self._still
        if self._requested == self._sent:
            if self._requested == self._still or now - self._sent_at < self._limits.keep_alive:
                return None
        elif self._requested != self._still and now - self._sent_at < self._limits.interval:
            return None
        self._sent, self._sent_at = self._requested, now
        return self._requested

    def reset(self) -> None:
        """Forget everything: the robot stands still, whatever stopped it."""
        self._requested = self._sent = self._still
        self._sent_at = -math.inf
