# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Events of Myrobot as messages: units, frames and names change here only. Pure functions."""

from __future__ import annotations

from builtin_interfaces.msg import Time
from sensor_msgs.msg import BatteryState, Range
from std_msgs.msg import Header

from .protocol import Reading

FARTHEST = 4.0
"""m that the range sensor measures at most."""


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
