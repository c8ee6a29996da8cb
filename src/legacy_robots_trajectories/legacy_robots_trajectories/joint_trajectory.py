# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Joint trajectories: limits, interpolation, segments to be sent, tolerances. No ROS.

Between two points the joints go as with ros2_control's joint_trajectory_controller: in a straight
line, on a cubic where the points have velocities, on a quintic where they have accelerations too.
A curve is cut into straight pieces of at most PIECE_S, whose speeds are checked and which robots
follow that know nothing but a target and a time. What cannot be honoured is refused: points of
which only some have velocities, a last point that is not at rest, efforts.
"""

from __future__ import annotations

import enum
import math
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

__all__ = ["JointLimits", "Tracker"]

LIMIT_TOLERANCE_RAD = 1e-6
"""Distance beyond a limit that still counts as at it: degrees and radians round differently."""
SPEED_TOLERANCE = 0.001
"""How much faster than its limit a joint may be asked to turn, as a fraction: for rounding."""
REST_RAD_S = 0.001
"""Speed of the last point that counts as rest."""
START_TOLERANCE_RAD = 0.05
"""Distance of a first point at time 0, as measured by the client, from where the joints are."""
SHORTEST_MOVE_S = 0.001
LONGEST_S = (2**31 - 1) / 1000
"""Duration of a trajectory, 24 days: robots are given milliseconds, in 32 bits."""
PIECE_S = 0.04
MOST_PIECES = 200
"""Of a curve between two points, however long it takes."""
LOOK_AHEAD_S = 0.016
"""Seconds before its beginning at which a segment may be sent."""

Angles = tuple[float, ...]
_Array = NDArray[np.float64]


class Outcome(enum.IntEnum):
    """How a trajectory ended: 0 to -5 as control_msgs/FollowJointTrajectory, below -99 ours."""

    SUCCEEDED = 0
    INVALID = -1
    INVALID_JOINTS = -2
    OLD_HEADER_TIMESTAMP = -3
    PATH_TOLERANCE_VIOLATED = -4
    GOAL_TOLERANCE_VIOLATED = -5
    LINK_LOST = -100
    INTERRUPTED = -101
    SHUTDOWN = -102
    CANCELED = 1

    @property
    def error_code(self) -> int:
        """The action's error_code; a cancelled goal has that of success."""
        return min(int(self), 0)


class TrajectoryError(Exception):
    """Raised for a trajectory that is refused; the message gives the reason."""

    def __init__(self, message: str, outcome: Outcome = Outcome.INVALID) -> None:
        super().__init__(message)
        self.outcome = outcome


@dataclass(frozen=True)
class JointLimits:
    """What the robot's model says of a joint: least and greatest position (rad), speed (rad/s)."""

    lower: float
    upper: float
    max_speed: float


@dataclass(frozen=True)
class Point:
    """Where the joints are to be at ``time`` (s from the start); rad, rad/s, rad/s²."""

    time: float
    positions: Angles
    velocities: Angles = ()
    accelerations: Angles = ()
    efforts: Angles = ()


@dataclass(frozen=True)
class Trajectory:
    """A trajectory that was found good, in straight lines; the first entry is the start."""

    joints: tuple[str, ...]
    times: tuple[float, ...]
    positions: tuple[Angles, ...]

    @property
    def duration(self) -> float:
        """Seconds from the start to the last point."""
        return self.times[-1]

    def at(self, time: float) -> Angles:
        """Return the positions (rad) at ``time`` (s from the start); outside they stay."""
        after = bisect_right(self.times, time)
        if after in (0, len(self.times)):
            return self.positions[max(0, after - 1)]
        begun, before = self.times[after - 1], self.positions[after - 1]
        part = (time - begun) / (self.times[after] - begun)
        pairs = zip(before, self.positions[after], strict=True)
        return tuple(a + part * (b - a) for a, b in pairs)


# --- checking ------------------------------------------------------------------------------


