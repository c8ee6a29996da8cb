# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The Open Interface of Roomba and Create 2: commands, and the stream of sensors.

Source: iRobot Create 2 Open Interface Specification (2015). No sockets, no ROS, no clocks.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

from legacy_robots_core.link import base
from legacy_robots_core.link.framing import Packets

START, SAFE, FULL, DRIVE_DIRECT, STREAM, SENSORS = 128, 131, 132, 145, 148, 142
STREAM_HEAD = 19
BUMPS, CHARGE, CAPACITY, LEFT, RIGHT = 7, 25, 26, 43, 44
_LAYOUT = struct.Struct(">BBBBBHBHBHBHB")
IDS = (BUMPS, CHARGE, CAPACITY, LEFT, RIGHT)
WHEEL_BASE_M = 0.235
M_PER_COUNT = 0.072 * 3.14159265 / 508.8
FASTEST_MM_S = 500
GREETING = bytes((START, SAFE, DRIVE_DIRECT, 0, 0, 0, 0, STREAM, len(IDS), *IDS))
"""Wake it, let it be driven (it stops by itself at cliffs), stop it (it drives on when the link is
lost), and have it send its sensors."""


class ProtocolError(base.ProtocolError):
    """Raised for bytes that the robot cannot have sent."""


@dataclass(frozen=True)
class Reading:
    """What is measured, 66 times a second."""

    bumper: bool
    charge: int
    """mAh"""
    capacity: int
    """mAh"""
    left: int
    right: int
    """Counts of the wheels' encoders, which begin again after 65535."""

    @property
    def battery(self) -> float:
        """Charge, 0 to 1."""
        return min(self.charge / self.capacity, 1.0) if self.capacity else 0.0


def packets() -> Packets:
    """Return the framing of the stream: 19, the length, the packets, and what makes the sum 0."""
    return Packets(
        bytes((STREAM_HEAD,)),
        lambda begun: begun[1] + 3,
        lambda whole: not sum(whole) % 256,
        least=3,
        longest=_LAYOUT.size,
    )


def parse(message: bytes) -> Reading:
    """Return the reading of a message of the stream. Raises ProtocolError."""
    if len(message) == _LAYOUT.size:
        _, _, *pairs = _LAYOUT.unpack(message)[:-1]
        if tuple(pairs[::2]) == IDS:
            bumps, charge, capacity, left, right = pairs[1::2]
            return Reading(bool(bumps & 3), charge, capacity, left, right)
    raise ProtocolError(f"{message.hex(' ')} has not the sensors that were asked for")


def stream(reading: Reading) -> bytes:
    """Return the message of a reading."""
    values = (3 * reading.bumper, reading.charge, reading.capacity, reading.left, reading.right)
    pairs = [number for pair in zip(IDS, values, strict=True) for number in pair]
    whole = bytearray(_LAYOUT.pack(STREAM_HEAD, _LAYOUT.size - 3, *pairs, 0))
    whole[-1] = -sum(whole) % 256
    return bytes(whole)


def turned(before: int, now: int) -> float:
    """Return how far a wheel went between two counts, in m."""
    return ((now - before + 32768) % 65536 - 32768) * M_PER_COUNT


def drive(forward: float, turn: float) -> bytes:
    """Return the command to drive (m/s, rad/s), as fast as the wheels can."""
    wheels = (forward + 0.5 * turn * WHEEL_BASE_M, forward - 0.5 * turn * WHEEL_BASE_M)
    speeds = [min(max(round(1000 * w), -FASTEST_MM_S), FASTEST_MM_S) for w in wheels]
    return struct.pack(">Bhh", DRIVE_DIRECT, *speeds)  # the right wheel first
