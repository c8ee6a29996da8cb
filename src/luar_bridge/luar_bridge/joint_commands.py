# SPDX-License-Identifier: Apache-2.0
"""ROS moves a Nao's joints: dcmActuator as FollowJointTrajectory and as a topic of positions."""

from __future__ import annotations

import enum
import math
import threading
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from builtin_interfaces.msg import Duration, Time
from control_msgs.action import FollowJointTrajectory
from control_msgs.msg import JointTolerance
from std_msgs.msg import Header
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

from legacy_robots_common import qos
from legacy_robots_common.bridge_node import BridgeNode
from legacy_robots_common.goals import Ending, Goal, GoalRefusedError, GoalServer
from legacy_robots_common.link import NotConnectedError
from legacy_robots_common.parameters import ParameterError
from luar_bridge import trajectory
from luar_bridge.body import QUIET_S, Body, BodyError
from luar_bridge.bridge_parameters import Parameters
from luar_bridge.motion import JOINTS
from luar_bridge.naming import RobotIdentity
from luar_bridge.trajectory import Angles, Trajectory, TrajectoryError
from luar_bridge.writer import AllowList

STEP_PERIOD_S = 0.02
"""Between two commands while a trajectory is followed."""
WATCH_PERIOD_S = 0.1
"""Between two looks at who writes dcmActuator while none is."""
LINK_LOST, INTERRUPTED, SHUTDOWN = -100, -101, -102
"""Error codes for which the action has none, as the AIBO's."""
_Result = FollowJointTrajectory.Result


class Outcome(enum.IntEnum):
    """How a goal ended."""

    SUCCEEDED = 0
    CANCELED = 1
    INVALID = 2
    LINK_LOST = 3
    SHUTDOWN = 4
    INTERRUPTED = 5


_ERROR_CODES: dict[enum.IntEnum, int] = {
    Outcome.SUCCEEDED: _Result.SUCCESSFUL,
    Outcome.CANCELED: _Result.SUCCESSFUL,
    Outcome.LINK_LOST: LINK_LOST,
    Outcome.SHUTDOWN: SHUTDOWN,
    Outcome.INTERRUPTED: INTERRUPTED,
}


class _TrajectoryGoal(Goal):
    error_code = _Result.INVALID_GOAL
    """Of a goal that ends as INVALID."""


@dataclass
class _Motion:
    """A trajectory that is followed from ``start_at`` (monotonic s), of a goal or of the topic."""

    trajectory: Trajectory
    start_at: float
    begun_at: float
    """When it was accepted; dcmActuator has to be seen to stand still before it is written."""
    path: dict[int, float]
    """Tolerances (rad) by joint on the way; a joint without one may be anywhere."""
    end: dict[int, float]
    late: float
    """Seconds after the end within which the joints have to be there."""
    goal: _TrajectoryGoal | None
    start: Angles | None = None
    """Commands of its joints before it; None while it has not started."""


