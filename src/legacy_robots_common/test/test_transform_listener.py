# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A listener knows where a frame is now, and how old that is."""

import math

import pytest
from geometry_msgs.msg import TransformStamped
from tf2_msgs.msg import TFMessage

from legacy_robots_common.frames.transform_listener import TransformListener
from legacy_robots_common.node import qos
from legacy_robots_testing.polling import until
from legacy_robots_testing.ros_peer import RosPeer

pytestmark = pytest.mark.node


def transform(parent, child, x, yaw=0.0):
    message = TransformStamped(child_frame_id=child)
    message.header.frame_id = parent
    message.transform.translation.x = x
    message.transform.rotation.z, message.transform.rotation.w = (
        math.sin(yaw / 2),
        math.cos(yaw / 2),
    )
    return message


def test_fixed_frames_of_many_publishers_are_all_known():
    frames = [f"part_{number}" for number in range(20)]
    with RosPeer("listener") as here, RosPeer("broadcaster") as there:
        publishers = []
        for frame in frames:
            publisher = there.on_executor(
                there.node.create_publisher, TFMessage, "/tf_static", qos.LATCHED
            )
            publisher.publish(TFMessage(transforms=[transform("base_link", frame, 1.0)]))
            publishers.append(publisher)

        def listen():
            listener = TransformListener(here.node)
            # Until then nothing is read, as where the program is busy.
            until(lambda: all(p.get_subscription_count() for p in publishers), "no listener")
            return listener

        listener = here.on_executor(listen)
        until(lambda: all(listener.pose(frame, "base_link") for frame in frames), "one is lost")


def test_poses_and_their_age():
    with RosPeer("listener") as here, RosPeer("broadcaster") as there:
        listener = here.on_executor(TransformListener, here.node)
        moving, fixed = (
            there.on_executor(there.node.create_publisher, TFMessage, topic, profile)
            for topic, profile in (("/tf", qos.stream(100)), ("/tf_static", qos.LATCHED))
        )
        until(moving.get_subscription_count, "no listener")
        bad = transform("map", "odom", math.nan)
        moving.publish(TFMessage(transforms=[transform("map", "odom", 2.0, math.pi / 2), bad]))
        fixed.publish(TFMessage(transforms=[transform("odom", "base_link", 1.0)]))
        until(lambda: listener.pose("base_link", "map"), "no pose")
        pose = listener.pose("base_link", "map")
        assert pose.translation == pytest.approx((2.0, 1.0, 0.0))
        assert pose.yaw == pytest.approx(math.pi / 2)
        assert listener.pose("map", "base_link").translation == pytest.approx((-1.0, 2.0, 0.0))
        assert listener.pose("camera", "map") is None
        assert listener.age("base_link", "odom") == 0.0  # it never changes
        assert 0.0 < listener.age("base_link", "map") < 40.0
