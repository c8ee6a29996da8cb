# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The decoders of the Golog-Tekkotsu Interface: commands and replies, on every wire table."""

import math

from aibo_gti_bridge.protocol import wire_table as wire
from aibo_gti_bridge.protocol.codec import ProtocolError, ReplyDecoder, encode_command, is_answered
from aibo_gti_bridge.protocol.commands import (
    Acknowledgement,
    Ball,
    JointTarget,
    Motion,
    MoveJoints,
    QueryBall,
    QuerySensors,
    SearchBall,
    SearchResult,
    SensorValues,
    Walk,
    WalkSteps,
)
from aibo_gti_bridge.protocol.server_codec import CommandDecoder, encode_reply

TABLES = [
    wire.load(overlays)
    for overlays in (
        [],
        *([name] for name in wire.overlay_names()),
        ["ball-int-first-32", "acknowledged"],
    )
]
COMMANDS = [
    QuerySensors((0, 1, 2)),
    QueryBall(0),
    SearchBall(1),
    MoveJoints((JointTarget(3, 0.25, 100), JointTarget(4, -0.5))),
    Motion("sit.mot"),
    Walk(100.0, 0.0, 0.5, -1),
    WalkSteps(100.0, 0.0, 0.0, 4),
]
REPLIES = [
    SensorValues((0.5, -1.0, 7.0)),
    Ball(True, 0.25, -0.5, 0.125, 0),
    SearchResult(True),
    Acknowledgement(0),
]


def seeds() -> list[bytes]:
    found = [b"\x00\x00\x00"]
    for number, table in enumerate(TABLES):
        commands = [encode_command(command, table) for command in COMMANDS]
        found += [bytes([number, 0, 5]) + data for data in [*commands, b"".join(commands)]]
        for asked in range(len(COMMANDS)):
            reply = REPLIES[min(asked, 3)]
            found.append(bytes([number, 1 + asked, 3]) + encode_reply(reply, table))
    return found


def commands_in(pieces: list[bytes], table: wire.WireTable) -> tuple[list[object], str]:
    """Return the commands in a stream and the error at its end, if any."""
    decoder, commands = CommandDecoder(table), []
    try:
        for piece in pieces:
            decoder.feed(piece)
            commands += decoder.commands()
        decoder.end()
    except ProtocolError as error:
        return commands, str(error)
    return commands, ""


def one_input(data: bytes) -> None:
    if len(data) < 3:
        return
    table, choice, size, stream = TABLES[data[0] % len(TABLES)], data[1], 1 + data[2], data[3:]
    pieces = [stream[at : at + size] for at in range(0, len(stream), size)]
    if choice == 0:
        whole = commands_in([stream], table)
        assert commands_in(pieces, table) == whole
        for command in whole[0]:
            assert commands_in([encode_command(command, table)], table) == ([command], "")
        return
    command = COMMANDS[(choice - 1) % len(COMMANDS)]
    if not is_answered(command, table):
        return
    decoder = ReplyDecoder(table)
    decoder.expect(command)
    try:
        replies = []
        for piece in pieces:
            decoder.feed(piece)
            replies.append(decoder.reply())
        decoder.end()
    except ProtocolError:
        return
    for reply in filter(None, replies):
        numbers = reply.values if isinstance(reply, SensorValues) else ()
        hidden = isinstance(reply, Ball) and not reply.visible
        if not hidden and not any(map(math.isnan, numbers)):
            again = ReplyDecoder(table)
            again.expect(command)
            again.feed(encode_reply(reply, table))
            assert again.reply() == reply
