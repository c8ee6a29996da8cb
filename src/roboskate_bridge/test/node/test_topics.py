# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What the node publishes of the game, as a user sees it."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest
from nav_msgs.msg import Odometry, Path
from sensor_msgs.msg import CameraInfo, CompressedImage, Image, JointState
from std_msgs.msg import String
from tf2_msgs.msg import TFMessage
from visualization_msgs.msg import MarkerArray

from legacy_robots_common.drawing.markers import paint
from roboskate_bridge.drivers.messages import board_of
from roboskate_game.learning.scripted_policy import Skater
from roboskate_game.model.levels import CourseProgress

pytestmark = pytest.mark.node


def test_odometry_joints_and_frames_agree_with_the_game(make_world):
    with make_world(mode="stepped", frame_prefix="skate/") as world:
        world.wait_for_link()
        odometry = world.stream(Odometry, "/roboskate/odom")
        joints = world.stream(JointState, "/roboskate/joint_states")
        skater = Skater(CourseProgress(0))
        while not (odometry.items and joints.items):
            world.run_game(0.02)
        for _ in range(150):
            board = board_of(odometry.last, joints.last)
            now = world.run_game(0.02, skater.keys(board)).stamp
            odometry.wait_for(lambda m, now=now: m.header.stamp == now)
            joints.wait_for(lambda m, now=now: m.header.stamp == now)
        truth = world.game.world.state()
        message = odometry.last
        assert (message.header.frame_id, message.child_frame_id) == (
            "skate/odom",
            "skate/base_link",
        )
        assert message.pose.pose.position.x == pytest.approx(truth.position[0], abs=1e-5)
        assert truth.position[0] > 0.5
        assert message.twist.twist.linear.x == pytest.approx(truth.linear_velocity[0], abs=1e-5)
        for covariance in (message.pose.covariance, message.twist.covariance):
            matrix = np.asarray(covariance).reshape(6, 6)
            assert (np.linalg.eigvalsh(matrix) > 0.0).all()
            assert math.sqrt(matrix.max()) < 0.001  # it is a simulated game's own state
        assert joints.last.name == [
            "crane_turn_joint", "crane_shoulder_joint", "crane_elbow_joint",
        ]  # fmt: skip
        assert list(joints.last.position) == pytest.approx(truth.joint_angles, abs=1e-5)
        back = board_of(odometry.last, joints.last)
        assert back.rotation[0] == pytest.approx(truth.rotation[0], abs=1e-5)


def test_fixed_frames_and_the_description_wait_for_late_joiners(make_world):
    with make_world() as world:
        world.wait_for_link()
        fixed = world.peer.subscribe(TFMessage, "/tf_static").wait_for().transforms
        assert {(t.header.frame_id, t.child_frame_id) for t in fixed} == {
            ("base_link", "camera_link"),
            ("camera_link", "camera_optical_frame"),
            ("crane_lower_link", "crane_tip_link"),
        }
        optical = next(t for t in fixed if t.child_frame_id == "camera_optical_frame")
        q = optical.transform.rotation
        assert (q.x, q.y, q.z, q.w) == pytest.approx((-0.5, 0.5, -0.5, 0.5))
        description = world.peer.subscribe(String, "/roboskate/robot_description").wait_for()
        assert '<robot name="roboskate">' in description.data


def test_the_camera(make_world):
    with make_world(size=(160, 90), vertical_fov=math.radians(90.0)) as world:
        image = world.stream(Image, "/roboskate/camera/image_raw").wait_for()
        info = world.stream(CameraInfo, "/roboskate/camera/camera_info").wait_for()
        assert (image.width, image.height, image.encoding, image.step) == (160, 90, "rgb8", 480)
        assert image.header.frame_id == info.header.frame_id == "camera_optical_frame"
        pixels = np.frombuffer(image.data, np.uint8).reshape(90, 160, 3)
        red, _, blue = pixels[3, 80].astype(int)
        assert blue > red  # the sky is blue and above: neither channels nor rows are turned round
        assert (info.width, info.height, info.distortion_model) == (160, 90, "plumb_bob")
        assert list(info.k) == pytest.approx([45, 0, 80, 0, 45, 45, 0, 0, 1])
        assert list(info.p) == pytest.approx([45, 0, 80, 0, 0, 45, 45, 0, 0, 0, 1, 0])
        assert list(info.d) == [0.0] * 5


