# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Durations and times of messages in seconds."""

from __future__ import annotations

import math

from builtin_interfaces.msg import Duration, Time
from std_msgs.msg import Header


def seconds(message: Duration | Time) -> float:
    """Return a duration, or a time since its epoch, in s."""
    return float(message.sec) + float(message.nanosec) * 1e-9


def duration(value: float) -> Duration:
    """Return ``value`` (s) as a message, rounded to nanoseconds."""
    nanoseconds = round(value * 1e9)
    return Duration(sec=nanoseconds // 10**9, nanosec=nanoseconds % 10**9)


def time_message(unix: float) -> Time:
    """Return Unix seconds as a stamp; 0 for unknown."""
    whole = math.floor(unix)
    return Time(sec=whole, nanosec=int((unix - whole) * 1e9))


def header(unix: float, frame: str) -> Header:
    """Return a header of Unix seconds."""
    return Header(stamp=time_message(unix), frame_id=frame)
