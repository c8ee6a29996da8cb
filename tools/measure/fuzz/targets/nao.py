# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The decoder of the GOAL-Nao protocol: both sides, both profiles, cut anywhere."""

from nao_goal_bridge.protocol import (
    Agent,
    Decoder,
    Dialect,
    Dropped,
    Failure,
    GoTo,
    GoToTiles,
    Holding,
    Location,
    PickUp,
    Profile,
    ProtocolError,
    See,
    SeeObject,
    Side,
    State,
    Success,
    TurnAndGoTo,
    encode,
)

DIALECTS = [
    (side, Dialect(profile, width)) for side in Side for profile in Profile for width in (1, 4)
]
MOST_HELD = 2053
"""Bytes of the longest event; a decoder holds less than one."""


def seeds() -> list[bytes]:
    events = [
        *(GoTo(114, 0), PickUp(1), PickUp(), GoToTiles(((1, 2), (-3, 4))), TurnAndGoTo(0, 114, 0)),
        *(
            Agent(0),
            Location(80),
            State(1),
            See(85, 2),
            SeeObject(0),
            SeeObject(0, 5),
            Holding(1),
            Dropped(1),
        ),
        *(Dropped(), Success(1), Failure(3)),
    ]
    found = [b"\x00"]
    for number, (_, dialect) in enumerate(DIALECTS):
        for cut in (0, 3):
            stream = b""
            for event in events:
                try:
                    stream += encode(event, dialect)
                except ProtocolError:
                    continue  # not one of this dialect
                found.append(bytes([number, cut]) + encode(event, dialect))
            found.append(bytes([number, cut]) + stream)
    return found


def decoded(pieces: list[bytes], side: Side, dialect: Dialect) -> tuple[list[object], str]:
    """Return the events in a stream and the error at its end, if any."""
    decoder, events = Decoder(side, dialect), []
    try:
        for piece in pieces:
            decoder.feed(piece)
            events += decoder.events()
            assert decoder.pending < MOST_HELD
        decoder.end()
    except ProtocolError as error:
        return events, str(error)
    return events, ""


def one_input(data: bytes) -> None:
    if len(data) < 2:
        return
    side, dialect = DIALECTS[data[0] % len(DIALECTS)]
    size, stream = 1 + data[1], data[2:]
    pieces = [stream[at : at + size] for at in range(0, len(stream), size)]
    whole = decoded([stream], side, dialect)
    assert decoded(pieces, side, dialect) == whole
    for event in whole[0]:
        assert decoded([encode(event, dialect)], side, dialect) == ([event], "")
