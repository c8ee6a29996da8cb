# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The least that anything between a GTI client and ROS has to do: the floor of bench gti_host.

A bare socket on one thread: a querySensors of any ids is answered with as many numbers, of which
the second is the latest neck_pan of joint_states; a walk becomes a Twist. No protocol beyond two
fixed structs, no checks, no units, no errors.
"""

from __future__ import annotations

import socket
import struct
import sys
import threading

import rclpy
from geometry_msgs.msg import Twist
from rclpy.node import Node
from sensor_msgs.msg import JointState

HEADER = struct.Struct("<ii")
WALK = struct.Struct("<3dii")


def main() -> None:
    """Serve one client on the port that is the first argument; the robot's namespace follows."""
    rclpy.init()
    node = Node("floor")
    pan = [0.0]

    def on_joints(message: JointState) -> None:
        pan[0] = message.position[message.name.index("neck_pan")]

    node.create_subscription(JointState, f"{sys.argv[2]}/joint_states", on_joints, 5)
    publisher = node.create_publisher(Twist, f"{sys.argv[2]}/floor_cmd_vel", 5)
    listener = socket.create_server(("127.0.0.1", int(sys.argv[1])))

    def serve() -> None:
        stream, _ = listener.accept()
        stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        while head := stream.recv(HEADER.size, socket.MSG_WAITALL):
            kind, length = HEADER.unpack(head)
            body = stream.recv(length, socket.MSG_WAITALL)
            if kind == 1:
                values = [0.0] * ((length - 4) // 4)
                values[1] = pan[0]
                stream.sendall(struct.pack(f"<{len(values)}d", *values))
            else:
                twist = Twist()
                twist.linear.x, _, twist.angular.z, _, _ = WALK.unpack(body)
                publisher.publish(twist)

    threading.Thread(target=serve, daemon=True).start()
    print("ready", flush=True)
    rclpy.spin(node)


main()
