# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Events of Roomba as messages: units, frames and names change here only. Pure functions."""

from __future__ import annotations

from builtin_interfaces.msg import Time
from sensor_msgs.msg import BatteryState
from std_msgs.msg import Header

from .protocol import Reading


def battery(reading: Reading, stamp: Time) -> BatteryState:
    """Return the charge, in Ah; what is not measured is NaN."""
    nan = float("nan")
    return BatteryState(
        header=Header(stamp=stamp),
        voltage=nan,
        current=nan,
        charge=reading.charge / 1000.0,
        capacity=reading.capacity / 1000.0,
        percentage=reading.battery,
        present=True,
    )
