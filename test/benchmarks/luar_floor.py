# SPDX-License-Identifier: Apache-2.0
"""The least that publishing a Luar robot costs: the floor of bench_luar's load.

Messages of the kinds and sizes that the bridge publishes, made once and published again and again
below /floor: five 100 times a second, fifteen 30 times. Nothing is read and nothing converted.
"""

from __future__ import annotations

import time
from array import array

import rclpy
from geometry_msgs.msg import PoseWithCovarianceStamped
from legacy_robots_msgs.msg import LuarWalk
from nav_msgs.msg import Odometry
from rclpy.node import Node
from rclpy.qos import QoSProfile
from sensor_msgs.msg import CameraInfo, Image, Imu, JointState
from soccer_model_msgs.msg import Ball
from soccer_vision_3d_msgs.msg import BallArray, GoalpostArray, MarkingArray
from tf2_msgs.msg import TFMessage

from luar_bridge.motion import JOINTS


def image(size: int) -> Image:
    """Return an image of ``size`` bytes."""
    message = Image(encoding="mono8")
    message.data.frombytes(bytes(size))
    return message


def main() -> None:
    """Publish until interrupted."""
    rclpy.init()
    node = Node("floor", namespace="floor")
    joints = JointState(name=JOINTS, position=array("d", [0.1] * len(JOINTS)))
    fast = [joints, Imu(), Odometry(), LuarWalk(), TFMessage()]
    slow = [
        image(38400), image(57600), image(4800), image(300), image(14400), image(900),
        CameraInfo(), PoseWithCovarianceStamped(), TFMessage(), Ball(), BallArray(),
        GoalpostArray(), MarkingArray(),
    ]  # fmt: skip
    pairs = [
        (node.create_publisher(type(m), f"t{i}", QoSProfile(depth=10)), m)
        for i, m in enumerate(fast + slow)
    ]
    print("ready", flush=True)
    due = time.monotonic()
    for number in range(1_000_000_000):
        due += 0.01
        time.sleep(max(0.0, due - time.monotonic()))
        for publisher, message in pairs if number % 10 in (0, 3, 6) else pairs[: len(fast)]:
            publisher.publish(message)


try:
    main()
except KeyboardInterrupt:
    pass
