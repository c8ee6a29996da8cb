# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A colour table from picks, and how well it labels pictures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from luar_tools.color_table.picks import Picks
from luar_tools.color_table.table import LABELS, LEVELS, NAMES, SIZE, index, label_a

MOST_PICKS = 400
"""Pixels of a class that count; each pick has an equal share of them."""


class Way(NamedTuple):
    """How the picks of a class speak for other colours."""

    weight: float = 1.0
    """Of the class against others."""
    spread: tuple[float, float, float] = (10.0, 4.0, 4.0)
    """Standard deviation, in entries of Y, U and V."""
    least: float = 0.01
    """Density, as a part of the median of its own picks, below which a colour has no label."""


_WIDE = (14.0, 3.0, 3.0)
WAYS = {
    "none": Way(3.0, _WIDE, 0.0),
    "orange": Way(0.05, _WIDE, 0.003),
    "yellow": Way(0.5),
    "cyan": Way(0.74, _WIDE, 0.0),
    "field": Way(1.17, least=0.1),
    "white": Way(1.06, least=0.1),
}
"""docs/luar_tools.md says how they were found."""


def learn(
    picks: Picks,
    *,
    least: float = 1.0,
    ways: Mapping[str, Way] = WAYS,
) -> NDArray[np.uint8]:
    """Return a table, shape (262144,): of each colour the class whose picks are densest there.

    ``least`` is a factor on the ways' own: a greater one leaves more colours without a label.
    """
    chance = np.random.default_rng(0)
    best = np.zeros(SIZE, np.float32)
    table = np.zeros(SIZE, np.uint8)
    for name, label in LABELS.items():
        parts = [pick.colors for pick in picks.picks if pick.name == name]
        if not parts:
            continue
        share = max(1, MOST_PICKS // len(parts))
        chosen = np.concatenate([_varied(index(part), share, chance) for part in parts])
        counts = (np.bincount(chosen, minlength=SIZE) / len(chosen)).astype(np.float32)
        way = ways.get(name, Way())
        density = _spread(counts.reshape((LEVELS,) * 3), way.spread).reshape(-1)
        floor = least * way.least * float(np.median(density[chosen]))
        weighted = way.weight * density
        wins = weighted > best
        best[wins] = weighted[wins]
        table[wins] = np.where(density[wins] >= floor, label, 0)
    return table


def _varied(
    colors: NDArray[np.int64], most: int, chance: np.random.Generator
) -> NDArray[np.int64]:
    """Return at most ``most`` of a pick's colours, each colour as likely as any other."""
    _, places, counts = np.unique(colors, return_inverse=True, return_counts=True)
    rarity = 1.0 / counts[places]
    number = min(most, len(colors))
    return chance.choice(colors, number, replace=False, p=rarity / rarity.sum())


def exact(picks: Picks) -> NDArray[np.uint8]:
    """Return the table of the picked colours alone, a later pick over an earlier one."""
    table = np.zeros(SIZE, np.uint8)
    for pick in picks.picks:
        table[index(pick.colors)] = LABELS[pick.name] if LABELS[pick.name] < 32 else 0
    return table


def _spread(counts: NDArray[np.float32], spread: Sequence[float]) -> NDArray[np.float32]:
    for axis, deviation in enumerate(spread):
        reach = np.arange(-int(3 * deviation) - 1, int(3 * deviation) + 2)
        kernel = np.exp(-0.5 * (reach / deviation) ** 2).astype(np.float32)[None]
        last = np.ascontiguousarray(np.moveaxis(counts, axis, -1))
        flat = last.reshape(-1, LEVELS)
        rows = np.asarray(
            cv2.filter2D(flat, -1, kernel, borderType=cv2.BORDER_CONSTANT), np.float32
        )
        counts = np.moveaxis(rows.reshape(last.shape), -1, axis)
    return np.ascontiguousarray(counts)


@dataclass(frozen=True)
class Score:
    """Of a class, in pixels of labelA: in the reference, labelled so, and both."""

    reference: int
    labelled: int
    both: int

    @property
    def recall(self) -> float:
        """Part of the reference's pixels that have the label; nan where it has none."""
        return self.both / self.reference if self.reference else float("nan")

    @property
    def precision(self) -> float:
        """Part of the labelled pixels that the reference labels so; nan where none is."""
        return self.both / self.labelled if self.labelled else float("nan")


def score(
    table: NDArray[np.uint8],
    reference: NDArray[np.uint8],
    pictures: Iterable[NDArray[np.uint8]],
) -> dict[str, Score]:
    """Return, by class, how the labels of pictures agree with those of a reference table."""
    pairs = np.zeros((256, 256), np.int64)
    for yuyv in pictures:
        both = label_a(reference, yuyv).astype(np.int64) * 256 + label_a(table, yuyv)
        pairs += np.bincount(both.reshape(-1), minlength=256 * 256).reshape(256, 256)
    return {
        NAMES[label]: Score(
            int(pairs[label].sum()), int(pairs[:, label].sum()), int(pairs[label, label])
        )
        for label in LABELS.values()
        if label and (pairs[label].any() or pairs[:, label].any())
    }
