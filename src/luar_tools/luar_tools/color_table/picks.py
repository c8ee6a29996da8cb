# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Colours that a person picked for each class, and the text file that keeps them."""

from __future__ import annotations

import pickletools
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from luar_tools.color_table.table import LABELS, ColorTableError, index, pair_colors

FLOOD_THRESHOLD = 16
"""Red, green and blue of a flooded pixel differ from the mean by this at most."""
_HEAD = "# class Y U V pixels; an empty line ends a pick\n"
_NAMES_OF_ORIGINAL = {"green": "field", "black": "none"}


@dataclass(frozen=True)
class Pick:
    """What was picked at once: colours (Y, U, V), shape (n, 3), a row a pixel."""

    name: str
    colors: NDArray[np.uint8]


@dataclass
class Picks:
    """All picks, in their order."""

    picks: list[Pick] = field(default_factory=list)

    def add(self, name: str, colors: NDArray[np.uint8]) -> None:
        """Add a pick of a class. Raises ColorTableError for an unknown one, or no colour."""
        if name not in LABELS:
            raise ColorTableError(f"class {name!r} is none of {', '.join(LABELS)}")
        if not len(colors):
            raise ColorTableError("there is nothing in what was picked")
        self.picks.append(Pick(name, colors.reshape(-1, 3)))

    def undo(self) -> None:
        """Take the last pick back, if there is one."""
        del self.picks[-1:]

    def counts(self) -> dict[str, int]:
        """Return the number of picked pixels of each class."""
        return {n: sum(len(p.colors) for p in self.picks if p.name == n) for n in LABELS}

    def overlaps(self) -> dict[tuple[str, str], int]:
        """Return how many entries of a table two classes were both picked for."""
        cells = {
            name: set(index(np.concatenate(colors)).tolist())
            for name in LABELS
            if (colors := [p.colors for p in self.picks if p.name == name])
        }
        names = list(cells)
        return {
            (one, other): both
            for at, one in enumerate(names)
            for other in names[at + 1 :]
            if (both := len(cells[one] & cells[other]))
        }

    def text(self) -> str:
        """Return the file's text."""
        parts = [_HEAD]
        for pick in self.picks:
            colors, counts = np.unique(pick.colors, axis=0, return_counts=True)
            parts += [
                f"{pick.name} {y} {u} {v} {n}\n"
                for (y, u, v), n in zip(colors, counts, strict=True)
            ]
            parts.append("\n")
        return "".join(parts)


def read_picks(path: Path) -> Picks:
    """Return the picks of a text file. Raises ColorTableError with the line that is wrong."""
    picks, rows = Picks(), {}  # type: Picks, dict[str, list[list[int]]]
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ColorTableError(f"{path}: {error}") from error
    for number, line in enumerate([*lines, ""], 1):
        if line.startswith("#"):
            continue
        words = line.split()
        if not words:
            for name, colors in rows.items():
                picks.add(name, np.array(colors, np.uint8))
            rows = {}
            continue
        try:
            numbers = [int(word) for word in words[1:]]
        except ValueError:
            numbers = []
        if words[0] not in LABELS or len(numbers) not in (3, 4) or not _fits(numbers):
            raise ColorTableError(f"{path}, line {number}: {line!r} is no 'class Y U V pixels'")
        rows.setdefault(words[0], []).extend([numbers[:3]] * (numbers[3:] or [1])[0])
    return picks


def _fits(numbers: list[int]) -> bool:
    return all(0 <= n < 256 for n in numbers[:3]) and all(0 < n < 10**6 for n in numbers[3:])


def read_saved(path: Path) -> Picks:
    """Return the picks of the original's Saved_Colortable. Raises ColorTableError.

    That is a pickle of class names and sets of (Y, U, V). It is read, not run: an instruction
    that such a file does not need is refused.
    """
    try:
        found = _plain(path.read_bytes())
        picks = Picks()
        for name in sorted(found, key=_order):
            colors = sorted({tuple(map(int, color)) for color in found[name]})
            if any(len(color) != 3 or not _fits([*color]) for color in colors):
                raise ValueError(f"a colour of {name!r} is no three bytes")
            if colors:
                picks.add(_NAMES_OF_ORIGINAL.get(name, name), np.array(colors, np.uint8))
    except OSError as error:
        raise ColorTableError(f"{path}: {error.strerror}") from error
    except (ValueError, TypeError, IndexError, KeyError, AttributeError) as error:
        raise ColorTableError(f"{path}: it is no Saved_Colortable: {error}") from error
    return picks


