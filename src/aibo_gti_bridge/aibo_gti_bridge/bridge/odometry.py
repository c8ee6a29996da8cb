# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Dead reckoning: where the robot is by the walks that it was sent, without clocks or I/O.

GTI measures no motion. The pose follows the commands by the gait's limits and acceleration, see
:mod:`.gait`; the covariance says how little that is. Slip, obstacles and being carried are not
seen, and of commands to the legs other than walks nothing is known.
"""

from __future__ import annotations

from math import cos, hypot, sin

import numpy as np

from aibo_gti_bridge.model.gait import Velocity, Walker
from aibo_gti_bridge.model.kinematics import Matrix, wrap
from aibo_gti_bridge.protocol.commands import Walk, WalkSteps

STEP_S = 0.008
"""Time step of the integration: a motion frame of the robot."""
# Chosen: no source says how well the gait follows its commands.
DISTANCE_VARIANCE = 0.1**2
"""Variance of the distance walked, forward and sideways, m² per m."""
DRIFT_VARIANCE = 0.1**2
"""Variance of the heading, rad² per m walked."""
TURN_VARIANCE = 0.2**2
"""Variance of the heading, rad² per rad turned."""
VELOCITY_DEVIATION = 0.2
"""Standard deviation of a velocity, as a fraction of it."""
STANDING = (0.0, 0.0, 0.0)


class Odometry:
    """Pose and velocity in a frame that begins where the robot stood first.

    Times are those of any monotonic clock (s) and may not go back.

    Parameters
    ----------
    limits
        The gait's largest velocity.
    step_period
        Seconds of one step.

    """

    def __init__(self, limits: Velocity, step_period: float) -> None:
        self.x = self.y = self.yaw = 0.0
        """m, m, rad"""
        self.covariance: Matrix = np.zeros((3, 3))
        """Of x, y and yaw; m², m rad and rad²."""
        self._walker = Walker(limits, step_period)
        self._time = 0.0
        self._left_at: float | None = None

    @property
    def walking(self) -> bool:
        """Whether the robot walks, or is still coming to a stop."""
        return self._walker.walking

    @property
    def velocity(self) -> Velocity:
        """Forward and left (m/s), counter-clockwise (rad/s)."""
        return self._walker.velocity if self._left_at is None else STANDING

    @property
    def velocity_variance(self) -> Velocity:
        """Variance of each velocity, (m/s)² and (rad/s)²."""
        forward, left, turn = (VELOCITY_DEVIATION * value for value in self.velocity)
        return forward**2, left**2, turn**2

    def command(self, time: float, command: Walk | WalkSteps, latency: float = 0.0) -> None:
        """Take a command that the robot began at ``time``, or up to ``latency`` later.

        The latency (s) makes the pose as uncertain as the change of the velocity makes it.
        """
        if self._left_at is not None:
            self._return(time)
        self.advance(time)
        before = self._walker.velocity
        dx, dy = command.dx / 1000.0, command.dy / 1000.0
        if isinstance(command, Walk):
            self._walker.walk(dx, dy, command.da, command.n)
        else:
            self._walker.walk_steps(dx, dy, command.da, command.n)
        change = [new - old for new, old in zip(self._walker.target, before, strict=True)]
        forward, left, turn = (value * latency for value in change)
        # The mean square of what is uniform between 0 and the largest.
        self.covariance += np.diag([(forward**2 + left**2) / 3.0] * 2 + [turn**2 / 3.0])

    def advance(self, time: float) -> None:
        """Let time pass until ``time``."""
        left = time - self._time
        self._time = max(self._time, time)
        while left > 1e-9 and self._walker.walking and self._left_at is None:
            step = min(left, STEP_S)
            self._move(self._walker.step(step), step)
            left -= step

    def place(self, x: float, y: float, yaw: float) -> None:
        """Set the pose (m, m, rad) to a known one, with no uncertainty."""
        self.x, self.y, self.yaw = x, y, wrap(yaw)
        self.covariance = np.zeros((3, 3))

    def leave(self, time: float) -> None:
        """Lose the robot at ``time``: it may stand or go on until its next command."""
        if self._left_at is None:
            self.advance(time)
            self._left_at = time

    def _return(self, time: float) -> None:
        """Have the robot back where it was lost; how far it may have walked on is uncertain."""
        assert self._left_at is not None
        lasted = time - self._left_at
        forward, left, turn = (value * lasted for value in self._walker.velocity)
        distance = hypot(forward, left)
        self.covariance += np.diag([distance**2, distance**2, turn**2])
        self._walker.stop()
        self._time = time
        self._left_at = None

    def _move(self, velocity: Velocity, seconds: float) -> None:
        forward, left, turn = (value * seconds for value in velocity)
        heading = self.yaw + turn / 2.0
        dx = forward * cos(heading) - left * sin(heading)
        dy = forward * sin(heading) + left * cos(heading)
        self.x += dx
        self.y += dy
        self.yaw = wrap(self.yaw + turn)
        # An error of the heading moves the robot sideways from here on.
        change = np.array([[1.0, 0.0, -dy], [0.0, 1.0, dx], [0.0, 0.0, 1.0]])
        distance = hypot(forward, left)
        noise = np.diag([DISTANCE_VARIANCE * distance] * 2 + [0.0])
        noise[2, 2] = DRIFT_VARIANCE * distance + TURN_VARIANCE * abs(turn)
        self.covariance = change @ self.covariance @ change.T + noise
