# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The wire protocol against the document's table, and against any bytes at all."""

from __future__ import annotations

import dataclasses
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nao_goal_bridge import protocol as p

SPEC = p.Dialect()
SPEC4 = p.Dialect(code_width=4)
LATE = p.Dialect(p.Profile.NAOVIGATE, code_width=1)
LATE4 = p.Dialect(p.Profile.NAOVIGATE)
BETWEEN = [
    p.Dialect(profile)
    for profile in p.Profile
    if profile not in (p.Profile.SPEC, p.Profile.NAOVIGATE)
]
MAY17, MAY24, MAY31, JUNE7, JUNE10, JUNE13 = BETWEEN
DIALECTS = [SPEC, SPEC4, LATE, LATE4, *BETWEEN]
IN_BITS = (LATE, LATE4, MAY31, JUNE7, JUNE10, JUNE13)


def ident(value: Any) -> str:
    if isinstance(value, p.Dialect):
        return f"{value.profile.value}{value.code_width}"
    return str(value)


# The tables of the document (0.2.1 and 0.2.2), every byte written by hand.
COMMANDS_SPEC = [
    (p.Exit(), "00"),
    (p.GoTo(114, 0), "01 00000072 00000000"),
    (p.GoTo(-2, 3), "01 FFFFFFFE 00000003"),
    (p.PickUp(7), "02 00000007"),
    (p.PutDown(), "03"),
    (p.Halt(), "04"),
]
REPORTS_SPEC = [
    (p.Error(), "80"),
    (p.Location(114), "89 00000072"),
    (p.See(130, 5), "8A 00000082 00000005"),
    (p.See(-1, -2147483648), "8A FFFFFFFF 80000000"),
    (p.Dropped(7), "8C 00000007"),
    (p.Holding(7), "8D 00000007"),
    (p.Agent(2147483647), "8E 7FFFFFFF"),
    (p.State(0), "8F 00000000"),
    (p.State(1), "8F 00000001"),
    (p.State(77), "8F 0000004D"),
]
CODES1 = [(p.Success(0), "81 00"), (p.Success(1), "81 01"), (p.Failure(255), "82 FF")]
CODES4 = [
    (p.Success(0), "81 00000000"),
    (p.Success(4), "81 00000004"),
    (p.Failure(255), "82 000000FF"),
    (p.Failure(-1), "82 FFFFFFFF"),
]
COMMANDS_LATE = [
    (p.Exit(), "00"),
    (p.GoToTiles(()), "01 00000000"),
    # two waypoints, (3, 0) and (-1, 12): 10 v + 5 is 35, 5, -5, 125
    (p.GoToTiles(((3, 0), (-1, 12))), "01 00000002 00000023 00000005 FFFFFFFB 0000007D"),
    (p.PickUp(), "02"),
    (p.PutDown(), "03"),
    (p.Halt(), "04"),
]
REPORTS_LATE = [
    (p.Error(), "80"),
    (p.Location(5), "89 00000005"),
    (p.SeeObject(130), "8A 00000082"),
    (p.Dropped(), "8C"),
    (p.Holding(7), "8D 00000007"),
    (p.Agent(31), "8E 0000001F"),
    (p.State(1), "8F 00000001"),
    (p.KeepAlive(), "FF"),
]


def on_the_wire(hex_bytes: str, dialect: p.Dialect) -> bytes:
    raw = bytes.fromhex(hex_bytes)
    if dialect in IN_BITS:
        return "".join(format(byte, "08b") for byte in raw).encode() + b"\n"
    return raw


