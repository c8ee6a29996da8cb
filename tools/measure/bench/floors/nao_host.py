# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The least that is between an agent and a navigation: the floor of bench nao_host.

One thread reads a socket; each nine bytes are a goal, and its result is two bytes. No protocol
beyond that, no state, no poses, no errors.
"""

from __future__ import annotations

import socket
import sys
import threading

import rclpy
from nav2_msgs.action import NavigateToPose
from rclpy.action import ActionClient
from rclpy.node import Node


def main() -> None:
    """Dial the port that is the first argument."""
    rclpy.init()
    node = Node("floor")
    client = ActionClient(node, NavigateToPose, "/floor/navigate_to_pose")
    client.wait_for_server()
    stream = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
    stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def send() -> None:
        asked = client.send_goal_async(NavigateToPose.Goal())
        asked.add_done_callback(
            lambda future: (
                future.result()
                .get_result_async()
                .add_done_callback(lambda _: stream.send(b"\x81\x01"))
            )
        )

    def read() -> None:
        while stream.recv(9, socket.MSG_WAITALL):
            node.executor.create_task(send)

    threading.Thread(target=read, daemon=True).start()
    rclpy.spin(node)


main()
