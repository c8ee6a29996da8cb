# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A node that has the AIBO look for its ball and walk to it: a demonstration, and an example.

It knows the bridge by its actions only. GTI reports no distance to a ball; its
apparent size stands for it.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from typing import Any

from legacy_robots_common.goals.mission import Mission
from legacy_robots_common.goals.remote import RemoteAction
from legacy_robots_common.node.main import run
from legacy_robots_common.node.parameters import declare_parameters, parameter
from legacy_robots_msgs.action import AiboPlayMotion, AiboSearchBall, AiboWalkSteps
from legacy_robots_msgs.msg import AiboBall, AiboOutcome

LOOK_ELSEWHERE_RAD = 1.5
"""Radians to turn when the ball is not seen: less than what the head sweeps over."""
TURN_BACK_RAD = 2.5
"""Radians to turn after the ball was reached, so that it is lost from sight."""
AIM_TOLERANCE_RAD = 0.25
"""Radians off which the body may point when it walks on."""


@dataclass(frozen=True)
class Parameters:
    """The ball game's parameters."""

    ball_game_colour: str = parameter(
        "pink", "colour of the ball", choices=("pink", "blue", "green", "yellow", "orange")
    )
    ball_game_reached: float = parameter(
        0.05,
        "area in the image, in generalised units squared, at which the ball is reached",
        minimum=0.001,
        maximum=2.0,
    )
    ball_game_stride: float = parameter(
        0.2, "m to walk before looking again", minimum=0.02, maximum=1.0
    )


class BallGame(Mission):
    """Looks for the ball, turns to it, walks to it, waves, and turns away."""

    def __init__(self, **node_arguments: Any) -> None:
        super().__init__("ball_game", namespace="aibo", **node_arguments)
        self._settings = declare_parameters(self, Parameters)
        self._search = RemoteAction(self, AiboSearchBall, "search_ball")
        self._walk = RemoteAction(self, AiboWalkSteps, "walk_steps")
        self._motion = RemoteAction(self, AiboPlayMotion, "play_motion")

    async def plan(self) -> None:
        """Play without end."""
        while True:
            colour = self._settings.ball_game_colour
            search = await self.achieve(self._search, AiboSearchBall.Goal(colour=colour))
            if not search.succeeded:
                self.get_logger().info(f"no {colour} ball: {search.reason}")
                if search.result is None or search.result.outcome.code != AiboOutcome.NOT_FOUND:
                    await self.pause(1.0)
                else:
                    await self._walk_by(theta=LOOK_ELSEWHERE_RAD)
            elif search.result.ball.area < self._settings.ball_game_reached:
                await self._approach(search.result.ball)
            else:
                self.get_logger().info(f"the {colour} ball is reached")
                await self.achieve(self._motion, AiboPlayMotion.Goal(name="wave"))
                await self._walk_by(theta=TURN_BACK_RAD)
                await self._walk_by(x=2 * self._settings.ball_game_stride)

    async def _approach(self, ball: AiboBall) -> None:
        if math.isfinite(ball.azimuth) and abs(ball.azimuth) > AIM_TOLERANCE_RAD:
            await self._walk_by(theta=ball.azimuth)
        else:
            await self._walk_by(x=self._settings.ball_game_stride)

    async def _walk_by(self, *, x: float = 0.0, theta: float = 0.0) -> None:
        walked = await self.achieve(self._walk, AiboWalkSteps.Goal(x=x, theta=theta))
        if not walked.succeeded:
            self.get_logger().warning(walked.reason)
            await self.pause(1.0)


def main() -> None:
    """Play until SIGINT or SIGTERM."""
    sys.exit(run(BallGame, Parameters))
