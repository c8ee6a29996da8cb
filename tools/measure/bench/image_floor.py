# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The least that is needed to get frames to a subscriber: the floors of bench roboskate.

With arguments PORT WIDTH HEIGHT RATE TOPIC it publishes RATE frames a second on TOPIC while
there is a subscriber. With a PORT they are fetched by bare gRPC from image_game.py; with port
0 they are made here. Nothing is checked, and nothing else is published.
"""

from __future__ import annotations

import struct
import sys
import time
from typing import Any

import grpc
import numpy as np
import rclpy
from rclpy.node import Node
from rclpy.qos import QoSProfile
from sensor_msgs.msg import Image

from legacy_robots_core.freed_memory import keep_freed_memory


def main() -> None:
    """Publish until the end."""
    port, width, height = map(int, sys.argv[1:4])
    rate, topic = float(sys.argv[4]), sys.argv[5]
    keep_freed_memory()  # as the bridge does: it is to be no slower than the best that is known
    rclpy.init()
    node = Node("floor")
    publisher = node.create_publisher(Image, topic, QoSProfile(depth=5))
    size = 3 * width * height
    frame = bytearray(np.random.default_rng(1).integers(0, 256, size, np.uint8).tobytes())
    channel = grpc.insecure_channel(
        f"127.0.0.1:{port}",
        options=[
            ("grpc.max_receive_message_length", -1),
            ("grpc.http2.lookahead_bytes", 16 * 1024 * 1024),
        ],
    )
    get_camera: Any = channel.unary_unary("/communication.CommunicationService/get_camera")
    print("ready", flush=True)
    due = time.monotonic()
    while rclpy.ok():
        due = max(due + 1.0 / rate, time.monotonic() - 1.0 / rate)
        time.sleep(max(0.0, due - time.monotonic()))
        if not publisher.get_subscription_count():
            continue
        message = Image(width=width, height=height, encoding="rgb8", step=3 * width)
        if port:
            message.data.frombytes(memoryview(get_camera(b"", timeout=5))[-size:])
        else:
            struct.pack_into("<q", frame, 0, time.time_ns())
            message.data.frombytes(frame)
        publisher.publish(message)


main()
