# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The base of a robot behind gti_host: walk commands become velocities, measured by odometry."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from aibo_gti_bridge.host.robot_map import Walking
from aibo_gti_bridge.model.gait import Velocity
from aibo_gti_bridge.model.kinematics import wrap

STILL: Velocity = (0.0, 0.0, 0.0)
CORRECTION_RATE = 2.0
"""1/s: what is left of a displacement is walked with this times the remaining way."""
ARRIVED = (0.01, 0.01, 0.03)
"""m, m, rad within which a displacement is done."""
LATEST = 1.5
"""A displacement ends after this times its time plus LATEST_S, wherever the robot is."""
LATEST_S = 1.0


@dataclass(frozen=True)
class Pose:
    """Place (m) and heading (rad) in the robot's odometry frame."""

    x: float
    y: float
    yaw: float

    def moved(self, forward: float, left: float, turn: float) -> Pose:
        """Return the pose after a walk with constant velocities over this displacement."""
        # Over an arc the mean heading is not that of its beginning, and the way is a chord.
        half = turn / 2.0
        chord = math.sin(half) / half if abs(half) > 1e-9 else 1.0
        c, s = math.cos(self.yaw + half) * chord, math.sin(self.yaw + half) * chord
        return Pose(
            self.x + forward * c - left * s, self.y + forward * s + left * c, self.yaw + turn
        )

    def towards(self, other: Pose) -> Velocity:
        """Return the way to ``other`` as seen from here: m forward, m left, rad."""
        dx, dy = other.x - self.x, other.y - self.y
        c, s = math.cos(self.yaw), math.sin(self.yaw)
        return c * dx + s * dy, c * dy - s * dx, wrap(other.yaw - self.yaw)


class Base:
    """What velocity the robot is to have now. Times are those of one monotonic clock (s).

    A velocity persists until the next command. Steps end after their time; a displacement is
    walked for its time and then, where there is odometry, corrected by what the robot measured.

    Parameters
    ----------
    walking
        The map's part about the base.
    warn
        Takes a sentence about what the base cannot do.

    """

    def __init__(self, walking: Walking, warn: Callable[[str], None]) -> None:
        self._limits = walking.limits
        self._period = walking.step_period
        self._warn = warn
        self.velocity: Velocity = STILL
        """What the robot is to do now."""
        self._until = math.inf
        self._target: Pose | None = None
        self._latest = math.inf
        self.pose: Pose | None = None
        """The pose by odometry; None: not known."""

    @property
    def walking(self) -> bool:
        """Whether the robot walks by a command."""
        return self.velocity != STILL or self._target is not None

    def walk(self, now: float, velocity: Velocity, steps: int) -> None:
        """Take a velocity (m/s, m/s, rad/s) for a number of steps; below 0: without end."""
        self.stop()
        self.velocity = self._clipped(velocity)
        if steps >= 0:
            self._until = now + steps * self._period
        self.step(now)

    def walk_steps(self, now: float, displacement: Velocity, steps: int) -> None:
        """Take a displacement (m, m, rad); it stops short where the robot is not so fast."""
        seconds = max(1, steps) * self._period
        forward, left, turn = (way / seconds for way in displacement)
        self.walk(now, (forward, left, turn), steps)
        if self.pose is not None:
            forward, left, turn = (speed * seconds for speed in self.velocity)
            self._target = self.pose.moved(forward, left, turn)
            self._latest = now + LATEST * seconds + LATEST_S

    def stop(self) -> None:
        """Stop at once and forget velocity and steps."""
        self.velocity, self._until = STILL, math.inf
        self._target, self._latest = None, math.inf

    def step(self, now: float) -> None:
        """Bring ``velocity`` up to date."""
        if now < self._until:
            return
        if self._target is None or self.pose is None or now >= self._latest:
            self.stop()
            return
        rest = self.pose.towards(self._target)
        if all(abs(way) < most or not speed for way, most, speed in self._parts(rest, ARRIVED)):
            self.stop()
            return
        forward, left, turn = (
            min(max(way * CORRECTION_RATE, -most), most) for way, most, _ in self._parts(rest)
        )
        self.velocity = (forward, left, turn)

    def _parts(
        self, ways: Velocity, most: Velocity | None = None
    ) -> list[tuple[float, float, float]]:
        return list(zip(ways, most or self._limits, self._limits, strict=True))

    def _clipped(self, velocity: Velocity) -> Velocity:
        for speed, most, name in zip(
            velocity, self._limits, ("forward", "sideways", "around"), strict=True
        ):
            if speed and not most:
                self._warn(f"walk: this robot does not walk {name}")
        forward, left, turn = (
            min(max(speed, -most), most)
            for speed, most in zip(velocity, self._limits, strict=True)
        )
        return forward + 0.0, left + 0.0, turn + 0.0
