# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The action ``follow_joint_trajectory`` (control_msgs/FollowJointTrajectory) of any robot.

A robot's package says in a :class:`Joints` what its joints are, how they are commanded and read.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

from control_msgs.action import FollowJointTrajectory
from control_msgs.msg import JointTolerance
from std_msgs.msg import Header
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

from legacy_robots_common.goals.goal_node import GoalNode
from legacy_robots_common.goals.goal_server import Ending, Goal, GoalRefusedError, GoalServer
from legacy_robots_common.node.times import duration, seconds
from legacy_robots_trajectories.claims import PartClaims
from legacy_robots_trajectories.joint_trajectory import (
    LOOK_AHEAD_S,
    Angles,
    JointLimits,
    Outcome,
    Point,
    Tolerances,
    Tracker,
    Trajectory,
    TrajectoryError,
    check,
    own_names,
)

__all__ = ["DefaultTolerances", "Joints", "TrajectoryServer"]

NEWER = "a newer trajectory moves the same joints"
"""Why a trajectory is interrupted by another."""


class Joints(ABC):
    """A robot's joints: what they are, how they are commanded and read.

    Called with the server's lock held. Positions are in rad, by the robot's own names.
    """

    names: Mapping[str, str]
    """The robot's own name by each name that is understood."""
    limits: Mapping[str, JointLimits]
    start_tolerance = 0.0
    """rad by which ``setpoints`` may be off."""

    @property
    @abstractmethod
    def positions(self) -> Mapping[str, float]:
        """Where the joints were last seen; empty while that is not known."""

    @property
    def setpoints(self) -> Mapping[str, float]:
        """Where the joints were last sent, which is where a trajectory starts."""
        return self.positions

    def pose_error(self, pose: Mapping[str, float]) -> str | None:
        """Return what ``pose`` breaks besides the limits of each joint, or None."""
        return None

    def unwilling(self, joints: Collection[str]) -> str | None:
        """Return why the robot would not move ``joints`` now, or None."""
        return None

    @abstractmethod
    def command(self, tracker: Tracker, now: float) -> None:
        """Send what is due at ``now``: positions, or a segment. May raise NotConnectedError."""

    @abstractmethod
    def hold(self, joints: Collection[str]) -> None:
        """Stop ``joints`` where they are. May raise NotConnectedError."""


@dataclass(frozen=True)
class DefaultTolerances:
    """Tolerances of goals that give none: rad on the way and at the end (0: any), and s."""

    path: float
    goal: float
    goal_time: float


class AtOnce(FollowJointTrajectory.Goal):
    """A goal of the robot's own: a point at time 0 is reached as fast as its joints may turn."""


@dataclass(frozen=True)
class _Order:
    """What a goal asks for."""

    joints: tuple[str, ...]
    points: list[Point]
    tolerances: Tolerances
    start_at: float | None
    """In seconds of the node; None: as soon as it can."""
    at_once: bool

    def elapsed(self, now: float) -> float:
        """Return the seconds that have passed of the trajectory."""
        return 0.0 if self.start_at is None else max(0.0, now - self.start_at)


class TrajectoryGoal(Goal):
    """A goal of a TrajectoryServer; its methods are called with the server's lock held."""

    server: TrajectoryServer
    order: _Order | None = None
    """From ``begin`` on: a goal is accepted before."""
    tracker: Tracker | None = None
    """Once the joints move."""

    def interrupt(self, reason: str, taken: Collection[str]) -> None:
        """End it because another command takes joints of it; stop the others."""
        if not self.over:
            self.stop_joints(taken)
            self.end(Outcome.INTERRUPTED, reason)

    def stop_joints(self, but: Collection[str] = ()) -> None:
        """Stop its joints, ``but`` some, if they move. May raise NotConnectedError."""
        if self.tracker is not None:
            joints = self.tracker.trajectory.joints
            self.server.joints.hold([joint for joint in joints if joint not in but])


