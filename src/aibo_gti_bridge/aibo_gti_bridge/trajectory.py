# SPDX-License-Identifier: Apache-2.0
"""Joint trajectories: what is accepted, what to send when, and whether it is followed. No ROS.

The robot's moveJoints goes to one target within one time, so a trajectory is sent segment by
segment and followed in straight lines between its points; velocities and accelerations of the
points shape nothing.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from aibo_gti_bridge.joints import BY_NAME, UnknownJointError, find, limit_error
from legacy_robots_common.interpolation import interpolated

SPEED_TOLERANCE = 0.001
"""How much faster than its limit a joint may be asked to turn, as a fraction: for rounding."""
START_TOLERANCE_RAD = 0.02
"""rad by which measuring the beginning may be off."""
SHORTEST_MOVE_S = 0.001
LOOK_AHEAD_S = 0.016
"""A segment is sent when it begins, or up to so many seconds before: half a sensor cycle."""


class Refusal(Enum):
    """Why a trajectory is not accepted."""

    INVALID = "invalid"
    JOINTS = "joints"


class TrajectoryError(Exception):
    """A trajectory that cannot be followed; ``refusal`` is the kind of reason."""

    def __init__(self, refusal: Refusal, message: str) -> None:
        super().__init__(message)
        self.refusal = refusal


@dataclass(frozen=True)
class Point:
    """Where the joints are to be (rad) at ``time`` (s from the start)."""

    time: float
    positions: tuple[float, ...]
    velocities: tuple[float, ...] = ()


@dataclass(frozen=True)
class Trajectory:
    """A trajectory that was found good: our joint names, points in order of time."""

    joints: tuple[str, ...]
    points: tuple[Point, ...]

    @property
    def duration(self) -> float:
        """Seconds from the start to the last point."""
        return self.points[-1].time


def check(
    names: Sequence[str],
    points: Sequence[Point],
    present: Mapping[str, float],
    *,
    full_rotor_range: bool = False,
) -> Trajectory:
    """Return the trajectory of the joints ``names`` (any vocabulary) from the pose ``present``.

    A part of the joints is enough; all others stay as they are. A point at time 0 only says where
    the joints are already; alone it is reached as fast as the joints may turn. Raises
    TrajectoryError for unknown joints, wrong numbers of positions, times that do not grow,
    positions outside the limits and speeds above them.
    """
    joints = _joints(names, present)
    if not points:
        raise TrajectoryError(Refusal.INVALID, "the trajectory has no points")
    if len(points) == 1 and points[0].time == 0.0:
        points = [_as_fast_as_possible(points[0], joints, present)]
    previous_time = 0.0
    previous = [present[name] for name in joints]
    slack = START_TOLERANCE_RAD
    kept = []
    for number, point in enumerate(points):
        where = f"point {number}"
        _check_numbers(point, joints, where)
        if point.time < 0.0 or (number > 0 and point.time <= previous_time):
            raise TrajectoryError(
                Refusal.INVALID,
                f"{where}: time_from_start {point.time:g} s does not come after "
                f"{previous_time:g} s",
            )
        error = limit_error(_legs_completed(joints, point.positions, present),
                            full_rotor_range=full_rotor_range)  # fmt: skip
        if error:
            raise TrajectoryError(Refusal.INVALID, f"{where}: {error}")
        span = point.time - previous_time
        for name, position, before in zip(joints, point.positions, previous, strict=True):
            allowed = BY_NAME[name].max_speed * (1.0 + SPEED_TOLERANCE)
            if abs(position - before) > allowed * span + slack:
                speed = abs(position - before) / span if span else math.inf
                raise TrajectoryError(
                    Refusal.INVALID,
                    f"{where}: {name} would have to turn at {speed:.2f} rad/s, "
                    f"its limit is {BY_NAME[name].max_speed:.2f} rad/s",
                )
        if point.time > 0.0:
            kept.append(Point(point.time, point.positions))
        previous_time, previous = point.time, list(point.positions)
        slack = 1e-6 if point.time > 0.0 else START_TOLERANCE_RAD
    return Trajectory(tuple(joints), tuple(kept))


def _joints(names: Sequence[str], present: Mapping[str, float]) -> list[str]:
    joints = []
    for name in names:
        try:
            joint = find(name).name
        except UnknownJointError as error:
            raise TrajectoryError(Refusal.JOINTS, str(error)) from None
        if joint in joints:
            raise TrajectoryError(Refusal.JOINTS, f"{name} is named twice")
        if joint not in present:
            raise TrajectoryError(Refusal.JOINTS, f"the robot does not report {joint}")
        joints.append(joint)
    if not joints:
        raise TrajectoryError(Refusal.JOINTS, "the trajectory names no joints")
    return joints


def _as_fast_as_possible(
    point: Point, joints: Sequence[str], present: Mapping[str, float]
) -> Point:
    """Return ``point`` at the time at which all joints can be there."""
    _check_numbers(point, joints, "point 0")
    times = [
        abs(position - present[name]) / BY_NAME[name].max_speed
        for name, position in zip(joints, point.positions, strict=True)
    ]
    return replace(point, time=max(*times, SHORTEST_MOVE_S))


def _check_numbers(point: Point, joints: Sequence[str], where: str) -> None:
    if len(point.positions) != len(joints):
        raise TrajectoryError(
            Refusal.INVALID,
            f"{where} has {len(point.positions)} positions for {len(joints)} joints",
        )
    if not all(map(math.isfinite, (*point.positions, *point.velocities, point.time))):
        raise TrajectoryError(Refusal.INVALID, f"{where} has a number that is not finite")
    for name, velocity in zip(joints, point.velocities, strict=False):
        limit = BY_NAME[name].max_speed
        if abs(velocity) > limit * (1.0 + SPEED_TOLERANCE):
            raise TrajectoryError(
                Refusal.INVALID,
                f"{where}: {name} at {velocity:.2f} rad/s is faster than its limit of "
                f"{limit:.2f} rad/s",
            )


def _legs_completed(
    joints: Sequence[str], positions: Sequence[float], present: Mapping[str, float]
) -> dict[str, float]:
    """Return the positions with those of the rotors or elevators that they are coupled to."""
    pose = dict(zip(joints, positions, strict=True))
    for name in list(pose):
        leg = name[:3]
        if name.endswith("_elevator") and f"{leg}rotor" in present:
            pose.setdefault(f"{leg}rotor", present[f"{leg}rotor"])
        elif name.endswith("_rotor") and present.get(f"{leg}elevator", 0.0) < -START_TOLERANCE_RAD:
            pose.setdefault(f"{leg}elevator", present[f"{leg}elevator"])
    return pose


# --- following -----------------------------------------------------------------------------


class Progress(Enum):
    """Where a trajectory is."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    PATH_VIOLATED = "path violated"
    GOAL_VIOLATED = "goal violated"

    @property
    def over(self) -> bool:
        """Whether it has ended."""
        return self not in (Progress.WAITING, Progress.RUNNING)


