# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What the node measures, and what it refuses, on one robot that is left alone."""

import itertools
import math
import statistics

import pytest
from control_msgs.action import FollowJointTrajectory
from control_msgs.msg import JointTolerance
from sensor_msgs.msg import BatteryState, Imu, JointState, Range
from std_msgs.msg import String
from tf2_msgs.msg import TFMessage

from aibo_gti_bridge.bridge.node import AiboBridge
from aibo_gti_bridge.model.joints import NAMES
from aibo_gti_bridge.model.poses import STANDING
from aibo_gti_bridge.simulator.world import Settings
from legacy_robots_common.node import qos
from legacy_robots_common.node.parameters import ParameterError
from legacy_robots_common.node.program_node import StartupError
from legacy_robots_msgs.msg import AiboBall, AiboOutcome, LinkState
from legacy_robots_msgs.srv import AiboListMotions, AiboPreviewMotion
from legacy_robots_testing.ros_peer import RosPeer
from legacy_robots_testing.running_node import RunningNode

pytestmark = pytest.mark.node


@pytest.fixture(scope="module")
def quiet(world):
    """A robot for tests that leave it as they found it."""
    with world(settings=Settings(noise=0.0)) as scene:
        yield scene


def test_the_joints_at_the_robots_rate_in_time_order(quiet):
    states = quiet.stream(JointState, "joint_states").wait_for_count(32)
    stamps = [m.header.stamp.sec + m.header.stamp.nanosec * 1e-9 for m in states]
    assert stamps == sorted(stamps)
    steps = [b - a for a, b in itertools.pairwise(stamps)]
    # Never faster for long; a busy machine makes it slower, but not all the time.
    assert statistics.median(steps) > 0.028
    assert statistics.quantiles(steps, n=10)[0] < 0.036
    assert tuple(states[-1].name) == NAMES
    expected = [STANDING[name] for name in NAMES]
    assert list(states[-1].position) == pytest.approx(expected, abs=1e-3)
    assert len(states[-1].velocity) == len(states[-1].effort) == 0


def test_acceleration_distances_and_power(quiet):
    imu = quiet.stream(Imu, "imu").wait_for()
    assert imu.linear_acceleration.z == pytest.approx(9.8, abs=0.1)
    assert imu.linear_acceleration.x == pytest.approx(0.0, abs=0.1)
    assert imu.orientation_covariance[0] == imu.angular_velocity_covariance[0] == -1.0
    assert imu.header.frame_id == "imu"
    near = quiet.stream(Range, "range/near").wait_for()
    assert near.header.frame_id == "near_ir"
    assert (near.range, near.max_range) == (math.inf, 0.5)
    far = quiet.stream(Range, "range/far").wait_for()
    assert far.radiation_type == Range.INFRARED
    assert far.max_range == 1.5
    chest = quiet.stream(Range, "range/chest").wait_for()
    assert chest.range == pytest.approx(0.264, abs=0.02)
    assert chest.header.frame_id == "chest_ir"
    battery = quiet.stream(BatteryState, "battery").wait_for()
    assert battery.percentage == pytest.approx(0.85, abs=0.01)
    assert battery.current < 0.0
    assert battery.capacity == pytest.approx(2.2)


def test_the_ball_is_asked_for_only_while_subscribed(quiet):
    counters = quiet.node.counters
    assert "ball replies" not in counters.snapshot()
    ball = quiet.stream(AiboBall, "ball/orange").wait_for()
    assert (ball.colour, ball.visible) == ("orange", False)
    assert counters.snapshot()["ball replies"][0] >= 1


def test_transforms_and_description(quiet):
    tf = quiet.peer.subscribe(TFMessage, "/tf", qos.stream(50)).wait_for()
    assert len(tf.transforms) == 20
    place, body = tf.transforms[18:]
    assert (place.header.frame_id, place.child_frame_id) == ("odom", "base_footprint")
    assert (body.header.frame_id, body.child_frame_id) == ("base_footprint", "base_link")
    assert body.transform.translation.z == pytest.approx(0.14, abs=0.02)
    fixed = quiet.peer.subscribe(TFMessage, "/tf_static").wait_for()
    assert "camera_optical_frame" in {t.child_frame_id for t in fixed.transforms}
    description = quiet.peer.subscribe(String, "/aibo/robot_description").wait_for()
    assert "<robot name=" in description.data


@pytest.mark.parametrize(
    "fields,sentence",
    [
        ({"x": 1.0, "steps": 1}, "1 steps are too few: the gait needs 12"),
        ({"x": 0.1, "steps": -1}, "-1 steps"),
        ({"x": math.nan}, "is not finite"),
    ],
)
def test_walks_that_cannot_be_made(quiet, fields, sentence):
    outcome = quiet.steps(**fields).result().outcome
    assert outcome.code == AiboOutcome.INVALID
    assert sentence in outcome.message


def test_a_colour_that_is_none(quiet):
    outcome = quiet.search("red").result().outcome
    assert outcome.code == AiboOutcome.INVALID
    assert "'red' is none of pink, blue" in outcome.message