class TrajectoryServer(GoalServer[TrajectoryGoal]):
    """The action ``follow_joint_trajectory``; any part of the joints, goals beside each other.

    A goal that breaks a limit, or cannot be honoured, is rejected. A newer goal takes joints from
    an older one. The owner calls :meth:`follow_all` as often as the joints are read or commanded.

    Parameters
    ----------
    node, lock, needs_link
        As for GoalServer; the lock is reentrant.
    joints
        The robot's.
    defaults
        Tolerances of goals that give none.
    claims
        What else of the robot moves joints; guarded by ``lock``.

    """

    def __init__(
        self,
        node: GoalNode,
        joints: Joints,
        defaults: DefaultTolerances,
        *,
        lock: AbstractContextManager[Any],
        claims: PartClaims | None = None,
        needs_link: bool = True,
    ) -> None:
        self.joints = joints
        self._defaults = defaults
        self._claims = claims or PartClaims()
        super().__init__(
            node,
            FollowJointTrajectory,
            "follow_joint_trajectory",
            Outcome,
            goal_type=TrajectoryGoal,
            lock=lock,
            needs_link=needs_link,
        )

    def follow_all(self, now: float) -> None:
        """Go on with all goals at ``now`` (s of the node). With the lock held, on any thread."""
        for goal in self.goals:
            if goal.order is not None:
                self.guarded(goal, self.follow, goal, now)

    def follow(self, goal: TrajectoryGoal, now: float) -> None:
        """Go on with a goal: start it, command its joints, check the tolerances, report.

        May raise as ``begin``.
        """
        order, tracker = goal.order, goal.tracker
        assert order is not None
        if tracker is None:
            if order.start_at is not None and now < order.start_at - LOOK_AHEAD_S:
                return
            try:
                trajectory = self._check(order, now)
            except TrajectoryError as error:
                goal.end(error.outcome, str(error))
                return
            start = now if order.start_at is None else order.start_at
            tracker = goal.tracker = Tracker(trajectory, order.tolerances, start)
        present = self.joints.positions
        end = tracker.judge(now, present)
        if end is None or end[0] is Outcome.SUCCEEDED:
            self.joints.command(tracker, now)
        goal.publish_feedback(self._feedback(tracker, now, present))
        if end is not None:
            if end[0] is not Outcome.SUCCEEDED:
                goal.stop_joints()
            goal.end(*end)

    # --- GoalServer ------------------------------------------------------------------------

    def refusal(self, request: FollowJointTrajectory.Goal) -> str | None:
        """Return what is wrong with a goal, with the name of the action's error code."""
        now = self.node.now()
        try:
            with self._lock:
                self._check(self._order(request, now), now)
        except TrajectoryError as error:
            return f"{error.outcome.name}: {error}"
        return None

    def begin(self, goal: TrajectoryGoal) -> None:
        """Take the joints, and start if it starts now."""
        goal.order = order = self._order(goal.request, goal.began)
        if reason := self.joints.unwilling(order.joints):
            raise GoalRefusedError(reason)
        self._claims.claim(goal, order.joints, NEWER)
        self.follow(goal, goal.began)

    def cancel(self, goal: TrajectoryGoal) -> bool:
        """Stop the joints."""
        goal.stop_joints()
        return goal.end(Outcome.CANCELED, "the joints were stopped")

    def on_end(self, goal: Goal) -> None:
        """Give back the goal's joints."""
        with self._lock:
            self._claims.release(goal)  # type: ignore[arg-type]
        super().on_end(goal)

    def result(self, goal: TrajectoryGoal, ending: Ending) -> FollowJointTrajectory.Result:
        """Return the result message, with one of the action's error codes or one of ours."""
        assert isinstance(ending.outcome, Outcome)
        return FollowJointTrajectory.Result(
            error_code=ending.outcome.error_code, error_string=ending.message
        )

    # --- messages --------------------------------------------------------------------------

    def _check(self, order: _Order, now: float) -> Trajectory:
        return check(
            order.joints,
            order.points,
            self.joints.limits,
            self.joints.setpoints,
            slack=self.joints.start_tolerance,
            elapsed=order.elapsed(now),
            at_once=order.at_once,
            pose_error=self.joints.pose_error,
        )

    def _order(self, request: FollowJointTrajectory.Goal, now: float) -> _Order:
        """Return what a goal asks for at ``now`` (s of the node). Raises TrajectoryError."""
        if request.multi_dof_trajectory.points or request.multi_dof_trajectory.joint_names:
            raise TrajectoryError("the robot has no joints of several degrees of freedom")
        trajectory, defaults = request.trajectory, self._defaults
        joints = own_names(trajectory.joint_names, self.joints.names)
        goal_time = seconds(request.goal_time_tolerance) or defaults.goal_time
        tolerances = Tolerances(
            self._tolerances(joints, request.path_tolerance, defaults.path),
            self._tolerances(joints, request.goal_tolerance, defaults.goal),
            goal_time if goal_time >= 0.0 else math.inf,
        )
        stamp, start_at = trajectory.header.stamp, None
        if stamp.sec or stamp.nanosec:
            start_at = now + seconds(stamp) - self.node.get_clock().now().nanoseconds * 1e-9
        at_once = isinstance(request, AtOnce)
        return _Order(joints, points_of(trajectory), tolerances, start_at, at_once)

    def _tolerances(
        self, joints: Collection[str], asked: Iterable[JointTolerance], default: float
    ) -> dict[str, float]:
        """Return the tolerances that count: 0 is the default, below 0 is without limit.

        Those of the robot's other joints count for nothing, as with ros2_control.
        """
        found = dict.fromkeys(joints, default) if default > 0.0 else {}
        for tolerance in asked:
            (name,) = own_names([tolerance.name], self.joints.names)
            if name not in joints:
                continue
            if not math.isfinite(tolerance.position):
                raise TrajectoryError(f"the tolerance of {tolerance.name} is not finite")
            if tolerance.velocity > 0.0 or tolerance.acceleration > 0.0:
                raise TrajectoryError(
                    f"the tolerance of {tolerance.name} limits its velocity or acceleration, "
                    "which the robot does not report"
                )
            if tolerance.position > 0.0:
                found[name] = tolerance.position
            elif tolerance.position < 0.0:
                found.pop(name, None)
        return found

    def _feedback(
        self, tracker: Tracker, now: float, present: Mapping[str, float]
    ) -> FollowJointTrajectory.Feedback:
        joints, desired = tracker.trajectory.joints, tracker.desired(now)
        actual = tuple(present.get(joint, math.nan) for joint in joints)
        passed = duration(max(0.0, now - tracker.start_time))

        def point(positions: Angles) -> JointTrajectoryPoint:
            return JointTrajectoryPoint(positions=positions, time_from_start=passed)

        return FollowJointTrajectory.Feedback(
            header=Header(stamp=self.node.stamp(now)),
            joint_names=joints,
            desired=point(desired),
            actual=point(actual),
            error=point(tuple(d - a for d, a in zip(desired, actual, strict=True))),
        )


def points_of(message: JointTrajectory) -> list[Point]:
    """Return the points of a trajectory message."""
    return [
        Point(
            seconds(point.time_from_start),
            tuple(point.positions),
            tuple(point.velocities),
            tuple(point.accelerations),
            tuple(point.effort),
        )
        for point in message.points
    ]
