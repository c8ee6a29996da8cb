# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Trajectories: what is refused, where the joints are to be, what is sent when, how it ends."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import pytest
from control_msgs.action import FollowJointTrajectory
from hypothesis import assume, given
from hypothesis import strategies as st

from legacy_robots_trajectories.joint_trajectory import (
    MOST_PIECES,
    JointLimits,
    Outcome,
    Point,
    Segment,
    Tolerances,
    Tracker,
    Trajectory,
    TrajectoryError,
    check,
    own_names,
)

PAN = JointLimits(-1.5, 1.5, 5.0)
LIMITS = {"pan": PAN, "tilt": JointLimits(-1.3, 0.0, 3.0)}
START = {"pan": 0.0, "tilt": -0.1}


def found_good(joints: list[str], points: list[Point], **options: Any) -> Trajectory:
    return check(joints, points, LIMITS, **{"start": START, **options})


def pan(*points: tuple[float, ...]) -> Trajectory:
    """Return a trajectory of one joint; a point is time, position, velocity, acceleration."""
    return found_good(["pan"], [Point(t, (p,), *((v,) for v in more)) for t, p, *more in points])


def follow(
    tracker: Tracker, cycle: float = 0.032, until: float = 10.0
) -> tuple[tuple[Outcome, str] | None, list[tuple[float, Segment]]]:
    """Drive joints that go exactly where they are sent; return the end and what was sent when."""
    now, sent = 0.0, []
    position = dict(START)
    moves: dict[str, tuple[float, float, float, float]] = {}
    end = None
    while end is None and now < until:
        for name, (begun, start, ends, target) in moves.items():
            part = 1.0 if now >= ends else (now - begun) / (ends - begun)
            position[name] = start + part * (target - start)
        end = tracker.judge(now, position)
        segment = tracker.segment(now)
        if segment is not None:
            sent.append((now, segment))
            for name, target in segment.targets.items():
                moves[name] = (now, position[name], now + segment.duration, target)
        now += cycle
    return end, sent


# --- the way -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "time, expected",
    [
        (-1.0, (0.0, 4.0)),
        (0.0, (0.0, 4.0)),
        (0.5, (0.5, 3.0)),
        (1.0, (1.0, 2.0)),
        (2.0, (0.5, 2.5)),
        (3.0, (0.0, 3.0)),
        (9.0, (0.0, 3.0)),
    ],
)
def test_from_the_start_through_the_points_to_the_last_one(
    time: float, expected: tuple[float, float]
) -> None:
    path = Trajectory(("a", "b"), (0.0, 1.0, 3.0), ((0.0, 4.0), (1.0, 2.0), (0.0, 3.0)))
    assert path.at(time) == pytest.approx(expected)


def test_velocities_make_cubics_that_start_at_rest() -> None:
    path = pan((1.0, 1.0, 0.0))
    for time in (0.25, 0.5, 0.75):
        assert path.at(time)[0] == pytest.approx(3 * time**2 - 2 * time**3, abs=0.002)
    through = pan((1.0, 0.5, 1.0), (2.0, 1.0, 0.0))
    (before,), (after,) = through.at(0.98), through.at(1.02)
    assert (after - before) / 0.04 == pytest.approx(1.0, abs=0.03)


def test_accelerations_make_quintics() -> None:
    path = pan((2.0, 1.0, 0.0, 0.0))
    for u in (0.2, 0.5, 0.9):
        assert path.at(2.0 * u)[0] == pytest.approx(10 * u**3 - 15 * u**4 + 6 * u**5, abs=0.002)
    through = pan((1.0, 0.2, 0.5, 0.8), (2.0, 0.5, 0.0, 0.0))
    a, b, c = (through.at(1.0 + t)[0] for t in (-0.04, 0.0, 0.04))
    assert (c - a) / 0.08 == pytest.approx(0.5, abs=0.01)
    assert (c - 2.0 * b + a) / 0.04**2 == pytest.approx(0.8, abs=0.1)


def test_a_long_curve_has_few_pieces() -> None:
    assert len(pan((3600.0, 1.0, 0.0)).times) == MOST_PIECES + 1


# --- what is refused -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "names,sentence",
    [
        (["wing"], "'wing' is no joint of the robot; its joints are pan, tilt"),
        (["pan", "head_pan"], "head_pan is named twice"),
        ([], "names no joints"),
    ],
)
def test_joints_that_are_refused(names: list[str], sentence: str) -> None:
    known = {"pan": "pan", "head_pan": "pan", "tilt": "tilt"}
    with pytest.raises(TrajectoryError, match=sentence) as caught:
        own_names(names, known)
    assert caught.value.outcome is Outcome.INVALID_JOINTS
    assert own_names(["tilt", "head_pan"], known) == ("tilt", "pan")


