# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Look around for a ball by turning the whole robot: for one whose head does not turn."""

from __future__ import annotations

import math

from aibo_gti_bridge.model.ball_search import CENTRED_WITHIN, Stage
from aibo_gti_bridge.model.kinematics import IMAGE_SCALE, wrap
from aibo_gti_bridge.protocol.sensors import BallView

GAIN = 1.5
"""1/s, from the ball's bearing to the rate at which the robot turns towards it."""
SLOWEST_RAD_S = 0.1
"""rad/s; below it some bases do not move at all."""


class TurnSearch:
    """One search: the robot turns once around, and towards the ball as soon as it is seen.

    Parameters
    ----------
    rate
        rad/s at which it turns.

    """

    def __init__(self, rate: float) -> None:
        self.stage = Stage.SCANNING
        self._rate = rate
        self._turned = 0.0
        self._yaw: float | None = None
        self._at: float | None = None

    @property
    def over(self) -> bool:
        """Whether the search has ended."""
        return self.stage in (Stage.FOUND, Stage.NOT_FOUND)

    def update(self, now: float, yaw: float | None, ball: BallView) -> float:
        """Return how to turn now (rad/s), given the heading (rad, if known) and the view."""
        passed = 0.0 if self._at is None else now - self._at
        turned = passed * self._rate
        if yaw is not None and self._yaw is not None:
            turned = abs(wrap(yaw - self._yaw))
        self._at, self._yaw = now, yaw
        self._turned += turned
        if ball.visible:
            self.stage = Stage.CENTRING
            if abs(ball.x) < CENTRED_WITHIN:
                self.stage = Stage.FOUND
                return 0.0
            bearing = -math.atan(ball.x * IMAGE_SCALE)
            rate = min(max(abs(bearing) * GAIN, SLOWEST_RAD_S), self._rate)
            return math.copysign(rate, bearing)
        if self._turned > 2.0 * math.pi:
            self.stage = Stage.NOT_FOUND
            return 0.0
        return self._rate
