# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The original's keyframe.lua beside the player, on all of its files for a Nao."""

import subprocess
from pathlib import Path

import pytest

from luar_tools.keyframes.limits import NAO_LIMITS, excesses, within
from luar_tools.keyframes.player import KeyframePlayer
from luar_tools.keyframes.reader import read_motion
from luar_tools.keyframes.writer import lua_text

SCRIPT = Path(__file__).with_name("keyframes.lua")
SERVOS = 22


def cycles_of(peer: Path, files: list[Path]) -> dict[str, list[list[float]]]:
    """Return time, commands and hardness of each cycle of each file."""
    command = [peer / "bin" / "lua5.1", SCRIPT, *files]
    done = subprocess.run(command, cwd=peer / "Player", capture_output=True, text=True, check=True)
    cycles: dict[str, list[list[float]]] = {}
    for line in done.stdout.splitlines():
        if line.endswith(".lua"):
            cycles[line] = rows = []
        else:
            rows.append([float(word) for word in line.split()])
    return cycles


def files_of(peer: Path) -> list[Path]:
    files = sorted((peer / "Player" / "Motion" / "keyframes").glob("km_*.lua"))
    assert files
    return files


def test_all_files_are_read(peer: Path) -> None:
    for file in files_of(peer):
        assert read_motion(file).keyframes, file


def test_each_command_is_the_originals(peer: Path) -> None:
    files = [f for f in files_of(peer) if len(read_motion(f).servos) == SERVOS]
    start = tuple(0.01 * joint for joint in range(1, SERVOS + 1))
    for name, cycles in cycles_of(peer, files).items():
        motion = read_motion(Path(name))
        player = KeyframePlayer(motion, start, cycles[0][0])
        hardness = [-1.0] * SERVOS
        for now, *row in cycles:
            assert player.frame is not None, name
            command = player.update(now)
            hardness = list(command.stiffness) or hardness
            differences = [abs(a - b) for a, b in zip(command.angles, row, strict=False)]
            assert max(differences) <= 1e-9, (name, now)
            assert hardness == pytest.approx(row[SERVOS:], abs=1e-9), (name, now)
        assert player.frame is None, name


def test_what_is_written_is_played_by_the_original(peer: Path, tmp_path: Path) -> None:
    for file in files_of(peer):
        motion = read_motion(file)
        if len(motion.servos) != SERVOS:
            continue
        clamped, _ = within(motion, NAO_LIMITS)
        assert not [excess for excess in excesses(clamped, NAO_LIMITS) if not excess.is_speed]
        out = tmp_path / file.name
        out.write_text(lua_text(clamped))
        assert read_motion(out) == clamped
        last = cycles_of(peer, [out])[str(out)][-1][1 : 1 + SERVOS]
        assert last == pytest.approx(clamped.keyframes[-1].angles, abs=1e-9), file
