# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Framings: any split of a stream gives the same messages, and everything is bounded."""

import hypothesis.strategies as st
import pytest
from hypothesis import given

from legacy_robots_core.link.base import ProtocolError
from legacy_robots_core.link.framing import LengthPrefix, Lines, Records

SIZE = 4
FRAMINGS = [
    (lambda: Lines(SIZE, b"\r\n"), st.binary(max_size=SIZE).filter(lambda m: b"\r" not in m)),
    (lambda: LengthPrefix(SIZE, "<H"), st.binary(max_size=SIZE)),
    (
        lambda: LengthPrefix(SIZE - 3, ">xH", keep_head=True),
        st.binary(max_size=SIZE - 3).map(lambda m: bytes((7, 0, len(m))) + m),
    ),
    (lambda: Records(SIZE), st.binary(min_size=SIZE, max_size=SIZE)),
]


@pytest.mark.parametrize("make,messages", FRAMINGS, ids=["lines", "length", "head", "records"])
@given(data=st.data())
def test_messages_come_out_as_they_went_in_however_they_are_cut(make, messages, data):
    wanted = data.draw(st.lists(messages, max_size=5))
    stream = b"".join(make().encode(message) for message in wanted)
    framing, found = make(), []
    while stream:
        count = data.draw(st.integers(1, len(stream)))
        found += framing.feed(stream[:count])
        stream = stream[count:]
    framing.end()
    assert found == wanted


@pytest.mark.parametrize("make,messages", FRAMINGS, ids=["lines", "length", "head", "records"])
@given(pieces=st.lists(st.binary(max_size=20)))
def test_any_bytes_raise_nothing_else_and_are_not_collected(make, messages, pieces):
    framing = make()
    for piece in pieces:
        try:
            found = framing.feed(piece)
        except ProtocolError:
            found = []
        assert all(len(message) <= SIZE for message in found)
        assert len(framing._rest) <= SIZE + 2


@pytest.mark.parametrize(
    "framing,data,reason",
    [
        (Lines(4), b"abcdef", "does not end"),
        (LengthPrefix(4, ">I"), b"\0\0\0\5", "5 bytes; at most 4"),
        (LengthPrefix(4, ">i"), b"\xff\xff\xff\xff", "-1 bytes"),
    ],
)
def test_a_message_that_is_too_long_is_refused_at_once(framing, data, reason):
    with pytest.raises(ProtocolError, match=reason):
        framing.feed(data)


@pytest.mark.parametrize(
    "framing,message",
    [
        (Lines(4), b"a\nb"),
        (Lines(4), b"abcde"),
        (LengthPrefix(4), b"abcde"),
        (LengthPrefix(4, ">xB", keep_head=True), b"\7\3ab"),
        (LengthPrefix(4, ">xB", keep_head=True), b"\7"),
        (Records(2), b"a"),
    ],
)
def test_what_does_not_fit_is_not_sent(framing, message):
    with pytest.raises(ProtocolError):
        framing.encode(message)


def test_a_head_that_has_more_than_the_length_is_kept_where_it_counts():
    modbus = b"\0\1\0\0\0\3\1\x83\2"
    assert LengthPrefix(254, ">4xH", keep_head=True).feed(modbus) == [modbus]
    assert LengthPrefix(254, ">4xH").feed(modbus) == [modbus[6:]]


def test_a_stream_that_ends_inside_a_message():
    framing = Records(4)
    framing.feed(b"abcdef")
    with pytest.raises(ProtocolError, match="after 2 bytes"):
        framing.end()