class JointCommands(GoalServer[_TrajectoryGoal]):
    """The action ``follow_joint_trajectory`` and the topic ``joint_trajectory``.

    One trajectory at a time, the newest. It gives way, in words, to a motion process of Lua that
    writes dcmActuator. Raises ParameterError when the allow-list does not name the commands.
    """

    def __init__(
        self,
        node: BridgeNode,
        identity: RobotIdentity,
        directory: Path,
        writable: AllowList,
        settings: Parameters,
    ) -> None:
        if not writable.allows("dcmActuator", "command"):
            raise ParameterError(
                "parameter 'joint_commands': 'writable' does not name dcmActuator.command"
            )
        self._settings = settings
        self._body = Body(identity, directory)
        self._motion: _Motion | None = None
        self._guard = threading.RLock()
        super().__init__(
            node,
            FollowJointTrajectory,
            "follow_joint_trajectory",
            Outcome,
            goal_type=_TrajectoryGoal,
            lock=self._guard,
            needs_link=False,  # the joints are there without Lua's processes
        )
        qos.subscription(
            node, JointTrajectory, "joint_trajectory", self._on_trajectory, qos.stream(5)
        )
        node.timer(WATCH_PERIOD_S, self._watch)
        self._stepping = node.timer(STEP_PERIOD_S, self._step)
        self._stepping.cancel()

    def close(self) -> None:
        """Release the memory. Idempotent."""
        with self._guard:
            self._motion = None
            self._body.close()

    # --- GoalServer ------------------------------------------------------------------------

    def begin(self, goal: _TrajectoryGoal) -> None:
        """Check it and begin; the trajectory before it ends."""
        request = goal.request
        if request.multi_dof_trajectory.points or request.multi_dof_trajectory.joint_names:
            raise GoalRefusedError("the robot has no joints of several degrees of freedom")
        try:
            path = _checked(request.trajectory)
        except TrajectoryError as error:
            if error.names:
                goal.error_code = _Result.INVALID_JOINTS
            raise GoalRefusedError(str(error)) from error
        s = self._settings
        tolerances = (
            _tolerances(path, request.path_tolerance, s.joint_path_tolerance),
            _tolerances(path, request.goal_tolerance, s.joint_goal_tolerance),
            _seconds(request.goal_time_tolerance) or s.joint_goal_time_tolerance,
        )
        try:
            self._start(path, request.trajectory.header.stamp, goal, *tolerances)
        except TrajectoryError as error:
            goal.error_code = _Result.OLD_HEADER_TIMESTAMP
            raise GoalRefusedError(str(error)) from error

    def cancel(self, goal: _TrajectoryGoal) -> bool:
        """Stop: the joints hold the last command."""
        return goal.end(Outcome.CANCELED, "the joints hold their last command")

    def on_end(self, goal: Goal) -> None:
        """Write nothing more for it."""
        with self._guard:
            if self._motion is not None and self._motion.goal is goal:
                self._motion = None
        super().on_end(goal)

    def result(self, goal: _TrajectoryGoal, ending: Ending) -> FollowJointTrajectory.Result:
        """Return the result message, with one of the action's error codes or one of ours."""
        code = _ERROR_CODES.get(ending.outcome, goal.error_code)
        return _Result(error_code=code, error_string=ending.message)

    # --- what moves the joints -------------------------------------------------------------

    def _start(
        self,
        path: Trajectory,
        stamp: Time,
        goal: _TrajectoryGoal | None,
        on_path: dict[int, float],
        at_end: dict[int, float],
        late: float,
    ) -> None:
        """Follow ``path`` from ``stamp`` on (0: now), once dcmActuator is seen to stand still.

        Raises TrajectoryError when it is over by then, NotConnectedError and GoalRefusedError.
        """
        now = time.monotonic()
        start_at = now
        if stamp.sec or stamp.nanosec:
            start_at += _seconds(stamp) - self.node.get_clock().now().nanoseconds * 1e-9
            if start_at + path.duration <= now:
                raise TrajectoryError("the trajectory ends in the past")
        self._look(now)
        body = self._body
        if body.disabled:
            raise GoalRefusedError("dcmActuator.disable is set: the robot moves no joint")
        if loose := [JOINTS[joint] for joint in path.joints if body.hardness[joint] <= 0.0]:
            raise GoalRefusedError(
                f"dcmActuator.hardness of {', '.join(loose)} is 0: the robot ignores commands"
            )
        self._interrupt("a newer trajectory moves the joints")
        self._motion = _Motion(path, start_at, now, on_path, at_end, late, goal)
        self._stepping.reset()

    def _look(self, now: float) -> None:
        """Read the joints. Raises NotConnectedError when there are none, or they stand still."""
        try:
            self._body.look(now)
        except BodyError as error:
            raise NotConnectedError(str(error)) from error
        longest = self._settings.stale_after
        if now - self._body.counted_at > longest:
            raise NotConnectedError(f"dcmSensor.count has stood still for more than {longest:g} s")

    def _interrupt(self, reason: str) -> None:
        motion, self._motion = self._motion, None
        if motion is not None and motion.goal is not None:
            motion.goal.end(Outcome.INTERRUPTED, reason)

    def _on_trajectory(self, message: JointTrajectory) -> None:
        with self._guard:
            if not message.points:
                self._interrupt("an empty trajectory stops the joints")
                return
            try:
                self._start(_checked(message), message.header.stamp, None, {}, {}, 0.0)
            except (TrajectoryError, GoalRefusedError, NotConnectedError) as error:
                self.node.on_problem("refused trajectories", f"joint_trajectory: {error}")

    def _watch(self) -> None:
        with self._guard:
            if self._motion is None:
                try:
                    self._body.look(time.monotonic())
                except BodyError:
                    pass  # a trajectory that is sent is answered with it

    def _step(self) -> None:
        with self._guard:
            motion = self._motion
            if motion is None:
                self._stepping.cancel()
                return
            if motion.goal is not None:
                self.guarded(motion.goal, self._follow, motion)
                return
            try:
                self._follow(motion)
            except NotConnectedError as error:
                self._motion = None
                self.node.on_problem("interrupted trajectories", f"joint_trajectory: {error}")

    def _follow(self, motion: _Motion) -> None:
        """Write the next command, check the tolerances, report. Raises NotConnectedError."""
        now = time.monotonic()
        self._look(now)
        body, path = self._body, motion.trajectory
        if body.opened_at > motion.begun_at:
            raise NotConnectedError("the robot has started again: its joints were made anew")
        if body.others_at > motion.begun_at:
            self._give_way(motion)
            return
        if motion.start is None:
            if now < motion.start_at or not body.counts or now - body.others_at < QUIET_S:
                return
            motion.start_at = now
            motion.start = tuple(body.command[joint] for joint in path.joints)
        passed = now - motion.start_at
        desired = path.at(passed, motion.start)
        command = list(body.command)
        for joint, angle in zip(path.joints, desired, strict=True):
            command[joint] = angle
        if tuple(command) != body.command:
            try:
                body.write(command)
            except BodyError as error:
                raise NotConnectedError(str(error)) from error
        actual = tuple(body.positions[joint] for joint in path.joints)
        if motion.goal is None:
            if passed >= path.duration:
                self._motion = None
            return
        self._feed_back(motion.goal, path.names, desired, actual, passed)
        if off := _off(path, desired, actual, motion.path):
            self._fail(motion.goal, _Result.PATH_TOLERANCE_VIOLATED, f"on the way {off}")
        elif passed >= path.duration:
            if not (off := _off(path, desired, actual, motion.end)):
                motion.goal.end(Outcome.SUCCEEDED, "the joints are there")
            elif passed > path.duration + motion.late:
                self._fail(motion.goal, _Result.GOAL_TOLERANCE_VIOLATED, f"at the end {off}")

    def _give_way(self, motion: _Motion) -> None:
        """End a trajectory, since another program writes the commands."""
        self._motion = None
        text = "dcmActuator is written by another program, such as Lua's motion process"
        if motion.goal is None:
            self.node.on_problem("interrupted trajectories", f"joint_trajectory: {text}")
        elif motion.start is None:
            self._fail(motion.goal, _Result.INVALID_GOAL, text)
        else:
            motion.goal.end(Outcome.INTERRUPTED, text)

    def _fail(self, goal: _TrajectoryGoal, code: int, text: str) -> None:
        goal.error_code = code
        goal.end(Outcome.INVALID, text)

    def _feed_back(
        self,
        goal: _TrajectoryGoal,
        names: list[str],
        desired: Angles,
        actual: Angles,
        passed: float,
    ) -> None:
        error = [d - a for d, a in zip(desired, actual, strict=True)]

        def point(angles: Sequence[float]) -> JointTrajectoryPoint:
            return JointTrajectoryPoint(positions=angles, time_from_start=_duration(passed))

        goal.publish_feedback(
            FollowJointTrajectory.Feedback(
                header=Header(stamp=self.node.stamp()),
                joint_names=names,
                desired=point(desired),
                actual=point(actual),
                error=point(error),
            )
        )


