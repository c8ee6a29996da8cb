# SPDX-License-Identifier: Apache-2.0
"""The action ``follow_joint_trajectory`` (control_msgs/FollowJointTrajectory)."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from control_msgs.action import FollowJointTrajectory
from control_msgs.msg import JointTolerance
from std_msgs.msg import Header
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

from aibo_gti_bridge import conversions, trajectory
from aibo_gti_bridge.bridge_parameters import Parameters
from aibo_gti_bridge.goals import Outcome, RobotGoal, RobotServer
from aibo_gti_bridge.joints import UnknownJointError, find
from aibo_gti_bridge.robot import Robot
from aibo_gti_bridge.sensors import Reading
from aibo_gti_bridge.trajectory import Point, Progress, Refusal, Tolerances, Tracker
from legacy_robots_common.bridge_node import BridgeNode
from legacy_robots_common.goals import Ending, GoalRefusedError

LINK_LOST = -100
"""error_code of a trajectory that lost its robot; the standard has none for it."""
INTERRUPTED = -101
"""error_code of a trajectory whose joints another command took."""
SHUTDOWN = -102
"""error_code of a trajectory that ended with the bridge."""
_Result = FollowJointTrajectory.Result


_ERROR_CODES = {
    Outcome.SUCCEEDED: _Result.SUCCESSFUL,
    Outcome.CANCELED: _Result.SUCCESSFUL,
    Outcome.LINK_LOST: LINK_LOST,
    Outcome.INTERRUPTED: INTERRUPTED,
    Outcome.SHUTDOWN: SHUTDOWN,
}


class _TrajectoryGoal(RobotGoal):
    tracker: Tracker | None = None
    error_code = _Result.INVALID_GOAL
    """Of a goal that ends as INVALID."""

    def stop_joints(self, but: Collection[str] = ()) -> None:
        """Stop the joints of the trajectory, once it has begun."""
        if self.tracker is not None:
            self.server.robot.hold(self.tracker.trajectory.joints, but)

    def fail(self, error_code: int, message: str) -> None:
        """End it with one of the action's error codes."""
        self.error_code = error_code
        self.end(Outcome.INVALID, message)


