# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Events of the AR.Drone as messages: units, frames and names change here only. Pure functions."""

from __future__ import annotations

from builtin_interfaces.msg import Time
from sensor_msgs.msg import BatteryState, Range
from std_msgs.msg import Header

from .protocol import Reading


def battery(reading: Reading, stamp: Time) -> BatteryState:
    """Return the charge; what is not measured is NaN."""
    nan = float("nan")
    return BatteryState(
        header=Header(stamp=stamp),
        voltage=nan,
        current=nan,
        charge=nan,
        percentage=reading.battery / 100,
        present=True,
    )


def altitude(reading: Reading, prefix: str, stamp: Time) -> Range:
    """Return the distance to the ground below the frame ``base_link``, with ``prefix``."""
    return Range(
        header=Header(stamp=stamp, frame_id=f"{prefix}base_link"),
        radiation_type=Range.ULTRASOUND,
        field_of_view=0.5,
        min_range=0.0,
        max_range=6.0,
        range=reading.altitude,
    )
