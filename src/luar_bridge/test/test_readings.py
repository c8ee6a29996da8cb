# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Readings of segments and their messages, with values computed by hand."""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from geometry_msgs.msg import PoseWithCovarianceStamped
from nav_msgs.msg import Odometry
from rclpy.serialization import deserialize_message
from sensor_msgs.msg import Imu, JointState
from soccer_model_msgs.msg import Ball
from soccer_vision_2d_msgs.msg import BallArray as PixelBallArray
from soccer_vision_2d_msgs.msg import GoalpostArray as PixelGoalpostArray
from soccer_vision_2d_msgs.msg import MarkingArray as PixelMarkingArray
from soccer_vision_3d_msgs.msg import BallArray, GoalpostArray, MarkingArray
from std_msgs.msg import Header

from legacy_robots_common.drawing.drawn_shapes import strips
from legacy_robots_common.node.times import time_message
from legacy_robots_msgs.msg import LuarWalk
from luar_bridge.bridge import conversions, markers, vision_messages
from luar_bridge.bridge.serialized import SerializedForm
from luar_bridge.model import beliefs, motion, pixels, vision
from luar_bridge.model.beliefs import RobotPose
from luar_bridge.model.snapshots import Memory
from luar_bridge.protocol import layout_table
from luar_bridge.protocol.boost_layout import Abi, Directory, Variable
from luar_bridge.protocol.segment import Snapshot

DOCUMENT = layout_table.load("document")
LATER = layout_table.load("upenn_2013")
HEAD = Header(frame_id="base_footprint")


def snapshot(**values: float | list[float]) -> Snapshot:
    """Return a segment with these variables."""
    data, places, variables = b"", {}, []
    for name, value in values.items():
        numbers = value if isinstance(value, list) else [value]
        places[name] = len(data), len(numbers)
        variables.append(Variable(name, len(data), 8 * len(numbers), 0, 0))
        data += struct.pack(f"<{len(numbers)}d", *numbers)
    return Snapshot(Directory(65536, Abi.BOOST_TO_1_86, tuple(variables)), data, places)


def memory(table=DOCUMENT, **segments: Snapshot) -> Memory:
    return Memory(table, segments)


def sent(
    kind: type[Any], form: SerializedForm, values: Sequence[float] = (), stamp: float = 100.0
) -> Any:
    """Return the message that a subscriber gets."""
    return deserialize_message(form.filled(stamp, values), kind)


@pytest.mark.node
def test_joints_in_the_documents_order_by_the_names_of_the_urdf() -> None:
    angles = [0.1 * i for i in range(22)]
    joints = motion.joint_positions(memory(dcmSensor=snapshot(position=angles)))
    message = sent(JointState, conversions.joint_state(motion.JOINTS), joints, 7.25)
    assert (message.header.stamp.sec, message.header.stamp.nanosec) == (7, 250_000_000)
    by_name = dict(zip(message.name, message.position, strict=True))
    assert by_name["HeadYaw"] == 0.0
    assert by_name["LHipYawPitch"] == pytest.approx(0.6)
    assert by_name["RHipYawPitch"] == pytest.approx(1.2)
    assert by_name["RElbowRoll"] == pytest.approx(2.1)
    assert len(message.effort) == 0


@pytest.mark.parametrize("length", [0, 1, 20, 21, 23])
def test_joints_of_another_length_are_no_joints(length: int) -> None:
    assert motion.joint_positions(memory(dcmSensor=snapshot(position=[0.0] * length))) is None


def test_not_a_number_is_no_data() -> None:
    assert motion.joint_positions(memory(dcmSensor=snapshot(position=[math.nan] * 22))) is None
    assert beliefs.robot_pose(memory(wcmRobot=snapshot(pose=[math.inf, 0.0, 0.0]))) is None