def test_motions_are_listed_and_previewed(quiet):
    listed = quiet.peer.call(AiboListMotions, "/aibo/list_motions")
    assert listed.names == ["look.mot", "sit.mot", "stand.mot", "stretch.mot", "wave.mot"]
    assert listed.durations[4] == pytest.approx(3.5)
    assert listed.descriptions[1] == "Sit down on the hind legs"
    assert set(listed.problems) == {""}
    request = AiboPreviewMotion.Request(name="look")
    preview = quiet.peer.call(AiboPreviewMotion, "/aibo/preview_motion", request)
    assert preview.success
    assert preview.trajectory.joint_names == ["neck_tilt", "neck_pan", "neck_nod"]
    first, last = preview.trajectory.points[0], preview.trajectory.points[-1]
    assert list(first.positions) == pytest.approx([-0.0873, 0.0, 0.0], abs=0.01)
    assert last.time_from_start.sec == 4
    request = AiboPreviewMotion.Request(name="nothing")
    assert "no motion 'nothing.mot'" in (
        quiet.peer.call(AiboPreviewMotion, "/aibo/preview_motion", request).message
    )


def test_a_motion_that_does_not_exist(quiet):
    outcome = quiet.play("nothing").result().outcome
    assert outcome.code == AiboOutcome.INVALID
    assert "there is no motion 'nothing.mot'" in outcome.message


REJECTED = [
    (["wing"], [(1.0, [0.0])], "INVALID_JOINTS: 'wing' is no joint"),
    (["neck_pan", "neckPan"], [(1.0, [0.0, 0.0])], "INVALID_JOINTS: neckPan is named twice"),
    ([], [(1.0, [])], "INVALID_JOINTS: the trajectory names no joints"),
    (["neck_pan"], [], "INVALID: the trajectory has no points"),
    (["neck_pan"], [(1.0, [0.0, 0.1])], "INVALID: point 0 has 2 positions for 1 joints"),
    (["neck_pan"], [(1.0, [1.6])], "INVALID: point 0: neck_pan at 1.6000 rad is outside its"),
    (["neck_pan"], [(0.1, [1.5])], "INVALID: point 0: neck_pan would have to turn at 15"),
    (["neck_pan"], [(1.0, [0.1]), (1.0, [0.2])], "INVALID: point 1: time_from_start 1 s does"),
    (["neck_pan"], [(1.0, [math.nan])], "INVALID: point 0 has a number that is not finite"),
    (["neck_pan"], [(0.0, [1.6])], "INVALID: point 0: neck_pan at 1.6000 rad is outside its"),
    (["neck_pan"], [(-1.0, [0.0])], "INVALID: point 0: time_from_start -1 s"),
    (["lf_rotor"], [(1.0, [2.1])], "INVALID: point 0: lf_rotor at 2.1000 rad is outside"),
    (["lf_elevator"], [(1.0, [-0.12])], "INVALID: point 0: lf_elevator at -0.1200 rad is below"),
]


def test_trajectories_that_are_rejected(quiet, capfd):
    for joints, points, sentence in REJECTED:
        capfd.readouterr()
        with pytest.raises(AssertionError, match="rejected"):
            quiet.follow(joints, *points)
        assert f"follow_joint_trajectory: rejected: {sentence}" in capfd.readouterr().err


def test_a_trajectory_of_the_past_and_a_tolerance_of_no_joint(quiet, capfd):
    old = FollowJointTrajectory.Goal(trajectory=quiet.trajectory(["neck_pan"], (1.0, [0.0])))
    old.trajectory.header.stamp.sec = 1
    with pytest.raises(AssertionError, match="rejected"):
        quiet.peer.send_goal(FollowJointTrajectory, "/aibo/follow_joint_trajectory", old)
    assert "OLD_HEADER_TIMESTAMP: the trajectory ends in the past" in capfd.readouterr().err
    wrong = [JointTolerance(name="muzzle", position=0.1)]
    with pytest.raises(AssertionError, match="rejected"):
        quiet.follow(["neck_pan"], (1.0, [0.0]), goal_tolerance=wrong)
    assert "'muzzle' is no joint" in capfd.readouterr().err


def test_a_robot_that_is_not_there_yet():
    with RunningNode(AiboBridge, {"port": 9}), RosPeer() as peer:
        link = peer.subscribe(LinkState, "/aibo/link_state")
        assert "Connection refused" in link.wait_for(lambda m: "refused" in m.detail).detail


@pytest.mark.parametrize(
    "parameters,error,sentence",
    [
        ({"search_mode": "magic"}, ParameterError, "'search_mode' must be one of"),
        ({"port": 70000}, ParameterError, "'port' must be from 0 to 65535"),
        ({"accelerometer_signs": [1.0]}, ParameterError, "must have 3 items"),
        ({"wire_overlays": "real"}, StartupError, "wire table 'real' cannot be read"),
    ],
)
def test_a_wrong_parameter_is_a_sentence(parameters, error, sentence):
    with pytest.raises(error, match=sentence):
        RunningNode(AiboBridge, parameters)
