# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The typed topics of a simulated robot, and what parameters change of them."""

from __future__ import annotations

import math
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from geometry_msgs.msg import PoseWithCovarianceStamped
from nav_msgs.msg import Odometry
from sensor_msgs.msg import CameraInfo, Image, JointState, Range
from soccer_model_msgs.msg import Ball, RobotArray
from soccer_vision_2d_msgs.msg import BallArray as PixelBallArray
from soccer_vision_2d_msgs.msg import GoalpostArray as PixelGoalpostArray
from soccer_vision_2d_msgs.msg import MarkingArray as PixelMarkingArray
from soccer_vision_3d_msgs.msg import BallArray, GoalpostArray, MarkingArray
from std_msgs.msg import String
from tf2_msgs.msg import TFMessage
from vision_msgs.msg import LabelInfo
from visualization_msgs.msg import MarkerArray

from legacy_robots_common.node import qos
from legacy_robots_msgs.msg import LinkState, LuarGameState, LuarTeam, LuarWalk
from legacy_robots_testing.polling import until
from legacy_robots_testing.ros_peer import RosPeer, unix
from legacy_robots_testing.running_node import RunningNode
from luar_bridge.bridge.node import LuarBridge
from luar_bridge.model.link_poses import STANCE
from luar_bridge.model.motion import JOINTS
from luar_bridge.model.robot_description import urdf
from luar_bridge.protocol.labels import Label, or_blocks
from luar_bridge.protocol.naming import DIRECTORY
from luar_bridge.simulator.segment_owner import SegmentOwner

pytestmark = pytest.mark.node

STREAM = qos.stream(50)


def test_typed_topics(make_world: Any) -> None:
    with make_world() as w:
        images = w.peer.subscribe(Image, "/luar/image", STREAM)
        rgb = w.peer.subscribe(Image, "/luar/image_rgb", STREAM)
        labels_a = w.peer.subscribe(Image, "/luar/labels_a", STREAM)
        labels_b = w.peer.subscribe(Image, "/luar/labels_b", STREAM)
        drawn = w.peer.subscribe(Image, "/luar/labels_a_rgb", STREAM)
        info = w.peer.subscribe(CameraInfo, "/luar/camera_info", STREAM)
        pose = w.peer.subscribe(PoseWithCovarianceStamped, "/luar/pose", STREAM)
        odom = w.peer.subscribe(Odometry, "/luar/odom", STREAM)
        walk = w.peer.subscribe(LuarWalk, "/luar/walk", STREAM)
        detection = w.peer.subscribe(BallArray, "/luar/ball_detection", STREAM)
        ball = w.peer.subscribe(Ball, "/luar/ball", STREAM)
        goals = w.peer.subscribe(GoalpostArray, "/luar/goals", STREAM)
        lines = w.peer.subscribe(MarkingArray, "/luar/lines", STREAM)
        markers = w.peer.subscribe(MarkerArray, "/luar/markers", STREAM)
        tf = w.peer.subscribe(TFMessage, "/tf", STREAM)
        team = w.peer.subscribe(LuarTeam, "/luar/team")
        game = w.peer.subscribe(LuarGameState, "/luar/game_state")
        joints = w.peer.subscribe(JointState, "/luar/joint_states", STREAM)
        names = w.peer.subscribe(LabelInfo, "/luar/label_info")
        field = w.peer.subscribe(MarkerArray, "/luar/field")

        image = images.wait_for()
        assert (image.width, image.height, image.encoding) == (160, 120, "yuv422_yuy2")
        assert image.header.frame_id == "CameraTop_optical_frame"
        assert abs(time.time() - unix(image.header.stamp)) < 5
        assert rgb.wait_for().encoding == "rgb8"
        assert drawn.wait_for().encoding == "rgb8"
        stamp = labels_a.wait_for().header.stamp
        a, b = (
            np.frombuffer(m.data, np.uint8).reshape(m.height, m.width)
            for m in (
                labels_a.wait_for(lambda m: m.header.stamp == stamp),
                labels_b.wait_for(lambda m: m.header.stamp == stamp),
            )
        )
        assert np.array_equal(or_blocks(a, 4), b)
        assert info.wait_for().k[0] == 160.0
        head = joints.wait_for(lambda m: m.position[0] != 0.0)  # all that Webots tells
        assert list(head.name) == ["HeadYaw", "HeadPitch"]
        assert max(map(abs, head.position)) < 2.1

        here = pose.wait_for()
        assert here.header.frame_id == "map"
        assert here.pose.pose.position.x == pytest.approx(-1.5, abs=0.2)
        assert here.pose.covariance[0] == pytest.approx(0.04)
        assert odom.wait_for().child_frame_id == "base_footprint"
        assert walk.wait_for().left_foot.y == pytest.approx(0.05, abs=0.02)
        frames = {(t.header.frame_id, t.child_frame_id) for m in tf.items for t in m.transforms}
        tf.wait_for(lambda m: m.transforms[0].header.frame_id == "map")
        tf.wait_for(lambda m: m.transforms[0].header.frame_id == "odom")
        own = {"map", "odom", "base_footprint"}
        assert {pair for pair in frames if pair[1] in own} <= {
            ("map", "odom"), ("odom", "base_footprint"),
        }  # fmt: skip
        detection.wait_for(lambda m: m.balls)
        detection.wait_for(lambda m: not m.balls)  # nothing seen is published as an empty array
        assert ball.wait_for().header.frame_id == "base_footprint"
        goals.wait_for()
        lines.wait_for(lambda m: m.segments)
        markers.wait_for(lambda m: {"robot", "ball"} <= {x.ns for x in m.markers})
        assert team.wait_for(lambda m: m.valid).player == 1
        # Variables are written one after the other: zeros are there first, as in the original.
        game.wait_for(lambda m: m.valid and (m.players, m.kickoff, m.half) == (4, 1, 1))
        assert [(c.class_id, c.class_name) for c in names.wait_for().class_map][:2] == [
            (0, "none"), (1, "orange"),
        ]  # fmt: skip
        assert len(field.wait_for().markers) > 5


