# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The wire, byte for byte and by property."""

from __future__ import annotations

import math
import struct
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aibo_gti_bridge.protocol import codec as p
from aibo_gti_bridge.protocol import commands as c
from aibo_gti_bridge.protocol import wire_table as w
from aibo_gti_bridge.protocol.server_codec import CommandDecoder, encode_reply

LE = w.load()
ALL_OPTIONS = [
    LE,
    w.load(["ball-int-first-32"]),
    w.load(["acknowledged"]),
]


def ident(value: object) -> str:
    return type(value).__name__ if type(value).__module__.endswith("commands") else ""


def hexed(text: str) -> bytes:
    return bytes.fromhex(text)


ONE, TWO, MINUS_HALF = "000000000000f03f", "0000000000000040", "000000000000e0bf"

COMMANDS = [
    (c.QuerySensors((12, 13, 14)), "01000000 10000000 03000000 0c000000 0d000000 0e000000"),
    (c.QueryBall(0), "02000000 04000000 00000000"),
    (c.SearchBall(4), "03000000 04000000 04000000"),
    (
        c.MoveJoints((c.JointTarget(12, 1.0, 500), c.JointTarget(13, -0.5))),
        "04000000 28000000 02000000 00000000"
        f" 0c000000 f4010000 {ONE} 0d000000 00000000 {MINUS_HALF}",
    ),
    (c.Motion("wave.mot"), "05000000 09000000 776176652e6d6f74 00"),
    (c.Walk(1.0, 2.0, -0.5), f"06000000 20000000 {ONE} {TWO} {MINUS_HALF} ffffffff 00000000"),
    (c.Walk(1.0, 2.0, -0.5, 3), f"06000000 20000000 {ONE} {TWO} {MINUS_HALF} 03000000 00000000"),
    (c.WalkSteps(2.0, 1.0, 1.0, 4), f"07000000 20000000 {TWO} {ONE} {ONE} 04000000 00000000"),
]
ZERO = "0000000000000000"
REPLIES = [
    (LE, c.QuerySensors((12, 200)), c.SensorValues((-0.5, 2.0)), f"{MINUS_HALF} {TWO}"),
    (LE, c.QueryBall(4), c.Ball(True, 1.0, -0.5, 2.0, 4),
     f"{ONE} {MINUS_HALF} {TWO} 01000000 04000000"),
    (LE, c.QueryBall(0), c.Ball(False, colour=0), f"{ZERO * 3} 00000000 00000000"),
    (LE, c.SearchBall(0), c.SearchResult(True), "01000000"),
    (LE, c.SearchBall(0), c.SearchResult(False), "00000000"),
    (ALL_OPTIONS[1], c.QueryBall(4), c.Ball(True, 1.0, -0.5, 2.0),
     f"01000000 00000000 {ONE} {MINUS_HALF} {TWO}"),
    (ALL_OPTIONS[2], c.Walk(0, 0, 0), c.Acknowledgement(0), "00000000"),
    (ALL_OPTIONS[2], c.Motion("a"), c.Acknowledgement(-1), "ffffffff"),
]  # fmt: skip


@pytest.mark.parametrize("command,hex_bytes", COMMANDS, ids=ident)
def test_commands_byte_for_byte(command: c.Command, hex_bytes: str) -> None:
    assert p.encode_command(command, LE) == hexed(hex_bytes)
    decoder = CommandDecoder(LE)
    decoder.feed(hexed(hex_bytes))
    assert list(decoder.commands()) == [command]
    assert decoder.pending == 0
    decoder.end()


def test_the_table_above_has_every_command() -> None:
    assert {type(command) for command, _ in COMMANDS} == set(c.COMMANDS)
    assert [kind.name for kind in c.COMMANDS] == list(w.COMMANDS) == list(LE.types)


@pytest.mark.parametrize("wire,command,reply,hex_bytes", REPLIES, ids=ident)
def test_replies_byte_for_byte(
    wire: w.WireTable, command: c.Command, reply: c.Reply, hex_bytes: str
) -> None:
    data = hexed(hex_bytes)
    assert encode_reply(reply, wire) == data
    assert p.reply_size(command, wire) == len(data)
    assert p.is_answered(command, wire)
    decoder = p.ReplyDecoder(wire)
    decoder.expect(command)
    decoder.feed(data)
    assert decoder.reply() == reply
    decoder.end()