_ORDER = ("yellow", "cyan", "white", "orange", "green", "black")
"""In which the original writes its classes, a later one over an earlier one."""


def _order(name: str) -> int:
    return _ORDER.index(name) if name in _ORDER else -1


def _plain(data: bytes) -> dict[str, Any]:
    """Return what a pickle of protocol 0 of dicts, lists, tuples, texts and sets says."""
    stack: list[Any] = []
    marks: list[int] = []
    memo: dict[Any, Any] = {}
    for opcode, argument, _ in pickletools.genops(data):
        name = opcode.name
        if name == "MARK":
            marks.append(len(stack))
        elif name in ("TUPLE", "LIST", "DICT"):
            at = marks.pop()
            items, stack[at:] = stack[at:], []
            if name == "DICT" and items:
                raise ValueError("a dict is written in another way")
            stack.append({"TUPLE": tuple, "LIST": list, "DICT": dict}[name](items))
        elif name in ("INT", "STRING"):
            stack.append(argument)
        elif name == "GLOBAL" and argument == "__builtin__ set":
            stack.append(set)
        elif name == "REDUCE" and stack[-2] is set:
            items = stack.pop()
            stack[-1] = items[0]
        elif name == "PUT":
            memo[argument] = stack[-1]
        elif name == "GET":
            stack.append(memo[argument])
        elif name == "APPEND":
            item = stack.pop()
            stack[-1].append(item)
        elif name == "SETITEM":
            value, key = stack.pop(), stack.pop()
            stack[-1][str(key)] = value
        elif name != "STOP":
            raise ValueError(f"instruction {name} {argument if argument is not None else ''}")
    if len(stack) != 1 or not isinstance(stack[0], dict):
        raise ValueError("it holds no dict")
    return stack[0]


def in_rectangle(yuyv: NDArray[np.uint8], corners: tuple[int, int, int, int]) -> NDArray[np.uint8]:
    """Return the colours of the pairs of pixels in a rectangle (x0, y0, x1, y1, inclusive)."""
    height, width = yuyv.shape[:2]
    x0, x1 = sorted((corners[0], corners[2]))
    y0, y1 = sorted((corners[1], corners[3]))
    if not (x0 >= 0 and x1 < width and y0 >= 0 and y1 < height):
        raise ColorTableError(f"{corners} is not within {width} x {height} pixels")
    return pair_colors(yuyv)[y0 : y1 + 1, x0 // 2 : x1 // 2 + 1].reshape(-1, 3)


def in_flood(
    yuyv: NDArray[np.uint8],
    rgb: NDArray[np.uint8],
    at: tuple[int, int],
    threshold: int = FLOOD_THRESHOLD,
) -> NDArray[np.uint8]:
    """Return the colours of the pixels around ``at`` (x, y) that are like their mean."""
    height, width = yuyv.shape[:2]
    if not (0 <= at[0] < width and 0 <= at[1] < height):
        raise ColorTableError(f"{at} is not within {width} x {height} pixels")
    picture = rgb.copy()
    flags = 4 | cv2.FLOODFILL_FIXED_RANGE | cv2.FLOODFILL_MASK_ONLY | (1 << 8)
    mask = np.zeros((height + 2, width + 2), np.uint8)
    for _ in range(2):  # the second time around the mean of the first
        mask[:] = 0
        limits = (float(threshold),) * 3
        cv2.floodFill(picture, mask, at, (0, 0, 0), limits, limits, flags)
        picture[at[1], at[0]] = rgb[mask[1:-1, 1:-1] > 0].mean(axis=0)
    return pair_colors(yuyv)[mask[1:-1, 1:-1:2] > 0]
