# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""``navigate_to_pose`` of a robot without a map: straight there, by odometry."""

from __future__ import annotations

import enum
import math
from collections.abc import Callable
from typing import Any

from nav2_msgs.action import NavigateToPose

from legacy_robots_common.frames.odometry import Odometry
from legacy_robots_common.frames.transforms import yaw_of
from legacy_robots_common.goals.goal_node import GoalNode
from legacy_robots_common.goals.goal_server import Ending, Goal, GoalRefusedError, GoalServer
from legacy_robots_common.goals.policies import GoalQueue
from legacy_robots_common.goals.velocity import STILL, Velocity, VelocityLimits
from legacy_robots_common.node.times import duration

__all__ = ["DriveToPose"]

NEAR_M, NEAR_RAD = 0.05, 0.05
"""How near the goal is reached."""
GAIN = 2.0
"""1/s: speed by the distance, or angle, that is left."""


class Outcome(enum.IntEnum):
    """How a goal ended."""

    SUCCEEDED = 0
    CANCELED = 1
    INVALID = 2
    LINK_LOST = 3
    SHUTDOWN = 4
    QUEUE_FULL = 5
    TIMED_OUT = 6
    BLOCKED = 7


class DriveToPose(GoalServer[Goal]):
    """Turns to the place, drives there, turns as asked. ``send`` has the robot drive.

    Poses are in the frame ``odom`` of ``odometry``, or have no frame. The owner calls ``follow``
    with each measurement of the odometry, and ``blocked`` where the robot cannot go on. A planner
    among obstacles is Nav2 itself, by ``cmd_vel``, ``odom`` and the frames. ``limit`` has the
    seconds that a goal may take.
    """

    def __init__(
        self,
        node: GoalNode,
        odometry: Odometry,
        limits: VelocityLimits,
        send: Callable[[Velocity], None],
        *,
        limit: float = 120.0,
    ) -> None:
        queue = GoalQueue(limit=4)
        super().__init__(node, NavigateToPose, "navigate_to_pose", Outcome, policy=queue)
        self._odometry, self._limits, self._send = odometry, limits, send
        self._limit = limit

    def begin(self, goal: Goal) -> None:
        """Check it; it is driven from the next measurement on. Raises GoalRefusedError."""
        pose = goal.request.pose
        if pose.header.frame_id not in ("", self._odometry.frame):
            raise GoalRefusedError(
                f"the pose is in {pose.header.frame_id!r}, not in {self._odometry.frame!r}"
            )
        place = (pose.pose.position.x, pose.pose.position.y, yaw_of(pose.pose.orientation))
        if not all(map(math.isfinite, place)):
            raise GoalRefusedError("the pose is not finite")

    def follow(self) -> None:
        """Go on with the goal that is under way. On the link's thread."""
        for goal in self.goals[:1]:
            self.guarded(goal, self._steer, goal)

    def blocked(self, reason: str) -> None:
        """Stop, and end the goal that is under way."""
        for goal in self.goals[:1]:
            self._send(STILL)
            goal.end(Outcome.BLOCKED, reason)

    def _steer(self, goal: Goal) -> None:
        pose, at = goal.request.pose.pose, self._odometry
        dx, dy = pose.position.x - at.x, pose.position.y - at.y
        left, took = math.hypot(dx, dy), self.node.now() - goal.began
        heading = yaw_of(pose.orientation) if left < NEAR_M else math.atan2(dy, dx)
        turn = math.remainder(heading - at.yaw, math.tau)
        if left < NEAR_M and abs(turn) < NEAR_RAD:
            self._send(STILL)
            goal.end(Outcome.SUCCEEDED, "the pose is reached")
        elif took > self._limit:
            self._send(STILL)
            goal.end(Outcome.TIMED_OUT, f"not there after {self._limit:g} s")
        else:
            forward = 0.0 if left < NEAR_M else GAIN * left * max(0.0, math.cos(turn)) ** 8
            limits = self._limits
            self._send(
                (
                    min(forward, limits.forward),
                    0.0,
                    min(max(GAIN * turn, -limits.turn), limits.turn),
                )
            )
            feedback = NavigateToPose.Feedback(distance_remaining=left)
            feedback.navigation_time = duration(took)
            goal.publish_feedback(feedback)

    def cancel(self, goal: Goal) -> bool:
        """Stop where it is."""
        self._send(STILL)
        return goal.end(Outcome.CANCELED, "stopped")

    def result(self, goal: Goal, ending: Ending) -> Any:
        """Return the result, with Nav2's error code and the reason."""
        code = 0 if ending.outcome in (Outcome.SUCCEEDED, Outcome.CANCELED) else 9000
        result = NavigateToPose.Result(error_code=code)
        if hasattr(result, "error_msg"):
            result.error_msg = ending.message
        return result
