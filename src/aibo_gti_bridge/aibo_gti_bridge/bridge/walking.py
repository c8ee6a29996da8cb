# SPDX-License-Identifier: Apache-2.0
"""Walking: ``cmd_vel`` with its watchdog, and the action ``walk_steps``."""

from __future__ import annotations

import math
from collections.abc import Collection

from geometry_msgs.msg import Twist
from legacy_robots_msgs.action import AiboWalkSteps

from aibo_gti_bridge.bridge import conversions
from aibo_gti_bridge.bridge.goals import Outcome, RobotGoal, RobotServer
from aibo_gti_bridge.bridge.link import Priority
from aibo_gti_bridge.bridge.parameters import Parameters
from aibo_gti_bridge.bridge.robot import Robot
from aibo_gti_bridge.model.gait import Velocity
from aibo_gti_bridge.model.joints import NAMES
from aibo_gti_bridge.protocol.sensors import Reading
from legacy_robots_common.bridge.bridge_node import BridgeNode
from legacy_robots_common.goals.goal_server import GoalRefusedError
from legacy_robots_common.goals.velocity import STILL, VelocityControl
from legacy_robots_common.link.base import NotConnectedError
from legacy_robots_common.node.velocity_input import VelocityInput

LEG_JOINTS = NAMES[:12]
WATCHDOG_PERIOD_S = 0.02
"""Time between checks of the watchdog while the robot walks."""


class VelocityTopic:
    """Walks by ``cmd_vel``; stands when it stays away. A claimant of the legs while it walks."""

    def __init__(self, node: BridgeNode, robot: Robot, parameters: Parameters) -> None:
        self._node = node
        self._robot = robot
        self._control = VelocityControl(parameters.velocity_limits)
        self._input = VelocityInput(
            node,
            stamped=parameters.enable_stamped_cmd_vel,
            max_age=parameters.cmd_vel_timeout,
            on_twist=self._on_twist,
            on_problem=node.on_problem,
        )
        self._timer = node.timer(WATCHDOG_PERIOD_S, self._check)
        self._timer.cancel()

    @property
    def misfits(self) -> tuple[str, ...]:
        """The nodes that publish ``cmd_vel`` as the other type."""
        return self._input.misfits

    def interrupt(self, reason: str, taken: Collection[str]) -> None:
        """Stop, because the legs are needed. Called with the robot's lock held."""
        if self._control.walking:
            self._control.reset()
            self._robot.stop_walking()

    def reset(self) -> None:
        """Forget what was requested, as the robot stands. Called with the robot's lock held."""
        self._control.reset()
        self._robot.claims.release(self)

    def _on_twist(self, twist: Twist) -> None:
        velocity = (twist.linear.x, twist.linear.y, twist.angular.z)
        with self._robot.lock:
            refusal = self._refusal() if velocity != STILL else ""
            if refusal:
                self.reset()
                self._node.on_problem("refused velocities", f"cmd_vel is not sent: {refusal}")
                return
            now = self._node.now()
            try:
                due = self._control.request(now, velocity)
            except ValueError as error:
                self._node.on_problem("refused velocities", f"{error}; the robot is stopped")
                due = self._control.due(now)
            self._send(due)
            if self._control.walking and self._timer.is_canceled():
                self._timer.reset()

    def _refusal(self) -> str:
        """Return why the robot may not walk now, or an empty text."""
        if self._node.stopping:
            return "the bridge is shutting down"
        if self._robot.blocked:
            return "the robot is searching"
        return "" if self._node.connected else self._node.why_not_connected()

    def _check(self) -> None:
        with self._robot.lock:
            now = self._node.now()
            if self._control.timed_out(now):
                self._node.on_problem(
                    "stops by the cmd_vel watchdog",
                    "no cmd_vel for too long: the robot is stopped",
                )
            self._send(self._control.due(now))
            if not self._control.walking:
                self._timer.cancel()

    def _send(self, velocity: Velocity | None) -> None:
        if velocity is None:
            return
        try:
            if velocity == STILL:
                self._robot.claims.release(self)
                self._robot.stop_walking()
            else:
                self._robot.claims.claim(self, LEG_JOINTS, "cmd_vel makes the robot walk")
                self._robot.send(conversions.walk(*velocity), Priority.VELOCITY)
        except NotConnectedError:
            self.reset()  # the link's thread reports the loss


class _WalkGoal(RobotGoal):
    duration = 0.0

    def stop_joints(self, but: Collection[str] = ()) -> None:
        """Stand."""
        self.server.robot.stop_walking()


class WalkStepsAction(RobotServer[_WalkGoal]):
    """The action ``walk_steps``."""

    canceled = "the robot was stopped"

    def __init__(self, node: BridgeNode, robot: Robot, parameters: Parameters) -> None:
        super().__init__(node, robot, AiboWalkSteps, "walk_steps", _WalkGoal)
        self._period = parameters.step_period
        self._limits = (parameters.max_forward, parameters.max_sideways, parameters.max_turn)

    def begin(self, goal: _WalkGoal) -> None:
        """Walk."""
        request = goal.request
        displacement = (request.x, request.y, request.theta)
        steps = self._steps(displacement, request.steps)
        if self.robot.blocked:
            raise GoalRefusedError("the robot is searching for a ball and takes no commands")
        goal.duration = steps * self._period
        self.robot.claims.claim(goal, LEG_JOINTS, "walk_steps makes the robot walk")
        self.robot.send(conversions.walk_steps(*displacement, steps), Priority.ACTION)

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

    def follow(self, goal: _WalkGoal, reading: Reading) -> None:
        """Report how far it is; end when the time is over."""
        goal.publish_feedback(AiboWalkSteps.Feedback(elapsed=goal.elapsed, duration=goal.duration))
        if goal.elapsed >= goal.duration:
            goal.end(Outcome.SUCCEEDED, f"walked for {goal.duration:.1f} s")
