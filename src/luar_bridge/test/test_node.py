# SPDX-License-Identifier: Apache-2.0
"""The real node beside a simulated robot: what a user of the topics and services sees."""

from __future__ import annotations

import argparse
import math
import mmap
import random
import struct
import threading
import time
from bisect import bisect_left
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from geometry_msgs.msg import PoseWithCovarianceStamped
from legacy_robots_msgs.msg import (
    LinkState,
    LuarGameState,
    LuarReferee,
    LuarSegment,
    LuarTeam,
    LuarWalk,
)
from legacy_robots_msgs.srv import LuarGet, LuarSet
from nav_msgs.msg import Odometry
from sensor_msgs.msg import CameraInfo, Image, JointState
from soccer_model_msgs.msg import Ball, RobotArray
from soccer_vision_2d_msgs.msg import BallArray as PixelBallArray
from soccer_vision_2d_msgs.msg import GoalpostArray as PixelGoalpostArray
from soccer_vision_2d_msgs.msg import MarkingArray as PixelMarkingArray
from soccer_vision_3d_msgs.msg import BallArray, GoalpostArray, MarkingArray
from std_msgs.msg import String
from tf2_msgs.msg import TFMessage
from vision_msgs.msg import LabelInfo
from visualization_msgs.msg import MarkerArray

from legacy_robots_common import qos
from legacy_robots_common.names import to_ros_name
from legacy_robots_common.parameters import ParameterError
from legacy_robots_common.testing.machine import free_ports
from legacy_robots_common.testing.ros_peer import RosPeer
from legacy_robots_common.testing.running_node import RunningNode
from luar_bridge import simulator
from luar_bridge.game_control import encode
from luar_bridge.labels import Label, or_blocks
from luar_bridge.link_poses import STANCE
from luar_bridge.match_rules import Match
from luar_bridge.mirror import SegmentMirror
from luar_bridge.motion import JOINTS
from luar_bridge.naming import DIRECTORY
from luar_bridge.node import LuarBridge
from luar_bridge.pitch import BROADCAST, udp_socket
from luar_bridge.robot_description import urdf
from luar_bridge.segment import Segment
from luar_bridge.simulator import LuarSimulator
from luar_bridge.stand_in import SegmentOwner

STREAM = qos.stream(50)


@dataclass
class World:
    """A bridge, its simulated robot and a user's node."""

    robot: LuarSimulator
    peer: RosPeer
    link: Any

    def wait_for_link(self, state: int, detail: str = "") -> LinkState:
        return self.link.wait_for(lambda m: m.state == state and detail in m.detail)

    def call(self, service_type: type[Any], service: str, **request: Any) -> Any:
        return self.peer.call(service_type, f"/luar/{service}", service_type.Request(**request))


@contextmanager
def world(user: str, *arguments: str, **parameters: Any) -> Iterator[World]:
    """Run a bridge beside a robot without joints (their segments would be everybody's)."""
    given = ["--profile", "webots", "--user", user, "--fault-seconds", "2.5", *arguments]
    options: argparse.Namespace = simulator.argument_parser().parse_args(given)
    robot = LuarSimulator(options)
    robot.start()
    parameters = {"user": user, "joints": False, "stale_after": 1.5, **parameters}
    try:
        with RosPeer() as peer, RunningNode(LuarBridge, parameters):
            yield World(robot, peer, peer.subscribe(LinkState, "/luar/link_state"))
    finally:
        robot.close()


def unix(stamp: Any) -> float:
    return float(stamp.sec + 1e-9 * stamp.nanosec)


def test_typed_topics(user: str) -> None:
    with world(user) as w:
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
        detection.wait_for(lambda m: not m.balls)  # nothing seen is told as an empty array
        assert ball.wait_for().header.frame_id == "base_footprint"
        goals.wait_for()
        lines.wait_for(lambda m: m.segments)
        markers.wait_for(lambda m: {"robot", "ball"} <= {x.ns for x in m.markers})
        assert team.wait_for(lambda m: m.valid).player == 1
        assert game.wait_for(lambda m: m.valid).players == 4
        assert [(c.class_id, c.class_name) for c in names.wait_for().class_map][:2] == [
            (0, "none"), (1, "orange"),
        ]  # fmt: skip
        assert len(field.wait_for().markers) > 5


