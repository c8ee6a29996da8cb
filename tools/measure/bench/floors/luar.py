# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The least that a Luar robot's topics cost in rclpy: USER [TOPIC ...].

For each topic (all without TOPIC) the segment that it comes from is read, at the rate at which the
robot writes it, and its values are published in a message of the kind and size that the bridge
publishes, below /floor. When the robot writes (from the first counts) and where its variables are
is known beforehand: nothing is looked for, checked, read twice or converted, and images of other
encodings are copies.
"""

from __future__ import annotations

import os
import struct
import sys
import time
from array import array
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import rclpy
from builtin_interfaces.msg import Time
from geometry_msgs.msg import PoseWithCovarianceStamped, TransformStamped
from nav_msgs.msg import Odometry
from rclpy.node import Node
from rclpy.qos import QoSProfile
from sensor_msgs.msg import CameraInfo, Image, Imu, JointState
from soccer_model_msgs.msg import Ball
from soccer_vision_2d_msgs.msg import Ball as PixelBall
from soccer_vision_2d_msgs.msg import BallArray as PixelBallArray
from soccer_vision_2d_msgs.msg import GoalpostArray as PixelGoalpostArray
from soccer_vision_3d_msgs.msg import Ball as SeenBall
from soccer_vision_3d_msgs.msg import BallArray, GoalpostArray, MarkingArray
from tf2_msgs.msg import TFMessage

from legacy_robots_msgs.msg import LuarWalk
from luar_bridge.model.motion import JOINTS
from luar_bridge.protocol.naming import DIRECTORY, RobotIdentity
from luar_bridge.protocol.segment import Segment


class Values:
    """The bytes of a segment and the places of its variables."""

    def __init__(self, user: str, name: str) -> None:
        path = DIRECTORY / RobotIdentity(0, 1, user).file_name(name)
        with Segment(path) as segment:
            variables = segment.snapshot.directory.variables
            self._size = segment.snapshot.directory.end
        self._places = {v.name: (v.offset, v.size) for v in variables}
        self._file = os.open(path, os.O_RDONLY)
        self._data = b""

    def read(self) -> None:
        """Read the segment."""
        self._data = os.pread(self._file, self._size, 0)

    def raw(self, name: str) -> bytes:
        """Return the bytes of a variable."""
        offset, size = self._places[name]
        return self._data[offset : offset + size]

    def numbers(self, name: str) -> tuple[float, ...]:
        """Return the doubles of a variable."""
        offset, size = self._places[name]
        return struct.unpack_from(f"<{size // 8}d", self._data, offset)


@dataclass
class Topic:
    """What is published how often, the segment it comes from, and what fills the message."""

    name: str
    segment: str
    hertz: int
    message: Any
    fill: Callable[[Any, Values], None] = lambda message, values: None


def joints(message: JointState, values: Values) -> None:
    """Fill in the angles."""
    message.position = array("d", values.raw("position"))


def imu(message: Imu, values: Values) -> None:
    """Fill in the readings."""
    roll, pitch = values.numbers("imuAngle")[:2]
    message.orientation.x, message.orientation.y = roll / 2, pitch / 2
    a, r = message.linear_acceleration, message.angular_velocity
    a.x, a.y, a.z = values.numbers("imuAcc")
    r.x, r.y, _ = values.numbers("imuGyr")


def odometry(message: Odometry, values: Values) -> None:
    """Fill in the middle of the feet."""
    left, right = values.numbers("uLeft"), values.numbers("uRight")
    position = message.pose.pose.position
    position.x, position.y, message.pose.pose.orientation.z = (
        (a + b) / 2 for a, b in zip(left, right, strict=True)
    )


def transform(message: TFMessage, values: Values) -> None:
    """Fill in the middle of the feet, and the stamp, which is not in a header of its own."""
    left, right = values.numbers("uLeft"), values.numbers("uRight")
    one = message.transforms[0]
    one.header.stamp = now()
    one.transform.translation.x, one.transform.translation.y, one.transform.rotation.z = (
        (a + b) / 2 for a, b in zip(left, right, strict=True)
    )


def walk(message: LuarWalk, values: Values) -> None:
    """Fill in both feet."""
    for pose, name in (
        (message.left_foot, "uLeft"),
        (message.right_foot, "uRight"),
        (message.body_offset, "bodyOffset"),
    ):
        pose.x, pose.y, pose.theta = values.numbers(name)


def pose(message: PoseWithCovarianceStamped, values: Values) -> None:
    """Fill in the robot's place."""
    inner = message.pose.pose
    inner.position.x, inner.position.y, inner.orientation.z = values.numbers("pose")


