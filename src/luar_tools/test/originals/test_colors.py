# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Colour tables on the 38 pictures that the original's authors took with a Nao.

The pictures, and the table that the authors made of them, are in the directory ColorTable of the
original (a copy of its Lib/ColorTable). Picks are rectangles that a person drew in the pictures.
"""

from pathlib import Path

import numpy as np
import pytest

from luar_tools.color_table.learn import Score, exact, learn, score
from luar_tools.color_table.picks import Picks, in_rectangle, read_saved
from luar_tools.color_table.pictures import read_picture
from luar_tools.color_table.table import read_table

RECTANGLES = Path(__file__).with_name("color_rectangles.txt")
LEARNT_FROM, SPLITS, LEAST_PIXELS = 6, 5, 100
RECALL = {"field": 0.90, "orange": 0.85, "yellow": 0.85, "white": 0.80}
PRECISION = {"field": 0.94, "orange": 0.85, "yellow": 0.52, "white": 0.80}


@pytest.fixture
def folder(peer: Path) -> Path:
    place = peer / "ColorTable"
    if not place.is_dir():
        pytest.skip("needs a copy of Lib/ColorTable as ColorTable in LEGACY_ROBOTS_LUAR_PEER")
    return place


def test_the_original_s_saved_colours_give_its_table_to_the_byte(folder: Path) -> None:
    table = exact(read_saved(folder / "Saved_Colortable"))
    assert table.tobytes() == (folder / "Look_Up_Table.raw").read_bytes()


def test_a_table_that_is_learnt_of_six_pictures_labels_the_others(folder: Path) -> None:
    reference, _ = read_table(folder / "Look_Up_Table.raw")
    drawn: dict[str, list[tuple[str, tuple[int, ...]]]] = {}
    for line in RECTANGLES.read_text().splitlines()[1:]:
        picture, name, *corners = line.split()
        drawn.setdefault(picture, []).append((name, tuple(map(int, corners))))
    pictures = {name: read_picture(folder / f"{name}.raw", "standard") for name in drawn}
    worst: dict[str, list[Score]] = {}
    seed = done = 0
    while done < SPLITS:
        chosen = np.random.default_rng(seed).choice(sorted(drawn), LEARNT_FROM, replace=False)
        seed += 1
        picks = Picks()
        for picture in chosen:
            for name, corners in drawn[picture]:
                picks.add(name, in_rectangle(pictures[picture], corners))
        if min(picks.counts()[name] for name in (*RECALL, "none")) < LEAST_PIXELS:
            continue  # a person would take six pictures that show all classes
        done += 1
        rest = [pictures[name] for name in drawn if name not in chosen]
        found = score(learn(picks), reference, rest)
        row = (f"{n} {found[n].recall:.1%} {found[n].precision:.1%}" for n in RECALL)
        print(f"\n{', '.join(chosen)}: {'; '.join(row)}", end="")
        for name in RECALL:
            worst.setdefault(name, []).append(found[name])
    for name, scores in worst.items():
        assert min(s.recall for s in scores) >= RECALL[name], name
        assert min(s.precision for s in scores) >= PRECISION[name], name