def own_names(names: Sequence[str], known: Mapping[str, str]) -> tuple[str, ...]:
    """Return the robot's names of joints; ``known`` has them by each name that is understood.

    Raises TrajectoryError.
    """
    joints: list[str] = []
    for name in names:
        joint = known.get(name)
        if joint is None:
            all_joints = ", ".join(dict.fromkeys(known.values()))
            text = f"{name!r} is no joint of the robot; its joints are {all_joints}"
            raise TrajectoryError(text, Outcome.INVALID_JOINTS)
        if joint in joints:
            raise TrajectoryError(f"{name} is named twice", Outcome.INVALID_JOINTS)
        joints.append(joint)
    if not joints:
        raise TrajectoryError("the trajectory names no joints", Outcome.INVALID_JOINTS)
    return tuple(joints)


def check(
    joints: Sequence[str],
    points: Sequence[Point],
    limits: Mapping[str, JointLimits],
    start: Mapping[str, float],
    *,
    slack: float = 0.0,
    elapsed: float = 0.0,
    at_once: bool = False,
    pose_error: Callable[[Mapping[str, float]], str | None] = lambda pose: None,
) -> Trajectory:
    """Return the trajectory of ``joints`` through ``points`` from where they are.

    A point at time 0 only says where the joints are already. Raises TrajectoryError for wrong
    numbers, times that do not grow, positions outside the limits, speeds above them, and what
    cannot be honoured.

    Parameters
    ----------
    joints, points
        The robot's own names, and positions of all of them.
    limits
        The robot's, by name.
    start
        Where the joints are (rad, by name); empty: not known, and the first way is not judged.
    slack
        rad by which ``start`` may be off.
    elapsed
        Seconds of the trajectory that have passed: points of this time are left out.
    at_once
        Whether a single point at time 0 is reached as fast as the joints may turn.
    pose_error
        Says what a pose breaks besides the limits of each joint, or None.

    """
    bounds = _Bounds(joints, limits)
    _check_form(points, bounds)
    if points[-1].time <= elapsed > 0.0:
        raise TrajectoryError("the trajectory ends in the past", Outcome.OLD_HEADER_TIMESTAMP)
    start = start or dict(zip(joints, points[0].positions, strict=True))
    if missing := [joint for joint in joints if joint not in start]:
        text = f"the robot does not report {', '.join(missing)}"
        raise TrajectoryError(text, Outcome.INVALID_JOINTS)
    present = tuple(start[joint] for joint in joints)
    if len(points) == 1 and points[0].time == 0.0:
        if not at_once:
            bounds.check_positions("point 0", points[0].positions)
            bounds.check_step("point 0", Point(0.0, present), points[0], START_TOLERANCE_RAD)
        fastest = np.max(np.abs(np.subtract(points[0].positions, present)) / bounds.speed)
        points = [Point(max(float(fastest), SHORTEST_MOVE_S), points[0].positions)]
    at_rest = (0.0,) * len(joints)
    before = Point(
        elapsed,
        present,
        at_rest if points[0].velocities else (),
        at_rest if points[0].accelerations else (),
    )
    way = [before]
    for number, point in enumerate(points):
        where = f"point {number}"
        bounds.check_positions(where, point.positions)
        if error := pose_error(dict(zip(joints, point.positions, strict=True))):
            raise TrajectoryError(f"{where}: {error}")
        if point.time == 0.0:
            bounds.check_step(where, before, point, START_TOLERANCE_RAD)
            before, slack = replace(point, positions=present), START_TOLERANCE_RAD
        elif point.time > elapsed:
            for piece in _pieces(before, point):
                bounds.check_step(where, way[-1], piece, slack)
                # A way may begin where a joint is outside its limits.
                bounds.check_positions(f"the way to {where}", piece.positions, before.positions)
                way.append(piece)
                slack = LIMIT_TOLERANCE_RAD
            before = point
    times, positions = zip(*((point.time, point.positions) for point in way), strict=True)
    return Trajectory(tuple(joints), times, positions)


