# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""How an AIBO's walk follows its commands (docs/originals/aibo.md, 5)."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import TypeAlias

from aibo_gti_bridge.model.poses import (
    MAX_FORWARD_M_S,
    MAX_SIDEWAYS_M_S,
    MAX_TURN_RAD_S,
    STEP_PERIOD_S,
)

_MAXIMA = (MAX_FORWARD_M_S, MAX_SIDEWAYS_M_S, MAX_TURN_RAD_S)
_STANDING_STILL = (0.0, 0.0, 0.0)
Velocity: TypeAlias = tuple[float, float, float]
"""m/s forward, m/s left, rad/s counter-clockwise."""


@dataclass
class Walker:
    """Velocities (m/s forward, m/s left, rad/s counter-clockwise), asked for and present.

    A velocity persists until it is changed. It is approached with twice its maximum per second,
    except in walks of a number of steps, which have no software acceleration.
    """

    limits: Velocity = _MAXIMA
    step_period: float = STEP_PERIOD_S
    target: Velocity = _STANDING_STILL
    velocity: Velocity = _STANDING_STILL
    seconds_left: float = inf
    """Until the steps that were asked for are done."""

    @property
    def walking(self) -> bool:
        """Whether the dog walks, or is still coming to a stop."""
        return self.target != _STANDING_STILL or self.velocity != _STANDING_STILL

    def walk(self, dx: float, dy: float, da: float, steps: int = -1) -> None:
        """Take a velocity; more than the gait can do is brought down to what it can.

        ``steps`` below zero: without end; else that number of steps, then stand.
        """
        self.target = self._clipped(dx, dy, da)
        self.seconds_left = inf if steps < 0 else steps * self.step_period
        if steps >= 0:
            self.velocity = self.target

    def walk_steps(self, dx: float, dy: float, da: float, steps: int) -> None:
        """Take a displacement (m, m, rad) to be made in ``steps``.

        Stops short where that is faster than the gait.
        """
        seconds = steps * self.step_period
        self.walk(dx / seconds, dy / seconds, da / seconds, steps)

    def stop(self) -> None:
        """Stand still at once."""
        self.target = self.velocity = _STANDING_STILL
        self.seconds_left = inf

    def step(self, seconds: float) -> Velocity:
        """Let time pass; return the mean velocity in it."""
        share = min(1.0, self.seconds_left / seconds)
        self.seconds_left -= seconds
        if self.seconds_left <= 1e-9:
            velocity = self.velocity
            self.stop()
            return velocity[0] * share, velocity[1] * share, velocity[2] * share
        if self.seconds_left == inf:
            reached = [
                present + min(max(wanted - present, -2 * most * seconds), 2 * most * seconds)
                for present, wanted, most in zip(
                    self.velocity, self.target, self.limits, strict=True
                )
            ]
            self.velocity = (reached[0], reached[1], reached[2])
        return self.velocity

    def _clipped(self, *velocity: float) -> Velocity:
        pairs = zip(velocity, self.limits, strict=True)
        forward, left, turn = (min(max(value, -most), most) for value, most in pairs)
        return forward, left, turn