@pytest.mark.parametrize("command", [command for command, _ in COMMANDS[3:]], ids=ident)
def test_the_documents_table_shows_no_reply_for_these(command: c.Command) -> None:
    assert not p.is_answered(command, LE)
    assert p.reply_size(command, LE) == 0
    with pytest.raises(RuntimeError, match="is not answered"):
        p.ReplyDecoder(LE).expect(command)


def test_a_motion_is_accepted_without_its_nul() -> None:
    decoder = CommandDecoder(LE)
    decoder.feed(hexed("05000000 08000000 776176652e6d6f74"))
    assert list(decoder.commands()) == [c.Motion("wave.mot")]


def test_big_endian_is_a_matter_of_the_table(tmp_path: Any) -> None:
    overlay = tmp_path / "big.yaml"
    overlay.write_text("byte_order: big\n")
    wire = w.load([overlay])
    assert p.encode_command(c.QueryBall(3), wire) == hexed("00000002 00000004 00000003")


# --- what cannot be written ----------------------------------------------------------------

bad: Any = "x"


@pytest.mark.parametrize(
    "command,sentence",
    [
        (c.QuerySensors(()), "query_sensors is about 0 items; allowed are 1 to 64"),
        (c.QuerySensors((1,) * 65), "query_sensors is about 65 items"),
        (c.QuerySensors((2**31,)), "layout sensor_id cannot hold id=2147483648"),
        (c.QueryBall(bad), "layout colour cannot hold colour='x'"),
        (c.MoveJoints(()), "move_joints is about 0 items; allowed are 1 to 18"),
        (c.MoveJoints((c.JointTarget(1, math.nan),)), "target nan of joint 1"),
        (c.MoveJoints((c.JointTarget(1, math.inf),)), "target inf of joint 1"),
        (c.MoveJoints((c.JointTarget(1, 0.0, -1),)), "duration -1 ms of joint 1"),
        (c.MoveJoints((c.JointTarget(1, 0.0),) * 2), "joint 1 has two targets"),
        (c.Motion(""), "no file name"),
        (c.Motion("a" * 65), "no file name of 1 to 64"),
        (c.Motion("../a.mot"), "no file name"),
        (c.Motion("a b"), "no file name"),
        (c.Motion("wäve"), "no file name"),
        (c.Walk(math.nan, 0, 0), "walk: dx is nan"),
        (c.WalkSteps(0, 0, math.inf, 1), "walk_steps: da is inf"),
        (c.WalkSteps(0, 0, 0, 0), "walk_steps: 0 steps; at least 1"),
    ],
    ids=str,
)
def test_encode_refuses(command: c.Command, sentence: str) -> None:
    with pytest.raises(p.ProtocolError, match=sentence):
        p.encode_command(command, LE)


def test_a_ball_needs_its_colour_where_the_layout_has_one() -> None:
    with pytest.raises(p.ProtocolError, match="a Ball needs a colour"):
        encode_reply(c.Ball(False), LE)


# --- what cannot be read -------------------------------------------------------------------


@pytest.mark.parametrize(
    "hex_bytes,sentence",
    [
        ("00000000 00000000", "0 is no command type"),
        ("08000000 00000000", "8 is no command type"),
        ("01000000 ffffffff", "cannot have a body of -1 bytes"),
        ("01000000 ffffff7f", "cannot have a body of 2147483647 bytes"),
        ("01000000 04000000", "query_sensors command cannot have a body of 4 bytes"),
        ("01000000 0a000000", "cannot have a body of 10 bytes"),
        ("01000000 08010000", "cannot have a body of 264 bytes"),
        ("01000000 08000000 02000000 00000000", "room for 1 sensors, not for 2"),
        ("02000000 08000000", "query_ball command cannot have a body of 8 bytes"),
        ("04000000 08000000", "move_joints command cannot have a body of 8 bytes"),
        ("04000000 18000000 01000000 01000000" + "00" * 16, "reserved field of joint_count is 1"),
        (f"04000000 18000000 01000000 00000000 0c000000 ffffffff {ONE}", "duration -1 ms"),
        ("05000000 00000000", "motion command cannot have a body of 0 bytes"),
        ("05000000 01000000 00", "no file name"),
        ("05000000 02000000 2f61", "no file name"),
        ("05000000 02000000 c3a4", "no file name"),
        ("05000000 42000000", "cannot have a body of 66 bytes"),
        (f"06000000 20000000 {ONE * 3} ffffffff 01000000", "flags field of walk is 1"),
        (f"06000000 20000000 000000000000f07f {ONE * 2} ffffffff 00000000", "walk: dx is inf"),
        (f"07000000 20000000 {ONE * 3} ffffffff 00000000", "walk_steps: -1 steps"),
    ],
)
def test_the_command_decoder_refuses_and_stays_at_its_error(hex_bytes: str, sentence: str) -> None:
    decoder = CommandDecoder(LE)
    decoder.feed(p.encode_command(c.STOP, LE) + hexed(hex_bytes))
    commands = decoder.commands()
    assert next(commands) == c.STOP
    with pytest.raises(p.ProtocolError, match=sentence):
        next(commands)
    for call in (lambda: decoder.feed(b""), lambda: list(decoder.commands()), decoder.end):
        with pytest.raises(p.ProtocolError, match=sentence):
            call()


