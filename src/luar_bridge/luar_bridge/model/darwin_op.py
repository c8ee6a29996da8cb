# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The limits of a DARwIn-OP's joints. No ROS. Source: docs/originals/luar.md, 2."""

from __future__ import annotations

RANGES_DEG = {
    "HeadYaw": (-90.0, 90.0), "HeadPitch": (-55.0, 25.0),
    "LShoulderPitch": (-60.0, 239.9), "LShoulderRoll": (-30.1, 179.8), "LElbow": (-159.9, 5.0),
    "LHipYaw": (-123.0, 53.0), "LHipRoll": (-45.0, 59.0), "LHipPitch": (-100.0, 29.0),
    "LKneePitch": (-6.0, 130.0), "LAnklePitch": (-80.0, 72.0), "LAnkleRoll": (-63.0, 44.0),
    "RHipYaw": (-53.0, 123.0), "RHipRoll": (-59.0, 45.0), "RHipPitch": (-100.0, 29.0),
    "RKneePitch": (-6.0, 130.0), "RAnklePitch": (-80.0, 72.0), "RAnkleRoll": (-44.0, 63.0),
    "RShoulderPitch": (-60.0, 239.9), "RShoulderRoll": (-179.8, 30.1), "RElbow": (-159.9, 5.0),
}  # fmt: skip
"""Least and greatest position of each of the 20 joints, in the order of dcmSensor."""
MAX_SPEED = 5.65
"""rad/s of each."""
