# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A process that notes when images arrive: TOPIC SECONDS.

Subscribes best effort, waits for a first image, and then for SECONDS more. The first eight bytes
of an image are the monotonic nanoseconds at which it was sent. Prints a line of JSON: a list of
[sent, arrived] in monotonic nanoseconds.
"""

from __future__ import annotations

import json
import struct
import sys
import time

import rclpy
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from rclpy.qos import QoSProfile, ReliabilityPolicy
from sensor_msgs.msg import Image


def main() -> None:
    """Subscribe, note, print."""
    topic, seconds = sys.argv[1], float(sys.argv[2])
    rclpy.init()
    node = Node("arrivals")
    seen: list[tuple[int, int]] = []

    def note(message: Image) -> None:
        now = time.monotonic_ns()
        seen.append((struct.unpack_from("<q", memoryview(message.data).cast("B"))[0], now))

    profile = QoSProfile(depth=5, reliability=ReliabilityPolicy.BEST_EFFORT)
    node.create_subscription(Image, topic, note, profile)
    executor = SingleThreadedExecutor()
    executor.add_node(node)
    give_up = time.monotonic() + 20.0
    while not seen and time.monotonic() < give_up:
        executor.spin_once(timeout_sec=0.1)
    # What comes at first is part of the discovery.
    begin = time.monotonic() + 1.0
    while time.monotonic() < begin:
        executor.spin_once(timeout_sec=0.05)
    seen.clear()
    begin = time.monotonic()
    while time.monotonic() < begin + seconds:
        executor.spin_once(timeout_sec=0.05)
    print(json.dumps(seen), flush=True)


main()