@pytest.mark.node
def test_the_imu_without_and_with_calibration() -> None:
    sensor = snapshot(
        imuAngle=[0.1, -0.2], imuAcc=[1.0, 2.0, -58.0],
        imuGyr=[-1890.0, -1905.0, -1900.0], imuGyr0=[-1900.0] * 3,
    )  # fmt: skip
    inertia = motion.inertia(memory(dcmSensor=sensor))

    def imu(acceleration_scale: float, rotation_scale: float) -> Imu:
        values, known = conversions.imu_values(inertia, acceleration_scale, rotation_scale)
        return sent(Imu, conversions.imu("imu_frame", 0.02, known), values)

    raw = imu(0.0, 0.0)
    assert raw.header.frame_id == "imu_frame"
    assert raw.linear_acceleration_covariance[0] == -1.0
    assert raw.angular_velocity_covariance[0] == -1.0
    q = raw.orientation
    assert math.asin(2 * (q.w * q.y - q.z * q.x)) == pytest.approx(-0.2)
    assert math.atan2(2 * (q.w * q.x + q.y * q.z), 1 - 2 * (q.x**2 + q.y**2)) == pytest.approx(0.1)
    assert raw.orientation_covariance[0] == raw.orientation_covariance[4] == pytest.approx(0.0004)
    assert raw.orientation_covariance[8] > 9  # the heading is unknown
    scaled = imu(0.5, 0.01)
    assert scaled.linear_acceleration.z == pytest.approx(-29.0)
    assert (scaled.angular_velocity.x, scaled.angular_velocity.y) == pytest.approx((0.1, -0.05))
    assert scaled.angular_velocity_covariance[0] == 0.0


def test_sonar_echoes() -> None:
    us = memory(mcmUs=snapshot(left=[0.0, 0.4, 0.9], right=[0.0] * 10))
    left = conversions.sonar_range(motion.sonar(us, "left"), HEAD)
    assert left.range == pytest.approx(0.4)
    right = conversions.sonar_range(motion.sonar(us, "right"), HEAD)
    assert math.isinf(right.range)
    assert motion.nearest_echo((2.56, -1.0)) == math.inf


@pytest.mark.node
def test_odometry_is_half_way_between_the_feet() -> None:
    walk = motion.walk(
        memory(mcmWalk=snapshot(uLeft=[1.0, 0.55, 0.2], uRight=[1.2, 0.45, 0.0], stillTime=0.5))
    )
    assert walk.odometry == pytest.approx((1.1, 0.5, 0.1))
    values = conversions.odometry_values(walk.odometry, (99.9, (1.0, 0.5, 0.0)), 100.0)
    message = sent(Odometry, conversions.odometry("odom", "base"), values)
    assert (message.header.frame_id, message.child_frame_id) == ("odom", "base")
    assert message.pose.pose.position.x == pytest.approx(1.1)
    assert message.pose.pose.orientation.z == pytest.approx(math.sin(0.05))
    assert message.twist.twist.linear.x == pytest.approx(1.0, rel=1e-3)
    assert message.twist.twist.angular.z == pytest.approx(1.0, rel=1e-3)
    feet = sent(LuarWalk, conversions.walk("odom"), conversions.walk_values(walk))
    assert feet.still_time == 0.5
    assert feet.right_foot.y == 0.45
    assert math.isnan(feet.body_offset.x)


@pytest.mark.node
def test_a_ball_that_is_seen_and_one_that_was() -> None:
    seen = {
        "v": [1.0, 0.5, -0.36, 1.0],
        "r": 1.1,
        "dr": 0.28,
        "da": 0.17,
        "centroid": [40.0, 30.0],
    }
    ball = vision.seen_ball(memory(vcmBall=snapshot(detect=1.0, **seen)), 0.41)
    message = sent(BallArray, vision_messages.ball_detection("base", 1), ball.position)
    (only,) = message.balls
    assert (only.center.x, only.center.y) == (1.0, 0.5)
    assert only.center.z == pytest.approx(0.05)
    assert only.confidence.confidence == -1.0
    gone = vision.seen_ball(memory(vcmBall=snapshot(detect=0.0, **seen)), 0.41)
    assert gone is None
    assert list(sent(BallArray, vision_messages.ball_detection("base", 0)).balls) == []


