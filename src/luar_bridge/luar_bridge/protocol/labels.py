# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Colour classes of pixels (labelA, labelB), and Luar's packed images as RGB. No ROS.

A label is a mask with one bit a colour class (docs/originals/luar.md, 3).
"""

from __future__ import annotations

import enum

import numpy as np
from numpy.typing import NDArray

from luar_tools.color_table.packing import (
    rgb_to_webots_yuyv,
    rgb_to_yuyv,
    webots_yuyv_to_rgb,
    yuyv_to_rgb,
)

__all__ = [
    "COLOURS",
    "PALETTE",
    "Label",
    "colourised",
    "or_blocks",
    "or_of_blocks",
    "rgb_to_webots_yuyv",
    "rgb_to_yuyv",
    "webots_yuyv_to_rgb",
    "yuyv_to_rgb",
]


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
