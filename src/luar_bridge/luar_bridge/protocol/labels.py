# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Colour classes of pixels (labelA, labelB), and Luar's packed images as RGB. No ROS.

A label is a mask with one bit a colour class (docs/originals/luar.md, 3).
"""

from __future__ import annotations

import enum

import cv2
import numpy as np
from numpy.typing import NDArray


class Label(enum.IntFlag):
    """Colour classes; none is 0."""

    ORANGE = 1
    YELLOW = 2
    CYAN = 4
    FIELD = 8
    WHITE = 16


COLOURS = {
    Label.ORANGE: (255, 128, 0),
    Label.YELLOW: (255, 230, 0),
    Label.CYAN: (0, 220, 220),
    Label.FIELD: (0, 130, 30),
    Label.WHITE: (255, 255, 255),
}
"""RGB in which each class is drawn; of several in one pixel the most telling counts."""

_MOST_TELLING = (Label.FIELD, Label.WHITE, Label.CYAN, Label.YELLOW, Label.ORANGE)


def _palette() -> NDArray[np.uint8]:
    palette = np.full((256, 3), 40, np.uint8)
    palette[32:] = (200, 0, 200)  # bits that no known Luar sets
    for mask in range(32):
        for label in _MOST_TELLING:
            if mask & label:
                palette[mask] = COLOURS[label]
    return palette


PALETTE = _palette()
"""RGB of each mask, shape (256, 3)."""


def colourised(labels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return masks of shape (height, width) as RGB of shape (height, width, 3)."""
    return np.take(PALETTE, labels, axis=0)


def or_blocks(labels: NDArray[np.uint8], block: int) -> NDArray[np.uint8]:
    """Return the bitwise or of blocks of ``block`` x ``block`` masks, as labelB is of labelA.

    Rows and columns that fill no block are left out.
    """
    height, width = (n // block for n in labels.shape)
    if block == 4 and labels.flags.c_contiguous and labels.shape[1] % 4 == 0:
        fours = labels[: 4 * height].view(np.uint32).reshape(height, 4, width)
        ored = np.bitwise_or.reduce(fours, axis=1)
        ored = ored | ored >> 16
        return np.asarray(ored | ored >> 8).astype(np.uint8)
    blocks = labels[: height * block, : width * block].reshape(height, block, width, block)
    rows: NDArray[np.uint8] = np.bitwise_or.reduce(blocks, axis=1)
    result: NDArray[np.uint8] = np.bitwise_or.reduce(rows, axis=2)
    return result


def or_of_blocks(labels: bytes, height: int, width: int, block: int) -> bytes:
    """Return what ``or_blocks`` does, from bytes to bytes.

    As one large number: after a sleep that takes a fifth of the time of numpy's many small steps.
    """
    whole = int.from_bytes(labels[: height * width], "little")
    rows = whole
    for shift in range(1, block):
        rows |= whole >> 8 * width * shift
    columns = rows
    for shift in range(1, block):
        columns |= rows >> 8 * shift
    ored = columns.to_bytes(height * width, "little")
    used = width // block * block
    step = block * width
    return b"".join(ored[at : at + used : block] for at in range(0, height // block * step, step))


def yuyv_to_rgb(yuyv: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return an image of shape (height, width, 2) as RGB, by the video standard (BT.601)."""
    return np.asarray(cv2.cvtColor(yuyv, cv2.COLOR_YUV2RGB_YUY2), np.uint8)


def webots_yuyv_to_rgb(yuyv: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return an image that Luar's Webots controller packed, shape (height, width, 2), as RGB.

    The controller does not follow the standard: Y is green, U 128 + (B - G) / 2 and V 128 + (R -
    G) / 2 of a pair of pixels (docs/originals/luar.md, 3). This inverts it but for the rounding.
    """
    height, width = yuyv.shape[:2]
    green, chroma = cv2.split(yuyv)
    u, v = (
        cv2.resize(np.ascontiguousarray(half), (width, height), interpolation=cv2.INTER_NEAREST)
        for half in (chroma[:, 0::2], chroma[:, 1::2])
    )
    # Green + 2 (chroma - 128), kept within a byte.
    red, blue = (cv2.addWeighted(green, 1.0, c, 2.0, -256.0) for c in (v, u))
    return np.asarray(cv2.merge([red, green, blue]), np.uint8)


def rgb_to_webots_yuyv(rgb: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return RGB of shape (height, width, 3), width even, as Luar's Webots controller packs it.

    Both pixels of a pair get the first one's colour, as in the original.
    """
    red, green, blue = (rgb[:, 0::2, i].astype(np.int16) for i in range(3))
    yuyv = np.empty((*rgb.shape[:2], 2), np.uint8)
    yuyv[:, 0::2, 0] = yuyv[:, 1::2, 0] = green
    yuyv[:, 0::2, 1] = 128 + (blue - green) // 2
    yuyv[:, 1::2, 1] = 128 + (red - green) // 2
    return yuyv


_BT601 = np.array(
    [[65.481, 128.553, 24.966], [-37.797, -74.203, 112.0], [112.0, -93.786, -18.214]], np.float32
)
"""Y, U and V of R, G and B from 0 to 1, without the offsets 16, 128 and 128."""


def rgb_to_yuyv(rgb: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return RGB of shape (height, width, 3), width even, packed by the video standard (BT.601).

    U and V are those of the first pixel of each pair.
    """
    yuv = cv2.transform(rgb.astype(np.float32) / 255.0, _BT601)
    yuyv = np.empty((*rgb.shape[:2], 2), np.uint8)
    yuyv[..., 0] = np.rint(16.0 + yuv[..., 0])
    yuyv[:, 0::2, 1] = np.rint(128.0 + yuv[:, 0::2, 1])
    yuyv[:, 1::2, 1] = np.rint(128.0 + yuv[:, 0::2, 2])
    return yuyv