TABLE = [
    *[(SPEC, p.Side.ROBOT, *row) for row in COMMANDS_SPEC],
    *[(SPEC, p.Side.GOAL, *row) for row in REPORTS_SPEC + CODES1],
    *[(SPEC4, p.Side.ROBOT, *row) for row in COMMANDS_SPEC],
    *[(SPEC4, p.Side.GOAL, *row) for row in REPORTS_SPEC + CODES4],
    *[(LATE, p.Side.ROBOT, *row) for row in COMMANDS_LATE],
    *[(LATE, p.Side.GOAL, *row) for row in REPORTS_LATE + CODES1],
    *[(LATE4, p.Side.ROBOT, *row) for row in COMMANDS_LATE],
    *[(LATE4, p.Side.GOAL, *row) for row in REPORTS_LATE + CODES4],
    # What differs between those: tiles, the objects of PickUp and Dropped, See.
    (MAY17, p.Side.ROBOT, p.TurnAndGoTo(-1, 114, 2), "01 FFFFFFFF 00000072 00000002"),
    (
        MAY24,
        p.Side.ROBOT,
        p.GoToTiles(((3, 0), (-1, 12))),
        "01 00000002 00000003 00000000 FFFFFFFF 0000000C",
    ),
    *[
        (of, p.Side.ROBOT, p.GoToTiles(((3, 1),)), "01 00000001 00000003 00000001")
        for of in (MAY24, MAY31)
    ],
    *[
        (of, p.Side.ROBOT, p.GoToTiles(((3, 1),)), "01 00000001 00000023 0000000F")
        for of in (JUNE7, JUNE10, JUNE13)
    ],
    *[(of, p.Side.ROBOT, p.PickUp(7), "02 00000007") for of in (MAY17, MAY24, MAY31, JUNE7)],
    *[(of, p.Side.ROBOT, p.PickUp(), "02") for of in (JUNE10, JUNE13)],
    *[(of, p.Side.GOAL, p.See(130, 5), "8A 00000082 00000005") for of in (MAY17, MAY24, MAY31)],
    *[(of, p.Side.GOAL, p.SeeObject(2, 5), "8A 00000002 00000005") for of in (JUNE7, JUNE10)],
    (JUNE13, p.Side.GOAL, p.SeeObject(2), "8A 00000002"),
    *[(of, p.Side.GOAL, p.Dropped(7), "8C 00000007") for of in (MAY17, MAY24, MAY31)],
    *[(of, p.Side.GOAL, p.Dropped(), "8C") for of in (JUNE7, JUNE10, JUNE13)],
    *[(of, p.Side.GOAL, p.Success(1), "81 01") for of in BETWEEN],
]


def decode(decoder: p.Decoder, data: bytes) -> list[p.Event]:
    decoder.feed(data)
    return list(decoder.events())


@pytest.mark.parametrize("dialect,side,event,hex_bytes", TABLE, ids=ident)
def test_byte_for_byte(dialect: p.Dialect, side: p.Side, event: p.Event, hex_bytes: str) -> None:
    wire = on_the_wire(hex_bytes, dialect)
    assert p.encode(event, dialect) == wire
    decoder = p.Decoder(side, dialect)
    assert decode(decoder, wire) == [event]
    assert decoder.pending == 0
    decoder.end()


@pytest.mark.parametrize("dialect", [SPEC, SPEC4, LATE, LATE4], ids=ident)
def test_the_table_above_has_every_event_of_the_dialect(dialect: p.Dialect) -> None:
    shown = {type(event) for of, _, event, _ in TABLE if of == dialect}
    expected = set(p.OPCODES)
    if dialect.profile is p.Profile.SPEC:
        expected -= {p.TurnAndGoTo, p.GoToTiles, p.SeeObject, p.KeepAlive}
    else:
        expected -= {p.TurnAndGoTo, p.GoTo, p.See}
    assert shown == expected


def test_the_late_dialect_is_written_in_characters() -> None:
    assert p.encode(p.Success(4), LATE) == b"1000000100000100\n"
    assert p.encode(p.Exit(), LATE) == b"00000000\n"


@pytest.mark.parametrize("dialect", DIALECTS, ids=ident)
def test_error_is_accepted_with_the_opcode_of_the_document(dialect: p.Dialect) -> None:
    assert decode(p.Decoder(p.Side.GOAL, dialect), on_the_wire("08", dialect)) == [p.Error()]


def test_the_code_width_is_never_guessed() -> None:
    """81 00 00 00 00 is Success(0) in width 4, and in width 1 followed by nonsense."""
    wire = bytes.fromhex("81 00000000")
    assert decode(p.Decoder(p.Side.GOAL, SPEC4), wire) == [p.Success(0)]
    decoder = p.Decoder(p.Side.GOAL, SPEC)
    decoder.feed(wire)
    events = decoder.events()
    assert next(events) == p.Success(0)
    with pytest.raises(p.UnknownOpcode):
        next(events)


