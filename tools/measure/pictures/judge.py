# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What is seen in a picture of rviz's window: colours of the palette, and displays in error."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from legacy_robots_core.palette import PALETTE

SCREEN = (1700, 1000)
STATUS_COLOURS = {"warning": (192, 128, 0), "error": (192, 32, 32)}
"""Of names in the panel *Displays* (StatusProperty of rviz_common)."""
STATUS_PIXELS = 12
"""So many of them make a word."""
FLAT_TOLERANCE, LIT_TOLERANCE = 0.02, 0.1
"""Of full brightness, in each channel: of flat shapes, and of the tops of solid ones."""
BLACK_PIXELS = 100
"""So many lie within black areas where rviz writes "No Image" in a dock."""
SEEN_PIXELS = 120
EXPECTED = {
    "nao": ("room", "room-line", "passage"),
    "roboskate": ("sand|clay|brick|marble",),
    "luar": ("carpet", "field-line"),
    "luar_match": ("carpet", "field-line"),
    "bw4t": ("floor", "corridor", "wall", "door"),
    "aibo": (),
    "demo": ("carpet", "room"),
}
"""Palette colours that a picture must have, by view; one of several between bars."""
BACKGROUND = (244, 247, 250)
BLOCKS = tuple(name for name in PALETTE if name.startswith("block-"))
LEAST_BLOCKS = 3
"""So many colours of blocks must be seen in the blocks world."""
FLAT = tuple(name for name in PALETTE if name not in BLOCKS)
"""What has such a colour is no block, though a wall is nearly as dark as a dark grey one."""

Picture = NDArray[np.uint8]


@dataclass
class Verdict:
    """What is seen in one picture: ``problems`` in words, colours measured by palette name."""

    problems: list[str]
    colours: dict[str, tuple[int, int, int]]


def judge(view: str, picture: Picture) -> Verdict:
    """Return what is wrong with the picture (BGR) of a view."""
    problems = []
    whole, picture = picture, picture[render_area(picture)]
    for word, colour in STATUS_COLOURS.items():
        if int((whole == np.array(colour[::-1])).all(axis=2).sum()) >= STATUS_PIXELS:
            problems.append(f"a display in {word}")
    black = cv2.erode((whole.max(axis=2) <= 8).astype(np.uint8), np.ones((5, 5), np.uint8))
    white = cv2.blur((whole.min(axis=2) == 255).astype(np.float32), (61, 61))
    if int((black.astype(bool) & (white > 0.4)).sum()) >= BLACK_PIXELS:
        problems.append("a camera without an image")
    found: dict[str, tuple[int, int, int]] = {}
    for names in (*EXPECTED[view], *(BLOCKS if view == "bw4t" else ())):
        tolerance = LIT_TOLERANCE if names in BLOCKS else FLAT_TOLERANCE
        others = FLAT if names in BLOCKS else ()
        seen = {n: nearest(picture, rgb_of(n), tolerance, others) for n in names.split("|")}
        known = {name: colour for name, colour in seen.items() if colour is not None}
        found.update(known)
        if not known and names not in BLOCKS:
            problems.append(f"{names} is not seen")
    if view == "bw4t" and sum(name in BLOCKS for name in found) < LEAST_BLOCKS:
        problems.append("hardly any block is seen in its colour")
    return Verdict(problems, found)


def render_area(picture: Picture) -> tuple[slice, slice]:
    """Return the rows and columns in which rviz draws: around what has the background colour."""
    same = (picture == np.array(BACKGROUND[::-1])).all(axis=2)
    (rows,) = np.nonzero(same.sum(axis=1) >= SEEN_PIXELS // 4)
    (columns,) = np.nonzero(same.sum(axis=0) >= SEEN_PIXELS // 4)
    if not len(rows) or not len(columns):
        return slice(0, None), slice(0, None)
    return slice(rows.min(), rows.max() + 1), slice(columns.min(), columns.max() + 1)


def nearest(
    picture: Picture, colour: tuple[int, int, int], tolerance: float, others: Sequence[str] = ()
) -> tuple[int, int, int] | None:
    """Return the frequent colour (RGB) that is nearest, within the tolerance; None for none.

    What is nearer to the background, or to one of the palette's ``others``, is left out.
    """

    def away(pixels: Picture, other: tuple[int, int, int]) -> NDArray[np.int16]:
        apart = np.abs(pixels.astype(np.int16) - np.array(other[::-1], np.int16))
        return np.asarray(apart.max(axis=-1), np.int16)

    like = picture[away(picture, colour) <= tolerance * 255]
    # Light keeps the hue of a colour; a blend of two at an edge does not.
    hue = np.abs(np.diff(like.astype(np.int16)) - np.diff(np.array(colour[::-1], np.int16)))
    like = like[hue.max(axis=-1, initial=0) <= 2 * FLAT_TOLERANCE * 255]
    for other in (BACKGROUND, *(rgb_of(name) for name in others)):
        like = like[away(like, colour) <= away(like, other)]
    if len(like) < SEEN_PIXELS:
        return None
    colours, counts = np.unique(like, axis=0, return_counts=True)
    frequent = colours[counts >= min(SEEN_PIXELS, counts.max())]
    blue, green, red = frequent[away(frequent, colour).argmin()]
    return int(red), int(green), int(blue)


def rgb_of(name: str) -> tuple[int, int, int]:
    """Return a colour of the palette."""
    text = PALETTE[name]
    red, green, blue = (int(text[i : i + 2], 16) for i in (1, 3, 5))
    return red, green, blue


def has_window(picture: Picture) -> bool:
    """Return whether more than the splash screen is there; an empty screen is black."""
    return bool(picture.any()) and picture.shape[0] > SCREEN[1] // 3


def off(name: str, seen: tuple[int, int, int]) -> float:
    """Return by how much of full brightness a colour is off that of the palette."""
    return max(abs(a - b) for a, b in zip(seen, rgb_of(name), strict=True)) / 255.0
