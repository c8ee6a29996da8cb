# SPDX-License-Identifier: Apache-2.0
"""The team's messages: by the original's form, and any bytes."""

from __future__ import annotations

import dataclasses
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
    told = decode(ORIGINAL)
    assert told == TeamMessage(1, 3, 1, 1, (2.548, 0.0087, -2.982), (0.14, -0.267), 0.25, False)
    assert decode(ORIGINAL + b"\0") == told


def test_colour_and_role_may_be_missing() -> None:
    told = decode(ORIGINAL.replace(b"role", b"rule").replace(b"teamColor", b"teamcolor"))
    assert (told.color, told.role) == (-1, -1)


def test_what_is_encoded_is_decoded() -> None:
    assert decode(encode(MESSAGE, 100.0)) == MESSAGE
    never = dataclasses.replace(MESSAGE, ball_age=None, ball=(0.0, 0.0))
    assert decode(encode(never, 100.0)) == never
    with pytest.raises(TeamMessageError, match="not finite"):
        encode(dataclasses.replace(MESSAGE, pose=(math.nan, 0.0, 0.0)), 100.0)


def test_texts_nil_and_nested_tables_are_read() -> None:
    table = parse(b'{[1]="a \\" b",[2]=nil,["t"]={["u"]={},},["v"]=true,["w"]=-nan,}')
    assert table == {1.0: 'a \\" b', 2.0: None, "t": {"u": {}}, "v": 1.0, "w": None}


@pytest.mark.parametrize(
    "data,reason",
    [
        (b"", "no value"),
        (b"3", "no table"),
        (b"{", "another form"),
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