@pytest.mark.parametrize("profile", p.Profile)
def test_only_the_last_version_has_wide_codes(profile: p.Profile) -> None:
    assert p.Dialect(profile).code_width == (4 if profile is p.Profile.NAOVIGATE else 1)
    assert p.Dialect(profile, 4).code_width == 4


@pytest.mark.parametrize("dialect", DIALECTS, ids=ident)
def test_the_robot_reads_no_sign_of_life(dialect: p.Dialect) -> None:
    with pytest.raises(p.UnknownOpcode, match="is not one that GOAL sends"):
        decode(p.Decoder(p.Side.ROBOT, dialect), on_the_wire("FF", dialect))


def test_the_profiles_that_bytes_would_fit() -> None:
    greeting = [p.Agent(31), p.Location(16), p.State(0), p.Success(1)]
    raw = b"".join(p.encode(event, SPEC) for event in greeting)
    assert p.fitting_profiles(raw, p.Side.GOAL) == ["may24", "may17", "spec"]
    last = b"".join(p.encode(event, LATE4) for event in greeting)
    assert p.fitting_profiles(last, p.Side.GOAL) == ["naovigate"]
    narrow = b"".join(p.encode(event, JUNE13) for event in [*greeting, p.SeeObject(0), p.Agent(1)])
    assert p.fitting_profiles(narrow, p.Side.GOAL) == ["june13"]
    assert p.fitting_profiles(b"GET / HTTP/1.1", p.Side.GOAL) == []
    assert p.fitting_profiles(b"", p.Side.GOAL) == []


@pytest.mark.parametrize("width", [-1, 2, 3, 8])
def test_other_code_widths_are_refused(width: int) -> None:
    with pytest.raises(ValueError, match=f"code_width must be 1 or 4, not {width}"):
        p.Dialect(code_width=width)


def test_opcodes_are_those_of_the_document() -> None:
    document = {
        p.Exit: 0, p.GoTo: 1, p.PickUp: 2, p.PutDown: 3, p.Halt: 4, p.Success: 0x81,
        p.Failure: 0x82, p.Location: 0x89, p.See: 0x8A, p.Dropped: 0x8C, p.Holding: 0x8D,
        p.Agent: 0x8E, p.State: 0x8F,
    }  # fmt: skip
    assert {kind: p.OPCODES[kind] for kind in document} == document
    assert p.OPCODES[p.Error] == p.Error.opcode == 0x80


def test_events_are_frozen_slotted_and_can_be_pickled() -> None:
    event = p.GoTo(114, 1)
    with pytest.raises(dataclasses.FrozenInstanceError):
        event.distance = 2  # type: ignore[misc]
    assert not hasattr(event, "__dict__")
    assert pickle.loads(pickle.dumps(event)) == event


# --- what cannot be written ----------------------------------------------------------------

text: Any = "114"
half: Any = 0.5
triple: Any = (0, 0, 0)


@pytest.mark.parametrize(
    "event,dialect,sentence",
    [
        (p.GoTo(2**31, 0), SPEC, "marker_id of GoTo must be an integer from -2147483648 to"),
        (p.GoTo(1, -(2**31) - 1), SPEC, "distance of GoTo must be an integer"),
        (p.GoTo(text, 0), SPEC, "marker_id of GoTo must be an integer .* not '114'"),
        (p.Success(256), SPEC, "code of Success must be an integer from 0 to 255, not 256"),
        (p.Failure(-1), SPEC, "code of Failure must be an integer from 0 to 255, not -1"),
        (p.Failure(2**31), SPEC4, "code of Failure must be an integer from -2147483648"),
        (p.PickUp(), SPEC, "PickUp needs an object_id in profile spec"),
        (p.SeeObject(1), SPEC, "SeeObject has no bytes in profile spec"),
        (p.SeeObject(1), JUNE7, "SeeObject needs a tile_id in profile june7"),
        (p.Dropped(), SPEC, "Dropped needs an object_id in profile spec"),
        (p.PickUp(7), LATE, "PickUp carries no object_id in profile naovigate"),
        (p.See(130, 0), LATE, "See has no bytes in profile naovigate"),
        (p.SeeObject(0, 5), LATE, "SeeObject carries no tile_id in profile naovigate"),
        (p.Dropped(7), LATE, "Dropped carries no object_id in profile naovigate"),
        (p.GoTo(1, 0), LATE, "GoTo has no bytes in profile naovigate"),
        (p.GoToTiles(()), SPEC, "GoToTiles has no bytes in profile spec"),
        (p.KeepAlive(), SPEC, "KeepAlive has no bytes in profile spec"),
        (p.GoToTiles(((0, 0),) * 257), LATE, "at most 256 waypoints, not 257"),
        (p.GoToTiles(((0, 214748365),)), LATE, "tile coordinate must be an integer from"),
        (p.GoToTiles(((0, half),)), LATE, "tile coordinate must be an integer from"),
        (p.GoToTiles((half,)), LATE, r"is a pair \(x, y\), not 0.5"),
        (p.GoToTiles((triple,)), LATE, r"is a pair \(x, y\)"),
        ("Halt", SPEC, "str has no bytes in profile spec"),
    ],
    ids=ident,
)
def test_encode_refuses(event: Any, dialect: p.Dialect, sentence: str) -> None:
    with pytest.raises(p.ProtocolError, match=sentence):
        p.encode(event, dialect)