def ball(message: Ball, values: Values) -> None:
    """Fill in the filtered ball."""
    message.point.point.x, message.point.point.y = values.numbers("xy")


def seen_ball(message: BallArray, values: Values) -> None:
    """Fill in the ball that is seen."""
    center = message.balls[0].center
    center.x, center.y, center.z = values.numbers("v")[:3]


def pixel_ball(message: PixelBallArray, values: Values) -> None:
    """Fill in the ball in the image."""
    center = message.balls[0].center
    center.x, center.y = values.numbers("centroid")


def image(size: int, variable: str) -> dict[str, Any]:
    """Return message and filling of an image of ``size`` bytes, copied from ``variable``."""

    def fill(message: Image, values: Values) -> None:
        raw = values.raw(variable)
        message.data = array("B", (raw * (size // len(raw) + 1))[:size])

    return {"message": Image(encoding="mono8"), "fill": fill}


def now() -> Time:
    """Return the time as a stamp."""
    seconds, nanoseconds = divmod(time.time_ns(), 1_000_000_000)
    return Time(sec=seconds, nanosec=nanoseconds)


JOINT_STATE = JointState(name=JOINTS, position=array("d", [0.1] * len(JOINTS)))
TOPICS = [
    Topic("/tf", "mcmWalk", 100, TFMessage(transforms=[TransformStamped()]), transform),
    Topic("joint_states", "dcmSensor", 100, JOINT_STATE, joints),
    Topic("imu", "dcmSensor", 100, Imu(), imu),
    Topic("odom", "mcmWalk", 100, Odometry(), odometry),
    Topic("walk", "mcmWalk", 100, LuarWalk(), walk),
    Topic("image", "vcmImage", 30, **image(38400, "yuyv")),
    Topic("image_rgb", "vcmImage", 30, **image(57600, "yuyv")),
    Topic("labels_a", "vcmImage", 30, **image(4800, "labelA")),
    Topic("labels_b", "vcmImage", 30, **image(300, "labelB")),
    Topic("labels_a_rgb", "vcmImage", 30, **image(14400, "labelA")),
    Topic("labels_b_rgb", "vcmImage", 30, **image(900, "labelB")),
    Topic("camera_info", "vcmImage", 30, CameraInfo()),
    Topic("pose", "wcmRobot", 30, PoseWithCovarianceStamped(), pose),
    Topic("ball", "wcmBall", 30, Ball(), ball),
    Topic("ball_detection", "vcmBall", 30, BallArray(balls=[SeenBall()]), seen_ball),
    Topic("ball_detection_2d", "vcmBall", 30, PixelBallArray(balls=[PixelBall()]), pixel_ball),
    Topic("goals", "vcmGoal", 30, GoalpostArray()),
    Topic("goals_2d", "vcmGoal", 30, PixelGoalpostArray()),
    Topic("lines", "vcmLine", 30, MarkingArray()),
]


def just_written(sensor: Values) -> float:
    """Return a time in monotonic seconds shortly after the robot wrote: it does every 10 ms.

    What a process costs depends on what ran just before it: at a time of its own, which data may
    be up to 10 ms old at, a run took half of what the next one did.
    """
    seen: list[tuple[float, bytes]] = []
    while len(seen) < 20:
        sensor.read()
        if not seen or sensor.raw("count") != seen[-1][1]:
            seen.append((time.monotonic(), sensor.raw("count")))
        time.sleep(0.0001)
    return max(at - 0.01 * number for number, (at, _) in enumerate(seen[1:]))


def main() -> None:
    """Read and publish until interrupted."""
    user, *only = sys.argv[1:]
    rclpy.init()
    node = Node("floor", namespace="floor")
    chosen = [topic for topic in TOPICS if not only or topic.name in only]
    segments = {topic.segment: Values(user, topic.segment) for topic in chosen}
    published = [
        (t, node.create_publisher(type(t.message), t.name, QoSProfile(depth=10))) for t in chosen
    ]
    due = just_written(Values(user, "dcmSensor"))
    print("ready", flush=True)
    for number in range(1_000_000_000):
        due += 0.01
        time.sleep(max(0.0, due - time.monotonic()))
        with_images = number % 10 in (0, 3, 6)
        beat = [(t, p) for t, p in published if t.hertz == 100 or with_images]
        for name in {topic.segment for topic, _ in beat}:
            segments[name].read()
        stamp = now()
        for topic, publisher in beat:
            topic.fill(topic.message, segments[topic.segment])
            if topic.name != "/tf":
                topic.message.header.stamp = stamp
            publisher.publish(topic.message)


try:
    main()
except KeyboardInterrupt:
    pass