def test_without_joints_the_head_moves_and_the_chest_is_of_the_team(user: str) -> None:
    with world(user, frame_prefix="b/") as w:
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

        turned = tf.wait_for(lambda m: abs(head_of(m) or 0.0) > 0.05 and same(m) is not None)
        assert head_of(turned) == pytest.approx(same(turned).position[0])  # type: ignore[union-attr]
        assert len(turned.transforms) == 1 + len(JOINTS)
        assert turned.transforms[0].header.frame_id == "b/base_footprint"


def test_a_robot_whose_joints_are_gone_stands(user: str) -> None:
    with TemporaryDirectory(dir=DIRECTORY) as directory, SegmentOwner() as owner:
        sensor = Path(directory, "dcmSensor")
        owner.create(f"dcmSensor{user}")
        for variable, values in (("position", [0.2] * len(JOINTS)), ("count", [1.0])):
            owner.set(f"dcmSensor{user}", variable, values)
        owner.sync()
        (DIRECTORY / f"dcmSensor{user}").rename(sensor)
        with world(user, joints=True, memory_directory=directory) as w:
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


def test_links_and_description_can_be_left_to_others(user: str) -> None:
    with world(user, link_rate=0.0, publish_description=False) as w:
        tf = w.peer.subscribe(TFMessage, "/tf", STREAM)
        tf.wait_for(lambda _: len(tf.items) > 50)
        assert {t.child_frame_id for m in tf.items for t in m.transforms} == {
            "odom", "base_footprint",
        }  # fmt: skip
        assert not w.peer.node.get_publishers_info_by_topic("/luar/robot_description")
        assert not w.peer.node.get_publishers_info_by_topic("/tf_static")


def test_what_is_seen_in_pixels_is_where_it_is_in_the_image(user: str) -> None:
    with world(user, "--layout", "upenn_2013", tables=["upenn_2013"]) as w:
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


@pytest.mark.parametrize("topic", ["odom", "tf"])
def test_a_robot_that_stands_has_odometry_and_frames_at_every_image(user: str, topic: str) -> None:
    parameters = {"user": user, "joints": False}
    with SegmentOwner() as robot, RosPeer() as peer, RunningNode(LuarBridge, parameters):
        for segment, variable, values in (
            ("mcmWalk", "uLeft", [1.0, 0.05, 0.0]), ("mcmWalk", "uRight", [1.0, -0.05, 0.0]),
            ("wcmRobot", "pose", [0.5, 0.0, 0.0]),
        ):  # fmt: skip
            robot.create(f"{segment}01{user}")
            robot.set(f"{segment}01{user}", variable, values)
        robot.create(f"vcmImage01{user}", 200000)
        robot.write_images_busily(f"vcmImage01{user}", 30)  # all else stays as it is
        robot.flush()
        kind, name = {"odom": (Odometry, "/luar/odom"), "tf": (TFMessage, "/tf")}[topic]
        messages = peer.subscribe(kind, name, STREAM)
        images = peer.subscribe(Image, "/luar/image", STREAM)
        messages.wait_for_count(60)
        stamp = unix(images.wait_for_count(10)[-1].header.stamp)

        def is_newer(message: Any) -> bool:
            heads = [message] if topic == "odom" else message.transforms
            return any(
                unix(m.header.stamp) >= stamp and m.header.frame_id == "odom" for m in heads
            )

        messages.wait_for(is_newer)
        if topic == "odom":
            assert messages.last.pose.pose.position.x == pytest.approx(1.0)
            assert messages.last.twist.twist.linear.x == 0.0
        stamps = [
            unix(m.header.stamp if topic == "odom" else m.transforms[0].header.stamp)
            for m in messages.items
            if topic == "odom" or m.transforms[0].header.frame_id == "odom"
        ]
        assert all(a < b for a, b in pairwise(stamps))