@dataclass(frozen=True)
class Tolerances:
    """How far (rad) joints may be off, on the way and at the end; not there: without limit.

    ``goal_time``: seconds that the end may come late.
    """

    path: Mapping[str, float]
    goal: Mapping[str, float]
    goal_time: float


@dataclass(frozen=True)
class Segment:
    """Joints to be sent to ``targets`` (rad, by name) within ``duration`` (s)."""

    targets: Mapping[str, float]
    duration: float


class Tracker:
    """Follows one trajectory from ``start_time`` on. Feed it with :meth:`update`."""

    def __init__(self, trajectory: Trajectory, tolerances: Tolerances, start_time: float) -> None:
        self.trajectory = trajectory
        self.start_time = start_time
        self.progress = Progress.WAITING
        self.violation = ""
        """What is violated, in a sentence."""
        self._tolerances = tolerances
        self._start: tuple[float, ...] | None = None
        self._sent = -1
        self._times = [point.time for point in trajectory.points]

    def desired(self, now: float) -> tuple[float, ...] | None:
        """Return where the joints should be (rad) at ``now``; None before the start."""
        if self._start is None:
            return None
        positions = [point.positions for point in self.trajectory.points]
        return interpolated(self._times, positions, now - self.start_time, self._start)

    def update(self, now: float, present: Mapping[str, float]) -> Segment | None:
        """Take the positions ``present`` (rad) at ``now`` (s); return what is to be sent, if any.

        Afterwards ``progress`` tells whether it is over.
        """
        time = now - self.start_time
        if self.progress.over or time < -LOOK_AHEAD_S:
            return None
        joints = self.trajectory.joints
        actual = tuple(present.get(name, math.nan) for name in joints)
        if self._start is None:
            self._start = actual
            self.progress = Progress.RUNNING
        self._check_path(now, actual)
        if self.progress.over:
            return None
        if time >= self.trajectory.duration:
            self._check_goal(time, actual)
            if self.progress.over:
                return None
        following = bisect_right(self._times, max(time, 0.0) + LOOK_AHEAD_S)
        following = min(following, len(self._times) - 1)
        if following <= self._sent:
            return None
        self._sent = following
        point = self.trajectory.points[following]
        targets = dict(zip(joints, point.positions, strict=True))
        return Segment(targets, max(point.time - max(time, 0.0), 0.0))

    def _check_path(self, now: float, actual: Sequence[float]) -> None:
        desired = self.desired(now)
        assert desired is not None
        for name, wanted, is_at in zip(self.trajectory.joints, desired, actual, strict=True):
            limit = self._tolerances.path.get(name)
            # Written so that nan, a joint that is not reported any more, is a violation.
            if limit is not None and not abs(wanted - is_at) <= limit:
                self.progress = Progress.PATH_VIOLATED
                self.violation = (
                    f"{name} is at {is_at:.4f} rad instead of {wanted:.4f} rad, "
                    f"the path tolerance is {limit:.4f} rad"
                )

    def _check_goal(self, time: float, actual: Sequence[float]) -> None:
        last = self.trajectory.points[-1].positions
        off = [
            f"{name} is at {is_at:.4f} rad instead of {wanted:.4f} rad, "
            f"the goal tolerance is {limit:.4f} rad"
            for name, wanted, is_at in zip(self.trajectory.joints, last, actual, strict=True)
            if (limit := self._tolerances.goal.get(name)) is not None
            and not abs(wanted - is_at) <= limit
        ]
        if not off:
            self.progress = Progress.DONE
        elif time > self.trajectory.duration + self._tolerances.goal_time:
            self.progress = Progress.GOAL_VIOLATED
            self.violation = "; ".join(off)
