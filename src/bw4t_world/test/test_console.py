# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The console program, as a user meets it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import bw4t_world
from bw4t_world.console import main
from bw4t_world.maps import SHIPPED_MAPS, load_map, read_map
from bw4t_world.maps.generator import generate_map
from bw4t_world.scenarios import BotSpec, Scenario
from bw4t_world.scenarios.writer import write_scenario

Capture = pytest.CaptureFixture[str]


def test_run_plays_and_prints_the_measures(capsys: Capture) -> None:
    arguments = ["run", "nine_rooms", "--team", "searchers", "--robots", "3", "--speed", "max"]
    assert main([*arguments, "--seed", "1"]) == 0
    first = capsys.readouterr()
    assert "seed 1, profile spec, team searchers" in first.out
    assert "time to finish sequence is" in first.out
    assert first.out.count("agentsummary Bot_") == 3
    assert "6/6" in first.err
    assert main([*arguments, "--seed", "1", "--quiet"]) == 0
    second = capsys.readouterr()
    assert second.out == first.out
    assert second.err == ""


def test_run_says_which_seed_it_took(capsys: Capture) -> None:
    assert main(["run", "nine_rooms", "--speed", "max"]) == 0
    line = capsys.readouterr().out.splitlines()[0]
    assert int(line.split(",")[0].removeprefix("seed ")) >= 0