def test_without_joints_the_head_moves_and_the_chest_is_of_the_team(make_world: Any) -> None:
    with make_world(frame_prefix="b/") as w:
        description = w.peer.subscribe(String, "/luar/robot_description")
        fixed = w.peer.subscribe(TFMessage, "/tf_static")
        joints = w.peer.subscribe(JointState, "/luar/joint_states", STREAM)
        tf = w.peer.subscribe(TFMessage, "/tf", STREAM)
        assert description.wait_for(lambda m: m.data != urdf()).data == urdf("team-blue")
        assert any(
            t.child_frame_id == "b/CameraTop_optical_frame" for t in fixed.wait_for().transforms
        )

        def head_of(message: TFMessage) -> float | None:
            for t in message.transforms:
                if t.child_frame_id == "b/neck":
                    assert t.header.frame_id == "b/torso"
                    return 2.0 * math.atan2(t.transform.rotation.z, t.transform.rotation.w)
            return None

        def same(message: TFMessage) -> JointState | None:
            stamp = message.transforms[0].header.stamp
            return next((m for m in joints.items if m.header.stamp == stamp), None)

        def both() -> TFMessage | None:  # either may come first
            whole = (m for m in tf.items if len(m.transforms) == 1 + len(JOINTS))
            found = (m for m in whole if abs(head_of(m) or 0.0) > 0.05 and same(m) is not None)
            return next(found, None)  # and not that of an image, which has the head alone

        turned = until(both)
        assert head_of(turned) == pytest.approx(same(turned).position[0])  # type: ignore[union-attr]
        assert turned.transforms[0].header.frame_id == "b/base_footprint"


def test_a_robot_whose_joints_are_gone_stands(make_world: Any, user: str) -> None:
    with TemporaryDirectory(dir=DIRECTORY) as directory, SegmentOwner() as owner:
        sensor = Path(directory, "dcmSensor")
        owner.create(f"dcmSensor{user}")
        for variable, values in (("position", [0.2] * len(JOINTS)), ("count", [1.0])):
            owner.set(f"dcmSensor{user}", variable, values)
        owner.sync()
        (DIRECTORY / f"dcmSensor{user}").rename(sensor)
        with make_world(joints=True, memory_directory=directory) as w:
            tf = w.peer.subscribe(TFMessage, "/tf", STREAM)
            own = [*DIRECTORY.glob(f"vcm*{user}"), *DIRECTORY.glob(f"mcm*{user}")]
            for segment in own:  # Luar's processes, beside joints of this test alone
                Path(directory, segment.name).hardlink_to(segment)

            def knee(message: TFMessage) -> float | None:
                turns = {t.child_frame_id: t.transform.rotation.y for t in message.transforms}
                return turns.get("l_tibia")

            w.wait_for_link(LinkState.CONNECTED)
            sensor.unlink()
            standing = math.sin(STANCE[JOINTS.index("LKneePitch")] / 2)
            tf.wait_for(lambda m: (knee(m) or 0.0) == pytest.approx(standing))


def test_links_and_description_can_be_left_to_others(make_world: Any) -> None:
    with make_world(link_rate=0.0, publish_description=False) as w:
        tf = w.peer.subscribe(TFMessage, "/tf", STREAM)
        tf.wait_for(lambda _: len(tf.items) > 50)
        assert {t.child_frame_id for m in tf.items for t in m.transforms} == {
            "odom", "base_footprint",
        }  # fmt: skip
        assert not w.peer.node.get_publishers_info_by_topic("/luar/robot_description")
        assert not w.peer.node.get_publishers_info_by_topic("/tf_static")


