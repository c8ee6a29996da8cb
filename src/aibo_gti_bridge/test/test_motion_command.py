# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The program that checks and previews motion files."""

from __future__ import annotations

from pathlib import Path

import pytest

from aibo_gti_bridge.model.motion_library import EXAMPLES
from aibo_gti_bridge.motion_command import main


def test_good_files(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(EXAMPLES / "wave.mot"), str(EXAMPLES / "stretch.mot")]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first.endswith("wave.mot: 3.500 s, 16 joints, 42 keyframes")
    assert "stretch.mot: 5.400 s" in second


def test_bad_files_are_told_with_line_and_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad, odd = tmp_path / "bad.mot", tmp_path / "odd.mot"
    bad.write_text("#MSq\nsetTime -5\n#END\n")
    odd.write_text("#MSq\ndelay 500\nNECK:roll 1\nNECK:pan 0.1\n#END\n")
    assert main(["check", str(odd)]) == 0
    assert f"{odd}:3: warning: NECK:roll is no output" in capsys.readouterr().out
    assert main(["check", str(odd), str(bad)]) == 1
    assert f"{bad}:2: error: '-5' is no time in whole milliseconds" in capsys.readouterr().out


def test_a_missing_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(tmp_path / "none.mot")]) == 1
    assert "none.mot: No such file" in capsys.readouterr().err


def test_a_preview(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "turn.mot"
    file.write_text("#MSq\ndelay 500\nNECK:pan 0.5\ndelay 500\nNECK:pan -0.5\n#END\n")
    assert main(["preview", str(file)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].split() == ["time", "(s)", "neck_pan"]
    assert [line.split() for line in lines[2:]] == [
        ["0.000", "0.000"], ["0.500", "0.500"], ["1.000", "-0.500"]
    ]  # fmt: skip


def test_the_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list"]) == 0
    assert "sit.mot  1.6 s  Sit down on the hind legs" in capsys.readouterr().out
