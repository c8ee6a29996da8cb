# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Pictures for colour tables: bitmaps, and the original's texts of vcmImage.yuyv."""

from __future__ import annotations

import string
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from luar_tools.color_table.packing import FROM_RGB
from luar_tools.color_table.table import ColorTableError

WIDTHS = {160: 120, 320: 240, 640: 480}
"""Heights of the original's pictures, whose files do not say theirs, by width."""
MOST_BYTES = 64_000_000
_HEX = frozenset(string.hexdigits.encode())


def read_picture(path: Path, packing: str) -> NDArray[np.uint8]:
    """Return a picture as YUYV, shape (height, width, 2). Raises ColorTableError.

    It is the text of TakePicture.lua (hexadecimal) or of ReadImage.py (a line "Y0 U Y1 V" a
    pair), or a bitmap, which is packed by ``packing`` ("webots" or "standard").
    """
    try:
        if path.stat().st_size > MOST_BYTES:
            raise ColorTableError(f"{path}: it has more than {MOST_BYTES} bytes")
        data = path.read_bytes()
    except OSError as error:
        raise ColorTableError(f"{path}: {error.strerror}") from error
    text = data.strip()
    if text and _HEX.issuperset(text):
        if len(text) % 8:
            raise ColorTableError(f"{path}: {len(text)} hexadecimal digits are no pairs of pixels")
        return _shaped(path, np.frombuffer(bytes.fromhex(text.decode()), np.uint8))
    if text and set(text) <= set(b"0123456789 \r\n\t"):
        numbers = np.fromstring(text.decode(), np.int64, sep=" ")
        if len(numbers) % 4 or numbers.max() > 255:
            raise ColorTableError(f"{path}: its numbers are no lines 'Y0 U Y1 V' of bytes")
        return _shaped(path, numbers.astype(np.uint8))
    bgr = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) if data else None
    if bgr is None:
        raise ColorTableError(f"{path}: it is no picture, and no text of vcmImage.yuyv")
    return from_bgr(np.asarray(bgr, np.uint8), packing)


def from_bgr(bgr: NDArray[np.uint8], packing: str) -> NDArray[np.uint8]:
    """Return a bitmap as YUYV; of an odd width the last column is left out."""
    return FROM_RGB[packing](np.ascontiguousarray(bgr[:, : bgr.shape[1] // 2 * 2, ::-1]))


def _shaped(path: Path, flat: NDArray[np.uint8]) -> NDArray[np.uint8]:
    for width, height in WIDTHS.items():
        if flat.size == 2 * width * height:
            return flat.reshape(height, width, 2)
    sizes = ", ".join(f"{w}x{h}" for w, h in WIDTHS.items())
    raise ColorTableError(f"{path}: {flat.size // 2} pixels are none of {sizes}")
