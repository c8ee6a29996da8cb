# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The team's messages of 2015 and 2016: version 6 of the Standard Platform League's. No I/O.

They are as the original fills them: its own 22 bytes follow, and the ball's age is in ms, not s.
Source: docs/originals/luar.md, 10.
"""

from __future__ import annotations

import math
import struct

from luar_bridge.protocol.team_message import TeamMessage, TeamMessageError

HEADER = b"SPL "
PORT_OF_TEAM_0 = 10000
"""The original's port is this and the number of the team."""
MAXIMUM_BYTES = 852
"""Length of the structure, with the padding at its end: the original sends all of it."""
_VERSION = 6
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

    Its colour is -1, as it tells none. Raises TeamMessageError.
    """
    if not _FIXED.size <= len(data) <= MAXIMUM_BYTES:
        raise TeamMessageError(f"it has {len(data)} bytes")
    header, version, player, team, fallen, *rest = _FIXED.unpack_from(data)
    if header != HEADER or version != _VERSION:
        raise TeamMessageError(f"it is {header!r} of version {version}, not {HEADER!r} of 6")
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


def encode(message: TeamMessage) -> bytes:
    """Return the bytes of a message whose pose is as decode returns it.

    It walks and shoots nowhere, and trusts its ball if it has seen it. Raises TeamMessageError.
    """
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
    return (fixed + own).ljust(MAXIMUM_BYTES, b"\0")