def test_a_header_of_a_walk_in_other_options_is_refused_by_its_length() -> None:
    """A Ball of 28 bytes is noticed because the next reply does not fit; a body at once."""
    decoder = CommandDecoder(LE)
    decoder.feed(hexed("06000000 1c000000"))
    with pytest.raises(p.ProtocolError, match="walk command cannot have a body of 28 bytes"):
        list(decoder.commands())


@pytest.mark.parametrize(
    "command,hex_bytes,sentence",
    [
        (c.SearchBall(0), "02000000", "found must be 0 or 1, not 2"),
        (c.QueryBall(0), f"{ZERO * 3} 02000000 00000000", "visible must be 0 or 1, not 2"),
        (c.QueryBall(1), f"{ZERO * 3} 01000000 02000000", "colour 1 was answered about 2"),
        (c.QueryBall(0), f"000000000000f87f {ZERO * 2} 01000000 00000000", "ball at x=nan"),
        (c.QueryBall(0), f"{ZERO * 2} {MINUS_HALF} 01000000 00000000", "with area -0.5"),
        (c.SearchBall(0), "01000000 00", "1 bytes that answer no command"),
    ],
)
def test_the_reply_decoder_refuses(command: c.Command, hex_bytes: str, sentence: str) -> None:
    decoder = p.ReplyDecoder(LE)
    decoder.expect(command)
    decoder.feed(hexed(hex_bytes))
    with pytest.raises(p.ProtocolError, match=sentence):
        decoder.reply()
    with pytest.raises(p.ProtocolError, match=sentence):
        decoder.expect(command)


def test_bytes_that_answer_no_command() -> None:
    decoder = p.ReplyDecoder(LE)
    assert decoder.reply() is None
    decoder.feed(b"\0")
    with pytest.raises(p.ProtocolError, match="answer no command"):
        decoder.reply()


def test_one_command_at_a_time() -> None:
    decoder = p.ReplyDecoder(LE)
    decoder.expect(c.QueryBall(0))
    with pytest.raises(RuntimeError, match="query_ball has not been answered"):
        decoder.expect(c.QueryBall(0))


def test_streams_that_end_inside_a_message() -> None:
    server = CommandDecoder(LE)
    server.feed(b"\1\0")
    assert list(server.commands()) == []
    with pytest.raises(p.ProtocolError, match="ended inside a command, after 2 bytes"):
        server.end()
    client = p.ReplyDecoder(LE)
    client.expect(c.QueryBall(0))
    client.feed(b"\0" * 5)
    assert client.reply() is None
    with pytest.raises(p.ProtocolError, match="inside the reply to query_ball, after 5 of 32"):
        client.end()


# --- any bytes, split anywhere -------------------------------------------------------------

int32 = st.integers(-(2**31), 2**31 - 1)
number = st.floats(allow_nan=False, allow_infinity=False)
targets = st.lists(
    st.builds(c.JointTarget, int32, number, st.integers(0, 2**31 - 1)),
    min_size=1, max_size=18, unique_by=lambda t: t.joint,
).map(tuple)  # fmt: skip
any_command = st.one_of(
    st.lists(int32, min_size=1, max_size=64).map(tuple).map(c.QuerySensors),
    st.builds(c.QueryBall, int32),
    st.builds(c.SearchBall, int32),
    st.builds(c.MoveJoints, targets),
    st.text("aB9_.-", min_size=1, max_size=64).map(c.Motion),
    st.builds(c.Walk, number, number, number, int32),
    st.builds(c.WalkSteps, number, number, number, st.integers(1, 2**31 - 1)),
)
tables = st.sampled_from(ALL_OPTIONS)


