# SPDX-License-Identifier: Apache-2.0
"""Trajectories: what is refused, what is sent when, and when it is over."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from aibo_gti_bridge.joints import BY_NAME
from aibo_gti_bridge.poses import STANDING
from aibo_gti_bridge.trajectory import (
    Point,
    Progress,
    Refusal,
    Segment,
    Tolerances,
    Tracker,
    TrajectoryError,
    check,
)

NONE = Tolerances({}, {}, 0.5)
HEAD = {**STANDING, "neck_pan": 0.0, "neck_tilt": 0.0}


def follow(
    tracker: Tracker, cycle: float = 0.032, until: float = 10.0
) -> list[tuple[float, Segment]]:
    """Drive a joint that goes exactly where it is sent; return what was sent when."""
    now, sent = 0.0, []
    position = dict(HEAD)
    moves: dict[str, tuple[float, float, float, float]] = {}
    while not tracker.progress.over and now < until:
        for name, (begun, start, ends, target) in moves.items():
            part = 1.0 if now >= ends else (now - begun) / (ends - begun)
            position[name] = start + part * (target - start)
        segment = tracker.update(now, position)
        if segment is not None:
            sent.append((now, segment))
            for name, target in segment.targets.items():
                moves[name] = (now, position[name], now + segment.duration, target)
        now += cycle
    return sent


def test_segments_are_sent_in_time() -> None:
    path = check(["neck_pan"], [Point(1.0, (0.5,)), Point(1.5, (0.0,)), Point(3.0, (1.0,))], HEAD)
    tracker = Tracker(path, Tolerances({"neck_pan": 0.03}, {"neck_pan": 0.01}, 0.5), 0.0)
    sent = follow(tracker)
    assert tracker.progress is Progress.DONE
    assert [segment.targets["neck_pan"] for _, segment in sent] == [0.5, 0.0, 1.0]
    for (now, segment), (begin, end) in zip(
        sent, [(0.0, 1.0), (1.0, 1.5), (1.5, 3.0)], strict=True
    ):
        assert now == pytest.approx(begin, abs=0.017)
        assert now + segment.duration == pytest.approx(end)


def test_points_closer_than_a_cycle_are_skipped_but_never_the_last() -> None:
    points = [Point(i / 100, (i / 200,)) for i in range(1, 101)]
    tracker = Tracker(
        check(["neck_pan"], points, HEAD), Tolerances({}, {"neck_pan": 0.01}, 0.5), 0.0
    )
    sent = follow(tracker)
    assert tracker.progress is Progress.DONE
    assert len(sent) <= 33
    assert sent[-1][1].targets == {"neck_pan": 0.5}


def test_a_start_in_the_future() -> None:
    tracker = Tracker(check(["neck_pan"], [Point(1.0, (0.5,))], HEAD), NONE, 2.0)
    assert tracker.update(1.0, HEAD) is None
    assert tracker.progress is Progress.WAITING
    assert tracker.desired(1.0) is None
    sent = follow(tracker)
    assert sent[0][0] == pytest.approx(2.0, abs=0.017)


def test_the_path_tolerance() -> None:
    path = check(["neck_pan"], [Point(1.0, (0.5,))], HEAD)
    tracker = Tracker(path, Tolerances({"neck_pan": 0.1}, {}, 0.5), 0.0)
    tracker.update(0.0, HEAD)
    tracker.update(0.15, HEAD)
    assert tracker.progress is Progress.RUNNING
    assert tracker.desired(0.5) == (0.25,)
    assert tracker.update(0.5, HEAD) is None
    assert tracker.progress is Progress.PATH_VIOLATED
    assert tracker.violation == (
        "neck_pan is at 0.0000 rad instead of 0.2500 rad, the path tolerance is 0.1000 rad"
    )


def test_the_goal_tolerance_and_its_time() -> None:
    path = check(["neck_pan"], [Point(1.0, (0.5,))], HEAD)
    tracker = Tracker(path, Tolerances({}, {"neck_pan": 0.1}, 0.5), 0.0)
    for now in (0.0, 1.0, 1.4):
        tracker.update(now, HEAD)
        assert tracker.progress is Progress.RUNNING
    tracker.update(1.6, HEAD)
    assert tracker.progress is Progress.GOAL_VIOLATED
    assert "the goal tolerance is 0.1000 rad" in tracker.violation


def test_a_joint_that_is_not_reported_any_more_violates() -> None:
    path = check(["neck_pan"], [Point(1.0, (0.5,))], HEAD)
    tracker = Tracker(path, Tolerances({"neck_pan": 0.1}, {}, 0.5), 0.0)
    tracker.update(0.0, HEAD)
    tracker.update(0.1, {})
    assert tracker.progress is Progress.PATH_VIOLATED


def test_a_single_point_at_time_0_takes_as_long_as_the_joints_need() -> None:
    far = check(["neck_pan", "neck_tilt"], [Point(0.0, (1.0, 0.0))], HEAD)
    assert far.duration == pytest.approx(abs(1.0 - HEAD["neck_pan"]) / 5.78)
    there = check(["neck_pan"], [Point(0.0, (HEAD["neck_pan"],))], HEAD)
    assert 0.0 < there.duration < 0.01
    with pytest.raises(TrajectoryError, match="2 positions for 1 joints"):
        check(["neck_pan"], [Point(0.0, (1.0, 0.0))], HEAD)


def test_the_first_point_may_be_where_the_joints_are() -> None:
    path = check(["neck_pan"], [Point(0.0, (0.01,)), Point(1.0, (0.5,))], HEAD)
    assert path.points == (Point(1.0, (0.5,)),)
    with pytest.raises(TrajectoryError, match="would have to turn at inf rad/s"):
        check(["neck_pan"], [Point(0.0, (0.4,)), Point(1.0, (0.5,))], HEAD)


@pytest.mark.parametrize(
    "names,points,refusal,sentence",
    [
        (["wing"], [Point(1.0, (0.0,))], Refusal.JOINTS, "'wing' is no joint"),
        (["mouth"], [Point(1.0, (0.0,))], Refusal.INVALID, "mouth at 0.0000 rad is outside"),
        (["neck_pan"], [Point(-1.0, (0.0,))], Refusal.INVALID, "does not come after"),
        (["neck_pan"], [Point(1.0, (0.1,), (9.0,))], Refusal.INVALID, "at 9.00 rad/s is faster"),
        (["neck_pan"], [Point(1.0, (0.1,), (float("nan"),))], Refusal.INVALID, "not finite"),
    ],
)
def test_what_is_refused(
    names: list[str], points: list[Point], refusal: Refusal, sentence: str
) -> None:
    with pytest.raises(TrajectoryError, match=sentence) as caught:
        check(names, points, HEAD)
    assert caught.value.refusal is refusal


def test_a_joint_that_the_robot_does_not_report() -> None:
    with pytest.raises(TrajectoryError, match="the robot does not report neck_pan"):
        check(["neck_pan"], [Point(1.0, (0.0,))], {})


def test_the_coupling_of_a_leg_counts_with_the_joint_that_is_not_moved() -> None:
    steep = {**STANDING, "lf_rotor": -0.5}
    with pytest.raises(TrajectoryError, match=r"lf_elevator at -0\.1000 rad is below"):
        check(["lf_elevator"], [Point(1.0, (-0.1,))], steep)
    upright = {**STANDING, "lf_rotor": 0.0, "lf_elevator": -0.1}
    with pytest.raises(TrajectoryError, match=r"lf_elevator at -0\.1000 rad is below"):
        check(["lf_rotor"], [Point(1.0, (-0.5,))], upright)
    # What is measured a little below 0 is noise.
    check(["lf_rotor"], [Point(1.0, (-0.5,))], {**upright, "lf_elevator": -0.001})


@settings(max_examples=100)
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
        assume(abs(point.positions[0] - before) <= BY_NAME["neck_pan"].max_speed * wait)
        before = point.positions[0]
    path = check(["neck_pan"], points, HEAD)
    joint = BY_NAME["neck_pan"]
    last = Point(0.0, (0.0,))
    for point in path.points:
        assert joint.lower <= point.positions[0] <= joint.upper
        moved = abs(point.positions[0] - last.positions[0])
        assert moved <= joint.max_speed * (point.time - last.time) * 1.01 + 0.02
        last = point
    tracker = Tracker(path, Tolerances({}, {"neck_pan": 0.001}, 0.5), 0.0)
    follow(tracker, until=time + 2.0)
    assert tracker.progress is Progress.DONE
