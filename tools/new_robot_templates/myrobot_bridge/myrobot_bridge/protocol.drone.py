# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The wire of Myrobot: messages as frozen dataclasses. No sockets, no ROS, no clocks.

Everything from outside is bounded and checked here; nothing but ProtocolError is raised.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from legacy_robots_core.link import base

LONGEST = 80
"""Bytes of a message."""
PING, STOP = b"PING", b"STOP"
STATES = (b"LANDED", b"HOVERS", b"MOVES")


class ProtocolError(base.ProtocolError):
    """Raised for bytes that Myrobot cannot have sent; the message shows them."""


@dataclass(frozen=True)
class Reading:
    """What is measured, ten times a second: m and rad from where it has started."""

    state: str
    """LANDED, HOVERS (it can be flown), or MOVES: it takes off or lands."""
    x: float
    y: float
    altitude: float
    yaw: float
    battery: float
    """Charge, 0 to 1."""


def parse(message: bytes) -> Reading:
    """Return the event of a message. Raises ProtocolError."""
    match message.split():
        case [b"STATE", state, *words] if state in STATES and len(words) == 5:
            return Reading(state.decode(), *map(number, words))
    raise ProtocolError(f"{message[:LONGEST]!r} is no message of Myrobot")


def number(word: bytes) -> float:
    """Return a finite number. Raises ProtocolError."""
    try:
        value = float(word)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ProtocolError(f"{word[:LONGEST]!r} is no number")
    return value


def take_off(altitude: float) -> bytes:
    """Return the command to take off to ``altitude`` (m)."""
    return f"TAKEOFF {altitude:.3f}".encode()


def land() -> bytes:
    """Return the command to land."""
    return b"LAND"


def fly(forward: float, left: float, turn: float, upward: float) -> bytes:
    """Return the command to fly (m/s, m/s, rad/s, m/s)."""
    return f"FLY {forward:.3f} {left:.3f} {turn:.3f} {upward:.3f}".encode()
