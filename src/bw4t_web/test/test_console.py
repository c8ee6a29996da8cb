# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The page without ROS: ``bw4t serve``, as ``python -m bw4t_web`` runs it, too."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator

import pytest

pytest.importorskip("aiohttp")

from bw4t_study.record import read_game, records_in
from bw4t_study.replay import Replay

pytestmark = pytest.mark.node

COMMAND = [sys.executable, "-m", "bw4t_web"]


@pytest.fixture
def program() -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [*COMMAND, "--port", "0", "--robots", "2", "--speed", "50", "--seed", "1"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    yield process
    if process.poll() is None:
        process.kill()
    process.communicate()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_serves_the_page_until_it_is_told_to_end(program, number):
    line = program.stdout.readline()
    match = re.search(r"http://127\.0\.0\.1:\d+/", line)
    assert match, line + program.stderr.read()
    with urllib.request.urlopen(match[0], timeout=10) as answer:
        page = answer.read().decode()
    assert "<title>Blocks World for Teams</title>" in page
    for name in re.findall(r'(?:src|href)="/(static/[\w.]+)"', page):
        with urllib.request.urlopen(match[0] + name, timeout=10) as answer:
            assert answer.read()
    program.send_signal(number)
    out, err = program.communicate(timeout=20)
    assert (program.returncode, "gooddrops" in out) == (0, True), err


@pytest.mark.parametrize(
    "arguments, named",
    [
        (["--map", "atlantis"], "atlantis"),
        (["--scenario", "nowhere.xml"], "nowhere.xml"),
        (["--robots", "-1"], "--robots"),
        (["--robots", "4", "--map", "nine_rooms"], "spawn points"),
        (["--grace", "-1"], "--grace"),
        (["--port", "70000"], "--port"),
        (["--speed", "0"], "speed"),
        (["--grippers", "-1"], "--grippers"),
    ],
)
def test_what_cannot_be_is_one_sentence(arguments, named):
    done = subprocess.run([*COMMAND, *arguments], capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert named in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_games_are_recorded(tmp_path):
    arguments = ["--port", "0", "--speed", "20", "--seed", "1", "--record", str(tmp_path)]
    process = subprocess.Popen(
        [*COMMAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert "http://" in process.stdout.readline()
    finally:
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    (path,) = records_in(tmp_path)
    game = read_game(path)
    assert game.end["reason"] == "closed"
    Replay(game).measures()


@pytest.mark.parametrize("origin", [[], ["--origin", "http://192.168.1.20"]])
def test_a_study_prints_what_participants_open(tmp_path, origin):
    bw4t = [sys.executable, "-m", "bw4t_world"]
    subprocess.run([*bw4t, "study", "new", str(tmp_path / "new")], check=True)
    file = str(tmp_path / "new" / "study.yaml")
    process = subprocess.Popen(
        [*bw4t, "experiment", file, "--port", "0", *origin], stdout=subprocess.PIPE, text=True
    )
    try:
        lines = [process.stdout.readline().rstrip() for _ in range(5)]
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
    (page,) = re.findall(r"http://127\.0\.0\.1:\d+/", lines[0])
    base = f"{origin[1]}/" if origin else page
    assert lines[3:] == [f"{base}?p=P01", f"{base}?p=P02"]
