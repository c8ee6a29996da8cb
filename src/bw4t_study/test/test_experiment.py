# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""An experiment's games are all there once, however often and on how many processes it runs."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml

from bw4t_study.experiment import Design, DesignError, read_design, run_experiment
from bw4t_study.experiment.design import latin_square
from bw4t_study.experiment.running import play_trial, record_of
from bw4t_study.record import read_game, recorded_world, records_in
from bw4t_study.replay import Replay
from bw4t_world.console import main
from bw4t_world.maps import load_map
from bw4t_world.maps.writer import write_map

SMALL: dict[str, Any] = {
    "maps": ["nine_rooms", "nine_rooms_random"],
    "teams": ["searchers", "lone_searcher"],
    "seeds": 2,
    "conditions": {"two": {"robots": 2}, "one": {"robots": 1, "max_seconds": 20}},
}


def write(path: Path, **changes: Any) -> Path:
    path.write_text(yaml.safe_dump({**SMALL, **changes}), encoding="utf-8")
    return path


def results(directory: Path) -> str:
    """What came of the games, without wall times."""
    lines = (directory / "tables" / "players.csv").read_text(encoding="utf-8")
    assert lines.count("\n") > 10
    return lines


def test_all_combinations_are_played_once_on_one_process_and_on_two(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write(tmp_path / "e.yaml")
    for count in ("1", "2"):
        output = ["--output", str(tmp_path / count), "--processes", count]
        assert main(["experiment", str(file), *output]) == 0
    assert "16 games" in capsys.readouterr().out
    games = [read_game(path) for path in records_in(tmp_path / "1")]
    kinds = Counter((g.header["about"]["condition"], g.header["about"]["map"]) for g in games)
    assert set(kinds.values()) == {4}
    assert results(tmp_path / "1") == results(tmp_path / "2")
    Replay(games[0]).measures()


@pytest.mark.node
def test_an_experiment_that_was_killed_goes_on(tmp_path: Path) -> None:
    file = write(tmp_path / "e.yaml", seeds=20)
    output = tmp_path / "games"
    command = [sys.executable, "-m", "bw4t_world", "experiment", str(file)]
    command += ["--output", str(output), "--processes", "1"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    deadline = time.monotonic() + 60
    while len(list(output.glob("*.jsonl"))) < 10:
        assert time.monotonic() < deadline
        assert process.poll() is None
        time.sleep(0.01)  # files have no event
    process.kill()
    process.communicate(timeout=30.0)  # to the end of the output: that of its workers, too
    before = {path: path.stat().st_mtime_ns for path in records_in(output)}
    for path in before:
        assert read_game(path).end is not None
    design = read_design(file)
    reported: list[tuple[int, int]] = []
    assert (
        run_experiment(design, output, processes=1, progress=lambda *n: reported.append(n)) == 160
    )
    assert reported[0][0] >= 10
    assert reported[-1] == (160, 160)
    assert len(records_in(output)) == 160
    assert {path: path.stat().st_mtime_ns for path in before} == before
    assert not list(output.glob(".*"))


def test_a_record_that_breaks_off_is_no_trial(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    design = read_design(write(tmp_path / "e.yaml", seeds=1, conditions={"a": {"robots": 1}}))
    trial = next(iter(design.trials()))
    monkeypatch.setattr(recorded_world, "MAX_BYTES", 20_000)
    with pytest.raises(OSError, match=r"has 20000 bytes"):
        play_trial(trial, tmp_path, percepts=False)
    assert [path.name for path in tmp_path.iterdir()] == ["e.yaml"]
    monkeypatch.undo()
    play_trial(trial, tmp_path, percepts=False)
    assert read_game(record_of(trial, tmp_path)).end is not None


SHORT: dict[str, Any] = {
    "maps": ["my.map"],
    "teams": ["searchers"],
    "seeds": 1,
    "conditions": {"small": {"robots": 1, "max_seconds": 5}},
}


@pytest.fixture
def study(tmp_path: Path) -> Path:
    """A directory with the file of a short experiment, and the map that it names."""
    directory = tmp_path / "study"
    directory.mkdir()
    write_map(load_map("nine_rooms"), directory / "my.map")
    write(directory / "e.yaml", **SHORT)
    return directory


def test_trials_are_the_same_by_whatever_path_the_file_is_named(
    study: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = []
    for place, file in (
        (study, "e.yaml"),
        (tmp_path, "study/e.yaml"),
        (tmp_path, study / "e.yaml"),
    ):
        monkeypatch.chdir(place)
        assert run_experiment(read_design(Path(file)), tmp_path / "games", processes=1) == 1
        names.append([path.name for path in records_in(tmp_path / "games")])
    assert names[0] == names[1] == names[2]
    (path,) = records_in(tmp_path / "games")
    assert read_game(path).header["about"]["map"] == "my.map"


def test_a_trial_that_is_there_under_its_former_name_is_not_played_again(
    study: Path, tmp_path: Path
) -> None:
    design, games = read_design(study / "e.yaml"), tmp_path / "games"
    run_experiment(design, games, processes=1)
    (path,) = records_in(games)
    former = path.with_name(path.name.replace(path.stem[-12:-6], "0a1b2c"))
    path.rename(former)
    (games / "design.json").unlink()
    with pytest.raises(DesignError, match=f"rename it to {path.name}"):
        run_experiment(design, games, processes=1)
    former.rename(path)
    assert run_experiment(design, games, processes=1) == 1


def test_games_of_other_settings_are_not_mixed(study: Path, tmp_path: Path) -> None:
    file, games = study / "e.yaml", tmp_path / "games"
    assert run_experiment(read_design(file), games, processes=1) == 1
    more = {"large": {"robots": 2, "max_seconds": 5}, **SHORT["conditions"]}
    write(file, **{**SHORT, "seeds": 2, "conditions": more})
    assert run_experiment(read_design(file), games, processes=1) == 4
    before = {path: path.stat().st_mtime_ns for path in games.iterdir()}
    write(file, **{**SHORT, "conditions": {"small": {"robots": 3, "max_seconds": 5}}})
    with pytest.raises(DesignError, match="before condition small was changed"):
        run_experiment(read_design(file), games, processes=1)
    write(file, **SHORT)
    write_map(load_map("nine_rooms_narrow"), study / "my.map")
    with pytest.raises(DesignError, match=r"before file my\.map was changed"):
        run_experiment(read_design(file), games, processes=1)
    assert {path: path.stat().st_mtime_ns for path in games.iterdir()} == before


def test_settings_can_be_changed_before_the_first_game(study: Path, tmp_path: Path) -> None:
    file, games = study / "e.yaml", tmp_path / "games"
    run_experiment(read_design(file), games, processes=1)
    for path in records_in(games):
        path.unlink()
    write(file, **{**SHORT, "conditions": {"small": {"robots": 2, "max_seconds": 5}}})
    assert run_experiment(read_design(file), games, processes=1) == 1


def test_agents_of_ones_own_play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = str(Path(__file__).parent)
    monkeypatch.syspath_prepend(here)
    monkeypatch.setenv("PYTHONPATH", f"{here}{os.pathsep}{os.environ.get('PYTHONPATH', '')}")
    design = Design(
        {"short": {"max_seconds": 30.0}}, ("nine_rooms",), ("my_agents:Wanderer",), (1,)
    )
    run_experiment(design, tmp_path, processes=1)
    (trial,) = design.trials()
    game = read_game(record_of(trial, tmp_path))
    assert {line["action"] for line in game.of_kind("act")} == {"goTo"}
    assert main(["run", "nine_rooms", "--team", "my_agents:Wanderer", "--speed", "max",
                 "--max-seconds", "5", "--quiet"]) == 1  # fmt: skip


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 6])
def test_latin_squares_are_balanced(size: int) -> None:
    rows = latin_square(size)
    assert all(sorted(row) == list(range(size)) for row in rows)
    places = Counter((place, name) for row in rows for place, name in enumerate(row))
    assert len(set(places.values())) == 1
    assert len(places) == size * size
    pairs = Counter(pair for row in rows for pair in itertools.pairwise(row))
    assert len(set(pairs.values())) <= 1
    assert len(pairs) == size * (size - 1)


def test_a_latin_square_orders_the_conditions_of_each_block(tmp_path: Path) -> None:
    design = read_design(write(tmp_path / "e.yaml", order="latin square", repetitions=2))
    trials = list(design.trials())
    assert len({trial.id for trial in trials}) == len(trials) == 32
    first = Counter(trial.condition for trial in trials if trial.position == 0)
    assert first == {"one": 8, "two": 8}


@pytest.mark.parametrize(
    "changes, problem",
    [
        ({"maps": []}, "maps: a list"),
        ({"teams": "searchers"}, "teams: a list"),
        ({"seeds": [1, 1]}, "seeds: a list"),
        ({"repetitions": 0}, "repetitions"),
        ({"order": "random"}, "order"),
        ({"colour": 1}, "unknown: colour"),
        ({"conditions": {"a": {"robot": 1}}}, "unknown 'robot'"),
        ({"conditions": {"a": {"robots": "two"}}}, "robots: 'two' is no int"),
        ({"conditions": {"a": {"profile": "x"}}}, "no profile 'x'"),
        ({"conditions": {"a": {"max_seconds": 0}}}, "max_seconds"),
    ],
    ids=str,
)
def test_what_is_wrong_with_a_file_is_a_sentence(
    tmp_path: Path, changes: dict[str, Any], problem: str
) -> None:
    with pytest.raises(DesignError, match=problem):
        read_design(write(tmp_path / "e.yaml", **changes))


@pytest.mark.parametrize(
    "changes, problem",
    [
        ({"maps": ["nowhere.map"]}, "nowhere.map"),
        ({"teams": ["wanderers"]}, "there is no team 'wanderers'"),
        ({"teams": ["no_module:Agent"]}, "no_module"),
        ({"teams": ["bw4t_world:Agent"]}, "no agents"),
    ],
    ids=str,
)
def test_what_cannot_be_played_is_refused_before_a_game(
    tmp_path: Path,
    changes: dict[str, Any],
    problem: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = write(tmp_path / "e.yaml", **changes)
    assert main(["experiment", str(file)]) == 2
    assert problem in capsys.readouterr().err
    assert not list(tmp_path.glob("e.games/*.jsonl"))


def test_toml_is_read(tmp_path: Path) -> None:
    pytest.importorskip("tomllib", reason="needs: Python 3.11")
    path = tmp_path / "e.toml"
    path.write_text('maps = ["nine_rooms"]\nteams = ["searchers"]\nseeds = [4]\n')
    assert [trial.seed for trial in read_design(path).trials()] == [4]


def test_games_run_on_a_ray_cluster(tmp_path: Path) -> None:
    ray = pytest.importorskip("ray", reason="needs: pip install ray")
    cluster_utils = pytest.importorskip("ray.cluster_utils")
    cluster = cluster_utils.Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    try:
        cluster.add_node(num_cpus=1)
        design = read_design(write(tmp_path / "e.yaml", seeds=1))
        run_experiment(design, tmp_path / "ray", ray_address=cluster.address)
        run_experiment(design, tmp_path / "one", processes=1)
    finally:
        ray.shutdown()
        cluster.shutdown()
    ends = [
        {
            path.name: (read_game(path).end or {}).get("measures")
            for path in records_in(tmp_path / d)
        }
        for d in ("ray", "one")
    ]
    assert ends[0] == ends[1]
