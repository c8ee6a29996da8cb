# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A process that notes when percepts arrive: TOPIC [TOPIC ...].

Prints "ready" when it is subscribed and, on SIGINT, a line of JSON: for each topic a list of
[cycle, tick, stamp in ns since the epoch, arrival in ns since the epoch]. Messages are not decoded
further, so that it takes no more of the machine than it must.
"""

from __future__ import annotations

import sys
import time
from typing import Any

import rclpy
from rclpy.node import Node
from rclpy.qos import QoSProfile
from rclpy.signals import SignalHandlerOptions

from legacy_robots_msgs.msg import Bw4tPercepts
from measure.bench.subscribers.arrivals import print_at_interrupt


def main() -> None:
    """Subscribe, note, print."""
    rclpy.init(signal_handler_options=SignalHandlerOptions.NO)
    node = Node("bw4t_subscriber")
    seen: dict[str, list[tuple[int, int, int, int]]] = {topic: [] for topic in sys.argv[1:]}

    def note(arrivals: list[tuple[int, int, int, int]], message: Any) -> None:
        now = time.time_ns()
        stamp = message.header.stamp.sec * 1_000_000_000 + message.header.stamp.nanosec
        arrivals.append((message.cycle, message.tick, stamp, now))

    for topic, arrivals in seen.items():
        node.create_subscription(
            Bw4tPercepts, topic, lambda m, a=arrivals: note(a, m), QoSProfile(depth=2000)
        )
    print_at_interrupt(node, seen)


main()
