# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Events of Myrobot as messages: units, frames and names change here only. Pure functions."""

from __future__ import annotations

from builtin_interfaces.msg import Time
# --- if plain
from geometry_msgs.msg import TransformStamped
from sensor_msgs.msg import JointState
# --- end
# --- if base drone
from sensor_msgs.msg import BatteryState, Range
# --- end
from std_msgs.msg import Header

from .protocol import Reading

# --- if plain

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
# --- end
# --- if base
FARTHEST = 4.0
"""m that the range sensor measures at most."""
# --- end
# --- if drone
HIGHEST = 10.0
"""m that the altimeter measures at most."""
# --- end
# --- if base drone


def battery(reading: Reading, stamp: Time) -> BatteryState:
    """Return the charge; what is not measured is NaN."""
    nan = float("nan")
    return BatteryState(
        header=Header(stamp=stamp),
        voltage=nan,
        current=nan,
        charge=nan,
        percentage=reading.battery,
        present=True,
    )
# --- end
# --- if base


def away(reading: Reading, prefix: str, stamp: Time) -> Range:
    """Return the distance in front of the frame ``front``, with ``prefix``."""
    return Range(
        header=Header(stamp=stamp, frame_id=f"{prefix}front"),
        radiation_type=Range.INFRARED,
        field_of_view=0.1,
        min_range=0.0,
        max_range=FARTHEST,
        range=reading.away,
    )
# --- end
# --- if drone


def altitude(reading: Reading, prefix: str, stamp: Time) -> Range:
    """Return the distance to the ground below the frame ``base_link``, with ``prefix``."""
    return Range(
        header=Header(stamp=stamp, frame_id=f"{prefix}base_link"),
        radiation_type=Range.ULTRASOUND,
        field_of_view=0.5,
        min_range=0.0,
        max_range=HIGHEST,
        range=reading.altitude,
    )
# --- end
