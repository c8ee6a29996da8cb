# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""gti_host without ROS: maps, joints, walks, views and searches; values by hand."""

from __future__ import annotations

import math
from types import SimpleNamespace as Fields

import pytest

from aibo_gti_bridge.host import robot_map as maps
from aibo_gti_bridge.host.base import STILL, Base, Pose
from aibo_gti_bridge.host.fields import steps, value_at
from aibo_gti_bridge.host.joints import Joints
from aibo_gti_bridge.host.robot_map import MapError, Walking
from aibo_gti_bridge.host.search import TurnSearch
from aibo_gti_bridge.host.views import Camera, view_of_2d, view_of_3d
from aibo_gti_bridge.model.ball_search import Stage
from aibo_gti_bridge.model.kinematics import HORIZONTAL_FOV
from aibo_gti_bridge.model.motion_library import MotionLibrary
from aibo_gti_bridge.protocol.sensors import BallView

# --- maps ----------------------------------------------------------------------------------


def test_ready_made_maps_can_be_read() -> None:
    assert maps.names() == ["aibo", "pan_tilt", "quadruped"]
    assert len(maps.load("aibo").joints) == 18
    assert len(maps.load("aibo").sensors) == 21
    assert maps.load("quadruped").joints["neck_pan"].robot == ""


def test_relative_names_are_placed_below_the_robots_namespace() -> None:
    found = maps.placed(maps.parse("walk: {topic: /cmd_vel, odometry: odom}"), "/r")
    assert (found.walk.topic, found.walk.odometry, found.joint_states) == (
        "/cmd_vel", "/r/odom", "/r/joint_states",
    )  # fmt: skip
    assert found.ball.search_action == ""


@pytest.mark.parametrize(
    "text,complaint",
    [
        ("[]", "map map must be a mapping"),
        ("a: b: c", "no YAML"),
        ("wheels: 4", "has no key 'wheels'"),
        ("walk: {max_forward: fast}", "walk, max_forward must be a number"),
        ("walk: {max_forward: true}", "walk, max_forward must be a number"),
        ("walk: {step_period: 0}", "from 0.01 to 60"),
        ("joints: {wing: a}", "'wing' is no joint of an ERS-7"),
        ("joints: {neckPan: {}}", "either a joint or a fixed angle"),
        ("joints: {neckPan: {joint: a, fixed: 0}}", "either a joint or a fixed angle"),
        ("joints: {neckPan: {joint: a, sign: 2}}", "sign must be 1 or -1"),
        ("controllers: [{action: a, trajectory: b}]", "controllers 1 must have one of"),
        ("controllers: [{action: a, joints: [b]}]", "a moves b, which no joint names"),
        ("controllers: {action: a}", "controllers must be a list"),
        ("sensors: {Nose: 1}", "no sensor of an ERS-7"),
        ("sensors: {HeadBut: {topic: b}}", "must have a topic and a type"),
        ("sensors: {HeadBut: {topic: b, type: std_msgs/msg/Bool, field: 'a[x]'}}", "is no field"),
        ("ball: {detections: d, type: a/msg/B}", "ball, type must be one of"),
        ("ball: {optical: 3}", "optical must be three numbers"),
    ],
)
def test_a_map_that_makes_no_sense_says_where(text: str, complaint: str) -> None:
    with pytest.raises(MapError) as error:
        maps.parse(text)
    assert complaint in str(error.value)


def test_a_map_that_is_not_there_names_those_that_are() -> None:
    with pytest.raises(MapError, match="ready-made ones: aibo, pan_tilt, quadruped"):
        maps.load("horse")


def test_fields_of_messages() -> None:
    message = Fields(a=Fields(x=1.5), on=True, ranges=[math.nan, 3.0, 2.0, 9.0], imu=[Fields(z=4)])
    for path, value in (("a.x", 1.5), ("on", 1.0), ("ranges[1]", 3.0), ("ranges[0:3]", 2.0),
                        ("imu[0].z", 4.0)):  # fmt: skip
        assert value_at(message, steps(path)) == value
    assert math.isnan(value_at(message, steps("ranges[7]")))
    assert math.isnan(value_at(message, steps("ranges[0:1]")))


# --- joints --------------------------------------------------------------------------------

HEAD = """
joints:
  "NECK:tilt": {joint: tilt, sign: -1}
  "NECK:nod": {joint: tilt, sign: -1}
  "NECK:pan": {joint: pan, offset: 0.1, speed: 2.0}
  "MOUTH": {fixed: -0.5}
controllers:
  - {action: head, joints: [pan, tilt]}
"""


