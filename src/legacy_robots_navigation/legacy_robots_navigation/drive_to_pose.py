# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""``navigate_to_pose`` of a robot without a map: straight there, by odometry."""

from __future__ import annotations

import enum
import math
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from nav2_msgs.action import NavigateToPose

from legacy_robots_common.frames.odometry import Odometry
from legacy_robots_common.frames.transforms import yaw_of
from legacy_robots_common.goals.goal_node import GoalNode
from legacy_robots_common.goals.goal_server import Ending, Goal, GoalRefusedError, GoalServer
from legacy_robots_common.goals.policies import GoalQueue
from legacy_robots_common.goals.velocity import STILL, Velocity, VelocityLimits
from legacy_robots_common.node.times import duration
from legacy_robots_core.link.base import NotConnectedError

__all__ = ["DriveToPose"]

NEAR_M, NEAR_RAD = 0.05, 0.05
"""How near the goal is reached; where it turns at the end, the odometry may slip as far again."""
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
    seconds that a goal may take, ``patience`` those in which the robot has to move or turn by
    NEAR_M or NEAR_RAD. However a goal ends that was driven, the robot is stopped.
    """

    def __init__(
        self,
        node: GoalNode,
        odometry: Odometry,
        limits: VelocityLimits,
        send: Callable[[Velocity], None],
        *,
        limit: float = 120.0,
        patience: float = 10.0,
    ) -> None:
        queue = GoalQueue(limit=4)
        super().__init__(node, NavigateToPose, "navigate_to_pose", Outcome, policy=queue)
        self._odometry, self._limits, self._send = odometry, limits, send
        self._limit, self._patience = limit, patience
        self._driving = threading.RLock()  # held while the robot is sent a velocity
        self._driven: Goal | None = None
        self._is_there = False
        """Whether only its heading is left."""
        self._moved = (0.0, 0.0, 0.0, 0.0)
        """Where it was when it had moved, and when that was: m, m, rad, s."""

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
            goal.end(Outcome.BLOCKED, reason)

    def on_end(self, goal: Goal) -> None:
        """Stop the robot where it was driven for this goal, if it can be reached."""
        with self._driving:
            if goal is self._driven:
                self._driven = None
                with suppress(NotConnectedError):
                    self._send(STILL)
        super().on_end(goal)

    def _steer(self, goal: Goal) -> None:
        pose, at = goal.request.pose.pose, self._odometry
        now, place = self.node.now(), (at.x, at.y, at.yaw)
        dx, dy = pose.position.x - at.x, pose.position.y - at.y
        left, took = math.hypot(dx, dy), now - goal.began
        with self._driving:
            if goal.over:
                return
            if goal is not self._driven:
                self._driven, self._is_there, self._moved = goal, False, (*place, now)
            # Once it is there the place is not driven to anew for what it slips while it turns.
            self._is_there = left < (2.0 * NEAR_M if self._is_there else NEAR_M)
            heading = yaw_of(pose.orientation) if self._is_there else math.atan2(dy, dx)
            turn = math.remainder(heading - at.yaw, math.tau)
            x, y, yaw, since = self._moved
            turned = abs(math.remainder(at.yaw - yaw, math.tau))
            if math.hypot(at.x - x, at.y - y) > NEAR_M or turned > NEAR_RAD:
                self._moved, since = (*place, now), now
            if self._is_there and abs(turn) < NEAR_RAD:
                goal.end(Outcome.SUCCEEDED, "the pose is reached")
            elif took > self._limit:
                goal.end(Outcome.TIMED_OUT, f"not there after {self._limit:g} s")
            elif now - since > self._patience:
                goal.end(Outcome.BLOCKED, f"it has not moved for {self._patience:g} s")
            else:
                ahead = 0.0 if self._is_there else GAIN * left * max(0.0, math.cos(turn)) ** 8
                fastest = self._limits.turn
                round_ = min(max(GAIN * turn, -fastest), fastest)
                self._send((min(ahead, self._limits.forward), 0.0, round_))
                feedback = NavigateToPose.Feedback(distance_remaining=left)
                feedback.navigation_time = duration(took)
                goal.publish_feedback(feedback)

    def cancel(self, goal: Goal) -> bool:
        """Stop where it is."""
        return goal.end(Outcome.CANCELED, "stopped")

    def result(self, goal: Goal, ending: Ending) -> Any:
        """Return the result, with Nav2's error code and the reason."""
        code = 0 if ending.outcome in (Outcome.SUCCEEDED, Outcome.CANCELED) else 9000
        result = NavigateToPose.Result(error_code=code)
        if hasattr(result, "error_msg"):
            result.error_msg = ending.message
        return result
