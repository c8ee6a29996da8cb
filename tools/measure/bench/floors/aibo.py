# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The least that anything between a GTI server and ROS has to do: the floor of bench aibo.

One thread asks a socket for 39 numbers every 31 ms and publishes the first 18 as a JointState. No
protocol beyond a fixed struct, no checks, no state, no errors.
"""

from __future__ import annotations

import socket
import struct
import sys
import threading
import time

import rclpy
from rclpy.node import Node
from rclpy.qos import QoSProfile
from sensor_msgs.msg import JointState

from aibo_gti_bridge.model.joints import NAMES

QUERY = struct.pack("<iii39i", 1, 160, 39, *range(39))
REPLY = struct.Struct("<39d")
PERIOD = 0.0311
"""Not quite the bridge's, so that neither is always the one that the subscriber takes second."""


def main() -> None:
    """Poll the server on the port that is the first argument."""
    rclpy.init()
    node = Node("floor")
    publisher = node.create_publisher(JointState, "floor/joint_states", QoSProfile(depth=10))
    clock = node.get_clock()
    stream = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
    stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    names = list(NAMES)

    def poll() -> None:
        due = time.monotonic()
        while True:
            stream.sendall(QUERY)
            values = REPLY.unpack(stream.recv(REPLY.size, socket.MSG_WAITALL))
            message = JointState(name=names, position=values[:18])
            message.header.stamp = clock.now().to_msg()
            publisher.publish(message)
            due += PERIOD
            time.sleep(max(0.0, due - time.monotonic()))

    threading.Thread(target=poll, daemon=True).start()
    print("ready", flush=True)
    rclpy.spin(node)


main()
