# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Walking: ``cmd_vel`` with its watchdog, and the action ``walk_steps``."""

from __future__ import annotations

import math
from collections.abc import Collection

from aibo_gti_bridge.bridge import conversions
from aibo_gti_bridge.bridge.goals import Outcome, RobotGoal, RobotServer
from aibo_gti_bridge.bridge.link import Priority
from aibo_gti_bridge.bridge.odometry_topics import OdometryTopics
from aibo_gti_bridge.bridge.parameters import Parameters
from aibo_gti_bridge.bridge.robot import Robot
from aibo_gti_bridge.model.joints import NAMES
from aibo_gti_bridge.protocol.sensors import Reading
from legacy_robots_common.bridge.bridge_node import BridgeNode
from legacy_robots_common.bridge.velocity_topic import VelocityTopic
from legacy_robots_common.goals.goal_server import GoalRefusedError
from legacy_robots_common.goals.velocity import STILL, Velocity
from legacy_robots_msgs.action import AiboWalkSteps

LEG_JOINTS = NAMES[:12]


class LegVelocities(VelocityTopic):
    """Walks by ``cmd_vel``. A claimant of the legs while it walks."""

    def __init__(self, node: BridgeNode, robot: Robot, parameters: Parameters) -> None:
        self._robot = robot
        super().__init__(
            node,
            parameters.velocity_limits,
            stamped=parameters.enable_stamped_cmd_vel,
            lock=robot.lock,
        )

    def interrupt(self, reason: str, taken: Collection[str]) -> None:
        """Stop, because the legs are needed. Called with the robot's lock held."""
        self.stand()

    def refusal(self, now: float) -> str:
        """Return why the robot may not walk now."""
        return super().refusal(now) or self._robot.refusal

    def reset(self) -> None:
        """Forget what was requested, and leave the legs to others."""
        super().reset()
        self._robot.claims.release(self)

    def send(self, velocity: Velocity) -> None:
        """Walk, or stand and leave the legs to others. Raises NotConnectedError."""
        if velocity == STILL:
            self._robot.claims.release(self)
            self._robot.stop_walking()
        else:
            self._robot.claims.claim(self, LEG_JOINTS, "cmd_vel makes the robot walk")
            self._robot.send(conversions.walk(*velocity), Priority.VELOCITY)


class _WalkGoal(RobotGoal):
    duration = 0.0

    def stop_joints(self, but: Collection[str] = ()) -> None:
        """Stop walking."""
        self.server.robot.stop_walking()


class WalkStepsAction(RobotServer[_WalkGoal]):
    """The action ``walk_steps``."""

    canceled = "the robot was stopped"

    def __init__(
        self, node: BridgeNode, robot: Robot, parameters: Parameters, odometry: OdometryTopics
    ) -> None:
        super().__init__(node, robot, AiboWalkSteps, "walk_steps", _WalkGoal)
        self._odometry = odometry
        self._period = parameters.step_period
        self._limits = (parameters.max_forward, parameters.max_sideways, parameters.max_turn)

    def begin(self, goal: _WalkGoal) -> None:
        """Send the walk; raises GoalRefusedError for one that the gait cannot do."""
        request = goal.request
        displacement = (request.x, request.y, request.theta)
        steps = self._steps(displacement, request.steps)
        command = conversions.walk_steps(*displacement, steps)
        self.robot.check(command)
        goal.duration = steps * self._period
        self.robot.claims.claim(goal, LEG_JOINTS, "walk_steps makes the robot walk")
        self.robot.send(command, Priority.ACTION)

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
        """Report how far it is; end when the time is over and the robot has come to a stop."""
        goal.publish_feedback(AiboWalkSteps.Feedback(elapsed=goal.elapsed, duration=goal.duration))
        if goal.elapsed >= goal.duration and not self._odometry.walking:
            goal.end(Outcome.SUCCEEDED, f"walked for {goal.duration:.1f} s")
