# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Make a label table for the original's Vision: the class of every colour that a pixel can have.

No ROS. The classes are ranges of hue, saturation and value, for a field in plain light.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from luar_bridge.protocol.labels import Label, webots_yuyv_to_rgb, yuyv_to_rgb

LEVELS = 64
"""Of Y, U and V each: the table's index is Y * 64² + U * 64 + V (docs/originals/luar.md, 3)."""
RANGES = {
    Label.ORANGE: ((8, 38), 0.55, (0.35, 1.0)),
    Label.YELLOW: ((45, 70), 0.5, (0.45, 1.0)),
    Label.CYAN: ((170, 215), 0.4, (0.35, 1.0)),
    Label.FIELD: ((80, 165), 0.3, (0.12, 0.8)),
}
"""Hue in degrees from and to, least saturation, value from and to."""
WHITE_SATURATION, WHITE_VALUE = 0.2, 0.7
"""White has no more and no less."""


def label_table(colors: str) -> NDArray[np.uint8]:
    """Return a label for each index, shape (64³,); ``colors`` is how images are packed.

    That is "webots" or "standard", as the host's parameter of this name.
    """
    levels = np.arange(LEVELS, dtype=np.uint8) * 4 + 2
    y, u, v = np.meshgrid(levels, levels, levels, indexing="ij")
    yuyv = np.stack([y, u, y, v], axis=-1).reshape(-1, 2, 2)  # a row for each pair of pixels
    to_rgb = webots_yuyv_to_rgb if colors == "webots" else yuyv_to_rgb
    rgb = to_rgb(yuyv)[:, 0].astype(np.float32) / 255.0
    hue, saturation, value = cv2.split(cv2.cvtColor(rgb[None], cv2.COLOR_RGB2HSV))
    labels = np.zeros(hue.shape, np.uint8)
    for label, ((first, last), least, (dark, bright)) in RANGES.items():
        inside = (hue >= first) & (hue <= last) & (saturation >= least)
        labels[inside & (value >= dark) & (value <= bright)] = label
    labels[(saturation <= WHITE_SATURATION) & (value >= WHITE_VALUE)] = Label.WHITE
    return np.asarray(labels[0], np.uint8)


def main(arguments: Sequence[str] | None = None) -> None:
    """Write a table to a file, and end the program."""
    parser = argparse.ArgumentParser(prog="label_table", description=__doc__)
    parser.add_argument("file", type=Path, help="file to write, 262144 bytes")
    parser.add_argument(
        "--colors", choices=("webots", "standard"), default="webots",
        help="how images are packed: as the host's parameter colors",
    )  # fmt: skip
    options = parser.parse_args(arguments)
    try:
        options.file.write_bytes(label_table(options.colors).tobytes())
    except OSError as error:
        sys.exit(f"label_table: {error}")


if __name__ == "__main__":
    main()