class TrajectoryAction(RobotServer[_TrajectoryGoal]):
    """The action ``follow_joint_trajectory``; any part of the joints, goals beside each other."""

    canceled = "the joints were stopped"

    def __init__(self, node: BridgeNode, robot: Robot, parameters: Parameters) -> None:
        super().__init__(
            node, robot, FollowJointTrajectory, "follow_joint_trajectory", _TrajectoryGoal
        )
        self._parameters = parameters

    def begin(self, goal: _TrajectoryGoal) -> None:
        """Check it, and send its first segment if it starts now."""
        request = goal.request
        if request.multi_dof_trajectory.points or request.multi_dof_trajectory.joint_names:
            raise GoalRefusedError("the robot has no joints of several degrees of freedom")
        parameters = self._parameters
        try:
            path = trajectory.check(
                request.trajectory.joint_names,
                points(request.trajectory),
                self.robot.positions,
                full_rotor_range=parameters.full_rotor_range,
            )
        except trajectory.TrajectoryError as error:
            invalid_joints = error.refusal is Refusal.JOINTS
            goal.fail(
                _Result.INVALID_JOINTS if invalid_joints else _Result.INVALID_GOAL, str(error)
            )
            return
        tolerances = Tolerances(
            self._tolerances(path.joints, request.path_tolerance, parameters.path_tolerance),
            self._tolerances(path.joints, request.goal_tolerance, parameters.goal_tolerance),
            conversions.seconds(request.goal_time_tolerance) or parameters.goal_time_tolerance,
        )
        start = self._start_time(request.trajectory.header, path.duration)
        if start is None:
            goal.fail(_Result.OLD_HEADER_TIMESTAMP, "the trajectory ends in the past")
            return
        if self.robot.blocked:
            raise GoalRefusedError("the robot is searching and takes no commands")
        self.robot.claims.claim(goal, path.joints, "a newer trajectory moves the same joints")
        goal.tracker = Tracker(path, tolerances, start)
        if start <= goal.began:
            self._go_on(goal, goal.tracker, goal.began)

    def _start_time(self, header: Header, duration: float) -> float | None:
        """Return the start on the monotonic clock; None when the whole lies in the past."""
        now = self.node.now()
        if not header.stamp.sec and not header.stamp.nanosec:
            return now
        ahead = conversions.seconds(header.stamp) - (
            self.node.get_clock().now().nanoseconds * 1e-9
        )
        return now + ahead if ahead + duration > 0.0 else None

    def _tolerances(
        self, joints: Iterable[str], asked: Iterable[JointTolerance], default: float
    ) -> dict[str, float]:
        """Return the tolerances that count: 0 is the default, below 0 is without limit."""
        joints = tuple(joints)
        found = dict.fromkeys(joints, default) if default > 0.0 else {}
        for tolerance in asked:
            try:
                name = find(tolerance.name).name
            except UnknownJointError:
                name = ""
            if name not in joints:
                raise GoalRefusedError(
                    f"a tolerance is about {tolerance.name!r}, which is no joint of the trajectory"
                )
            if tolerance.position > 0.0:
                found[name] = tolerance.position
            elif tolerance.position < 0.0:
                found.pop(name, None)
        return found

    def follow(self, goal: _TrajectoryGoal, reading: Reading) -> None:
        """Send the next segment, check the tolerances, report."""
        if goal.tracker is not None:
            self._go_on(goal, goal.tracker, reading.time)

    def _go_on(self, goal: _TrajectoryGoal, tracker: Tracker, now: float) -> None:
        segment = tracker.update(now, self.robot.positions)
        if segment is not None:
            self.robot.move(segment.targets, segment.duration)
        self._feed_back(goal, tracker, now)
        if tracker.progress is Progress.DONE:
            goal.end(Outcome.SUCCEEDED, "the goal is reached")
        elif tracker.progress.over:
            goal.stop_joints()
            on_path = tracker.progress is Progress.PATH_VIOLATED
            goal.fail(
                _Result.PATH_TOLERANCE_VIOLATED if on_path else _Result.GOAL_TOLERANCE_VIOLATED,
                tracker.violation,
            )

    def _feed_back(self, goal: _TrajectoryGoal, tracker: Tracker, now: float) -> None:
        desired = tracker.desired(now)
        if desired is None:
            return
        joints = tracker.trajectory.joints
        nan = float("nan")
        actual = [self.robot.positions.get(name, nan) for name in joints]
        passed = conversions.duration(max(0.0, now - tracker.start_time))
        goal.publish_feedback(
            FollowJointTrajectory.Feedback(
                header=Header(stamp=self.node.stamp(now)),
                joint_names=list(joints),
                desired=JointTrajectoryPoint(positions=desired, time_from_start=passed),
                actual=JointTrajectoryPoint(positions=actual, time_from_start=passed),
                error=JointTrajectoryPoint(
                    positions=[d - a for d, a in zip(desired, actual, strict=True)],
                    time_from_start=passed,
                ),
            )
        )

    def result(self, goal: _TrajectoryGoal, ending: Ending) -> FollowJointTrajectory.Result:
        """Return the result message, with one of the action's error codes or one of ours."""
        code = _ERROR_CODES.get(ending.outcome, goal.error_code)  # type: ignore[call-overload]
        return _Result(error_code=code, error_string=ending.message)


def points(message: JointTrajectory) -> list[Point]:
    """Return the points of a trajectory message."""
    return [
        Point(
            conversions.seconds(point.time_from_start),
            tuple(point.positions),
            tuple(point.velocities),
        )
        for point in message.points
    ]
