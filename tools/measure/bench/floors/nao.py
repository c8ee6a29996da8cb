# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The least that anything between a Nao and ROS has to do: the floor of bench nao.

One thread reads a socket and publishes; one action server writes to the same socket as soon as it
has a goal. No protocol beyond a fixed struct, no state, no errors.
"""

from __future__ import annotations

import socket
import struct
import sys
import threading

import rclpy
from rclpy.action import ActionServer
from rclpy.node import Node
from rclpy.qos import QoSProfile

from legacy_robots_msgs.action import NaoGoTo
from legacy_robots_msgs.msg import NaoSighting

SEE = struct.Struct(">Bii")


def main() -> None:
    """Serve one connection on the port that is the first argument."""
    rclpy.init()
    node = Node("floor")
    publisher = node.create_publisher(NaoSighting, "floor/sightings", QoSProfile(depth=50))
    clock = node.get_clock()
    server = socket.create_server(("127.0.0.1", int(sys.argv[1])))

    def execute(handle: object) -> NaoGoTo.Result:
        stream.send(b"\x01" + bytes(8))
        handle.succeed()  # type: ignore[attr-defined]
        return NaoGoTo.Result()

    ActionServer(node, NaoGoTo, "floor/go_to", execute)
    print("ready", flush=True)
    stream, _ = server.accept()
    stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def read() -> None:
        while data := stream.recv(65536):
            for at in range(0, len(data) - 8, 9):
                _, marker_id, distance = SEE.unpack_from(data, at)
                message = NaoSighting(marker_id=marker_id, distance=distance)
                message.header.stamp = clock.now().to_msg()
                publisher.publish(message)

    threading.Thread(target=read, daemon=True).start()
    rclpy.spin(node)


main()
