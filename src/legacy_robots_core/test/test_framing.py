# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Framings: any split of a stream gives the same messages, and everything is bounded."""

import hypothesis.strategies as st
import pytest
from hypothesis import given

from legacy_robots_core.link.base import ProtocolError
from legacy_robots_core.link.framing import Framing, LengthPrefix, Lines, Packets, Records

SIZE = 4


def packet(body):
    """Return a packet of the test: a head, the length of the body, the body, and the sum of it."""
    return b"\xaa\x55" + bytes((len(body),)) + body + bytes((sum(body) % 256,))


def packets(**options):
    return Packets(
        b"\xaa\x55", lambda begun: begun[2] + 4, lambda whole: sum(whole[3:-1]) % 256 == whole[-1],
        least=4, longest=SIZE + 4, **options,
    )  # fmt: skip


FRAMINGS = [
    (lambda: Lines(SIZE, b"\r\n"), st.binary(max_size=SIZE).filter(lambda m: b"\r" not in m)),
    (lambda: LengthPrefix(SIZE, "<H"), st.binary(max_size=SIZE)),
    (
        lambda: LengthPrefix(SIZE - 3, ">xH", keep_head=True),
        st.binary(max_size=SIZE - 3).map(lambda m: bytes((7, 0, len(m))) + m),
    ),
    (lambda: Records(SIZE), st.binary(min_size=SIZE, max_size=SIZE)),
    (packets, st.binary(max_size=SIZE).map(packet)),
]
IDS = ["lines", "length", "head", "records", "packets"]


@pytest.mark.parametrize("make,messages", FRAMINGS, ids=IDS)
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


@pytest.mark.parametrize("make,messages", FRAMINGS, ids=IDS)
@given(pieces=st.lists(st.binary(max_size=20)))
def test_any_bytes_raise_nothing_else_and_are_not_collected(make, messages, pieces):
    framing = make()
    for piece in pieces:
        try:
            found = framing.feed(piece)
        except ProtocolError:
            found = []
        longest = SIZE + 4 if isinstance(framing, Packets) else SIZE
        assert all(len(message) <= longest for message in found)
        assert len(framing.rest) < longest + 3


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


@given(
    bodies=st.lists(st.binary(max_size=SIZE), min_size=1, max_size=5),
    noise=st.lists(
        st.binary(max_size=SIZE).filter(lambda n: b"\xaa" not in n), min_size=6, max_size=6
    ),
    cut=st.integers(1, 3),
)
def test_packets_are_found_again_after_what_is_none(bodies, noise, cut):
    whole = [packet(body) for body in bodies]
    stream = whole[0][cut:] + b"".join(n + p for n, p in zip(noise[1:], whole, strict=False))
    framing = packets(tolerance=100)
    found = framing.feed(stream)
    # The rest of a packet, or a noise, may be taken for the head of a packet by chance.
    assert found == whole or b"\xaa" in whole[0][cut:]
    assert framing.passed_over == len(stream) - sum(map(len, found)) - len(framing.rest)


def test_a_packet_whose_check_is_wrong_is_passed_over_and_the_next_one_is_not():
    framing = packets()
    wrong = packet(b"ab")[:-1] + b"\0"
    assert framing.feed(wrong + packet(b"cd")) == [packet(b"cd")]
    assert framing.passed_over == len(wrong)


def test_what_has_no_packet_for_too_long_is_refused():
    framing = packets(tolerance=20)
    assert framing.feed(20 * b"x") == []
    with pytest.raises(ProtocolError, match="21 bytes have no message"):
        framing.feed(b"x")
    assert framing.feed(packet(b"ab")) == [packet(b"ab")]


def test_lines_that_are_joined_begin_after_the_first_ending():
    framing = Lines(10)
    framing.join()
    assert framing.feed(b"gment\nwhole\n") == [b"whole"]
    assert framing.passed_over == 6


class Slip(Framing):
    """A framing as one writes it oneself: messages end with c0."""

    def encode(self, message):
        return message + b"\xc0"

    def next_message(self):
        end = self.rest.find(b"\xc0")
        return self.take(end + 1)[:-1] if end >= 0 else None


def test_a_framing_of_ones_own_needs_public_names_alone():
    assert Slip().feed(b"one\xc0two\xc0thr") == [b"one", b"two"]