# --- what cannot be read -------------------------------------------------------------------


@pytest.mark.parametrize(
    "dialect,side,hex_bytes,opcode,sentence",
    [
        (SPEC, p.Side.ROBOT, "05", 0x05, "opcode 0x05 is not one that GOAL sends in profile spec"),
        (SPEC, p.Side.ROBOT, "81 00", 0x81, r"0x81 \(Success\) is not one that GOAL sends"),
        (SPEC, p.Side.ROBOT, "08", 0x08, "0x08 is not one that GOAL sends"),
        (SPEC, p.Side.ROBOT, "FF", 0xFF, "0xFF is not one that GOAL sends"),
        (SPEC, p.Side.GOAL, "00", 0x00, r"0x00 \(Exit\) is not one that the robot sends"),
        (SPEC, p.Side.GOAL, "8B", 0x8B, "0x8B is not one that the robot sends"),
        (LATE, p.Side.ROBOT, "05", 0x05, "0x05 is not one that GOAL sends in profile naovigate"),
    ],
    ids=ident,
)
def test_unknown_opcodes(
    dialect: p.Dialect, side: p.Side, hex_bytes: str, opcode: int, sentence: str
) -> None:
    decoder = p.Decoder(side, dialect)
    decoder.feed(on_the_wire(hex_bytes, dialect))
    with pytest.raises(p.UnknownOpcode, match=sentence) as caught:
        list(decoder.events())
    assert caught.value.opcode == opcode


def test_good_events_come_out_before_the_error_and_the_error_for_ever_after() -> None:
    decoder = p.Decoder(p.Side.ROBOT, SPEC)
    decoder.feed(bytes.fromhex("04 03 77 04"))
    events = decoder.events()
    assert [next(events), next(events)] == [p.Halt(), p.PutDown()]
    with pytest.raises(p.UnknownOpcode):
        next(events)
    for call in (lambda: decoder.feed(b"\x04"), lambda: list(decoder.events()), decoder.end):
        with pytest.raises(p.UnknownOpcode, match="0x77"):
            call()


def test_reading_on_behind_an_unknown_opcode() -> None:
    decoder = p.Decoder(p.Side.ROBOT, LATE)
    decoder.feed(on_the_wire("77 04", LATE) + b"x")
    with pytest.raises(p.UnknownOpcode, match="0x77"):
        list(decoder.events())
    decoder.read_on()
    events = decoder.events()
    assert next(events) == p.Halt()
    with pytest.raises(p.ProtocolError, match="byte 0x78 in the stream"):
        next(events)


def test_events_may_be_taken_one_at_a_time() -> None:
    decoder = p.Decoder(p.Side.ROBOT, SPEC)
    decoder.feed(bytes.fromhex("04 03 00 01 00"))
    assert next(decoder.events()) == p.Halt()
    decoder.feed(bytes.fromhex("000072 00000000"))
    assert list(decoder.events()) == [p.PutDown(), p.Exit(), p.GoTo(114, 0)]


