# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""RoboSkate: the camera, board and crane, and how fast and where it skates."""

from __future__ import annotations

import math
from pathlib import Path

from nav_msgs.msg import Odometry
from sensor_msgs.msg import CompressedImage

from legacy_robots_common.frames.transforms import yaw_of
from legacy_robots_view.systems import joints
from legacy_robots_view.systems.kind import Camera, Feed, Kind, number, numbers
from legacy_robots_web import Fields


def odom(message: Odometry) -> Fields:
    """Return the board's place in m, its heading in rad and its speed in m/s."""
    at, velocity = message.pose.pose.position, message.twist.twist.linear
    return {
        "at": numbers((at.x, at.y, at.z)),
        "heading": number(yaw_of(message.pose.pose.orientation)),
        "speed": number(math.hypot(velocity.x, velocity.y, velocity.z), 2),
    }


KIND = Kind(
    "roboskate",
    "RoboSkate",
    "legacy_robots_msgs/msg/RoboSkateKeys",
    Path(__file__).with_suffix(".js"),
    (*joints.FEEDS, Feed("odom", Odometry, odom)),
    (Camera("camera/image_raw/compressed", CompressedImage),),
)
