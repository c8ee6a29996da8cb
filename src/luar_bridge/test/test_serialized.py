# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Prepared bytes of messages, as strict readers take them."""

import pytest
from nav_msgs.msg import Odometry
from rclpy.serialization import deserialize_message
from sensor_msgs.msg import Image, Imu, JointState

from luar_bridge.bridge.serialized import SerializedForm

pytestmark = pytest.mark.node

MESSAGES = {
    "empty arrays of doubles at its end": JointState(name=["a", "b"], position=[1.0, 2.0]),
    "an array of doubles at its end": JointState(name=["a"], effort=[1.0]),
    "no array": Odometry(child_frame_id="base"),
    "arrays of a fixed length": Imu(),
    "bytes at its end": Image(height=1, width=3, step=3, data=b"abc"),
}


@pytest.mark.parametrize("message", MESSAGES.values(), ids=MESSAGES)
def test_nothing_is_behind_a_message(message):
    stores = pytest.importorskip("rosbags.typesys")
    data = SerializedForm(message).filled(2.5)
    read = deserialize_message(data, type(message))
    assert (read.header.stamp.sec, read.header.stamp.nanosec) == (2, 500_000_000)
    store = stores.get_typestore(stores.Stores.ROS2_JAZZY)
    name = f"{type(message).__module__.split('.')[0]}/msg/{type(message).__name__}"
    assert store.deserialize_cdr(data, name).header.stamp.sec == 2  # rosbags refuses a surplus