@pytest.mark.node
@pytest.mark.parametrize(
    "kind,color,own,sides,team",
    [
        (3.0, 2.0, 0, [1, 2], 2),  # blue attacks yellow: the opponents' goal
        (3.0, 2.0, 1, [1, 2], 1),
        (1.0, 4.0, 0, [1], 1),
        (2.0, 4.0, 1, [2], 2),
        (0.0, 2.0, None, [0], 0),
        (0.0, 9.0, 0, [0], 0),
    ],
)
def test_goal_posts(kind, color, own, sides, team) -> None:
    segment = snapshot(
        detect=1.0, type=kind, color=color, v1=[2.0, 0.7, -0.41, 1.0], v2=[2.1, -0.7, -0.41, 1.0]
    )
    goal = vision.seen_goal(memory(vcmGoal=segment), 0.41)
    posts = vision_messages.post_attributes(goal, own)
    places = [p for post in goal.posts for p in post.position[:2]]
    message = sent(GoalpostArray, vision_messages.goal_posts("base", posts), places)
    assert [post.attributes.side for post in message.posts] == sides
    assert {post.attributes.team for post in message.posts} == {team}
    assert message.posts[0].bb.center.position.x == 2.0


@pytest.mark.node
def test_lines_of_the_document_and_of_later_branches() -> None:
    reported = snapshot(detect=1.0, angle=math.pi / 2, vcentroid=[1.0, 0.0, -0.41, 1.0])
    (line,) = vision.seen_lines(memory(vcmLine=reported))
    assert line.start == pytest.approx((1.0, -0.25, 0.0))
    assert line.end == pytest.approx((1.0, 0.25, 0.0))
    ends = {"v1x": [1.0] * 3, "v1y": [2.0] * 3, "v2x": [3.0] * 3, "v2y": [4.0] * 3}
    later = memory(LATER, vcmLine=snapshot(detect=1.0, nLines=2.0, **ends))
    lines = vision.seen_lines(later)
    assert [(seen.start[:2], seen.end[:2]) for seen in lines] == [((1.0, 2.0), (3.0, 4.0))] * 2
    assert list(sent(MarkingArray, vision_messages.markings("base", 0)).segments) == []
    ends = [p for seen in lines for p in (*seen.start, *seen.end)]
    drawn = sent(MarkingArray, vision_messages.markings("base", 2), ends).segments
    assert [(m.start.y, m.end.x) for m in drawn] == [(2.0, 3.0)] * 2


IMAGE = {"width": 160.0, "height": 120.0}


@pytest.mark.parametrize(
    "table,image,scales",
    [
        (DOCUMENT, {**IMAGE, "labelA": [0.0] * 600}, (2.0, 8.0)),
        (DOCUMENT, {}, (2.0, 8.0)),
        (LATER, {**IMAGE, "labelA": [0.0] * 2400, "scaleB": 2.0}, (1.0, 2.0)),
        (LATER, {**IMAGE, "labelA": [0.0] * 600, "scaleA": 4.0, "scaleB": 4.0}, (4.0, 16.0)),
    ],
)
def test_how_many_pixels_of_the_image_a_label_is(table, image, scales) -> None:
    reported = memory(table, vcmImage=snapshot(**image))
    assert pixels.label_scales(reported, "vcmImage") == scales


@pytest.mark.node
def test_a_ball_in_pixels_of_the_image() -> None:
    seen = {"centroid": [40.0, 30.0], "axisMajor": 5.0, "axisMinor": 4.0}
    reported = memory(vcmBall=snapshot(detect=1.0, **seen))
    box = pixels.ball_box(reported, "vcmBall", 2.0)
    # Pixel 40 of labelA is the columns 80 and 81 of the image.
    assert box == (80.5, 60.5, 10.0, 10.0)
    form = vision_messages.pixel_balls("camera", 1)
    (ball,) = sent(PixelBallArray, form, (*box[:2], *box)).balls
    assert (ball.center.x, ball.bb.center.position.y, ball.bb.size_x) == (80.5, 60.5, 10.0)
    assert ball.confidence.confidence == -1.0
    gone = memory(vcmBall=snapshot(detect=0.0, **seen))
    assert pixels.ball_box(gone, "vcmBall", 2.0) is None
    assert list(sent(PixelBallArray, vision_messages.pixel_balls("camera", 0)).balls) == []


