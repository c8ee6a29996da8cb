# SPDX-License-Identifier: Apache-2.0
"""The least that a Luar robot's topics cost: luar_floor.py USER [TOPIC ...].

For each topic (all without TOPIC) the segment that it comes from is read, at the rate at which the
robot writes it, and a message of the kind and size that the bridge publishes is published below
/floor. The messages are made once: nothing is looked for, checked or converted.
"""

from __future__ import annotations

import os
import sys
import time
from array import array
from dataclasses import dataclass
from typing import Any

import rclpy
from geometry_msgs.msg import PoseWithCovarianceStamped
from legacy_robots_msgs.msg import LuarWalk
from nav_msgs.msg import Odometry
from rclpy.node import Node
from rclpy.qos import QoSProfile
from sensor_msgs.msg import CameraInfo, Image, Imu, JointState
from soccer_model_msgs.msg import Ball
from soccer_vision_3d_msgs.msg import BallArray, GoalpostArray, MarkingArray

from luar_bridge.motion import JOINTS
from luar_bridge.naming import DIRECTORY, RobotIdentity
from luar_bridge.segment import Segment


@dataclass
class Topic:
    """What is published how often, and the segment it comes from."""

    name: str
    segment: str
    hertz: int
    message: Any


def image(size: int) -> Image:
    """Return an image of ``size`` bytes."""
    message = Image(encoding="mono8")
    message.data.frombytes(bytes(size))
    return message


JOINT_STATE = JointState(name=JOINTS, position=array("d", [0.1] * len(JOINTS)))
TOPICS = [
    Topic("joint_states", "dcmSensor", 100, JOINT_STATE),
    Topic("imu", "dcmSensor", 100, Imu()),
    Topic("odom", "mcmWalk", 100, Odometry()),
    Topic("walk", "mcmWalk", 100, LuarWalk()),
    Topic("image", "vcmImage", 30, image(38400)),
    Topic("image_rgb", "vcmImage", 30, image(57600)),
    Topic("labels_a", "vcmImage", 30, image(4800)),
    Topic("labels_b", "vcmImage", 30, image(300)),
    Topic("labels_a_rgb", "vcmImage", 30, image(14400)),
    Topic("labels_b_rgb", "vcmImage", 30, image(900)),
    Topic("camera_info", "vcmImage", 30, CameraInfo()),
    Topic("pose", "wcmRobot", 30, PoseWithCovarianceStamped()),
    Topic("ball", "wcmBall", 30, Ball()),
    Topic("ball_detection", "vcmBall", 30, BallArray()),
    Topic("goals", "vcmGoal", 30, GoalpostArray()),
    Topic("lines", "vcmLine", 30, MarkingArray()),
]


def main() -> None:
    """Read and publish until interrupted."""
    user, *only = sys.argv[1:]
    identity = RobotIdentity(0, 1, user)
    rclpy.init()
    node = Node("floor", namespace="floor")
    chosen = [topic for topic in TOPICS if not only or topic.name in only]
    pairs = {
        hertz: [
            (node.create_publisher(type(t.message), t.name, QoSProfile(depth=10)), t.message)
            for t in chosen
            if t.hertz == hertz
        ]
        for hertz in (100, 30)
    }
    places = {100: [], 30: []}
    for hertz, name in sorted({(t.hertz, t.segment) for t in chosen}):
        path = DIRECTORY / identity.file_name(name)
        with Segment(path) as segment:
            places[hertz].append((os.open(path, os.O_RDONLY), segment.snapshot.directory.end))
    print("ready", flush=True)
    due = time.monotonic()
    for number in range(1_000_000_000):
        due += 0.01
        time.sleep(max(0.0, due - time.monotonic()))
        for hertz in (100, 30) if number % 10 in (0, 3, 6) else (100,):
            for file, size in places[hertz]:
                os.pread(file, size, 0)
            for publisher, message in pairs[hertz]:
                publisher.publish(message)


try:
    main()
except KeyboardInterrupt:
    pass
