# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Moving transforms reach /tf, and are wanted only while it has a subscriber."""

import time

import pytest
import rclpy
from geometry_msgs.msg import TransformStamped
from rclpy.context import Context
from rclpy.node import Node
from tf2_msgs.msg import TFMessage

from legacy_robots_common.frames.transform_broadcaster import TransformBroadcaster
from legacy_robots_common.frames.transforms import quaternion_message, yaw_of
from legacy_robots_common.node import qos
from legacy_robots_testing.recorder import TIMEOUT
from legacy_robots_testing.ros_peer import RosPeer

pytestmark = pytest.mark.node


def test_moving_transforms_are_wanted_while_there_is_a_subscriber():
    context = Context()
    rclpy.init(context=context)
    node = Node("broadcaster", context=context)
    broadcaster = TransformBroadcaster(node)
    assert not broadcaster.wanted
    with RosPeer() as peer:
        received = peer.subscribe(TFMessage, "/tf", qos.stream(100))
        deadline = time.monotonic() + TIMEOUT
        while not broadcaster.wanted:
            assert time.monotonic() < deadline
        transform = TransformStamped(child_frame_id="moving")
        broadcaster.send([transform])
        assert received.wait_for().transforms == [transform]
    node.destroy_node()
    rclpy.shutdown(context=context)


def test_the_heading_of_a_message_is_its_yaw():
    assert yaw_of(quaternion_message(0.3, -0.2, 2.5)) == pytest.approx(2.5, abs=1e-6)
    message = quaternion_message(0.0, 0.0, 0.0)
    message.w = 0.0
    assert yaw_of(message) == 0.0, "no rotation, no heading"
