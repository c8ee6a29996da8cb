# SPDX-License-Identifier: Apache-2.0
"""Odometry and frames at every image, whether the robot stands, walks or falls."""

from __future__ import annotations

import threading
import time
from bisect import bisect_left
from itertools import pairwise
from typing import Any

import pytest
from nav_msgs.msg import Odometry
from sensor_msgs.msg import Image
from tf2_msgs.msg import TFMessage

from legacy_robots_common.node import qos
from legacy_robots_common.testing.ros_peer import RosPeer, unix
from legacy_robots_common.testing.running_node import RunningNode
from luar_bridge.bridge.node import LuarBridge
from luar_bridge.simulator.segment_owner import SegmentOwner

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