NAN = math.nan


@pytest.mark.parametrize(
    "points,sentence",
    [
        ([], "no points"),
        ([Point(1.0, (0.0, 0.1))], "point 0 has 2 positions for 1 joints"),
        ([Point(1.0, (0.0,), (0.0, 0.0))], "point 0 has 2 velocities for 1 joints"),
        ([Point(1.0, (0.0,), (0.0,)), Point(2.0, (0.0,))], "point 1 has no velocities, the poi"),
        ([Point(1.0, (0.0,)), Point(2.0, (0.0,), (0.0,))], "point 1 has some velocities, the po"),
        ([Point(1.0, (0.0,), (), (1.0,))], "accelerations without velocities"),
        ([Point(1.0, (0.0,), (), (), (1.0,))], "point 0 has efforts"),
        ([Point(1.0, (0.1,), (0.5,))], "the last point: pan at 0.50 rad/s does not stop"),
        ([Point(1.0, (NAN,))], "not finite"),
        ([Point(NAN, (0.0,))], "not finite"),
        ([Point(1.0, (0.1,), (NAN,))], "not finite"),
        ([Point(1.0, (0.1,), (0.0,), (math.inf,))], "not finite"),
        ([Point(-1.0, (0.0,))], "time_from_start -1 s does not come after"),
        ([Point(1.0, (0.0,)), Point(1.0, (0.1,))], "does not come after"),
        ([Point(1.0, (1.6,))], "pan at 1.6000 rad is outside its limits of -1.5000 to 1.5000 rad"),
        ([Point(0.0, (1.6,))], "pan at 1.6000 rad is outside"),
        ([Point(1.0, (0.1,), (9.0,))], "pan at 9.00 rad/s is faster than its limit"),
        ([Point(0.0, (0.3,))], r"pan would have to turn at inf rad/s, its limit is 5.00 rad/s"),
        ([Point(2147484.0, (0.1,))], "time_from_start 2147484 s is more than 2147483.647 s"),
        ([Point(1.0, (0.1,)), Point(2.0**31 - 1, (0.0,))], "point 1: time_from_start 2147483647"),
        ([Point(0.2, (1.5,))], r"pan would have to turn at 7.50 rad/s, its limit is 5.00 rad/s"),
        # 1.5 times the mean speed in its middle
        ([Point(0.4, (1.5,), (0.0,))], r"pan would have to turn at 5\.\d\d rad/s"),
        (
            [Point(1.0, (1.4,), (3.0,)), Point(2.0, (1.4,), (0.0,))],
            r"the way to point 1: pan at 1\.\d+ rad is outside its limits",
        ),
    ],
)
def test_points_that_are_refused(points: list[Point], sentence: str) -> None:
    with pytest.raises(TrajectoryError, match=sentence) as caught:
        found_good(["pan"], points)
    assert caught.value.outcome is Outcome.INVALID


@pytest.mark.parametrize("name", LIMITS)
def test_one_per_cent_beyond_each_limit_and_speed_is_refused_by_name(name: str) -> None:
    joint = LIMITS[name]
    for beyond in (joint.lower - 0.01 * abs(joint.lower), joint.upper + 0.01 * PAN.upper):
        with pytest.raises(TrajectoryError, match=f"{name} at .* is outside its limits"):
            found_good([name], [Point(9.0, (beyond,))])
    way = abs(joint.lower - START[name])
    with pytest.raises(TrajectoryError, match=f"{name} would have to turn at"):
        found_good([name], [Point(way / joint.max_speed / 1.01, (joint.lower,))])
    found_good([name], [Point(way / joint.max_speed, (joint.lower,))])


def test_the_beginning_may_be_off_by_as_much_as_it_is_not_known() -> None:
    fast = [Point(0.1, (0.51,))]
    with pytest.raises(TrajectoryError, match=r"turn at 5\.10 rad/s"):
        found_good(["pan"], fast)
    found_good(["pan"], fast, slack=0.02)


def test_a_joint_outside_its_limits_may_come_back() -> None:
    path = found_good(["tilt"], [Point(2.0, (-0.5,), (0.0,))], start={"tilt": 0.3})
    assert path.at(0.0) == (0.3,)