@pytest.mark.node
@pytest.mark.parametrize("kind,count", [(3.0, 2), (1.0, 1)])
def test_goal_posts_in_pixels_of_the_image(kind, count) -> None:
    # Both ends of a box belong to it: columns 2 and 3 of labelB are 16 to 31 of the image.
    boxes = {"postBoundingBox1": [2.0, 3.0, 0.0, 9.0], "postBoundingBox2": [12.0, 12.0, 0.0, 9.0]}
    posts = {"v1": [2.0, 0.7, -0.41, 1.0], "v2": [2.0, -0.7, -0.41, 1.0]}
    reported = memory(vcmGoal=snapshot(detect=1.0, type=kind, color=2.0, **posts, **boxes))
    seen = pixels.post_boxes(reported, "vcmGoal", 8.0)
    assert seen == ((23.5, 39.5, 16.0, 80.0), (99.5, 39.5, 8.0, 80.0))[:count]
    attributes = vision_messages.post_attributes(vision.seen_goal(reported, 0.41), 0)
    form = vision_messages.pixel_posts("camera", attributes)
    message = sent(PixelGoalpostArray, form, [v for box in seen for v in box])
    assert [post.attributes.side for post in message.posts] == [1, 2][:count]
    assert message.posts[0].bb.size_y == 80.0


@pytest.mark.node
def test_lines_in_pixels_are_told_by_later_branches_only() -> None:
    document = memory(vcmLine=snapshot(detect=1.0, angle=0.0, vcentroid=[1.0, 0.0, -0.41, 1.0]))
    assert pixels.line_ends(document, "vcmLine", 8.0) is None
    names = ("endpoint11", "endpoint12", "endpoint21", "endpoint22")
    ends = {name: [float(n), 9.0] for n, name in enumerate(names)}
    seen = pixels.line_ends(
        memory(LATER, vcmLine=snapshot(detect=1.0, nLines=1.0, **ends)), "vcmLine", 8.0
    )
    assert seen == ((3.5, 11.5, 19.5, 27.5),)
    (line,) = sent(PixelMarkingArray, vision_messages.pixel_lines("camera", 1), seen[0]).segments
    assert (line.start.x, line.start.y, line.end.x, line.end.y) == seen[0]
    none = memory(LATER, vcmLine=snapshot(detect=0.0, nLines=1.0, **ends))
    assert pixels.line_ends(none, "vcmLine", 8.0) == ()


def test_what_the_original_never_writes_is_no_data() -> None:
    assert memory(vcmCamera=snapshot(select=0.0)).number("vcmCamera", "select") is None
    assert memory(wcmRobot=snapshot(uTorso=[0.0] * 3)).pose("wcmRobot", "uTorso") is None
    assert memory(mcmWalk=snapshot(stepHeight=0.0)).number("mcmWalk", "stepHeight") is None
    assert memory(xcmUnknown=snapshot(a=1.0)).number("xcmUnknown", "a") == 1.0


def test_both_forms_of_the_ball_in_the_world() -> None:
    document = beliefs.ball_model(
        memory(wcmBall=snapshot(xy=[1.0, -0.5], velocity=[0.1, 0.2], t=7.0))
    )
    later = beliefs.ball_model(
        memory(LATER, wcmBall=snapshot(x=1.0, y=-0.5, velx=0.1, vely=0.2, t=7.0))
    )
    assert document == later
    assert document.velocity == (0.1, 0.2)
    shrunk = beliefs.ball_model(memory(wcmBall=snapshot(xy=[1.0, -0.5], velocity=[], t=7.0)))
    assert shrunk.velocity is None