class ScriptedRobot(threading.Thread):
    """Boots, stands up, walks and falls: 100 counts of motion and 30 images a second.

    While it boots, stands up or has fallen, Motion writes the same walk values again and again.
    """

    PHASES = (("boot", 0.0), ("stand up", 0.0), ("walk", 0.1), ("fall", 0.0))
    """Each with the speed of its feet in m/s; each takes PHASE_S."""
    PHASE_S = 1.5

    def __init__(self, user: str) -> None:
        super().__init__(name="scripted robot")
        self._user = user
        self.images: dict[str, list[float]] = {name: [] for name, _ in self.PHASES}
        """Times of the images of each phase."""

    def run(self) -> None:
        with SegmentOwner() as owner:
            for segment in ("mcmWalk", "wcmRobot", "vcmImage"):
                owner.create(f"{segment}01{self._user}")
            x, ticks, due = 0.0, 0, time.monotonic()
            for phase, speed in self.PHASES:
                for _ in range(round(self.PHASE_S * 100)):
                    x += 0.01 * speed
                    for foot, y in (("uLeft", 0.05), ("uRight", -0.05)):
                        owner.set(f"mcmWalk01{self._user}", foot, [x, y, 0.0])
                    if ticks * 30 // 100 != (ticks + 1) * 30 // 100:
                        owner.set(f"wcmRobot01{self._user}", "pose", [x - 1.0, 0.0, 0.0])
                        stamp = time.time()
                        self.images[phase].append(stamp)
                        owner.set(f"vcmImage01{self._user}", "time", stamp)
                        owner.set(f"vcmImage01{self._user}", "count", float(ticks))
                    owner.flush()
                    ticks += 1
                    # What a busy machine delays is not caught up with: each count has its time.
                    due = max(due + 0.01, time.monotonic())
                    time.sleep(max(0.0, due - time.monotonic()))


def test_frames_at_every_image_while_the_robot_boots_stands_up_walks_and_falls(user: str) -> None:
    robot = ScriptedRobot(user)
    with RosPeer() as peer, RunningNode(LuarBridge, {"user": user, "joints": False}):
        tf = peer.subscribe(TFMessage, "/tf", qos.stream(1000))
        robot.start()
        robot.join()
        last = robot.images["fall"][-1]
        moved = {"odom": [], "map": []}  # stamps by parent frame

        def collected() -> bool:
            for parent, stamps in moved.items():
                stamps[:] = [
                    unix(t.header.stamp)
                    for m in tf.items
                    for t in m.transforms
                    if t.header.frame_id == parent
                ]
            return all(stamps and stamps[-1] > last - 1e-5 for stamps in moved.values())

        tf.wait_for(lambda _: collected())
    for parent, stamps in moved.items():
        assert stamps == sorted(stamps), parent
        for phase, images in robot.images.items():
            # Until a robot is found and has counted, it is not known to live.
            known = [at for at in images if at > stamps[0]]
            assert len(known) > (0 if phase == "boot" else 40), (parent, phase)
            # tf2 interpolates between two transforms. A phase takes several times as long as
            # they may be apart here, where machines stand still for a tenth of a second.
            for at in known:
                after = bisect_left(stamps, at - 1e-5)
                assert after < len(stamps)
                exact = abs(stamps[after] - at) < 1e-5
                assert exact or stamps[after] - stamps[after - 1] < 0.3, (parent, phase, at)


def test_later_branches_tell_particles_and_obstacles(user: str) -> None:
    with world(user, "--layout", "upenn_2013", tables=["upenn_2013"]) as w:
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


def test_the_mirror_tells_every_segment_known_or_not(user: str) -> None:
    with world(user, mirror_length=600) as w:
        mirror = w.peer.subscribe(LuarSegment, "/luar/segments/vcmImage")
        message = mirror.wait_for(lambda m: m.header.stamp.sec > 0)
        assert message.segment == "vcmImage"
        assert message.file == f"vcmImage01{user}"
        assert message.heartbeat == "count"
        assert message.abi == 1
        lengths = dict(zip(message.names, message.lengths, strict=True))
        given = dict(zip(message.names, message.given, strict=True))
        assert (lengths["yuyv"], given["yuyv"]) == (4800, 0)
        assert (lengths["labelA"], given["labelA"]) == (600, 600)
        assert len(message.values) == sum(given.values())
        at = 0
        for name in message.names:
            if name == "width":
                assert message.values[at] == 160.0
            at += given[name]
        name = f"xcmThing01{user}"
        with SegmentOwner() as owner:
            owner.create(name)
            owner.set(name, "unheard_of", [1.0, 2.0])
            owner.sync()
            unknown = w.peer.subscribe(LuarSegment, "/luar/segments/xcmThing")
            assert list(unknown.wait_for(lambda m: m.names).values) == [1.0, 2.0]
            owner.remove(name)
            owner.sync()
        unknown.wait_for(lambda m: not m.names and m.inode == 0)


