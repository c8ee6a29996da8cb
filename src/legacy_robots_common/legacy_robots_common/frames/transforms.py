# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Rotations in messages."""

from __future__ import annotations

from geometry_msgs.msg import Quaternion

from legacy_robots_geometry.rotations import quaternion_of, roll_pitch_yaw


def quaternion_message(roll: float, pitch: float, yaw: float) -> Quaternion:
    """Return the rotation about x, then y, then z of the fixed frame, in rad."""
    x, y, z, w = quaternion_of(roll, pitch, yaw)
    return Quaternion(x=x, y=y, z=z, w=w)


def yaw_of(rotation: Quaternion) -> float:
    """Return the heading of a rotation, in rad about z."""
    return roll_pitch_yaw((rotation.x, rotation.y, rotation.z, rotation.w))[2]
