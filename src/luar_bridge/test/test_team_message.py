# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The team's messages: by the original's form, and any bytes."""

from __future__ import annotations

import dataclasses
import math
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from luar_bridge.protocol import standard_message, team_packet
from luar_bridge.protocol.team_message import (
    MAXIMUM_BYTES,
    TeamMessage,
    TeamMessageError,
    decode,
    encode,
    parse,
)

MESSAGE = TeamMessage(1, 2, 0, 3, (1.5, -0.25, 0.5), (0.75, 0.125), 2.0, True, False)
# As the original's serialization.serialize writes its Team.state, in the order that pairs gives.
ORIGINAL = (
    b'{["role"]=1,["penalty"]=0,["time"]=1334279879.5,["teamNumber"]=1,["id"]=3,["pose"]={["y"]='
    b'0.0087,["x"]=2.548,["a"]=-2.982,},["tReceive"]=1334279879.5,["attackBearing"]=-3e-05,'
    b'["teamColor"]=1,["ball"]={["y"]=-0.267,["x"]=0.14,["t"]=1334279879.25,},}'
)


def test_a_message_of_the_original() -> None:
    reported = decode(ORIGINAL)
    assert reported == TeamMessage(
        1, 3, 1, 1, (2.548, 0.0087, -2.982), (0.14, -0.267), 0.25, False
    )
    assert decode(ORIGINAL + b"\0") == reported


def test_colour_and_role_may_be_missing() -> None:
    reported = decode(ORIGINAL.replace(b"role", b"rule").replace(b"teamColor", b"teamcolor"))
    assert (reported.color, reported.role) == (-1, -1)


def test_what_is_encoded_is_decoded() -> None:
    assert decode(encode(MESSAGE, 100.0)) == MESSAGE
    never = dataclasses.replace(MESSAGE, ball_age=None, ball=(0.0, 0.0))
    assert decode(encode(never, 100.0)) == never
    with pytest.raises(TeamMessageError, match="not finite"):
        encode(dataclasses.replace(MESSAGE, pose=(math.nan, 0.0, 0.0)), 100.0)


def test_texts_nil_and_nested_tables_are_read() -> None:
    table = parse(b'{[1]="a \\" b",[2]=nil,["t"]={["u"]={},},["v"]=true,["w"]=-nan,}')
    assert table == {1.0: 'a \\" b', 2.0: None, "t": {"u": {}}, "v": 1.0, "w": None}


def test_arrays_and_tables_without_a_last_comma_are_read() -> None:
    # As serialization.serialize of the UPennalizers has written since 2012.
    data = b'{["id"]=3,["l"]={1,2.50,"a",{["x"]=1}},["pose"]={["x"]=1.00,["y"]=2,["a"]=-0.50}}'
    assert parse(data) == {
        "id": 3.0,
        "l": {1.0: 1.0, 2.0: 2.5, 3.0: "a", 4.0: {"x": 1.0}},
        "pose": {"x": 1.0, "y": 2.0, "a": -0.5},
    }
    assert decode(ORIGINAL.replace(b",}", b"}")) == decode(ORIGINAL)


@pytest.mark.parametrize("version, size", [(7, 508), (8, 162)])
def test_versions_7_and_8_both_ways(version: int, size: int) -> None:
    message = dataclasses.replace(MESSAGE, color=-1, role=-1, penalised=False)
    data = standard_message.encode(message, version)
    assert len(data) == size
    assert standard_message.decode(data) == message
    never = dataclasses.replace(message, ball_age=None)
    assert standard_message.decode(standard_message.encode(never, version)) == never
    # Of another stack: three bytes of its own, and the array's rest, as splsm_7_conversion and
    # splsm_8_conversion of ros-sports build it.
    theirs = b"SPL " + struct.pack("<4B6fH", version, 4, 22, 255, 1000, -500, 0.5, 2, 3000, 0, 3)
    rest = {7: 474, 8: 128}[version]
    expected = TeamMessage(22, 4, -1, -1, (1.0, -0.5, 0.5), (3.0, 0.0), 2.0, False)
    assert standard_message.decode(theirs + b"abc".ljust(rest, b"\0")) == expected
    assert standard_message.decode(theirs + b"abc") == expected
    for wrong in (theirs + b"ab", theirs + bytes(rest + 1), theirs[:20]):
        with pytest.raises(TeamMessageError):
            standard_message.decode(wrong)


def test_a_packet_of_r2r_spl_both_ways() -> None:
    message = dataclasses.replace(MESSAGE, color=-1)
    data = team_packet.encode(message)
    # player, team, role, fallen, penalised, pose, ball, ball_age: fields of LuarTeamPacket.
    assert data == struct.pack("<2Bb2B6f", 2, 1, 3, 0, 1, 1.5, -0.25, 0.5, 0.75, 0.125, 2.0)
    assert team_packet.decode(data) == message
    assert len(data) <= 128
    assert team_packet.decode(data[:1] + data) == message  # of r2r_spl with filter_own
    for wrong in (b"\7" + data, data[:-1], data[:-4] + struct.pack("<f", math.nan)):
        with pytest.raises(TeamMessageError):
            team_packet.decode(wrong)
    with pytest.raises(TeamMessageError, match="too great"):
        team_packet.encode(dataclasses.replace(MESSAGE, player=300))