def test_joints_with_signs_offsets_and_one_for_two() -> None:
    joints = Joints(maps.parse(HEAD))
    assert joints.movable == {"neck_tilt", "neck_nod", "neck_pan", "mouth"}
    # 0.5 rad downwards: the nod can do -15 degrees of it, the tilt has the rest.
    found = joints.positions({"pan": 0.3, "tilt": 0.5, "other": 9.0})
    assert found["neck_pan"] == pytest.approx(0.2)
    assert found["neck_nod"] == pytest.approx(math.radians(-15.0))
    assert found["neck_tilt"] == pytest.approx(-0.5 + math.radians(15.0))
    assert found["mouth"] == -0.5
    [move] = joints.moves(0.0, {"neck_nod": (0.1, 0.4)}, {"pan": 0.3, "tilt": 0.5})
    # All joints of the controller: the pan stays, the tilt keeps the tilt's part.
    assert move.joints == ("pan", "tilt")
    [(time, (pan, tilt))] = move.points
    assert time == 0.4
    assert pan == pytest.approx(0.3)
    assert tilt == pytest.approx(-(0.1 - 0.5 + math.radians(15.0)))


def test_a_time_of_its_own_for_each_joint_and_for_none_the_joints_speed() -> None:
    joints = Joints(maps.parse(HEAD))
    robot = {"pan": 0.1, "tilt": 0.0}
    [move] = joints.moves(0.0, {"neck_pan": (1.0, 0.0), "neck_tilt": (-0.4, 0.2)}, robot)
    assert [time for time, _ in move.points] == [pytest.approx(0.2), pytest.approx(0.5)]
    assert move.points[0][1] == (pytest.approx(0.1 + 0.4), pytest.approx(0.4))
    assert move.points[1][1] == (pytest.approx(1.1), pytest.approx(0.4))


def test_beyond_limits_and_speeds_the_robot_does_what_it_can() -> None:
    [move] = Joints(maps.parse(HEAD)).moves(
        0.0, {"neck_pan": (9.0, 0.01)}, {"pan": 0.1, "tilt": 0.0}
    )
    [(time, (pan, _))] = move.points
    assert pan == pytest.approx(math.radians(88.0) + 0.1)
    assert time == pytest.approx(math.radians(88.0) / 2.0)


def test_a_joint_on_its_way_goes_on_when_another_is_moved() -> None:
    joints = Joints(maps.parse(HEAD))
    joints.moves(0.0, {"neck_pan": (0.9, 1.0)}, {"pan": 0.0, "tilt": 0.0})
    [move] = joints.moves(0.5, {"neck_nod": (-0.2, 0.1)}, {"pan": 0.5, "tilt": 0.0})
    assert [time for time, _ in move.points] == [pytest.approx(0.1), pytest.approx(0.5)]
    assert move.points[-1][1] == (pytest.approx(1.0), pytest.approx(0.2))
    [held] = joints.hold({"pan": 0.6, "tilt": 0.1})
    assert held.points[-1][1] == (0.6, 0.1)
    assert joints.hold({"pan": 0.6, "tilt": 0.1}) == []


def test_a_motion_moves_the_joints_that_there_are() -> None:
    joints = Joints(maps.parse(HEAD))
    look = MotionLibrary().motion("look.mot")
    [move] = joints.trajectory(0.0, look, {"pan": 0.1, "tilt": 0.0})
    assert move.joints == ("pan", "tilt")
    assert [time for time, _ in move.points] == [time for time in look.times() if time > 0.0]
    time, (pan, _) = move.points[1]
    assert pan - 0.1 == pytest.approx(look.pose(time, dict.fromkeys(look.joints, 0.0))["neck_pan"])
    assert Joints(maps.load("quadruped")).trajectory(0.0, look, {}) == []


# --- walks ---------------------------------------------------------------------------------


def base(**limits: float) -> tuple[Base, list[str]]:
    said: list[str] = []
    return Base(Walking(limits=(0.2, limits.get("sideways", 0.1), 1.0)), said.append), said


def test_velocities_persist_within_the_limits() -> None:
    walker, said = base(sideways=0.0)
    walker.walk(0.0, (1.0, 0.05, -0.5), -1)
    walker.step(1000.0)
    assert walker.velocity == (0.2, 0.0, -0.5)
    assert said == ["walk: this robot does not walk sideways"]
    walker.walk(1000.0, STILL, -1)
    assert not walker.walking


