# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The file of a colour table: 262,144 bytes, the label of each colour.

Colour i is (Y >> 2) * 4096 + (U >> 2) * 64 + (V >> 2) (docs/originals/luar.md, 3).
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

LEVELS = 64
"""Of Y, U and V each."""
SIZE = LEVELS**3
LABELS = {
    "none": 0,
    "orange": 1,
    "yellow": 2,
    "cyan": 4,
    "field": 8,
    "white": 16,
    "robot_blue": 32,
    "robot_pink": 64,
}
"""Mask of each class."""
NAMES = {label: name for name, label in LABELS.items()}
PAINT = {
    "none": (40, 40, 40),
    "orange": (255, 128, 0),
    "yellow": (255, 230, 0),
    "cyan": (0, 220, 220),
    "field": (0, 130, 30),
    "white": (255, 255, 255),
    "robot_blue": (60, 90, 255),
    "robot_pink": (255, 120, 190),
}
"""RGB in which each class is drawn."""


class ColorTableError(Exception):
    """A file cannot be used; the message names it and says why."""


def read_table(path: Path) -> tuple[NDArray[np.uint8], str]:
    """Return a table, shape (262144,), and a warning, empty for none. Raises ColorTableError."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ColorTableError(f"{path}: {error.strerror}") from error
    if len(data) == SIZE - 1:
        text = f"{path}: {SIZE - 1} bytes: the last colour (Y = U = V = 255) is taken as none"
        return np.frombuffer(data + b"\0", np.uint8), text
    if len(data) != SIZE:
        raise ColorTableError(f"{path}: {len(data)} bytes are no table: it has {SIZE}")
    return np.frombuffer(data, np.uint8), ""


def index(colors: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Return the places in a table of colours (Y, U, V), shape (..., 3)."""
    cells = (colors >> 2).astype(np.int64)
    return cells[..., 0] * LEVELS**2 + cells[..., 1] * LEVELS + cells[..., 2]


def pair_colors(yuyv: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return (Y0, U, V) of each pair of pixels, shape (height, width / 2, 3).

    As the original, which looks at the first pixel of a pair alone.
    """
    pairs = yuyv.reshape(yuyv.shape[0], -1, 4)
    return pairs[..., (0, 1, 3)]


def label_a(table: NDArray[np.uint8], yuyv: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the labels of a picture as the original's labelA: half its width and height."""
    return np.take(table, index(pair_colors(yuyv[::2])))


def painted(labels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return labels as RGB; of several bits in one byte the greatest counts."""
    palette = np.full((256, 3), PAINT["none"], np.uint8)
    for mask in range(1, 256):
        palette[mask] = PAINT.get(NAMES.get(1 << mask.bit_length() - 1, "none"), (200, 0, 200))
    return np.take(palette, labels, axis=0)
