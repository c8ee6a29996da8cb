# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""How Nav2's goals become walks: turn, walk on, turn. By dead reckoning, for short ways."""

from __future__ import annotations

from collections.abc import Iterator
from math import atan2, cos, sin

from aibo_gti_bridge.bridge.odometry_topics import OdometryTopics
from aibo_gti_bridge.bridge.walking import WalkStepsAction
from aibo_gti_bridge.model.kinematics import wrap
from legacy_robots_common.goals.drive import Drive, OutsideMapError, Place
from legacy_robots_common.goals.goal_server import GoalRefusedError
from legacy_robots_msgs.action import AiboWalkSteps

DISTANCE_TOLERANCE = 0.05
"""m"""
ANGLE_TOLERANCE = 0.1
"""rad"""
SIDESTEP = 0.3
"""Up to this distance the robot walks sideways rather than turn, m."""
FARTHEST = 20.0
"""Dead reckoning is worth nothing over longer ways, m."""
MOST_WALKS = 8
"""Of one way; what the gait leaves over is walked by the next."""


class WalkDrive(Drive):
    """Walks to a pose in ``odom``; every walk begins where the dead reckoning sees the robot."""

    def __init__(self, walk_steps: WalkStepsAction, odometry: OdometryTopics) -> None:
        super().__init__(odometry.frame, walk_steps)
        self._odometry = odometry

    def place(self) -> Place:
        """Return where the robot is by dead reckoning."""
        return self._odometry.place

    def legs(self, goal: Place) -> Iterator[AiboWalkSteps.Goal]:
        """Yield walks until the robot is at ``goal``."""
        if self.place().distance(goal) > FARTHEST:
            raise OutsideMapError(
                f"({goal.x:g}, {goal.y:g}) is {self.place().distance(goal):.1f} m away: "
                f"by dead reckoning the robot walks {FARTHEST:g} m at most"
            )
        for _ in range(MOST_WALKS):
            walk = self._next(goal)
            if walk is None:
                return
            yield walk
        if self._next(goal) is not None:
            raise GoalRefusedError("the robot does not get there: its walks fall short")

    def _next(self, goal: Place) -> AiboWalkSteps.Goal | None:
        here = self.place()
        distance, turn = here.distance(goal), wrap(goal.yaw - here.yaw)
        if distance <= DISTANCE_TOLERANCE:
            return None if abs(turn) <= ANGLE_TOLERANCE else AiboWalkSteps.Goal(theta=turn)
        bearing = wrap(atan2(goal.y - here.y, goal.x - here.x) - here.yaw)
        if distance > SIDESTEP and abs(bearing) > ANGLE_TOLERANCE:
            return AiboWalkSteps.Goal(theta=bearing)
        return AiboWalkSteps.Goal(x=distance * cos(bearing), y=distance * sin(bearing))