@pytest.mark.node
def test_the_covariance_of_the_ball_follows_range_and_bearing() -> None:
    model = beliefs.ball_model(memory(wcmBall=snapshot(xy=[0.0, 2.0], velocity=[0.1, 0.2], t=7.0)))

    def reported(deviations: tuple[float, float] | None) -> Ball:
        values = conversions.ball_values(model, deviations)
        return sent(Ball, conversions.ball_message("base"), values)

    message = reported((0.5, 0.1))  # to the left: the range lies along y
    covariance = np.reshape(message.point.covariance, (3, 3))
    assert covariance[:2, :2] == pytest.approx(np.diag([0.04, 0.25]))
    assert message.twist.twist.linear.y == 0.2
    assert not any(reported(None).point.covariance)  # unknown


@pytest.mark.node
def test_the_covariance_of_particles() -> None:
    particles = snapshot(
        x=[1.1, 0.9, 1.0, 1.0], y=[2.0, 2.0, 2.2, 1.8], a=[3.1, -3.1, 3.1, -3.1], w=[0.0] * 4
    )
    pose = beliefs.robot_pose(
        memory(LATER, wcmRobot=snapshot(pose=[1.0, 2.0, math.pi]), wcmParticle=particles)
    )
    covariance = np.reshape(pose.covariance, (3, 3))
    assert covariance[0, 0] == pytest.approx(0.005)
    assert covariance[1, 1] == pytest.approx(0.02)
    assert covariance[2, 2] == pytest.approx((math.pi - 3.1) ** 2)

    def reported(robot: RobotPose, deviations: tuple[float, float]) -> PoseWithCovarianceStamped:
        values = conversions.pose_values(robot, deviations)
        return sent(PoseWithCovarianceStamped, conversions.pose_message("map"), values)

    message = reported(pose, (9.0, 9.0))
    assert message.pose.covariance[0] == pytest.approx(0.005)
    assert message.pose.covariance[35] == pytest.approx((math.pi - 3.1) ** 2)
    alone = beliefs.robot_pose(memory(wcmRobot=snapshot(pose=[1.0, 2.0, 0.0])))
    assert reported(alone, (0.3, 0.1)).pose.covariance[7] == pytest.approx(0.09)


def test_log_weights_far_below_zero_still_count() -> None:
    particles = snapshot(x=[1.0, 3.0], y=[0.0, 0.0], a=[0.0, 0.0], w=[-5000.0, -6000.0])
    pose = beliefs.robot_pose(
        memory(LATER, wcmRobot=snapshot(pose=[1.0, 0.0, 0.0]), wcmParticle=particles)
    )
    assert pose.covariance[0] == pytest.approx(0.0)


def test_obstacles_only_where_there_are_any_told() -> None:
    assert beliefs.obstacles(memory()) is None
    rows = {"x": [1.0, 2.0, 3.0], "y": [0.0, 0.5, 1.0], "role": [1.0, 6.0, 0.0]}
    reported = beliefs.obstacles(memory(LATER, wcmObstacle=snapshot(num=2.0, **rows)))
    message = conversions.robot_array(reported, HEAD)
    assert [r.attributes.team for r in message.robots] == [1, 2]
    assert message.robots[1].pose.pose.position.y == 0.5


def test_mates_by_player_and_by_role() -> None:
    assert beliefs.mates(memory()) is None
    rest = [0.0] * 7
    reported = snapshot(
        posex=[1.0, 2.0, 3.0, *rest], posey=[0.5, 0.0, 0.0, *rest],
        posea=[math.pi, 0.0, 0.0, *rest],
        robotId=[2.0, 1.0, 3.0, *rest], teamColor=[1.0, 1.0, 0.0, *rest],
        fall=[1.0, 0.0, 0.0, *rest], penalty=[0.0] * 10,
    )  # fmt: skip
    own = snapshot(player_id=1.0, color=1.0)
    mates = beliefs.mates(
        memory(layout_table.load("upenn_2016"), wcmTeamdata=reported, gcmTeam=own)
    )
    (mate,) = conversions.mate_array(mates, HEAD).robots  # neither itself nor the opponent
    assert (mate.attributes.player_number, mate.attributes.team) == (2, 1)
    assert mate.attributes.state == mate.attributes.STATE_FALLEN
    assert (mate.pose.pose.position.x, mate.pose.pose.position.y) == (1.0, 0.5)
    assert mate.pose.pose.orientation.z == pytest.approx(1.0)
    roles = snapshot(goalie_pose=[-2.9, 0.0, 0.0], attacker_pose=[0.0, 0.0, 0.0])
    by_role = beliefs.mates(memory(LATER, wcmTeam=roles))
    assert [m.pose for m in by_role] == [(-2.9, 0.0, 0.0)]