def test_get_and_set_by_name(user: str) -> None:
    with world(user, writable=["vcmCamera.command", "tcmSegment1.*"]) as w:
        w.wait_for_link(LinkState.CONNECTED)
        got = w.call(LuarGet, "get_variable", segment="vcmImage", variable="width")
        assert (got.success, got.kind, list(got.values)) == (True, got.NUMBER, [160.0])
        got = w.call(LuarGet, "get_variable", segment="wcmRobot", variable="pose")
        assert (got.kind, len(got.values)) == (got.VECTOR, 3)
        got = w.call(LuarGet, "get_variable", segment="vcmImage", variable="labelB")
        assert (got.kind, len(got.data)) == (got.CARRAY, 304)

        done = w.call(
            LuarSet, "set_variable", segment="vcmCamera", variable="command", values=[1.0]
        )
        assert done.success, done.message
        got = w.call(LuarGet, "get_variable", segment="vcmCamera", variable="command")
        assert list(got.values) == [1.0]
        for request, reason in (
            ({"segment": "wcmRobot", "variable": "pose", "values": [0.0] * 3}, "allow-list"),
            ({"segment": "vcmCamera", "variable": "command", "values": []}, "holds 1 numbers"),
            ({"segment": "vcmCamera", "variable": "command", "values": [math.nan]}, "finite"),
            ({"segment": "vcmCamera", "variable": "command", "kind": 9}, "none of NUMBERS"),
            ({"segment": "tcmSegment1", "variable": "a", "values": [1.0]}, "no segment"),
        ):
            refused = w.call(LuarSet, "set_variable", **request)
            assert not refused.success
            assert reason in refused.message
        for segment, variable, reason in (
            ("vcmImage", "absent", "no variable absent"),
            ("absent", "x", "no segment"),
            ("../etc/passwd", "x", "no name of a segment"),
        ):
            missing = w.call(LuarGet, "get_variable", segment=segment, variable=variable)
            assert not missing.success
            assert reason in missing.message


def test_strings_by_name(user: str) -> None:
    with world(user, tables=["document", "example_tcm"], writable=["tcmSegment1.*"]) as w:
        name = f"tcmSegment101{user}"
        with SegmentOwner() as owner:
            owner.create(name)
            owner.set_text(name, "string_c", "hello")
            owner.sync()
        w.peer.subscribe(LuarSegment, "/luar/segments/tcmSegment1").wait_for()
        got = w.call(LuarGet, "get_variable", segment="tcmSegment1", variable="string_c")
        assert (got.kind, got.text) == (got.STRING, "hello")
        request = {"segment": "tcmSegment1", "variable": "string_c", "kind": 1}
        assert w.call(LuarSet, "set_variable", **request, text="howdy").success
        assert "3 were given" in w.call(LuarSet, "set_variable", **request, text="bye").message
        assert "one character" in w.call(LuarSet, "set_variable", **request, text="x").message


@pytest.mark.parametrize("fault", ["restart", "crash", "stall"])
def test_a_robot_that_stops_is_stale_and_comes_back(user: str, fault: str) -> None:
    with world(user, "--fault", fault, "--fault-after", "60") as w:
        w.wait_for_link(LinkState.CONNECTED)
        game = w.peer.subscribe(LuarGameState, "/luar/game_state")
        valid = game.wait_for(lambda m: m.valid)
        pose = w.peer.subscribe(PoseWithCovarianceStamped, "/luar/pose", STREAM)
        pose.wait_for()
        w.robot.inject(fault)
        stale = w.wait_for_link(LinkState.FAULT, "stale: vcmImage.count has stood still")
        invalid = game.wait_for(lambda m: not m.valid and m.state == valid.state)
        assert invalid.header.stamp.sec <= stale.header.stamp.sec
        back = w.link.wait_for(lambda m: m.state == LinkState.CONNECTED and m.connections == 2)
        # Nothing that the dead robot left was published with a stamp of the silence.
        stamps = [unix(m.header.stamp) for m in pose.items]
        assert stamps == sorted(stamps)
        silence = unix(stale.header.stamp), unix(back.header.stamp) - 0.25
        assert not any(silence[0] < stamp < silence[1] for stamp in stamps)
        game.clear()
        again = w.peer.subscribe(LuarGameState, "/luar/game_state")
        again.wait_for(lambda m: m.valid)


@pytest.mark.parametrize("fault", ["removed", "wrong_size"])
def test_a_lost_segment_is_reported_and_found_again(user: str, fault: str) -> None:
    with world(user, "--fault", fault, "--fault-after", "60") as w:
        w.wait_for_link(LinkState.CONNECTED)
        mirror = w.peer.subscribe(LuarSegment, "/luar/segments/wcmBall")
        first = mirror.wait_for(lambda m: m.names)
        w.robot.inject(fault)
        mirror.wait_for(lambda m: not m.names)
        mirror.wait_for(lambda m: m.names and m.inode not in (0, first.inode))


