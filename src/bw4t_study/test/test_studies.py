# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Published studies: their tasks, and the direction of their effects on some seeds."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from bw4t_study.analysis.tables import tables_of
from bw4t_study.experiment import DesignError, read_design
from bw4t_study.experiment.running import play_trial, record_of
from bw4t_study.experiment.task import map_of
from bw4t_study.people.template import new_study
from bw4t_study.record import read_game
from bw4t_study.replay import Replay
from bw4t_world.maps import BlockColor, load_map


def test_a_condition_s_sequence_is_dealt_by_the_seed(tmp_path: Path) -> None:
    (file,) = new_study(tmp_path / "new", "singh_2016")
    trial = next(trial for trial in read_design(file).trials() if trial.condition == "low")
    first, again, other = (map_of(trial, seed) for seed in (1, 1, 2))
    assert first == again != other
    assert first.sequence == (BlockColor.RED,) * 6
    blocks = Counter(block for zone in first.zones for block in zone.blocks)
    plain = load_map("nine_rooms")
    assert blocks.total() == sum(len(zone.blocks) for zone in plain.zones)
    assert blocks[BlockColor.RED] >= 6
    assert {zone.name for zone in first.zones} == {zone.name for zone in plain.zones}
    assert map_of(replace(trial, settings={}), 1) == plain


def test_a_sequence_of_no_colours_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "study.yaml"
    conditions = "conditions: {odd: {sequence: [Red, Mauve]}}"
    file.write_text(f"maps: [nine_rooms]\nteams: [searchers]\n{conditions}\n", encoding="utf-8")
    with pytest.raises(DesignError, match=r"odd: sequence: .*Mauve"):
        read_design(file)


def test_intentions_matter_where_interdependence_is_high(tmp_path: Path) -> None:
    pytest.importorskip("scipy", reason="needs: pip install scipy")
    from bw4t_study.analysis.effects import effects

    (file,) = new_study(tmp_path / "new", "singh_2016")
    games = []
    for trial in read_design(file).trials():
        shared = trial.team.partition(":")[2]
        wanted = trial.condition == "high" and shared in ("Knowledge", "Intentions")
        if wanted and trial.seed <= 6:
            play_trial(trial, tmp_path, percepts=False)
            game = read_game(record_of(trial, tmp_path))
            assert Replay(game).measures()["completion_seconds"] is not None
            games += tables_of(game)["games"]
    rows = [r for r in effects(games, "about_team") if r["measure"].startswith("completion")]
    (row,) = rows
    assert row["a"].endswith("Intentions")
    assert row["pairs"] == 6
    assert row["low"] > 10.0  # s that knowledge alone takes longer


def test_what_epartners_say_is_in_the_tables(tmp_path: Path) -> None:
    said: dict[str, set[str]] = {}
    file = next(f for f in new_study(tmp_path / "new", "epartners") if f.suffix == ".yaml")
    for trial in read_design(file).trials():
        if trial.seed == 1:
            play_trial(trial, tmp_path, percepts=False)
            tables = tables_of(read_game(record_of(trial, tmp_path)))
            assert tables["games"][0]["completion_seconds"] is not None
            said[trial.condition] = {
                row["type"] for row in tables["messages"] if row["sender"] == "E-Partner_1"
            }
    assert said == {
        "alone": set(),
        "gps": {"inRoom"},
        "forget_me_not": {"youForgotMe"},
        "both": {"inRoom", "youForgotMe", "roomContains"},
    }