def test_the_real_games_images_are_passed_through_untouched(make_world):
    with make_world("game", mode="stepped") as world:
        world.wait_for_link()
        jpegs = world.stream(CompressedImage, "/roboskate/camera/image_raw/compressed")
        images = world.stream(Image, "/roboskate/camera/image_raw")
        while not (jpegs.items and images.items):
            world.run_game(0.02)
        now = world.run_game(0.02).stamp
        jpeg = jpegs.wait_for(lambda m: m.header.stamp == now)
        image = images.wait_for(lambda m: m.header.stamp == now)
        assert jpeg.format == "rgb8; jpeg compressed bgr8"
        assert bytes(jpeg.data) == bytes(world.game.service.get_camera().image)
        decoded = cv2.imdecode(np.frombuffer(jpeg.data, np.uint8), cv2.IMREAD_COLOR)[:, :, ::-1]
        assert (np.frombuffer(image.data, np.uint8).reshape(36, 64, 3) == decoded).all()


def test_a_calibration_is_published_instead(make_world, tmp_path):
    file = tmp_path / "camera.yaml"
    file.write_text(
        """
image_width: 64
image_height: 36
camera_name: narrow
distortion_model: plumb_bob
camera_matrix: {rows: 3, cols: 3, data: [50, 0, 30, 0, 51, 20, 0, 0, 1]}
distortion_coefficients: {rows: 1, cols: 5, data: [0.1, 0, 0, 0, 0]}
rectification_matrix: {rows: 3, cols: 3, data: [1, 0, 0, 0, 1, 0, 0, 0, 1]}
projection_matrix: {rows: 3, cols: 4, data: [50, 0, 30, 0, 0, 51, 20, 0, 0, 0, 1, 0]}
"""
    )
    with make_world(camera_info_url=file.as_uri()) as world:
        info = world.stream(CameraInfo, "/roboskate/camera/camera_info").wait_for()
        assert list(info.k) == [50, 0, 30, 0, 51, 20, 0, 0, 1]
        assert list(info.d) == [0.1, 0, 0, 0, 0]


def test_the_path_is_bounded_and_begins_anew_with_a_level(make_world):
    with make_world(mode="stepped", path_spacing=0.05, path_length=10) as world:
        world.wait_for_link()
        paths = world.peer.subscribe(Path, "/roboskate/path")
        odometry = world.stream(Odometry, "/roboskate/odom")
        joints = world.stream(JointState, "/roboskate/joint_states")
        while not (odometry.items and joints.items):
            world.run_game(0.02)
        skater = Skater(CourseProgress(0))
        for _ in range(120):
            board = board_of(odometry.last, joints.last)
            now = world.run_game(0.05, skater.keys(board)).stamp
            odometry.wait_for(lambda m, now=now: m.header.stamp == now)
            joints.wait_for(lambda m, now=now: m.header.stamp == now)
        assert len(paths.wait_for(lambda m: len(m.poses) == 10).poses) == 10
        paths.clear()
        assert world.trigger("reset").success
        assert len(paths.wait_for().poses) == 1


def test_the_course_is_there_and_the_next_checkpoint_is_marked(make_world):
    with make_world(mode="stepped", frame_prefix="skate_2/") as world:
        world.wait_for_link()
        (ground, walls) = world.peer.subscribe(MarkerArray, "/roboskate/course").wait_for().markers
        assert {ground.header.frame_id, walls.header.frame_id} == {"skate_2/odom"}
        assert len(ground.points) == len(ground.colors) > 300
        checkpoints = world.peer.subscribe(MarkerArray, "/roboskate/checkpoints")
        checkpoints.wait_for(lambda m: following(m) == [0])
        world.run_game(0.1)
        # The level begins 30 m before the first checkpoint, level 1 on its own.
        assert following(checkpoints.last) == [0]
        assert world.initialize(1).success
        # It begins within its first: of a latched topic the last message alone is sure to come.
        checkpoints.wait_for(lambda m: following(m) in ([7], [8]))
        odometry = world.stream(Odometry, "/roboskate/odom")
        while not odometry.items:
            world.run_game(0.02)
        checkpoints.wait_for(lambda m: following(m) == [8])
        assert world.initialize(3).success
        checkpoints.wait_for(lambda m: following(m) == [])


def following(array):
    """Return the numbers of the checkpoints that are painted as the next."""
    red = pytest.approx(paint("checkpoint-next").r, abs=1e-3)
    return [m.id for m in array.markers if m.ns == "checkpoints" and m.color.r == red]
