# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The team's messages as r2r_spl of ros-sports packs a LuarTeamPacket. No I/O.

Fields in their order, little endian, without padding (r2r_spl @ 65a4f1c, serialization.py).
"""

from __future__ import annotations

import math
import struct

from luar_bridge.protocol.team_message import TeamMessage, TeamMessageError

_PACKET = struct.Struct("<2Bb2?6f")
SIZE = _PACKET.size
_FLOAT_LARGEST = 3.4e38


def decode(data: bytes) -> TeamMessage:
    """Return a message; its pose has the x axis towards the goal that the team attacks.

    Its colour is -1. With ``filter_own`` r2r_spl puts the player's number before it. Raises
    TeamMessageError.
    """
    if len(data) == SIZE + 1 and data[0] == data[1]:
        data = data[1:]
    if len(data) != SIZE:
        raise TeamMessageError(f"a LuarTeamPacket has {SIZE} bytes, this packet {len(data)}")
    player, team, role, fallen, penalised, *numbers = _PACKET.unpack(data)
    if not all(map(math.isfinite, numbers)):
        raise TeamMessageError("a number is not finite")
    x, y, a, ball_x, ball_y, age = numbers
    seen = age if age >= 0.0 else None
    return TeamMessage(
        team, player, -1, role, (x, y, a), (ball_x, ball_y), seen, penalised, fallen
    )


def encode(message: TeamMessage) -> bytes:
    """Return the bytes of a message, its pose as decode returns it. Raises TeamMessageError."""
    numbers = (
        *message.pose,
        *message.ball,
        -1.0 if message.ball_age is None else message.ball_age,
    )
    if not all(abs(number) <= _FLOAT_LARGEST for number in numbers):
        raise TeamMessageError("a number is not finite")
    try:
        return _PACKET.pack(
            message.player, message.team, message.role, message.fallen, message.penalised, *numbers
        )
    except struct.error as error:
        raise TeamMessageError(f"a number is too great: {error}") from error