@pytest.mark.parametrize(
    "dialect,side,wire,sentence",
    [
        (SPEC, p.Side.GOAL, b"\x8a\0\0", "ended inside a See event, 3 of 9 bytes"),
        (SPEC, p.Side.GOAL, b"\x8e", "ended inside an Agent event, 1 of 5 bytes"),
        (SPEC4, p.Side.GOAL, b"\x81\0", "ended inside a Success event, 2 of 5 bytes"),
        (LATE, p.Side.GOAL, b"1000", "ended inside the first byte of an event, 4 of 8 characters"),
        (LATE, p.Side.GOAL, b"1000110100000000\n000",
         "inside a Holding event, 2 of 5 bytes and 3 of 8 characters"),
        (LATE, p.Side.ROBOT, b"00000001", "inside a GoToTiles event, 1 of at least 5 bytes"),
        (LATE, p.Side.ROBOT, b"00000001" + b"0" * 24 + b"00000001",
         "inside a GoToTiles event, 5 of 13 bytes"),
    ],
    ids=ident,
)  # fmt: skip
def test_a_stream_that_ends_in_an_event(
    dialect: p.Dialect, side: p.Side, wire: bytes, sentence: str
) -> None:
    decoder = p.Decoder(side, dialect)
    assert decode(decoder, wire) == []
    assert decoder.pending > 0
    for _ in range(2):
        with pytest.raises(p.ProtocolError, match=sentence):
            decoder.end()


def test_a_stream_that_ends_between_events_ends_well() -> None:
    decoder = p.Decoder(p.Side.GOAL, SPEC)
    decoder.end()
    assert decode(decoder, b"\x8f\0\0\0\1") == [p.State(p.RobotState.WALKING)]
    decoder.end()


@pytest.mark.parametrize("count", [-1, 257, 2**31 - 1])
def test_a_waypoint_count_out_of_bounds_fails_as_soon_as_it_is_read(count: int) -> None:
    decoder = p.Decoder(p.Side.ROBOT, LATE)
    decoder.feed(on_the_wire("01" + count.to_bytes(4, "big", signed=True).hex(), LATE))
    with pytest.raises(p.ProtocolError, match=f"announces {count} waypoints"):
        list(decoder.events())


def test_a_coordinate_that_is_no_tile_is_not_rounded() -> None:
    decoder = p.Decoder(p.Side.ROBOT, LATE)
    decoder.feed(on_the_wire("01 00000001 00000005 00000018", LATE))
    with pytest.raises(p.ProtocolError, match="coordinate of GoTo is 24"):
        list(decoder.events())


@pytest.mark.parametrize("bad", [b" ", b"2", b"_", b"\0", b"\xff", b"+"])
def test_other_characters_are_errors_of_the_late_dialect(bad: bytes) -> None:
    decoder = p.Decoder(p.Side.GOAL, LATE)
    decoder.feed(b"10001100\n1000" + bad + b"110010001100")
    events = decoder.events()
    assert next(events) == p.Dropped()
    with pytest.raises(p.ProtocolError, match=f"byte 0x{bad[0]:02X} in the stream"):
        next(events)


def test_newlines_and_carriage_returns_are_passed_over_anywhere() -> None:
    decoder = p.Decoder(p.Side.GOAL, LATE)
    assert decode(decoder, b"\r\n100\n0\r\n1100\n\n\n10001100") == [p.Dropped(), p.Dropped()]
    assert decoder.pending == 0


@pytest.mark.parametrize("dialect", DIALECTS, ids=ident)
def test_memory_is_bounded_however_long_the_stream(dialect: p.Dialect) -> None:
    decoder = p.Decoder(p.Side.ROBOT, dialect)
    wire = p.encode(p.PutDown(), dialect) * 500
    most = 0
    for _ in range(100):
        decoder.feed(wire + (b"\n" * 500 if dialect in IN_BITS else b""))
        assert len(list(decoder.events())) == 500
        most = max(most, decoder.pending)
    assert most == 0


# --- any bytes, split anywhere -------------------------------------------------------------

int32 = st.integers(-(2**31), 2**31 - 1)
tile = st.integers(-214748365, 214748364)