def test_a_joint_that_the_robot_does_not_report() -> None:
    with pytest.raises(TrajectoryError, match="the robot does not report tilt") as caught:
        found_good(["pan", "tilt"], [Point(1.0, (0.0, 0.0))], start={"pan": 0.0})
    assert caught.value.outcome is Outcome.INVALID_JOINTS


def test_of_a_robot_that_reports_nothing_only_the_first_way_is_not_judged() -> None:
    found_good(["pan"], [Point(0.001, (1.5,))], start={})
    with pytest.raises(TrajectoryError, match="point 1: pan would have to turn"):
        found_good(["pan"], [Point(0.001, (1.5,)), Point(0.002, (0.0,))], start={})
    with pytest.raises(TrajectoryError, match="outside"):
        found_good(["pan"], [Point(1.0, (1.6,))], start={})


def test_what_the_robot_says_of_a_pose() -> None:
    points = [Point(1.0, (0.1, -0.2))]
    asked = []

    def error(pose: Any) -> str:
        asked.append(dict(pose))
        return "the head would touch the back"

    with pytest.raises(TrajectoryError, match="point 0: the head would touch the back"):
        found_good(["pan", "tilt"], points, pose_error=error)
    assert asked == [{"pan": 0.1, "tilt": -0.2}]


def test_a_single_point_at_time_0_is_where_the_joints_are_or_as_far_as_they_get() -> None:
    away = [Point(0.0, (1.0, -0.1), (0.0, 0.0))]
    with pytest.raises(TrajectoryError, match="point 0: pan would have to turn at inf rad/s"):
        found_good(["pan", "tilt"], away)
    far = found_good(["pan", "tilt"], away, at_once=True)
    assert far.duration == pytest.approx(1.0 / 5.0)
    there = found_good(["pan"], [Point(0.0, (0.0,))])
    assert 0.0 < there.duration < 0.01
    with pytest.raises(TrajectoryError, match="2 positions for 1 joints"):
        found_good(["pan"], [Point(0.0, (1.0, 0.0))])


def test_the_first_point_may_be_where_the_joints_are() -> None:
    path = pan((0.0, 0.01), (1.0, 0.5))
    assert (path.times, path.positions) == ((0.0, 1.0), ((0.0,), (0.5,)))
    with pytest.raises(TrajectoryError, match="would have to turn at inf rad/s"):
        pan((0.0, 0.4), (1.0, 0.5))
    moving = pan((0.0, 0.0, 1.0), (1.0, 0.5, 0.0))
    assert moving.at(0.08)[0] == pytest.approx(0.08, abs=0.01)


def test_a_trajectory_that_began_in_the_past_is_joined_within_the_limits() -> None:
    points = [Point(1.0, (0.2,)), Point(2.0, (1.0,))]
    path = found_good(["pan"], points, elapsed=1.5)
    assert (path.times, path.positions) == ((1.5, 2.0), ((0.0,), (1.0,)))
    with pytest.raises(TrajectoryError, match=r"turn at 10\.00 rad/s"):
        found_good(["pan"], points, elapsed=1.9)
    with pytest.raises(TrajectoryError, match="ends in the past") as caught:
        found_good(["pan"], points, elapsed=2.0)
    assert caught.value.outcome is Outcome.OLD_HEADER_TIMESTAMP


# --- following -----------------------------------------------------------------------------


def test_segments_are_sent_in_time() -> None:
    path = pan((1.0, 0.5), (1.5, 0.0), (3.0, 1.0))
    end, sent = follow(Tracker(path, Tolerances({"pan": 0.03}, {"pan": 0.01}, 0.5), 0.0))
    assert end == (Outcome.SUCCEEDED, "the goal is reached")
    assert [segment.targets["pan"] for _, segment in sent] == [0.5, 0.0, 1.0]
    for (now, segment), (begin, over) in zip(
        sent, [(0.0, 1.0), (1.0, 1.5), (1.5, 3.0)], strict=True
    ):
        assert now == pytest.approx(begin, abs=0.017)
        assert now + segment.duration == pytest.approx(over)


def test_a_curve_is_followed_piece_by_piece() -> None:
    path = pan((1.0, 1.0, 0.0))
    end, sent = follow(Tracker(path, Tolerances({"pan": 0.06}, {"pan": 0.001}, 0.5), 0.0))
    assert end == (Outcome.SUCCEEDED, "the goal is reached")
    assert 15 < len(sent) <= 32


