# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""AT commands to an AR.Drone 2, and the navdata that it sends. No sockets, no ROS, no clocks.

Source: AR.Drone Developer Guide, SDK 2.0 (2012).
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator
from dataclasses import dataclass

from legacy_robots_core.link import base

NAVDATA_PORT, AT_PORT = 5554, 5556
WAKE = b"\x01\x00\x00\x00"
"""Asks for navdata, at the port that sends them."""
ACKNOWLEDGED, BOOTSTRAP, EMERGENCY = 1 << 6, 1 << 11, 1 << 31
"""Bits of the state: a configuration was received; the drone waits for one; motors are cut."""
LANDED, FLYING, HOVERING, TAKING_OFF, LANDING = 2, 3, 4, 6, 8
FULL_M_S, FULL_UP_M_S, FULL_RAD_S = 5.0, 0.7, 1.75
"""What a command of 1.0 means, about: tilt, climb and turn of the factory's configuration."""

Command = tuple[str | int | float, ...]
"""Name and values of an AT command; ``encode`` gives it its number."""
HOVER: Command = ("PCMD", 0, 0.0, 0.0, 0.0, 0.0)
TAKE_OFF: Command = ("REF", 0x11540200)
LAND: Command = ("REF", 0x11540000)
ALIVE: Command = ("COMWDG",)
ACKNOWLEDGE: Command = ("CTRL", 5, 0)
DEMO: Command = ("CONFIG", "general:navdata_demo", "TRUE")

_HEAD = struct.Struct("<IIII")
_OPTION = struct.Struct("<HH")
_DEMO = struct.Struct("<IIfffifff")
_MAGIC, _DEMO_TAG, _SUM_TAG, _DEMO_BYTES = 0x55667788, 0, 0xFFFF, 144


class ProtocolError(base.ProtocolError):
    """Raised for a datagram that the drone cannot have sent."""


@dataclass(frozen=True)
class Reading:
    """What is measured. The drone's axes: x forward, y right, z down."""

    mode: int
    """LANDED, FLYING, HOVERING, TAKING_OFF, LANDING, or another of the guide."""
    battery: int
    """%"""
    yaw: float
    """rad, clockwise."""
    altitude: float
    """m"""
    velocity: tuple[float, float]
    """m/s, forward and right."""


@dataclass(frozen=True)
class Navdata:
    """A datagram: bits of the state, and the reading unless the drone waits for BOOTSTRAP."""

    state: int
    reading: Reading | None


def parse(data: bytes) -> Navdata:
    """Return the navdata of a datagram. Raises ProtocolError."""
    if len(data) < 24 or data[:4] != struct.pack("<I", _MAGIC):
        raise ProtocolError(f"{data[:16].hex(' ')} begins no navdata")
    reading, at = None, _HEAD.size
    while at + _OPTION.size <= len(data):
        tag, size = _OPTION.unpack_from(data, at)
        content = data[at + _OPTION.size : at + size]
        if not _OPTION.size <= size <= len(data) - at:
            raise ProtocolError(f"an option of {size} bytes, of {len(data) - at}")
        if tag == _SUM_TAG:
            if content != struct.pack("<I", sum(data[:at]) & 0xFFFFFFFF):
                raise ProtocolError("the checksum is wrong")
            return Navdata(_HEAD.unpack_from(data)[1], reading)
        if tag == _DEMO_TAG:
            reading = _reading(content)
        at += size
    raise ProtocolError("navdata without a checksum")


def _reading(content: bytes) -> Reading:
    if len(content) < _DEMO.size:
        raise ProtocolError(f"navdata of {len(content)} bytes")
    mode, battery, _, _, yaw, altitude, forward, right, _ = _DEMO.unpack_from(content)
    if not all(map(math.isfinite, (yaw, forward, right))):
        raise ProtocolError("navdata that are no numbers")
    return Reading(
        mode >> 16, battery, math.radians(yaw / 1000), altitude / 1000,
        (forward / 1000, right / 1000),
    )  # fmt: skip


def navdata(number: int, state: int, reading: Reading | None) -> bytes:
    """Return the datagram of a reading, or of none."""
    data = _HEAD.pack(_MAGIC, state, number, 0)
    if reading:
        forward, right = (1000 * part for part in reading.velocity)
        demo = _DEMO.pack(
            reading.mode << 16, reading.battery, 0.0, 0.0, 1000 * math.degrees(reading.yaw),
            round(1000 * reading.altitude), forward, right, 0.0,
        )  # fmt: skip
        data += _OPTION.pack(_DEMO_TAG, 4 + _DEMO_BYTES) + demo.ljust(_DEMO_BYTES, b"\x00")
    return data + struct.pack("<HHI", _SUM_TAG, 8, sum(data) & 0xFFFFFFFF)


def fly(forward: float, left: float, turn: float, upward: float) -> Command:
    """Return the command to fly (m/s, m/s, rad/s counter-clockwise, m/s); all 0: to hover."""
    parts = (-left / FULL_M_S, -forward / FULL_M_S, upward / FULL_UP_M_S, -turn / FULL_RAD_S)
    if not any(parts):
        return HOVER
    return ("PCMD", 1, *(min(max(part, -1.0), 1.0) + 0.0 for part in parts))  # no -0.0


def encode(number: int, command: Command) -> bytes:
    """Return an AT command; the drone ignores those with a lower number than the last."""
    name, *values = command
    return f"AT*{','.join([f'{name}={number}', *map(_word, values)])}\r".encode()


def _word(value: str | float) -> str:
    if isinstance(value, float):
        value = int(struct.unpack("<i", struct.pack("<f", value))[0])
    return f'"{value}"' if isinstance(value, str) else str(value)


def commands(data: bytes) -> Iterator[tuple[str, int, list[str]]]:
    """Return name, number and words of the AT commands of a datagram. Raises ProtocolError."""
    for text in filter(None, data.decode("ascii", "replace").split("\r")):
        name, _, rest = text.removeprefix("AT*").partition("=")
        number, *words = rest.split(",")
        if not (text.startswith("AT*") and number.isdecimal()):
            raise ProtocolError(f"{text[:40]!r} is no AT command")
        yield name, int(number), words


def number(word: str) -> float:
    """Return a word of PCMD as the number that its bits are. Raises ProtocolError."""
    try:
        value = float(struct.unpack("<f", struct.pack("<i", int(word)))[0])
    except (ValueError, struct.error):
        value = math.nan
    if not abs(value) <= 1.0:
        raise ProtocolError(f"{word[:20]!r} is no number from -1 to 1")
    return value