@pytest.mark.parametrize(
    "data,reason",
    [
        (b"", "no value"),
        (b"3", "no table"),
        (b"{", "no value"),
        (b'{["id"]=os.exit(),}', "no value|no part"),
        (ORIGINAL + b" or 1", "follows"),
        (b"{[1]=" * 20, "no value"),
        (ORIGINAL.replace(b'["id"]=3', b'["id"]=3.5'), "id is no whole"),
        (ORIGINAL.replace(b'["id"]=3', b'["id"]=1e999'), "id is no number"),
        (ORIGINAL.replace(b"2.548", b"inf"), "x is no number"),
        (ORIGINAL.replace(b'["pose"]', b'["pse"]'), "no pose"),
        (b" " * (MAXIMUM_BYTES + 1), "more than"),
    ],
)
def test_what_is_no_message(data: bytes, reason: str) -> None:
    with pytest.raises(TeamMessageError, match=reason):
        decode(data)


@given(st.one_of(st.binary(max_size=300), st.text('{}[]=,"\\-.e01nilx ', max_size=80)))
def test_any_bytes_give_a_message_or_an_error(data: bytes | str) -> None:
    with pytest.raises(TeamMessageError):
        decode(data if isinstance(data, bytes) else data.encode())


# As SPLStandardMessage of UPennalizers 2016 lies in memory, filled by its utilMsg for player 3 of
# team 22, who defends and has seen the ball 1.5 s ago; 22 bytes of its own follow.
STANDARD = (
    b"SPL \x06\x03\x16\x00"
    + struct.pack("<3f", 1000.0, -500.0, 0.5)
    + struct.pack("<4f", 2000.0, 0.0, 4500.0, 0.0)
    + struct.pack("<5f", 1500.0, 750.0, -250.0, 0.0, 0.0)
    + b"\0\0\0\0\0\x02"
    + struct.pack("<2h2bH", 50, 2000, 90, 0, 22)
    + bytes([22, 1, 80, *[0] * 18, 128])
)


def test_a_standard_message_of_the_original() -> None:
    reported = standard_message.decode(STANDARD.ljust(852, b"\0"))
    assert reported == TeamMessage(22, 3, -1, 2, (1.0, -0.5, 0.5), (0.75, -0.25), 1.5, True)
    assert standard_message.decode(STANDARD) == reported


def test_what_is_encoded_in_the_standard_form_is_decoded() -> None:
    message = dataclasses.replace(MESSAGE, color=-1)
    data = standard_message.encode(message)
    assert len(data) <= 512  # today's TeamCommunicationMonitor takes no more
    assert standard_message.decode(data) == message
    never = dataclasses.replace(message, ball_age=None)
    assert standard_message.decode(standard_message.encode(never)) == never


@pytest.mark.parametrize(
    "wrong",
    [
        {"team": 128}, {"player": -129}, {"pose": (1e38, 0.0, 0.0)}, {"ball": (math.nan, 0.0)},
    ],
)  # fmt: skip
def test_what_the_standard_form_cannot_say(wrong: dict[str, object]) -> None:
    with pytest.raises(TeamMessageError, match=r"too great|not finite"):
        standard_message.encode(dataclasses.replace(MESSAGE, **wrong))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "data,reason",
    [
        (STANDARD[:69], "69 bytes"),
        (STANDARD.ljust(853, b"\0"), "853 bytes"),
        (STANDARD.replace(b"SPL ", b"SPQR"), "SPQR"),
        (STANDARD.replace(b"\x06\x03", b"\x05\x03"), "version 5"),
        (STANDARD[:-1], "21 of 22"),
        (STANDARD[:68] + struct.pack("<H", 781) + bytes(781), "853|781"),
        (STANDARD[:68] + struct.pack("<H", 0), "not those of the original"),
        (STANDARD.replace(b"\x16\x01\x50", b"\x17\x01\x50"), "not those of the original"),
        (STANDARD.replace(b"\x03\x16\x00", b"\x03\x16\x02"), "fallen 2"),
        (STANDARD.replace(b"\0\x02\x32", b"\0\x05\x32"), "intention 5"),
        (STANDARD.replace(struct.pack("<f", -500.0), struct.pack("<f", math.inf)), "finite"),
    ],
)
def test_what_is_no_standard_message(data: bytes, reason: str) -> None:
    with pytest.raises(TeamMessageError, match=reason):
        standard_message.decode(data)


@given(st.binary(max_size=900), st.integers(0, len(STANDARD)))
def test_any_bytes_give_a_standard_message_or_an_error(data: bytes, kept: int) -> None:
    try:
        reported = standard_message.decode(STANDARD[:kept] + data)
    except TeamMessageError:
        return
    again = standard_message.decode(standard_message.encode(reported))
    assert (again.team, again.player, again.role) == (
        reported.team,
        reported.player,
        reported.role,
    )
