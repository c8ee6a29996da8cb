# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Odometry and frames at every image, whether the robot stands, walks or falls."""

from __future__ import annotations

import math
import threading
import time
from bisect import bisect_left, bisect_right
from itertools import pairwise
from statistics import median
from typing import Any

import pytest
from nav_msgs.msg import Odometry
from sensor_msgs.msg import Image
from tf2_msgs.msg import TFMessage

from legacy_robots_common.node import qos
from legacy_robots_testing.polling import until
from legacy_robots_testing.ros_peer import RosPeer, unix
from legacy_robots_testing.running_node import RunningNode
from luar_bridge.bridge.node import LuarBridge
from luar_bridge.simulator.segment_owner import SegmentOwner

pytestmark = pytest.mark.node

STREAM = qos.stream(50)


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


CAMERA_TO_BALL_M = 1.5
SWEEP_RAD, SWEEP_HZ = 0.8, 0.4
"""A head that looks from side to side at up to 2 rad/s."""


def test_the_ball_is_projected_by_the_head_at_the_time_of_the_image(user: str) -> None:
    """Where a ball 1.5 m ahead is put by /tf at each image, against the angles of that image."""
    image, images, begun = f"vcmImage01{user}", {}, time.time()
    parameters = {"user": user, "joints": False}
    with SegmentOwner() as robot, RosPeer() as peer, RunningNode(LuarBridge, parameters):
        robot.create(image)
        for variable in ("count", "time"):
            robot.set(image, variable, 0.0)
        robot.set(image, "headAngles", [0.0, 0.0])
        robot.sync()
        tf = peer.subscribe(TFMessage, "/tf", qos.stream(1000))

        def next_image() -> bool:
            now = time.time()
            yaw = SWEEP_RAD * math.sin(2.0 * math.pi * SWEEP_HZ * (now - begun))
            images[round(now, 6)] = yaw
            robot.set(image, "count", float(len(images)))
            robot.set(image, "time", now)
            robot.set(image, "headAngles", [yaw, 0.3])
            robot.flush()
            return len(tf.items) > 150

        until(next_image, "no transforms of a head that moves")

    by_image: dict[float, float] = {}
    with_all_links: list[tuple[float, float]] = []
    for message in tf.items:
        for transform in message.transforms:
            if transform.child_frame_id == "neck":
                turn, stamp = transform.transform.rotation, round(unix(transform.header.stamp), 6)
                by_image[stamp] = 2.0 * math.atan2(turn.z, turn.w)
                if len(message.transforms) > 2:
                    with_all_links.append((stamp, by_image[stamp]))
    stamps = [stamp for stamp, _ in with_all_links]
    before, after = [], []
    for stamp, yaw in by_image.items():
        truth = min(images.items(), key=lambda pair: abs(pair[0] - stamp))[1]
        newest = bisect_right(stamps, stamp) - 1
        if newest >= 0:
            before.append(CAMERA_TO_BALL_M * abs(with_all_links[newest][1] - truth))
            after.append(CAMERA_TO_BALL_M * abs(yaw - truth))
    print(f"projection error (median, mm): {1e3 * median(before):.1f}, {1e3 * median(after):.1f}")
    assert len(after) > 60
    assert median(after) < 0.001
    assert median(before) > 0.02