def test_what_is_seen_in_pixels_is_where_it_is_in_the_image(make_world: Any) -> None:
    with make_world("--layout", "upenn_2013", tables=["upenn_2013"]) as w:
        balls = w.peer.subscribe(PixelBallArray, "/luar/ball_detection_2d", STREAM)
        goals = w.peer.subscribe(PixelGoalpostArray, "/luar/goals_2d", STREAM)
        lines = w.peer.subscribe(PixelMarkingArray, "/luar/lines_2d", STREAM)
        masks = w.peer.subscribe(Image, "/luar/labels_a", STREAM)

        def with_masks(ball: PixelBallArray) -> Any:
            """Return the masks of the image in which a ball is seen, if they were not left out."""
            same = (m for m in masks.items if m.header.stamp == ball.header.stamp)
            return next(same, None) if ball.balls else None

        ball = balls.wait_for(lambda b: with_masks(b) is not None)
        mask = with_masks(ball)
        assert ball.header.frame_id == mask.header.frame_id
        (one,) = ball.balls
        labels = np.frombuffer(mask.data, np.uint8).reshape(mask.height, mask.width)
        rows, columns = (labels == Label.ORANGE).nonzero()
        assert one.center.x == pytest.approx(2.0 * columns.mean() + 0.5)
        assert one.center.y == pytest.approx(2.0 * rows.mean() + 0.5)
        assert one.bb.size_x == pytest.approx(2.0 * (columns.max() - columns.min() + 1))
        balls.wait_for(lambda m: not m.balls)
        assert goals.wait_for(lambda m: m.posts).posts[0].bb.size_y >= 8.0
        (line,) = lines.wait_for(lambda m: m.segments).segments
        for end in (line.start, line.end):
            assert 3.5 <= end.x <= 155.5
            assert 3.5 <= end.y <= 115.5


def test_later_branches_tell_particles_and_obstacles(make_world: Any) -> None:
    with make_world("--layout", "upenn_2013", tables=["upenn_2013"]) as w:
        pose = w.peer.subscribe(PoseWithCovarianceStamped, "/luar/pose", STREAM)
        others = w.peer.subscribe(RobotArray, "/luar/obstacles", STREAM)
        ball = w.peer.subscribe(Ball, "/luar/ball", STREAM)
        # The first poses may come before the robot has made its particles.
        pose.wait_for(lambda m: 0.0 < m.pose.covariance[0] < 0.02)
        assert len(others.wait_for().robots) == 1
        assert ball.wait_for().point.point.x != 0.0


def test_each_of_two_cameras_has_topics_of_its_own(user: str) -> None:
    parameters = {"user": user, "joints": False, "tables": ["upenn_2016"]}
    with SegmentOwner() as top, SegmentOwner() as bottom:
        for owner, camera in ((top, 1), (bottom, 2)):
            owner.create(f"vcmImage{camera}01{user}", 200000)
            owner.write_images_busily(f"vcmImage{camera}01{user}", 30)
            owner.flush()
        with RosPeer() as peer, RunningNode(LuarBridge, parameters):
            for camera in ("top", "bottom"):
                image = peer.subscribe(Image, f"/luar/{camera}/image", STREAM).wait_for()
                assert len(set(np.frombuffer(image.data, "<u4"))) == 1


def test_an_echo_that_stays_reaches_later_subscribers(user: str) -> None:
    sonar, image = f"mcmUs01{user}", f"vcmImage01{user}"
    parameters = {"user": user, "joints": False}
    with SegmentOwner() as robot, RosPeer() as peer, RunningNode(LuarBridge, parameters):
        for segment in (sonar, image):
            robot.create(segment)
        robot.set(sonar, "left", [0.5] * 10)
        count = 0.0
        for _ in ("first", "second"):
            heard = peer.subscribe(Range, "/luar/sonar/left", STREAM)

            def goes_on(heard: Any = heard) -> Any:
                nonlocal count
                count += 1.0
                robot.set(sonar, "free", [count, 0.0])
                robot.set(image, "count", count)
                robot.flush()
                return heard.items

            until(goes_on, "no echo")
            assert heard.last.range == 0.5


def test_simulated_time_that_does_not_begin_changes_no_stamp(make_world: Any) -> None:
    with make_world(use_sim_time=True) as w:
        state = w.wait_for_link(LinkState.CONNECTED)
        assert (state.header.stamp.sec, state.header.stamp.nanosec) == (0, 0)
        image = w.peer.subscribe(Image, "/luar/image", STREAM).wait_for()
        # A robot's data have the robot's time.
        assert abs(time.time() - unix(image.header.stamp)) < 5
