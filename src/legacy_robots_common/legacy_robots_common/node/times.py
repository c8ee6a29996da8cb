# SPDX-License-Identifier: Apache-2.0
"""Durations and times of messages in seconds."""

from __future__ import annotations

from builtin_interfaces.msg import Duration, Time


def seconds(message: Duration | Time) -> float:
    """Return a duration, or a time since its epoch, in s."""
    return float(message.sec) + float(message.nanosec) * 1e-9


def duration(value: float) -> Duration:
    """Return ``value`` (s) as a message, rounded to nanoseconds."""
    nanoseconds = round(value * 1e9)
    return Duration(sec=nanoseconds // 10**9, nanosec=nanoseconds % 10**9)