def test_steps_end_by_time() -> None:
    walker, _ = base()
    walker.walk(10.0, (0.1, 0.0, 0.0), 3)
    walker.step(11.49)
    assert walker.walking
    walker.step(11.51)
    assert not walker.walking
    walker.walk(20.0, (0.1, 0.0, 0.0), 0)
    assert not walker.walking


def test_a_displacement_is_corrected_by_odometry_and_given_up_in_the_end() -> None:
    walker, _ = base()
    walker.pose = Pose(1.0, 2.0, math.pi / 2.0)
    walker.walk_steps(0.0, (0.1, 0.0, 0.0), 2)
    assert walker.velocity == pytest.approx((0.1, 0.0, 0.0))
    walker.pose = Pose(1.0, 2.06, math.pi / 2.0)
    walker.step(1.01)
    assert walker.velocity == pytest.approx((0.08, 0.0, 0.0))  # 0.04 m are left
    walker.pose = Pose(1.0, 2.095, math.pi / 2.0)
    walker.step(1.1)
    assert not walker.walking
    walker.walk_steps(2.0, (0.1, 0.0, 0.0), 2)
    walker.step(4.6)
    assert not walker.walking  # it stands before a wall


def test_where_an_arc_ends() -> None:
    quarter = Pose(0.0, 0.0, 0.0).moved(math.pi / 2.0, 0.0, math.pi / 2.0)
    assert (quarter.x, quarter.y) == pytest.approx((1.0, 1.0))
    assert Pose(1.0, 1.0, math.pi / 2.0).towards(Pose(1.0, 3.0, math.pi)) == pytest.approx(
        (2.0, 0.0, math.pi / 2.0)
    )


# --- the ball ------------------------------------------------------------------------------


def detection(name: str, u: float, v: float, size: float) -> Fields:
    return Fields(
        results=[Fields(hypothesis=Fields(class_id=name))],
        bbox=Fields(center=Fields(position=Fields(x=u, y=v)), size_x=size, size_y=size),
    )


def test_pixels_of_another_camera_are_those_of_the_dogs() -> None:
    edge = math.tan(HORIZONTAL_FOV / 2.0)
    camera = Camera(400.0, 400.0, 320.0, 240.0)
    seen = view_of_2d([detection("ball", 320.0 + 200.0 * edge, 240.0, 80.0)], ["ball"], camera)
    assert (seen.visible, seen.x, seen.y) == (True, pytest.approx(0.5), 0.0)
    assert seen.area == pytest.approx(math.pi / 4.0 * (0.2 / edge) ** 2)
    outside = detection("ball", 320.0 + 420.0 * edge, 240.0, 80.0)
    assert not view_of_2d([outside], ["ball"], camera).visible
    assert not view_of_2d([detection("cat", 320.0, 240.0, 80.0)], ["ball"], camera).visible
    two = [detection("ball", 300.0, 240.0, 10.0), detection("ball", 340.0, 240.0, 20.0)]
    assert view_of_2d(two, ["ball"], camera).x > 0.0


def test_places_of_balls() -> None:
    seen = view_of_3d([Fields(x=1.0, y=0.0, z=0.05)], (0.0, 0.0, 0.05))
    assert (seen.visible, seen.x, seen.y) == (True, 0.0, 0.0)
    assert not view_of_3d([Fields(x=-1.0, y=0.0, z=0.0)], (0.0, 0.0, 0.0)).visible
    assert view_of_3d([Fields(x=1.0, y=0.2, z=0.0)], (0.0, 0.0, 0.3)).x < 0.0


NOTHING = BallView(False, 0.0, 0.0, 0.0)


def test_a_search_by_turning() -> None:
    search = TurnSearch(0.5)
    assert search.update(0.0, 0.0, NOTHING) == 0.5
    assert search.update(1.0, 0.4, BallView(True, -0.5, 0.0, 0.1)) > 0.0
    assert search.update(1.1, 0.5, BallView(True, 0.5, 0.0, 0.1)) < 0.0
    assert search.update(1.2, 0.5, BallView(True, 0.05, 0.0, 0.1)) == 0.0
    assert search.stage is Stage.FOUND


def test_a_search_by_turning_ends_after_once_around() -> None:
    for knows_heading in (True, False):
        search, now = TurnSearch(0.5), 0.0
        while not search.over:
            search.update(
                now, math.remainder(now * 0.5, math.tau) if knows_heading else None, NOTHING
            )
            now += 0.1
        assert search.stage is Stage.NOT_FOUND
        assert now * 0.5 == pytest.approx(math.tau, abs=0.2)
