# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The team's messages of the Standard Platform League: versions 6, 7 and 8. No I/O.

Version 6 (2015, 2016) is as the original fills it: its own 22 bytes follow, and the ball's age is
in ms, not s. Source: docs/originals/luar.md, 10.
"""

from __future__ import annotations

import math
import struct

from luar_bridge.protocol.team_message import TeamMessage, TeamMessageError

HEADER = b"SPL "
PORT_OF_TEAM_0 = 10000
"""The original's port is this and the number of the team."""
MAXIMUM_BYTES = 852
"""Length of the structure of version 6 with the padding at its end.

The original sends all of it, and reads shorter ones. What is sent here has no padding: on this
port today's TeamCommunicationMonitor takes 512 bytes at most.
"""
_VERSION = 6
_LATER = struct.Struct("<4s4B6fH")
_LATER_DATA_BYTES = {7: 474, 8: 128}
_FLOAT_LARGEST = 3.4e38
_FIXED = struct.Struct("<4sBbbb12f5bb2h2bH")
_OWN_BYTES = 22
"""Number of the team, penalty, battery, what it sees of goals and corners, trust in the ball."""
_DATA_BYTES = 780
_NEVER_SEEN_MS = 1e9
"""From this age on the ball has not been seen: the original reads -1 as "just now"."""
_ROLE_OF_INTENTION = (3, 0, 2, 1, 5)
_INTENTION_OF_ROLE = (1, 3, 2, 0, 2, 4)
"""By gcmTeam.role from 0; other roles are 0, nothing particular."""
_WALK_MM_S, _KICK_MM = 50, 2000
"""What the original says of its robots' skills."""


def decode(data: bytes) -> TeamMessage:
    """Return a message; its pose has the x axis towards the goal that the team attacks.

    Its colour is -1, as it tells none, and so is the role in versions 7 and 8. Raises
    TeamMessageError.
    """
    if data[:4] == HEADER and len(data) > 4 and data[4] in _LATER_DATA_BYTES:
        return _decode_later(data)
    if not _FIXED.size <= len(data) <= MAXIMUM_BYTES:
        raise TeamMessageError(f"it has {len(data)} bytes")
    header, version, player, team, fallen, *rest = _FIXED.unpack_from(data)
    if header != HEADER or version != _VERSION:
        raise TeamMessageError(
            f"it is {header!r} of version {version}, not {HEADER!r} of 6, 7 or 8"
        )
    numbers, intention, length = rest[:12], rest[17], rest[22]
    own = data[_FIXED.size : _FIXED.size + length]
    if len(own) != length or length > _DATA_BYTES:
        raise TeamMessageError(f"its data have {len(own)} of {length} bytes")
    if length < _OWN_BYTES or own[0] != team:
        raise TeamMessageError("its data are not those of the original")
    if fallen not in (0, 1) or not 0 <= intention < len(_ROLE_OF_INTENTION):
        raise TeamMessageError(f"fallen {fallen} or intention {intention} is unknown")
    if not all(map(math.isfinite, numbers)):
        raise TeamMessageError("a number is not finite")
    x, y, a, age, ball_x, ball_y = *numbers[:3], *numbers[7:10]
    return TeamMessage(
        team,
        player,
        -1,
        _ROLE_OF_INTENTION[intention],
        (x / 1000.0, y / 1000.0, a),
        (ball_x / 1000.0, ball_y / 1000.0),
        age / 1000.0 if 0.0 <= age < _NEVER_SEEN_MS else None,
        own[1] > 0,
        fallen == 1,
    )


def _decode_later(data: bytes) -> TeamMessage:
    """Return a message of version 7 or 8: m of mm, the ball's age in s."""
    if len(data) < _LATER.size:
        raise TeamMessageError(f"it has {len(data)} bytes")
    _, version, player, team, fallen, *numbers, length = _LATER.unpack_from(data)
    most = _LATER_DATA_BYTES[version]
    if length > most or not _LATER.size + length <= len(data) <= _LATER.size + most:
        raise TeamMessageError(f"its data are {len(data) - _LATER.size} for {length} bytes")
    if fallen not in (0, 1, 255) or not all(map(math.isfinite, numbers)):
        raise TeamMessageError(f"fallen {fallen} or a number is unknown")
    x, y, a, age, ball_x, ball_y = numbers
    return TeamMessage(
        team, player, -1, -1, (x / 1000.0, y / 1000.0, a), (ball_x / 1000.0, ball_y / 1000.0),
        age if age >= 0.0 else None, False, fallen == 1,
    )  # fmt: skip


def _encode_later(message: TeamMessage, version: int) -> bytes:
    x, y, ball_x, ball_y = (1000.0 * n for n in (*message.pose[:2], *message.ball))
    age = -1.0 if message.ball_age is None else message.ball_age
    numbers = (x, y, message.pose[2], age, ball_x, ball_y)
    if not all(abs(number) <= _FLOAT_LARGEST for number in numbers):
        raise TeamMessageError("a number is not finite")
    try:
        fixed = _LATER.pack(
            HEADER, version, message.player, message.team, message.fallen, *numbers, 0
        )
    except struct.error as error:
        raise TeamMessageError(f"a number is too great: {error}") from error
    # ros-sports' splsm_7 and splsm_8 read the whole array only.
    return fixed.ljust(_LATER.size + _LATER_DATA_BYTES[version], b"\0")


def encode(message: TeamMessage, version: int = _VERSION) -> bytes:
    """Return the bytes of a message whose pose is as decode returns it.

    In version 6 it walks and shoots nowhere, and trusts its ball if it has seen it. Raises
    TeamMessageError.
    """
    if version in _LATER_DATA_BYTES:
        return _encode_later(message, version)
    x, y, ball_x, ball_y = (1000.0 * n for n in (*message.pose[:2], *message.ball))
    age = _NEVER_SEEN_MS if message.ball_age is None else 1000.0 * message.ball_age
    role = message.role if 0 <= message.role < len(_INTENTION_OF_ROLE) else 3
    own = bytearray(_OWN_BYTES)
    numbers = (x, y, message.pose[2], x, y, x, y, age, ball_x, ball_y, 0.0, 0.0)
    if not all(map(math.isfinite, numbers)):
        raise TeamMessageError("a number is not finite")
    try:
        own[0], own[1], own[-1] = message.team, message.penalised, 255 * (age < _NEVER_SEEN_MS)
        fixed = _FIXED.pack(
            HEADER, _VERSION, message.player, message.team, message.fallen, *numbers,
            0, 0, 0, 0, 0, _INTENTION_OF_ROLE[role], _WALK_MM_S, _KICK_MM, 0, 0, _OWN_BYTES,
        )  # fmt: skip
    except (struct.error, OverflowError, ValueError) as error:
        raise TeamMessageError(f"a number is too great: {error}") from error
    return fixed + own
