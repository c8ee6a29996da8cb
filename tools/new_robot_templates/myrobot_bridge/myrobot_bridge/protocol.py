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
# --- if arm
JOINTS = 3
# --- end
# --- if drone
STATES = (b"LANDED", b"HOVERS", b"MOVES")
# --- end


class ProtocolError(base.ProtocolError):
    """Raised for bytes that Myrobot cannot have sent; the message shows them."""


# --- if plain
@dataclass(frozen=True)
class Reading:
    """What is measured: the position in m."""

    position: float


@dataclass(frozen=True)
class Done:
    """The last MOVE is over: reached, or blocked on the way."""

    reached: bool


def parse(message: bytes) -> Reading | Done:
    """Return the event of a message. Raises ProtocolError."""
    match message.split():
        case [b"STATE", position]:
            return Reading(number(position))
        case [b"DONE"]:
            return Done(True)
        case [b"BLOCKED"]:
            return Done(False)
    raise ProtocolError(f"{message[:LONGEST]!r} is no message of Myrobot")


# --- end
# --- if base
@dataclass(frozen=True)
class Reading:
    """What is measured, ten times a second."""

    driven: float
    """m forward in all: a reading that is lost, or comes twice, changes nothing."""
    turned: float
    """rad counter-clockwise in all."""
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


# --- end
# --- if arm
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


# --- end
# --- if drone
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


# --- end
def number(word: bytes) -> float:
    """Return a finite number. Raises ProtocolError."""
    try:
        value = float(word)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ProtocolError(f"{word[:LONGEST]!r} is no number")
    return value
# --- if plain


def move(position: float) -> bytes:
    """Return the command to go to ``position`` (m)."""
    return f"MOVE {position:.6f}".encode()
# --- end
# --- if base


def drive(forward: float, turn: float) -> bytes:
    """Return the command to drive (m/s, rad/s)."""
    return f"DRIVE {forward:.4f} {turn:.4f}".encode()
# --- end
# --- if arm


def move(positions: list[float]) -> bytes:
    """Return the command to go to the positions (rad) of all joints."""
    return " ".join(["MOVE", *(f"{position:.5f}" for position in positions)]).encode()
# --- end
# --- if drone


def take_off(altitude: float) -> bytes:
    """Return the command to take off to ``altitude`` (m)."""
    return f"TAKEOFF {altitude:.3f}".encode()


def land() -> bytes:
    """Return the command to land."""
    return b"LAND"


def fly(forward: float, left: float, turn: float, upward: float) -> bytes:
    """Return the command to fly (m/s, m/s, rad/s, m/s)."""
    return f"FLY {forward:.3f} {left:.3f} {turn:.3f} {upward:.3f}".encode()
# --- end