class _Bounds:
    """The limits of some joints; what is beyond them is refused with the name of the joint."""

    def __init__(self, joints: Sequence[str], limits: Mapping[str, JointLimits]) -> None:
        self.joints = joints
        known = [limits[joint] for joint in joints]
        self.lower = np.array([limit.lower for limit in known])
        self.upper = np.array([limit.upper for limit in known])
        self.speed = np.array([limit.max_speed for limit in known])

    def check_positions(self, where: str, positions: Angles, begin: Angles | None = None) -> None:
        """Check positions (rad); none need be nearer to the limits than at the ``begin``."""
        lower, upper = self.lower, self.upper
        if begin is not None:
            lower, upper = np.minimum(lower, begin), np.maximum(upper, begin)
        outside = np.maximum(lower - positions, np.subtract(positions, upper))
        if outside[worst := int(outside.argmax())] > LIMIT_TOLERANCE_RAD:
            raise TrajectoryError(
                f"{where}: {self.joints[worst]} at {positions[worst]:.4f} rad is outside its "
                f"limits of {self.lower[worst]:.4f} to {self.upper[worst]:.4f} rad"
            )

    def check_step(self, where: str, before: Point, after: Point, slack: float) -> None:
        """Check the speeds between two points, of which one may be off by ``slack`` rad."""
        span = after.time - before.time
        turns = np.abs(np.subtract(after.positions, before.positions))
        excess = turns - slack - self.speed * (1.0 + SPEED_TOLERANCE) * span
        if excess[worst := int(excess.argmax())] > 0.0:
            speed = turns[worst] / span if span else math.inf
            raise TrajectoryError(
                f"{where}: {self.joints[worst]} would have to turn at {speed:.2f} rad/s, "
                f"its limit is {self.speed[worst]:.2f} rad/s"
            )

    def check_velocities(self, where: str, velocities: Angles, why: str, limits: _Array) -> None:
        """Check the velocities that are given (rad/s)."""
        for joint, velocity, limit in zip(self.joints, velocities, limits, strict=False):
            if abs(velocity) > limit:
                raise TrajectoryError(f"{where}: {joint} at {velocity:.2f} rad/s {why}")


def _check_form(points: Sequence[Point], bounds: _Bounds) -> None:
    """Check numbers, times and velocities of each point."""
    if not points:
        raise TrajectoryError("the trajectory has no points")
    previous, count = -math.inf, len(bounds.joints)
    for number, point in enumerate(points):
        where = f"point {number}"
        for kind in ("positions", "velocities", "accelerations"):
            values = getattr(point, kind)
            if len(values) != count and (kind == "positions" or values):
                raise TrajectoryError(f"{where} has {len(values)} {kind} for {count} joints")
            if bool(values) != bool(getattr(points[0], kind)):
                has, have = ("no", "have some") if not values else ("some", "have none")
                raise TrajectoryError(f"{where} has {has} {kind}, the points before it {have}")
            if not all(map(math.isfinite, (*values, point.time))):
                raise TrajectoryError(f"{where} has a number that is not finite")
        if point.accelerations and not point.velocities:
            raise TrajectoryError(f"{where} has accelerations without velocities")
        if point.efforts:
            raise TrajectoryError(f"{where} has efforts, which the robot cannot be given")
        if point.time < 0.0 or point.time <= previous:
            raise TrajectoryError(
                f"{where}: time_from_start {point.time:g} s does not come after "
                f"{max(previous, 0.0):g} s"
            )
        if point.time > LONGEST_S:
            text = f"time_from_start {point.time:.10g} s is more than {LONGEST_S:.10g} s"
            raise TrajectoryError(f"{where}: {text}, the longest that a robot can be given")
        previous = point.time
        fastest = bounds.speed * (1.0 + SPEED_TOLERANCE)
        bounds.check_velocities(where, point.velocities, "is faster than its limit", fastest)
    rest = np.full(count, REST_RAD_S)
    why = "does not stop, as the robot does there"
    bounds.check_velocities("the last point", points[-1].velocities, why, rest)