def events_of(dialect: p.Dialect, side: p.Side) -> st.SearchStrategy[Any]:
    if side is p.Side.ROBOT:
        common = st.sampled_from([p.Exit(), p.PutDown(), p.Halt()])
        picks = st.builds(p.PickUp, int32 if dialect.carries(p.PickUp, "object_id") else st.none())
        tiles = st.lists(st.tuples(tile, tile), max_size=5).map(tuple).map(p.GoToTiles)
        walks = {
            p.GoTo: st.builds(p.GoTo, int32, int32),
            p.TurnAndGoTo: st.builds(p.TurnAndGoTo, int32, int32, int32),
            p.GoToTiles: tiles,
        }
        return st.one_of(common, picks, *(walks[kind] for kind in walks if dialect.has(kind)))
    code = st.integers(0, 255) if dialect.code_width == 1 else int32
    numbers = st.one_of(
        st.builds(p.Success, code), st.builds(p.Failure, code), st.builds(p.Location, int32),
        st.builds(p.Holding, int32), st.builds(p.Agent, int32), st.builds(p.State, int32),
        st.just(p.Error()),
        st.builds(p.Dropped, int32 if dialect.carries(p.Dropped, "object_id") else st.none()),
    )  # fmt: skip
    if dialect.has(p.KeepAlive):
        numbers |= st.just(p.KeepAlive())
    if dialect.has(p.See):
        return numbers | st.builds(p.See, int32, int32)
    place = int32 if dialect.carries(p.SeeObject, "tile_id") else st.none()
    return numbers | st.builds(p.SeeObject, int32, place)


streams = st.sampled_from(DIALECTS).flatmap(
    lambda dialect: st.sampled_from(p.Side).flatmap(
        lambda side: st.tuples(
            st.just(dialect), st.just(side), st.lists(events_of(dialect, side), max_size=12)
        )
    )
)


@given(stream=streams, cuts=st.data())
def test_decode_is_the_inverse_of_encode_however_the_stream_is_cut(
    stream: tuple[p.Dialect, p.Side, list[p.Event]], cuts: st.DataObject
) -> None:
    dialect, side, events = stream
    wire = b"".join(p.encode(event, dialect) for event in events)
    places = cuts.draw(st.lists(st.integers(0, len(wire)), max_size=8).map(sorted))
    decoder = p.Decoder(side, dialect)
    got: list[p.Event] = []
    for start, end in zip([0, *places], [*places, len(wire)], strict=True):
        got += decode(decoder, wire[start:end])
    assert got == events
    decoder.end()


def outcome(
    dialect: p.Dialect, side: p.Side, pieces: list[bytes]
) -> tuple[list[p.Event], str | None]:
    """The events of a stream, and the sentence it ends with."""
    decoder = p.Decoder(side, dialect)
    got: list[p.Event] = []
    try:
        for piece in pieces:
            decoder.feed(piece)
            for event in decoder.events():
                got.append(event)
            assert decoder.pending <= 2053
        decoder.end()
    except p.ProtocolError as error:
        return got, str(error)
    return got, None


# Bytes that have a chance to be events: opcodes, small numbers, characters of the late dialect.
likely = st.lists(
    st.one_of(
        st.binary(max_size=6),
        st.sampled_from([*(bytes([code]) for code in p.OPCODES.values()), b"\0\0\0\1", b"\0" * 4]),
        st.sampled_from([b"00000001", b"10000001", b"1000", b"\n", b"\r\n", b"0" * 32, b"0" * 31]),
    ),
    max_size=12,
).map(b"".join)


@given(
    dialect=st.sampled_from(DIALECTS),
    side=st.sampled_from(p.Side),
    data=st.binary(max_size=200) | likely,
    cut=st.integers(0, 200),
)
def test_any_bytes_give_only_protocol_errors_and_the_same_in_any_pieces(
    dialect: p.Dialect, side: p.Side, data: bytes, cut: int
) -> None:
    at_once = outcome(dialect, side, [data])
    assert outcome(dialect, side, [data[:cut], data[cut:]]) == at_once
    assert outcome(dialect, side, [bytes([byte]) for byte in data]) == at_once


@given(dialect=st.sampled_from(DIALECTS), side=st.sampled_from(p.Side), data=likely)
def test_what_was_decoded_encodes_to_bytes_that_decode_to_the_same(
    dialect: p.Dialect, side: p.Side, data: bytes
) -> None:
    got, _ = outcome(dialect, side, [data])
    wire = b"".join(p.encode(event, dialect) for event in got)
    assert outcome(dialect, side, [wire]) == (got, None)
    if dialect not in IN_BITS and b"\x08" not in data:
        assert data.startswith(wire)