def test_points_closer_than_a_cycle_are_skipped_but_never_the_last() -> None:
    path = pan(*((i / 100, i / 200) for i in range(1, 101)))
    end, sent = follow(Tracker(path, Tolerances({}, {"pan": 0.01}, 0.5), 0.0))
    assert end is not None
    assert end[0] is Outcome.SUCCEEDED
    assert len(sent) <= 33
    assert sent[-1][1].targets == {"pan": 0.5}


def test_the_path_tolerance() -> None:
    tracker = Tracker(pan((1.0, 0.5)), Tolerances({"pan": 0.1}, {}, 0.5), 0.0)
    assert tracker.judge(0.0, START) is None
    assert tracker.judge(0.15, START) is None
    assert tracker.desired(0.5) == (0.25,)
    assert tracker.judge(0.5, START) == (
        Outcome.PATH_TOLERANCE_VIOLATED,
        "pan is at 0.0000 rad instead of 0.2500 rad, the path tolerance is 0.1000 rad",
    )


def test_the_goal_tolerance_and_its_time() -> None:
    tracker = Tracker(pan((1.0, 0.5)), Tolerances({}, {"pan": 0.1}, 0.5), 0.0)
    for now in (0.0, 1.0, 1.4):
        assert tracker.judge(now, START) is None
    end = tracker.judge(1.6, START)
    assert end is not None
    assert end[0] is Outcome.GOAL_TOLERANCE_VIOLATED
    assert "the goal tolerance is 0.1000 rad" in end[1]


def test_a_joint_that_is_not_reported_any_more_violates() -> None:
    tracker = Tracker(pan((1.0, 0.5)), Tolerances({"pan": 0.1}, {}, 0.5), 0.0)
    assert tracker.judge(0.0, START) is None
    end = tracker.judge(0.1, {})
    assert end is not None
    assert end[0] is Outcome.PATH_TOLERANCE_VIOLATED


def test_error_codes_are_those_of_the_action() -> None:
    result = FollowJointTrajectory.Result
    assert Outcome.SUCCEEDED.error_code == Outcome.CANCELED.error_code == result.SUCCESSFUL
    assert Outcome.INVALID.error_code == result.INVALID_GOAL
    for name in (
        "INVALID_JOINTS", "OLD_HEADER_TIMESTAMP", "PATH_TOLERANCE_VIOLATED",
        "GOAL_TOLERANCE_VIOLATED",
    ):  # fmt: skip
        assert Outcome[name].error_code == getattr(result, name)


# --- properties ----------------------------------------------------------------------------


@given(st.lists(st.tuples(st.floats(0.2, 1.5), st.floats(-1.0, 1.0)), min_size=1, max_size=8))
def test_what_is_accepted_is_within_the_limits_and_is_followed(
    steps: list[tuple[float, float]],
) -> None:
    time, points = 0.0, []
    for wait, position in steps:
        time += wait
        points.append(Point(time, (position,)))
    before = 0.0
    for (wait, _), point in zip(steps, points, strict=True):
        assume(abs(point.positions[0] - before) <= PAN.max_speed * wait)
        before = point.positions[0]
    path = found_good(["pan"], points)
    end, _ = follow(Tracker(path, Tolerances({}, {"pan": 0.001}, 0.5), 0.0), until=time + 2.0)
    assert end is not None
    assert end[0] is Outcome.SUCCEEDED


@given(
    st.lists(
        st.tuples(
            st.floats(0.1, 2.0), st.floats(-1.5, 1.5), st.floats(-5.0, 5.0), st.floats(-9.0, 9.0)
        ),
        min_size=1, max_size=6,
    ),
    st.booleans(),
)  # fmt: skip
def test_no_curve_that_is_accepted_leaves_the_limits(
    steps: list[tuple[float, float, float, float]], quintic: bool
) -> None:
    time, points = 0.0, []
    for number, (wait, position, velocity, acceleration) in enumerate(steps, 1):
        time += wait
        at = 0.0 if number == len(steps) else velocity
        points.append(Point(time, (position,), (at,), (acceleration,) if quintic else ()))
    try:
        path = found_good(["pan"], points)
    except TrajectoryError:
        return
    for (t0, a), (t1, b) in pairwise(zip(path.times, path.positions, strict=True)):
        assert PAN.lower - 1e-5 <= b[0] <= PAN.upper + 1e-5
        assert abs(b[0] - a[0]) <= PAN.max_speed * 1.01 * (t1 - t0) + 1e-5