@given(wire=tables, sent=st.lists(any_command, max_size=6), cuts=st.data())
def test_decode_is_the_inverse_of_encode_however_the_stream_is_cut(
    wire: w.WireTable, sent: list[c.Command], cuts: st.DataObject
) -> None:
    data = b"".join(p.encode_command(command, wire) for command in sent)
    places = cuts.draw(st.lists(st.integers(0, len(data)), max_size=8).map(sorted))
    decoder = CommandDecoder(wire)
    got: list[c.Command] = []
    for start, end in zip([0, *places], [*places, len(data)], strict=True):
        decoder.feed(data[start:end])
        got += decoder.commands()
    assert got == sent
    decoder.end()


@st.composite
def answered(draw: st.DrawFn) -> tuple[w.WireTable, c.Command, c.Reply]:
    wire = draw(tables)
    command = draw(any_command.filter(lambda command: p.is_answered(command, wire)))
    reply: c.Reply
    if isinstance(command, c.QuerySensors):
        n = len(command.ids)
        values = draw(st.lists(st.floats(allow_nan=False), min_size=n, max_size=n))
        reply = c.SensorValues(tuple(values))
    elif isinstance(command, c.QueryBall):
        colour = command.colour if "colour" in wire.layouts["ball"].names else None
        area = draw(st.floats(0, allow_infinity=False))
        reply = c.Ball(draw(st.booleans()), draw(number), draw(number), area, colour)
    elif isinstance(command, c.SearchBall):
        reply = c.SearchResult(draw(st.booleans()))
    else:
        reply = c.Acknowledgement(draw(int32))
    return wire, command, reply


@given(exchange=answered(), cut=st.integers(0, 600))
def test_replies_come_back_as_they_were(
    exchange: tuple[w.WireTable, c.Command, c.Reply], cut: int
) -> None:
    wire, command, reply = exchange
    data = encode_reply(reply, wire)
    decoder = p.ReplyDecoder(wire)
    decoder.expect(command)
    decoder.feed(data[:cut])
    early = decoder.reply()
    assert early == (reply if cut >= len(data) else None)
    if early is None:
        decoder.feed(data[cut:])
        assert decoder.reply() == reply
    decoder.end()


def command_outcome(wire: w.WireTable, pieces: list[bytes]) -> tuple[list[c.Command], str | None]:
    decoder = CommandDecoder(wire)
    got: list[c.Command] = []
    try:
        for piece in pieces:
            decoder.feed(piece)
            got.extend(decoder.commands())
            assert decoder.pending <= 8 + 296
        decoder.end()
    except p.ProtocolError as error:
        return got, str(error)
    return got, None


likely = st.lists(
    st.one_of(
        st.binary(max_size=12),
        st.builds(lambda t, n: struct.pack("<ii", t, n), st.integers(0, 8), st.integers(-1, 300)),
        st.sampled_from([hexed(hex_bytes) for _, hex_bytes in COMMANDS]),
    ),
    max_size=8,
).map(b"".join)


@given(wire=tables, data=st.binary(max_size=100) | likely, cut=st.integers(0, 200))
def test_any_bytes_give_only_protocol_errors_to_a_server(
    wire: w.WireTable, data: bytes, cut: int
) -> None:
    _, error = command_outcome(wire, [data])
    pieces = command_outcome(wire, [data[:cut], data[cut:]])
    bytewise = command_outcome(wire, [bytes([byte]) for byte in data])
    assert pieces == bytewise
    # A stream that dies in mid-command says so only where the rest did not arrive.
    assert (error is None) == (bytewise[1] is None)


@given(wire=tables, data=st.binary(max_size=100), command=any_command)
def test_any_bytes_give_only_protocol_errors_to_a_client(
    wire: w.WireTable, data: bytes, command: c.Command
) -> None:
    decoder = p.ReplyDecoder(wire)
    try:
        if p.is_answered(command, wire):
            decoder.expect(command)
        for byte in data:
            decoder.feed(bytes([byte]))
            decoder.reply()
        decoder.end()
    except p.ProtocolError:
        pass
