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


class ProtocolError(base.ProtocolError):
    """Raised for bytes that Myrobot cannot have sent; the message shows them."""


@dataclass(frozen=True)
class Reading:
    """What is measured, ten times a second."""

    driven: float
    """m forward since the last one."""
    turned: float
    """rad counter-clockwise since the last one."""
    battery: float
    """Charge, 0 to 1."""
    bumper: bool
    """Whether it is pressed."""
    away: float
    """m to what is in front."""


def parse(message: bytes) -> Reading:
    """Return the event of a message. Raises ProtocolError."""
    match message.split():
        case [b"STATE", driven, turned, battery, (b"0" | b"1") as bumper, away]:
            return Reading(
                number(driven), number(turned), number(battery), bumper == b"1", number(away)
            )
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


def drive(forward: float, turn: float) -> bytes:
    """Return the command to drive (m/s, rad/s)."""
    return f"DRIVE {forward:.4f} {turn:.4f}".encode()