def _pieces(a: Point, b: Point) -> Iterator[Point]:
    """Yield the points of the curve from ``a``, which is left out, to ``b`` itself."""
    if b.velocities:
        span = b.time - a.time
        curve = _polynomial(a, b, span)
        number = min(math.ceil(span / PIECE_S), MOST_PIECES)
        for piece in range(1, number):
            u = piece / number
            yield Point(a.time + u * span, tuple(np.polyval(curve, u).tolist()))
    yield b


def _polynomial(a: Point, b: Point, span: float) -> list[_Array]:
    """Return the coefficients from ``a`` (at 0) to ``b`` (at 1), the highest power first."""
    p0, p1 = np.array(a.positions), np.array(b.positions)
    v0, v1 = np.array(a.velocities) * span, np.array(b.velocities) * span
    if not b.accelerations:
        rest, turn = p1 - p0 - v0, v1 - v0
        return [turn - 2.0 * rest, 3.0 * rest - turn, v0, p0]
    c0, c1 = (0.5 * np.array(point.accelerations) * span**2 for point in (a, b))
    rest, turn, bend = p1 - p0 - v0 - c0, v1 - v0 - 2.0 * c0, c1 - c0
    return [
        6.0 * rest - 3.0 * turn + bend,
        -15.0 * rest + 7.0 * turn - 2.0 * bend,
        10.0 * rest - 4.0 * turn + bend,
        c0, v0, p0,
    ]  # fmt: skip


# --- following -----------------------------------------------------------------------------


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
    """One trajectory that is followed from ``start_time`` on, all times in the same seconds."""

    def __init__(self, trajectory: Trajectory, tolerances: Tolerances, start_time: float) -> None:
        self.trajectory = trajectory
        self.start_time = start_time
        self._tolerances = tolerances
        self._sent = 0

    def desired(self, now: float) -> Angles:
        """Return where the joints should be (rad) at ``now``."""
        return self.trajectory.at(now - self.start_time)

    def segment(self, now: float) -> Segment | None:
        """Return the segment that begins at ``now``, if it has not been returned before.

        Segments that are over already are left out, but never the last.
        """
        path, time = self.trajectory, now - self.start_time
        begins = bisect_right(path.times, max(time, path.times[0]) + LOOK_AHEAD_S)
        following = min(begins, len(path.times) - 1)
        if following <= self._sent:
            return None
        self._sent = following
        targets = dict(zip(path.joints, path.positions[following], strict=True))
        return Segment(targets, max(path.times[following] - max(time, path.times[0]), 0.0))

    def judge(self, now: float, present: Mapping[str, float]) -> tuple[Outcome, str] | None:
        """Return how the trajectory ends with the joints at ``present`` (rad), if it does."""
        late = now - self.start_time - self.trajectory.duration
        if off := self._off(self.desired(now), present, self._tolerances.path, "path"):
            return Outcome.PATH_TOLERANCE_VIOLATED, off
        if late < 0.0:
            return None
        last = self.trajectory.positions[-1]
        if not (off := self._off(last, present, self._tolerances.goal, "goal")):
            return Outcome.SUCCEEDED, "the goal is reached"
        if late > self._tolerances.goal_time:
            return Outcome.GOAL_TOLERANCE_VIOLATED, off
        return None

    def _off(
        self, desired: Angles, present: Mapping[str, float], limits: Mapping[str, float], kind: str
    ) -> str:
        return "; ".join(
            f"{joint} is at {is_at:.4f} rad instead of {wanted:.4f} rad, "
            f"the {kind} tolerance is {limits[joint]:.4f} rad"
            for joint, wanted in zip(self.trajectory.joints, desired, strict=True)
            if joint in limits
            # Written so that nan, a joint that is no longer reported, is off.
            and not abs(wanted - (is_at := present.get(joint, math.nan))) <= limits[joint]
        )