def _checked(message: JointTrajectory) -> Trajectory:
    points = [(_seconds(point.time_from_start), point.positions) for point in message.points]
    return trajectory.check(message.joint_names, points)


def _off(path: Trajectory, desired: Angles, actual: Angles, limits: dict[int, float]) -> str:
    """Return which joints are further off than allowed; empty for none."""
    return "; ".join(
        f"{JOINTS[joint]} is at {is_at:.3f} rad instead of {wanted:.3f} rad"
        for joint, wanted, is_at in zip(path.joints, desired, actual, strict=True)
        # nan, too, is off
        if joint in limits and not abs(wanted - is_at) <= limits[joint]
    )


def _tolerances(
    path: Trajectory, asked: Iterable[JointTolerance], default: float
) -> dict[int, float]:
    """Return the tolerances that count: 0 is the default, below 0 and no default without limit."""
    found = dict.fromkeys(path.joints, default) if default > 0.0 else {}
    for tolerance in asked:
        if tolerance.name not in path.names:
            raise GoalRefusedError(
                f"a tolerance is about {tolerance.name!r}, which is no joint of the trajectory"
            )
        if not math.isfinite(tolerance.position):
            raise GoalRefusedError(f"the tolerance of {tolerance.name} is not finite")
        joint = JOINTS.index(tolerance.name)
        if tolerance.position > 0.0:
            found[joint] = tolerance.position
        elif tolerance.position < 0.0:
            found.pop(joint, None)
    return found


def _seconds(moment: Time | Duration) -> float:
    return float(moment.sec + 1e-9 * moment.nanosec)


def _duration(seconds: float) -> Duration:
    whole = math.floor(seconds)
    return Duration(sec=whole, nanosec=int((seconds - whole) * 1e9))
