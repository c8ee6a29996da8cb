# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The camera's images: raw RGB in profile ``spec``, an encoded file in profile ``game``."""

from __future__ import annotations

import struct
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from roboskate_game.protocol.dialect import Profile
from roboskate_game.protocol.messages import ImageError, ImageSize

Pixels = NDArray[np.uint8]

DEFAULT_JPEG_QUALITY = 80
IMAGE_FORMATS = ("png", "jpeg")
"""Of the simulated game's files in profile ``game``; the real game's are JPEG."""
_JPEG_START, _JPEG_END = b"\xff\xd8\xff", b"\xff\xd9"
_PNG_START = b"\x89PNG\r\n\x1a\n"
_PNG_CHUNK = struct.Struct(">I4s")
"""Length and kind; the contents and a checksum follow."""
_PNG_HEADER_BYTES, _PNG_CHECKSUM_BYTES = 13, 4
_FRAME_HEADERS = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_BEFORE_THE_FRAME = frozenset({0xC4, 0xCC, 0xDB, 0xDD, 0xFE, *range(0xE0, 0xF0)})
"""Markers of tables, comments and applications."""


@dataclass(frozen=True)
class RawPicture:
    """Red, green, blue, 8 bits each; rows from the top, without padding."""

    size: ImageSize
    data: bytes | memoryview


@dataclass(frozen=True)
class EncodedPicture:
    """A whole file of ``format`` ("jpeg" or "png") that holds an image of ``size``."""

    size: ImageSize
    data: bytes | memoryview
    format: str


Picture = RawPicture | EncodedPicture


def read_picture(profile: Profile, data: bytes | memoryview, size: ImageSize) -> Picture:
    """Return the image in ``data``, still encoded where it was.

    Of a file the parts and the size that it names are checked, see decode for the rest.
    Raises ImageError when it is none or not of ``size``.
    """
    if profile is Profile.SPEC:
        wanted = 3 * size.width * size.height
        if len(data) != wanted:
            raise ImageError(
                f"get_camera: {len(data)} bytes are no RGB image of {size.width} x {size.height}, "
                f"which has {wanted}"
            )
        return RawPicture(size, data)
    kind, found = _inspect(data)
    if found != size:
        raise ImageError(
            f"get_camera: an image of {found.width} x {found.height} pixels instead of "
            f"{size.width} x {size.height}"
        )
    return EncodedPicture(size, data, kind)


def decode(picture: Picture) -> Pixels:
    """Return the image as an array of height x width x 3, RGB. Raises ImageError."""
    shape = (picture.size.height, picture.size.width, 3)
    if isinstance(picture, RawPicture):
        return np.frombuffer(picture.data, np.uint8).reshape(shape)
    try:
        pixels = cv2.imdecode(np.frombuffer(picture.data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error as error:
        raise ImageError("get_camera: the image cannot be decoded") from error
    if pixels is None or pixels.shape != shape:
        raise ImageError("get_camera: the image cannot be decoded")
    # OpenCV gives blue, green, red.
    return cv2.cvtColor(pixels, cv2.COLOR_BGR2RGB, dst=pixels).astype(np.uint8, copy=False)


def encode_jpeg(pixels: Pixels, quality: int = DEFAULT_JPEG_QUALITY) -> bytes:
    """Return an RGB array of height x width x 3 as a JPEG file; ``quality`` is 1 to 100."""
    bgr = cv2.cvtColor(pixels, cv2.COLOR_RGB2BGR)
    done, data = cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise ImageError("the image cannot be encoded")
    return data.tobytes()


def encode_png(pixels: Pixels) -> bytes:
    """Return an RGB array of height x width x 3 as a PNG file, which loses nothing."""
    bgr = cv2.cvtColor(pixels, cv2.COLOR_RGB2BGR)
    done, data = cv2.imencode(".png", bgr, [cv2.IMWRITE_PNG_COMPRESSION, 1])
    if not done:
        raise ImageError("the image cannot be encoded")
    return data.tobytes()


def _inspect(data: bytes | memoryview) -> tuple[str, ImageSize]:
    """Return format and size that an encoded image names. Raises ImageError."""
    start = bytes(data[:24])
    if start.startswith(_JPEG_START):
        if bytes(data[-64:]).rstrip(b"\0")[-2:] != _JPEG_END:
            raise ImageError("get_camera: the JPEG image is cut short")
        return "jpeg", _jpeg_size(data)
    if start.startswith(_PNG_START):
        return "png", _png_size(data)
    raise ImageError(
        f"get_camera: {len(data)} bytes that are no JPEG or PNG image, beginning {start[:8]!r}"
    )


def _png_size(data: bytes | memoryview) -> ImageSize:
    """Return the size in the header of a PNG file, all of whose chunks are there.

    A decoder would allocate the memory of a chunk's length before it misses the chunk.
    """
    view, position = memoryview(data), len(_PNG_START)
    size = None
    while position + _PNG_CHUNK.size <= len(view):
        length, kind = _PNG_CHUNK.unpack_from(view, position)
        end = position + _PNG_CHUNK.size + length + _PNG_CHECKSUM_BYTES
        if end > len(view) or (size is None) != (kind == b"IHDR"):
            break
        if size is None:
            if length != _PNG_HEADER_BYTES:
                break
            size = ImageSize(*struct.unpack_from(">II", view, position + _PNG_CHUNK.size))
        elif kind == b"IEND":
            return size
        position = end
    raise ImageError("get_camera: the PNG image is cut short or damaged")


def _jpeg_size(data: bytes | memoryview) -> ImageSize:
    """Return the size in the frame header of a JPEG file.

    Only what may stand before it is passed over. A decoder is more generous, and would find the
    header of another size, and the memory for it, in what we take for something else.
    """
    position = 2
    while position + 9 <= len(data) and data[position] == 0xFF:
        marker = data[position + 1]
        length = int.from_bytes(bytes(data[position + 2 : position + 4]), "big")
        if marker == 0xFF:  # fill byte
            position += 1
        elif marker in _FRAME_HEADERS:
            height, width = struct.unpack(">HH", bytes(data[position + 5 : position + 9]))
            return ImageSize(width, height)
        elif marker in _BEFORE_THE_FRAME and length >= 2:
            position += 2 + length
        else:
            break
    raise ImageError("get_camera: the JPEG image has no frame header")
