# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The decoders of a team's messages: a message, or their one error; never code that runs."""

from luar_bridge.protocol import standard_message
from luar_bridge.protocol.team_message import TeamMessage, TeamMessageError, decode, encode


def seeds() -> list[bytes]:
    message = TeamMessage(1, 2, 0, 3, (1.5, -0.25, 0.5), (0.75, 0.125), 2.0, True)
    without_ball = TeamMessage(2, 1, 1, 0, (0.0, 0.0, 3.0), (0.0, 0.0), 1e6, False)
    return [
        encode(message, 100.0),
        encode(without_ball, 5.0),
        standard_message.encode(message),
        standard_message.encode(without_ball)[:92],
        b"{}",
        b'{["role"]=nil,["pose"]={["y"]=-3e-05,},[1]="a \\" b",}',
    ]


def one_input(data: bytes) -> None:
    """Decode one message; what is accepted can be encoded again, unless its age is too great."""
    if data.startswith(standard_message.HEADER):
        try:
            reported = standard_message.decode(data)
        except TeamMessageError:
            return
        standard_message.decode(standard_message.encode(reported))
        return
    try:
        message = decode(data)
        encode(message, 100.0)
    except TeamMessageError:
        return