def test_run_takes_a_scenario_a_profile_and_a_map_file(tmp_path: Path, capsys: Capture) -> None:
    scenario, picture = tmp_path / "s.xml", tmp_path / "end.png"
    write_scenario(Scenario(bots=(BotSpec(name="Ann"), BotSpec(name="Bob"))), scenario)
    assert main(["generate", str(tmp_path / "x.map"), "--rows", "2", "--sequence", "2"]) == 0
    arguments = ["run", str(tmp_path / "x.map"), "--scenario", str(scenario), "--speed", "max"]
    arguments += ["--profile", "server_3_10", "--picture", str(picture), "--seed", "2"]
    assert main(arguments) == 0
    out = capsys.readouterr().out
    assert "agentsummary Ann_1" in out
    assert "agentsummary Bob_1" in out
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_run_can_ignore_neighbours_that_are_no_zones(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "odd.map"
    assert main(["generate", str(path)]) == 0
    text = path.read_text(encoding="utf-8")
    at = text.index("<neighbours>")
    path.write_text(f"{text[:at]}<neighbours>Gone</neighbours>{text[at:]}", encoding="utf-8")
    options = ["run", str(path), "--speed", "max", "--seed", "1", "--quiet"]
    assert main(options) == 2
    assert "no zone 'Gone'; the original ignores that" in capsys.readouterr().err
    assert main([*options, "--drop-unknown-neighbours"]) == 0


def test_run_ends_when_the_time_is_over(capsys: Capture) -> None:
    arguments = ["run", "nine_rooms", "--speed", "max", "--max-seconds", "5"]
    assert main(arguments) == 1
    assert "sequence not finished: 0 of 6" in capsys.readouterr().out


def test_draw_writes_a_picture(tmp_path: Path) -> None:
    assert main(["draw", "nine_rooms", str(tmp_path / "x.png"), "--scale", "3"]) == 0
    assert (tmp_path / "x.png").read_bytes().startswith(b"\x89PNG")


def test_generate_writes_what_the_function_makes(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "x.map"
    assert main(["generate", str(path), "--seed", "5", "--charging", "--blockade"]) == 0
    spec = read_map(path)
    assert spec.sequence == generate_map(seed=5).sequence
    assert main(["generate", "-", "--random", "--one-bot-per-corridor"]) == 0
    out = capsys.readouterr().out
    assert "<randomBlocks>16</randomBlocks>" in out
    assert "<oneBotPerCorridorZone>true</oneBotPerCorridorZone>" in out


def test_check_tells_maps_from_scenarios(tmp_path: Path, capsys: Capture) -> None:
    scenario, world = tmp_path / "s.xml", tmp_path / "x.map"
    write_scenario(Scenario(bots=(BotSpec(size=5),)), scenario)
    main(["generate", str(world)])
    assert main(["check", str(scenario), str(world)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"{scenario}: a valid scenario with 1 robots and 0 e-partners"
    assert lines[1].startswith(f"{scenario}: note: Bot: botSize 5 counts for the battery only")
    assert lines[2].startswith(f"{world}: a valid map with 28 zones, 9 of them rooms, 22 blocks")


def test_maps_lists_the_shipped_maps(capsys: Capture) -> None:
    assert main(["maps"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines] == list(SHIPPED_MAPS)


@pytest.mark.parametrize(
    "arguments, problem",
    [
        (["run", "nowhere"], "nowhere: cannot be read: No such file or directory"),
        (["run", "nine_rooms", "--robots", "4"], "Bot_4 cannot be placed: all 3 spawn points"),
        (["run", "nine_rooms", "--robots", "0"], "--robots must be at least 1, not 0"),
        (["run", "nine_rooms", "--scenario", "none.xml"], "none.xml: cannot be read"),
        (["run", "nine_rooms", "--max-seconds", "-1"], "--max-seconds must be"),
        (["run", "nine_rooms", "--max-seconds", "nan"], "--max-seconds must be"),
        (["draw", "nine_rooms", "/nowhere/x.png"], "/nowhere/x.png: No such file or directory"),
        (["draw", "nine_rooms", "x.png", "--scale", "0"], "pixels_per_unit must be"),
        (["generate", "x.map", "--rows", "0"], "rows must be from 1 to 26, not 0"),
        (["generate", "/nowhere/x.map"], "/nowhere/x.map: No such file or directory"),
        (["check", "/nowhere"], "/nowhere: cannot be read"),
    ],
)
def test_an_error_is_one_sentence_and_exit_code_2(
    arguments: list[str],
    problem: str,
    capsys: Capture,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(arguments) == 2
    error = capsys.readouterr().err
    assert error.startswith("bw4t_world: error: ")
    assert problem in error
    assert error.count("\n") == 1


def test_check_names_the_element_of_a_bad_file(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "bad.map"
    text = (tmp_path / "good.map").as_posix()
    main(["generate", text])
    path.write_text(Path(text).read_text().replace("BLUE", "BLEU", 1))
    assert main(["check", path.as_posix()]) == 2
    assert "bad.map: sequence" in (error := capsys.readouterr().err) or "zones[" in error
    assert "'BLEU' is no colour" in error


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["fly"],
        ["run"],
        ["run", "nine_rooms", "--speed", "fast"],
        ["run", "nine_rooms", "--speed", "0"],
        ["run", "nine_rooms", "--team", "dancers"],
        ["run", "nine_rooms", "--robots", "2", "--scenario", "x"],
        ["generate", "-", "--seed", "1", "--random"],
    ],
)
def test_wrong_arguments_are_explained(arguments: list[str], capsys: Capture) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    assert "usage: bw4t_world" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["run", "draw", "generate", "check", "maps"])
def test_every_command_has_help(command: str, capsys: Capture) -> None:
    with pytest.raises(SystemExit) as caught:
        main([command, "--help"])
    assert caught.value.code == 0
    assert f"usage: bw4t_world {command}" in capsys.readouterr().out


@pytest.mark.node
def test_it_is_a_program() -> None:
    root = Path(bw4t_world.__file__).parent.parent
    done = subprocess.run(
        [sys.executable, "-m", "bw4t_world", "maps"],
        env={**os.environ, "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0
    assert done.stderr == ""
    assert f"nine_rooms: a valid map with {len(load_map('nine_rooms').zones)} zones" in done.stdout


def test_a_misspelt_map_is_told_the_nearest_name(capsys: Capture) -> None:
    assert main(["run", "nine_roms", "--speed", "max"]) == 2
    assert "did you mean the map nine_rooms?" in capsys.readouterr().err


@pytest.mark.node
def test_check_reads_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    checker = subprocess.Popen(
        [sys.executable, "-m", "bw4t_world", "check", pipe], stdout=subprocess.PIPE, text=True
    )
    source = Path(bw4t_world.__file__).parent / "maps" / "data" / "nine_rooms.map"
    pipe.write_bytes(source.read_bytes())
    out, _ = checker.communicate(timeout=60)
    assert (checker.returncode, "a valid map with" in out) == (0, True)
