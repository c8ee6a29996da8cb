# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A colour table from picks, and how well it labels pictures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from luar_tools.color_table.picks import Picks
from luar_tools.color_table.table import LABELS, LEVELS, NAMES, SIZE, index, label_a

MOST_PICKS = 400
"""Pixels of a class that count; each pick has an equal share of them."""
SPREAD = (10.0, 4.0, 4.0)
"""Standard deviation, in entries of Y, U and V, by which a pick speaks for colours beside it."""
WEIGHTS = {"none": 3.0, "orange": 0.35, "yellow": 0.9, "cyan": 0.9, "white": 1.7}
"""Of a class against the field's; docs/luar_tools.md says how they were found."""
LEAST = 0.01
"""Density, as a part of the median of the class's own picks, below which a colour has no label."""


def learn(
    picks: Picks,
    *,
    spread: Sequence[float] = SPREAD,
    least: float = LEAST,
    weights: Mapping[str, float] = WEIGHTS,
) -> NDArray[np.uint8]:
    """Return a table, shape (262144,): of each colour the class whose picks are densest there."""
    chance = np.random.default_rng(0)
    best = np.zeros(SIZE, np.float32)
    table = np.zeros(SIZE, np.uint8)
    for name, label in LABELS.items():
        parts = [pick.colors for pick in picks.picks if pick.name == name]
        if not parts:
            continue
        share = max(1, MOST_PICKS // len(parts))
        chosen = index(np.concatenate([chance.permutation(part)[:share] for part in parts]))
        counts = (np.bincount(chosen, minlength=SIZE) / len(chosen)).astype(np.float32)
        density = _spread(counts.reshape((LEVELS,) * 3), spread).reshape(-1)
        floor = least * float(np.median(density[chosen])) if label else 0.0
        weighted = weights.get(name, 1.0) * density
        wins = weighted > best
        best[wins] = weighted[wins]
        table[wins] = np.where(density[wins] >= floor, label, 0)
    return table


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
