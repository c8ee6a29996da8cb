# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Captured segments decode to what their README tells; damaged ones end in ProtocolError only."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from luar_bridge.protocol.boost_layout import Abi, Directory, ProtocolError, read_directory
from luar_bridge.protocol.labels import or_blocks
from luar_bridge.protocol.segment import Segment


def test_the_captured_image(captures: Path) -> None:
    with Segment(captures / "vcmImage11cclabaugh") as segment:
        seen = segment.read()
        assert seen.directory.abi is Abi.BOOST_TO_1_86
        assert (seen.number("count"), seen.number("select")) == (1459, 0)
        assert (seen.number("width"), seen.number("height")) == (160, 120)
        assert seen.numbers("headAngles", 2) == pytest.approx((0.816, 0.048), abs=5e-4)
        assert (seen.number("horizonA"), seen.number("horizonB")) == (24, 5)
        assert seen.number("time") == pytest.approx(1334279879.46, abs=0.01)  # 2012-04-13 01:17:59
        assert len(seen.raw("yuyv")) == 2 * 160 * 120
        assert set(seen) == {
            "count", "fps", "headAngles", "height", "horizonA", "horizonB", "labelA", "labelB",
            "select", "time", "width", "yuyv",
        }  # fmt: skip


def test_label_b_of_the_capture_is_the_or_of_label_a(captures: Path) -> None:
    with Segment(captures / "vcmImage11cclabaugh") as segment:
        seen = segment.read()
    label_a = np.frombuffer(seen.raw("labelA"), np.uint8, 80 * 60).reshape(60, 80)
    label_b = np.frombuffer(seen.raw("labelB"), np.uint8, 20 * 15).reshape(15, 20)
    assert np.array_equal(or_blocks(label_a, 4), label_b)


def test_the_captured_ball(captures: Path) -> None:
    with Segment(captures / "wcmBall11cclabaugh") as segment:
        assert segment.read().numbers("xy", 2) == pytest.approx((0.140, -0.267), abs=5e-4)


def _is_sound(directory: Directory) -> bool:
    return all(
        0 <= v.node < v.offset <= v.offset + v.size <= v.end <= directory.size
        for v in directory.variables
    )


def _damage(segment: bytes, changes: list[tuple[int, int]], cut: int) -> bytes:
    damaged = bytearray(segment)
    for at, value in changes:
        at %= len(damaged) - 8
        struct.pack_into("<Q", damaged, at, value)
    return bytes(damaged[: len(damaged) - cut])


# Where the interesting bytes of the small capture are: header, tree and blocks.
CHANGES = st.lists(
    st.tuples(
        st.integers(0, 0x210),
        st.one_of(
            st.integers(0, 2**64 - 1),
            st.sampled_from([0, 1, 2, 3, 0x21, 1 << 63, 2**64 - 8, 0xFFF0, 0x10000]),
            st.integers(-600, 600).map(lambda v: v & 0xFFFF_FFFF_FFFF_FFFF),
        ),
    ),
    max_size=6,
)


@given(changes=CHANGES, cut=st.one_of(st.just(0), st.integers(0, 65536)))
def test_a_damaged_capture_gives_sound_places_or_an_error(
    captures: Path, changes: list[tuple[int, int]], cut: int
) -> None:
    segment = _damage((captures / "wcmBall11cclabaugh").read_bytes(), changes, cut)
    try:
        assert _is_sound(read_directory(segment))
    except ProtocolError:
        pass


@given(st.binary(max_size=2048))
def test_any_bytes_give_an_error(data: bytes) -> None:
    with pytest.raises(ProtocolError):
        read_directory(data)


def _capture(captures: Path) -> bytearray:
    return bytearray((captures / "wcmBall11cclabaugh").read_bytes())


def _error(segment: bytes | bytearray) -> str:
    with pytest.raises(ProtocolError) as caught:
        read_directory(bytes(segment))
    return str(caught.value)


def test_each_damage_is_named(captures: Path) -> None:
    def with_word(at: int, value: int) -> bytearray:
        segment = _capture(captures)
        struct.pack_into("<Q", segment, at, value & 0xFFFF_FFFF_FFFF_FFFF)
        return segment

    assert "empty" in _error(b"")
    assert "truncated: 100 bytes" in _error(_capture(captures)[:100])
    assert "32-bit" in _error(_capture(captures)[:4096])
    assert "not initialised" in _error(with_word(0, 0))
    assert "being initialised" in _error(with_word(0, 1))
    assert "corrupted" in _error(with_word(0, 3))
    assert "no known state (77)" in _error(with_word(0, 77))
    assert "more than a segment can have" in _error(with_word(0x98, 1 << 40))
    assert "3 entries" in _error(with_word(0x98, 3))
    assert "4 entries instead of 5" in _error(with_word(0x98, 5))
    assert "root" in _error(with_word(0xA0, 0x10000))
    assert "out of the segment" in _error(with_word(0x138, -0x1000))
    assert "loop" in _error(with_word(0x138, 0x130 - 0x138))
    assert "beyond the segment" in _error(with_word(0x148, 0x20000))
    assert "alignment" in _error(with_word(0x150, 0x21070002))
    assert "laid out neither" in _error(with_word(0x150, 0x22080002))
    assert "overlaps" in _error(with_word(0x148, 0x60))


@pytest.mark.parametrize("name", [b"\xff\xfe", b"\n\n", b"", b"x" * 300])
def test_a_variable_with_a_bad_name_is_left_out_alone(captures: Path, name: bytes) -> None:
    segment = _capture(captures)
    whole = read_directory(bytes(segment))
    last = max(whole.variables, key=lambda v: v.node)  # there is room behind it
    segment[last.offset + last.size : last.offset + last.size + len(name)] = name
    struct.pack_into("<H", segment, last.node + 32, len(name))
    directory = read_directory(bytes(segment))
    assert directory.variables == tuple(v for v in whole.variables if v != last)
    assert len(directory.unusable) == 1
    assert "is not text" in directory.unusable[0] or f"{len(name)} bytes" in directory.unusable[0]
