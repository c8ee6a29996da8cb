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
JOINTS = 3


class ProtocolError(base.ProtocolError):
    """Raised for bytes that Myrobot cannot have sent; the message shows them."""


@dataclass(frozen=True)
class Reading:
    """What is measured, 20 times a second: the positions of the joints in rad."""

    positions: tuple[float, ...]


def parse(message: bytes) -> Reading:
    """Return the event of a message. Raises ProtocolError."""
    match message.split():
        case [b"STATE", *words] if len(words) == JOINTS:
            return Reading(tuple(number(word) for word in words))
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


def move(positions: list[float]) -> bytes:
    """Return the command to go to the positions (rad) of all joints."""
    return " ".join(["MOVE", *(f"{position:.5f}" for position in positions)]).encode()
