# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The least that anything between a world and ROS has to do: the floor of bench bw4t.

On a schedule of 50 Hz it publishes ready-made percept messages of the size of the bridge's: no
world, no polling, no conversion. Arguments: NUMBER_OF_TOPICS PERCEPTS_IN_A_MESSAGE
"""

from __future__ import annotations

import sys
import time

import rclpy
from rclpy.node import Node
from rclpy.qos import QoSProfile

from legacy_robots_msgs.msg import Bw4tPercept, Bw4tPercepts

PERIOD = 0.02


def percepts(number: int) -> list[Bw4tPercept]:
    """Return what a moving robot perceives in a cycle: its location, and positions."""
    location = Bw4tPercept(name="location", types=[2, 2], numbers=[12.5, 47.25])
    position = Bw4tPercept(name="position", types=[1, 2, 2], numbers=[60.0, 12.5, 47.25])
    return [location, *[position] * (number - 1)]


def main() -> None:
    """Publish until the end."""
    rclpy.init()
    node = Node("floor")
    publishers = [
        node.create_publisher(Bw4tPercepts, f"floor/Bot_{number}/percepts", QoSProfile(depth=500))
        for number in range(1, int(sys.argv[1]) + 1)
    ]
    message = Bw4tPercepts(percepts=percepts(int(sys.argv[2])))
    print("ready", flush=True)
    due = time.monotonic()
    while rclpy.ok():
        due += PERIOD
        time.sleep(max(0.0, due - time.monotonic()))
        now = time.time_ns()
        message.header.stamp.sec, message.header.stamp.nanosec = divmod(now, 1_000_000_000)
        message.cycle += 1
        for publisher in publishers:
            publisher.publish(message)


main()