def test_a_shrunk_variable_disturbs_nobody(user: str) -> None:
    with world(user, "--fault", "resize", "--fault-after", "60") as w:
        mirror = w.peer.subscribe(LuarSegment, "/luar/segments/vcmLine")
        mirror.wait_for(lambda m: 4 in m.lengths[list(m.names).index("vendpoint") :][:1])
        w.robot.inject("resize")
        mirror.wait_for(lambda m: 2 in m.lengths[list(m.names).index("vendpoint") :][:1])


def test_no_value_that_a_robot_may_write_disturbs_the_bridge(user: str) -> None:
    values = [math.nan, math.inf, -math.inf, -1.0, 1e300, 5e-324, 0.0, 1.0, 4.0, 2.0**31, 2.0**53]
    chance = random.Random(1)
    with world(user, "--layout", "upenn_2013", tables=["upenn_2013"]) as w:
        kinds = {
            "pose": PoseWithCovarianceStamped, "odom": Odometry, "ball_detection": BallArray,
            "ball": Ball, "goals": GoalpostArray, "lines": MarkingArray, "obstacles": RobotArray,
            "markers": MarkerArray, "walk": LuarWalk, "image_rgb": Image,
        }  # fmt: skip
        heard = {n: w.peer.subscribe(t, f"/luar/{n}", STREAM) for n, t in kinds.items()}
        w.wait_for_link(LinkState.CONNECTED)
        places = []
        for path in DIRECTORY.glob(f"*{user}"):
            with Segment(path) as segment, path.open("r+b") as file:
                memory = mmap.mmap(file.fileno(), 0)
                places += [
                    (memory, at)
                    for v in segment.snapshot.directory.variables
                    if v.name not in ("count", "yuyv", "labelA", "labelB")
                    for at in range(v.offset, v.offset + v.size, 8)
                ]
        until = time.monotonic() + 3.0
        while time.monotonic() < until:
            for _ in range(100):
                memory, at = chance.choice(places)
                memory[at : at + 8] = struct.pack("<d", chance.choice(values))
            time.sleep(0.002)
        for recorder in heard.values():
            recorder.clear()
        # A thread that died of a value would have ended all of these.
        for name in ("pose", "odom", "walk", "goals", "lines"):
            heard[name].wait_for()


@pytest.mark.parametrize("segment", ["x" * 233 + "cm", "xcm__Thing", "_xcm"])
def test_a_segment_with_a_bad_name_costs_itself_alone(user: str, segment: str) -> None:
    with world(user) as w:
        w.wait_for_link(LinkState.CONNECTED)
        diagnostics = w.peer.subscribe(DiagnosticArray, "/diagnostics", qos.stream(10))
        image = w.peer.subscribe(LuarSegment, "/luar/segments/vcmImage")
        image.wait_for()
        file = f"{segment}01{user}"
        with SegmentOwner() as owner:
            owner.create(file)
            owner.set(file, "a", [1.0, 2.0])
            owner.sync()
            if len(segment) < 200:
                topic = f"/luar/segments/{to_ros_name(segment)}"
                mirrored = w.peer.subscribe(LuarSegment, topic)
                assert list(mirrored.wait_for(lambda m: m.names).values) == [1.0, 2.0]
            else:
                diagnostics.wait_for(lambda m: "1 unpublishable segments" in m.status[0].message)
            for value in (3.0, 4.0):  # each change is another chance to fail
                owner.set(file, "a", [value, value])
                owner.sync()
                image.clear()
                image.wait_for_count(5)
            got = w.call(LuarGet, "get_variable", segment=segment, variable="a")
            assert list(got.values) == [4.0, 4.0]
            owner.remove(file)
            owner.sync()
        values = {v.key: v.value for v in diagnostics.last.status[0].values}
        assert values.get("unpublishable segments", "1") == "1"
        assert {m.state for m in w.link.items} <= {LinkState.CONNECTING, LinkState.CONNECTED}


