# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Events of Myrobot as messages: units, frames and names change here only. Pure functions."""

from __future__ import annotations

from builtin_interfaces.msg import Time
from geometry_msgs.msg import TransformStamped
from sensor_msgs.msg import JointState
from std_msgs.msg import Header

from .protocol import Reading


def joint_state(reading: Reading, joint: str, stamp: Time) -> JointState:
    """Return the position (m) of ``joint``."""
    return JointState(header=Header(stamp=stamp), name=[joint], position=[reading.position])


def transform(reading: Reading, prefix: str, stamp: Time) -> TransformStamped:
    """Return where the frame ``tip`` is along x of ``base``, both with ``prefix``."""
    found = TransformStamped(child_frame_id=f"{prefix}tip")
    found.header = Header(stamp=stamp, frame_id=f"{prefix}base")
    found.transform.translation.x = reading.position
    found.transform.rotation.w = 1.0
    return found