def test_the_odometry_in_the_map() -> None:
    origin = beliefs.odom_in_map((1.0, 2.0, math.pi / 2), (1.0, 0.0, 0.0))
    assert origin == pytest.approx((1.0, 1.0, math.pi / 2))


def test_game_and_team_and_numbers_that_do_not_fit() -> None:
    segment = snapshot(
        state=3.0, half=1.0, kickoff=-1.0, penalty=[0.0, 4.0], time_remaining=599.5, nplayers=4.0
    )
    message = conversions.game_state(beliefs.game(memory(gcmGame=segment)), HEAD)
    assert (message.valid, message.state, message.kickoff) == (True, 3, -1)
    assert list(message.penalties) == [0, 4]
    odd = snapshot(state=3e9, penalty=[1e6])
    message = conversions.game_state(beliefs.game(memory(gcmGame=odd)), HEAD)
    assert (message.state, list(message.penalties)) == (-1, [-1])
    assert not conversions.game_state(None, HEAD).valid
    team = beliefs.team(memory(gcmTeam=snapshot(number=1.0, player_id=2.0, color=0.0, role=1.0)))
    message = conversions.team_message(team, HEAD)
    assert (message.number, message.player, message.color, message.role) == (1, 2, 0, 1)


def test_the_battery_of_a_nao_and_of_later_branches() -> None:
    nao = motion.battery(memory(dcmSensor=snapshot(batteryCharge=0.5, batteryCurrent=-1.0)))
    message = conversions.battery_state(nao, HEAD)
    assert message.percentage == 0.5
    assert message.power_supply_status == message.POWER_SUPPLY_STATUS_DISCHARGING
    later = motion.battery(memory(LATER, wcmRobot=snapshot(battery_level=0.25)))
    assert conversions.battery_state(later, HEAD).percentage == 0.25
    assert motion.battery(memory(LATER, wcmRobot=snapshot(battery_level=99.0))) is None


def test_stamps() -> None:
    stamp = time_message(1334279879.5)
    assert (stamp.sec, stamp.nanosec) == (1334279879, 500000000)


def test_the_field_has_the_size_of_2011() -> None:
    array = markers.field_markers(Header(frame_id="map"))
    (lines,) = [m for m in array.markers if m.ns == "lines"]
    corners = {(round(x, 6), round(y, 6)) for ends in strips(lines) for x, y in ends}
    assert {(3.0, 2.0), (-3.0, -2.0), (0.0, 2.0), (2.4, 1.1)} <= corners
    posts = [m.pose.position for m in array.markers if m.ns == "goals" and m.id % 3 < 2]
    assert sorted((p.x, p.y) for p in posts) == [(-3, -0.7), (-3, 0.7), (3, -0.7), (3, 0.7)]


def test_the_field_is_free_but_for_the_posts() -> None:
    grid = markers.field_map(Header(frame_id="map"))
    cells = np.reshape(grid.data, (grid.info.height, grid.info.width))
    assert cells.shape == (108, 148)
    assert (grid.info.origin.position.x, grid.info.origin.position.y) == (-3.7, -2.7)
    assert set(cells.flat) == {0, 100}
    y, x = np.argwhere(cells == 100).mean(axis=0) * grid.info.resolution
    assert (x - 3.7, y - 2.7) == pytest.approx((0.0, 0.0), abs=0.05)
    assert (cells == 100).sum() == 4 * 4