def test_an_exception_in_the_links_thread_is_a_fault_and_the_bridge_goes_on(
    user: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with world(user) as w:
        w.wait_for_link(LinkState.CONNECTED)
        game = w.peer.subscribe(LuarGameState, "/luar/game_state")
        game.wait_for(lambda m: m.valid)
        game.clear()

        def fail(*_: object) -> None:
            patch.undo()
            raise OverflowError("thrown by the test")

        with monkeypatch.context() as patch:
            patch.setattr(SegmentMirror, "on_change", fail)
            w.wait_for_link(LinkState.FAULT, "unexpected OverflowError: thrown by the test")
        w.link.wait_for(lambda m: m.state == LinkState.CONNECTED and m.connections == 2)
        game.wait_for(lambda m: not m.valid)
        game.wait_for(lambda m: m.valid)
        w.peer.subscribe(PoseWithCovarianceStamped, "/luar/pose", STREAM).wait_for()


def test_simulated_time_that_does_not_begin_changes_no_stamp(user: str) -> None:
    with world(user, use_sim_time=True) as w:
        state = w.wait_for_link(LinkState.CONNECTED)
        assert (state.header.stamp.sec, state.header.stamp.nanosec) == (0, 0)
        image = w.peer.subscribe(Image, "/luar/image", STREAM).wait_for()
        # A robot's data have the robot's time.
        assert abs(time.time() - unix(image.header.stamp)) < 5


def test_the_referee_is_a_topic_and_writes_only_what_is_allowed(user: str) -> None:
    (port,) = free_ports(1)
    match = Match((0, 9), 4)
    match.penalise(0, 2)
    while match.state is not match.state.PLAYING:
        match.advance(1.0)
    with (
        udp_socket() as sender,
        world(
            user,
            game_controller=f"{BROADCAST}:{port}",
            writable=["gcmGame.penalty", "gcmGame.half"],
        ) as w,
    ):
        w.wait_for_link(LinkState.CONNECTED)
        referee = w.peer.subscribe(LuarReferee, "/luar/referee")
        assert not referee.wait_for().valid
        for packet in (b"garbage", encode(match.data(9))[:-1], encode(match.data(9))):
            sender.sendto(packet, (BROADCAST, port))
        told = referee.wait_for(lambda m: m.valid)
        assert (told.version, told.state, told.kicking_team, told.seconds_remaining) == (
            9,
            3,
            0,
            600,
        )
        assert [team.number for team in told.teams] == [0, 9]
        assert list(told.teams[0].penalties) == [0, 15, 0, 0]
        with Segment(DIRECTORY / f"gcmGame01{user}") as segment:
            assert segment.snapshot.numbers("last_update", 1) == (0.0,)  # not allowed
        status = w.peer.subscribe(DiagnosticArray, "/diagnostics", STREAM).wait_for(
            lambda m: {v.key: v.value for v in m.status[0].values}.get("refused broadcasts") == "2"
        )
        assert status.status[0].level == DiagnosticStatus.WARN


def test_diagnostics_tell_heartbeats_and_segments(user: str) -> None:
    with world(user) as w:
        w.wait_for_link(LinkState.CONNECTED)
        diagnostics = w.peer.subscribe(DiagnosticArray, "/diagnostics", qos.stream(10))

        def told(message: DiagnosticArray) -> bool:
            (status,) = message.status
            values = {v.key: v.value for v in status.values}
            return (
                status.name == "luar/bridge"
                and status.level in (DiagnosticStatus.OK, DiagnosticStatus.WARN)
                and "Hz, counted" in values.get("heartbeat vcmImage.count", "")
                and "ABI 1" in values.get("segment gcmGame", "")
            )

        diagnostics.wait_for(told)


def test_without_a_robot_the_bridge_waits(user: str) -> None:
    with RosPeer() as peer, RunningNode(LuarBridge, {"user": user, "joints": False}):
        link = peer.subscribe(LinkState, "/luar/link_state")
        link.wait_for(lambda m: m.state == LinkState.CONNECTING and "no segments of" in m.detail)
        game = peer.subscribe(LuarGameState, "/luar/game_state")
        assert not game.wait_for().valid


@pytest.mark.parametrize(
    "parameters,message",
    [
        ({"tables": ["nowhere"]}, "parameter 'tables'"),
        ({"tables": [""]}, "at least one layout table"),
        ({"writable": ["vcmCamera"]}, "parameter 'writable'"),
        ({"user": "a/b"}, "parameter 'user'"),
        ({"colors": "nice"}, "parameter 'colors'"),
        ({"game_controller": "nowhere.invalid"}, "parameter 'game_controller'"),
        ({"game_controller": "127.0.0.1:http"}, "parameter 'game_controller'"),
        ({"game_controller": "192.0.2.1"}, "parameter 'game_controller'"),
        ({"scan_rate": 0.0}, "parameter 'scan_rate'"),
    ],
)
def test_wrong_parameters_are_named(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        RunningNode(LuarBridge, parameters)
