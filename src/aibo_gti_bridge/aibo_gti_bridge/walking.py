# SPDX-License-Identifier: Apache-2.0
"""Walking: ``cmd_vel`` with its watchdog, and the action ``walk_steps``."""

from __future__ import annotations

import math
import time
from collections.abc import Collection
from typing import Any

from geometry_msgs.msg import Twist, TwistStamped
from legacy_robots_msgs.action import AiboWalkSteps
from rclpy.clock import Clock, ClockType

from aibo_gti_bridge import conversions
from aibo_gti_bridge.bridge_parameters import Parameters
from aibo_gti_bridge.goals import GoalRefusedError, RobotAction, RunningGoal
from aibo_gti_bridge.joints import NAMES
from aibo_gti_bridge.link import Priority
from aibo_gti_bridge.outcomes import Outcome
from aibo_gti_bridge.robot import Robot
from aibo_gti_bridge.sensors import Reading
from aibo_gti_bridge.velocity import STILL, Velocity, VelocityControl
from legacy_robots_common import qos
from legacy_robots_common.link import NotConnectedError

LEG_JOINTS = NAMES[:12]
TICK = 0.02
"""Seconds between looks at the watchdog, while the robot walks."""
WARNING_PERIOD = 5.0


class VelocityTopic:
    """Walks by ``cmd_vel``; stands when it stays away. A claimant of the legs while it walks."""

    def __init__(self, robot: Robot, parameters: Parameters) -> None:
        self._robot = robot
        self._control = VelocityControl(parameters.velocity_limits)
        node = robot.node
        if parameters.cmd_vel_stamped:
            qos.subscription(
                node, TwistStamped, "cmd_vel", lambda m: self._wish(m.twist), qos.stream(5)
            )
        else:
            qos.subscription(node, Twist, "cmd_vel", self._wish, qos.stream(5))
        # Steady time: simulated time of other robots must not stop the watchdog.
        self._timer = node.create_timer(
            TICK, self._tick, clock=Clock(clock_type=ClockType.STEADY_TIME)
        )
        self._timer.cancel()

    @property
    def timeouts(self) -> int:
        """How often the watchdog has stopped the robot."""
        return self._control.timeouts

    def interrupt(self, reason: str, taken: Collection[str]) -> None:
        """Stop, because somebody else needs the legs. Called with the robot's lock held."""
        if self._control.walking:
            self._control.reset()
            self._robot.stop_walking()

    def link_lost(self) -> None:
        """Forget what was wished: a new connection begins with a robot that stands."""
        self._control.reset()
        self._robot.release(self)

    def _wish(self, twist: Twist) -> None:
        wished = (twist.linear.x, twist.linear.y, twist.angular.z)
        with self._robot.lock:
            if wished != STILL and (self._robot.reading is None or self._robot.blocked):
                self._control.reset()
                why = "it is searching" if self._robot.blocked else "there is no connection"
                self._robot.node.get_logger().warning(
                    f"cmd_vel is not passed on to the robot: {why}",
                    throttle_duration_sec=WARNING_PERIOD,
                )
                return
            try:
                velocity = self._control.wish(time.monotonic(), wished)
            except ValueError as error:
                self._robot.node.get_logger().error(
                    f"{error}; the robot is stopped", throttle_duration_sec=WARNING_PERIOD
                )
                velocity = self._control.due(time.monotonic())
            if velocity is not None:
                self._send(velocity)
            if self._control.walking and self._timer.is_canceled():
                self._timer.reset()

    def _tick(self) -> None:
        with self._robot.lock:
            timeouts = self._control.timeouts
            velocity = self._control.due(time.monotonic())
            if self._control.timeouts > timeouts:
                self._robot.node.get_logger().warning(
                    "no cmd_vel for too long: the robot is stopped"
                )
            if velocity is not None:
                self._send(velocity)
            if not self._control.walking:
                self._timer.cancel()

    def _send(self, velocity: Velocity) -> None:
        try:
            if velocity == STILL:
                self._robot.release(self)
                self._robot.stop_walking()
            else:
                self._robot.claim(self, LEG_JOINTS, "cmd_vel makes the robot walk")
                self._robot.send(conversions.walk(*velocity), Priority.VELOCITY)
        except NotConnectedError:
            self._control.reset()  # the link's thread reports the loss


class _WalkGoal(RunningGoal):
    duration = 0.0

    def stop_joints(self, but: Collection[str]) -> None:
        """Stand."""
        self.robot.stop_walking()


class WalkStepsAction(RobotAction):
    """The action ``walk_steps``."""

    goal_class = _WalkGoal

    def __init__(self, robot: Robot, parameters: Parameters) -> None:
        super().__init__(robot, AiboWalkSteps, "walk_steps")
        self._period = parameters.step_period
        self._limits = (parameters.max_forward, parameters.max_sideways, parameters.max_turn)

    def _begin(self, goal: _WalkGoal) -> None:
        request = goal.request
        displacement = (request.x, request.y, request.theta)
        steps = self._steps(displacement, request.steps)
        if self._robot.blocked:
            raise GoalRefusedError("the robot is searching for a ball and takes no commands")
        goal.duration = steps * self._period
        self._robot.claim(goal, LEG_JOINTS, "walk_steps makes the robot walk")
        self._robot.send(conversions.walk_steps(*displacement, steps), Priority.ACTION)

    def _steps(self, displacement: tuple[float, float, float], steps: int) -> int:
        if not all(map(math.isfinite, displacement)):
            raise GoalRefusedError(f"the displacement {displacement} is not finite")
        if steps < 0:
            raise GoalRefusedError(f"{steps} steps; give 1 or more, or 0 for as many as needed")
        needed = 1
        for way, limit in zip(displacement, self._limits, strict=True):
            if way and not limit:
                raise GoalRefusedError("the parameters allow no walking in this direction")
            if way:
                needed = max(needed, math.ceil(abs(way) / (limit * self._period) - 1e-6))
        if 0 < steps < needed:
            raise GoalRefusedError(
                f"{steps} steps are too few: the gait needs {needed} for this displacement"
            )
        return steps or needed

    def _follow(self, goal: _WalkGoal, reading: Reading) -> None:
        goal.handle.publish_feedback(
            AiboWalkSteps.Feedback(elapsed=goal.elapsed, duration=goal.duration)
        )
        if goal.elapsed >= goal.duration:
            goal.end(Outcome.SUCCEEDED, f"walked for {goal.duration:.1f} s")

    def _stop(self, goal: Any) -> None:
        self._robot.stop_walking()
        goal.end(Outcome.CANCELED, "the robot was stopped")
