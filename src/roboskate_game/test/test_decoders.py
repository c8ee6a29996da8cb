# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Whatever comes over a wire is either understood or a typed error."""

from __future__ import annotations

import json
import math
import struct

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from roboskate_game.client.http_transport import read_values
from roboskate_game.protocol.dialect import Dialect, Profile
from roboskate_game.protocol.image import decode, encode_jpeg, read_picture
from roboskate_game.protocol.messages import ImageError, ImageSize, ProtocolError

values = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=20,
)


@given(st.one_of(st.binary(max_size=60), values.map(lambda value: json.dumps(value).encode())))
def test_any_json_is_numbers_or_a_protocol_error(body):
    try:
        success, numbers = read_values("get_info", body)
    except ProtocolError:
        return
    assert len(success) == 1
    assert all(isinstance(number, float) for number in numbers)


def test_the_forms_of_an_answer():
    assert read_values("shutdown", b"0") == (b"\x00", [])
    assert read_values("shutdown", b"[48]") == (b"0", [])
    assert read_values("run_game", b"[0, 31.28]") == (b"\x00", [31.28])
    assert read_values("get_info", b"[0, [1, [2.5, []]], 3]") == (b"\x00", [1.0, 2.5, 3.0])


SIZE = ImageSize(16, 8)
PIXELS = np.arange(16 * 8 * 3, dtype=np.uint8).reshape(8, 16, 3)
JPEG = encode_jpeg(PIXELS)
PNG = cv2.imencode(".png", PIXELS)[1].tobytes()


@given(st.sampled_from([JPEG, PNG]), st.data())
def test_a_damaged_image_is_an_image_or_an_image_error(file, data):
    at = data.draw(st.integers(0, len(file) - 1))
    kind = data.draw(st.sampled_from(["cut", "changed", "without"]))
    damaged = {
        "cut": file[:at],
        "changed": file[:at] + data.draw(st.binary(min_size=1, max_size=4)) + file[at + 1 :],
        "without": file[:at] + file[at + 1 :],
    }[kind]
    try:
        pixels = decode(read_picture(Profile.GAME, damaged, SIZE))
    except ImageError:
        return
    assert pixels.shape == (8, 16, 3)
    assert pixels.dtype == np.uint8


@given(st.binary(max_size=200))
def test_any_bytes_are_an_image_or_an_image_error(data):
    for start in (b"", b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n"):
        with pytest.raises(ImageError):
            decode(read_picture(Profile.GAME, start + data, SIZE))


def test_a_size_that_only_we_would_see_is_an_image_error():
    """A decoder passes over what is no segment: it would take 2.3 GB for 20000 x 20000 pixels."""
    header = JPEG.index(b"\xff\xc0")
    end = header + 2 + int.from_bytes(JPEG[header + 2 : header + 4], "big")
    small = JPEG[header:end]
    huge = small[:5] + (20000).to_bytes(2, "big") * 2 + small[9:] + JPEG[2:header] + JPEG[end:]
    for marker in (0x00, 0x01, 0xD0, 0xD8, 0xD9, 0xDA):
        cover = bytes([0xFF, marker]) + (len(huge) + 2).to_bytes(2, "big") + huge
        with pytest.raises(ImageError, match="no frame header"):
            read_picture(Profile.GAME, JPEG[:2] + cover + small + b"\xff\xd9", SIZE)
    for length in (0, 1):
        cover = b"\xff\xe0" + length.to_bytes(2, "big")
        with pytest.raises(ImageError, match="no frame header"):
            read_picture(Profile.GAME, JPEG[:2] + cover + JPEG[2:], SIZE)


def test_a_png_whose_chunks_do_not_fit_is_an_image_error():
    """OpenCV takes 3.5 GB for a chunk that says to be as long, in a file of 120 bytes."""
    after_header = PNG[:33]
    for length in (0xD900003F, len(PNG), 0):
        chunk = length.to_bytes(4, "big") + b"IDAT" + PNG[41:60]
        with pytest.raises(ImageError, match="PNG image is cut short or damaged"):
            read_picture(Profile.GAME, after_header + chunk, SIZE)
    for end in (33, len(PNG) - 12, len(PNG) - 1):
        with pytest.raises(ImageError, match="PNG image is cut short or damaged"):
            read_picture(Profile.GAME, PNG[:end], SIZE)
    with pytest.raises(ImageError, match="PNG image is cut short or damaged"):
        read_picture(
            Profile.GAME, PNG[:8] + PNG[33:], ImageSize(*struct.unpack(">II", PNG[41:49]))
        )
    assert read_picture(Profile.GAME, PNG + b"\0\0", SIZE).format == "png"


def test_raw_images():
    raw = PIXELS.tobytes()
    assert (decode(read_picture(Profile.SPEC, raw, SIZE)) == PIXELS).all()
    for wrong in (raw[:-1], raw + b"\0", b""):
        with pytest.raises(ImageError, match="no RGB image of 16 x 8, which has 384"):
            read_picture(Profile.SPEC, wrong, SIZE)


def test_trailing_zeros_of_a_jpeg_are_no_damage():
    assert decode(read_picture(Profile.GAME, JPEG + bytes(20), SIZE)).shape == (8, 16, 3)


@given(st.sampled_from(list(Profile)), st.text(max_size=30))
def test_any_argument_of_initialize_is_a_level_or_a_protocol_error(profile, text):
    try:
        level, _ = Dialect(profile).decode_initialize(text)
    except ProtocolError:
        return
    assert level >= 0


@given(st.sampled_from(list(Profile)), st.lists(st.floats(), max_size=5))
def test_any_argument_of_set_info_is_keys_or_a_protocol_error(profile, floats):
    try:
        keys = Dialect(profile).decode_keys(floats)
    except ProtocolError:
        return
    assert all(map(math.isfinite, keys.values()))
    assert profile is Profile.GAME or keys == keys.clamped()
