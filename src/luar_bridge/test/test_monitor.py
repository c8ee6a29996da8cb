# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The monitor, on the captures and on segments that change."""

from __future__ import annotations

from pathlib import Path

import pytest

from luar_bridge import monitor
from luar_bridge.monitor import Monitor
from luar_bridge.protocol import layout_table
from luar_bridge.protocol.naming import RobotIdentity
from luar_bridge.simulator.segment_owner import SegmentOwner


def test_the_captures_at_once(captures: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--team", "1", "--player", "1", "--user", "cclabaugh", "--once"]
    assert monitor.main([*arguments, "--directory", str(captures)]) == 0
    shown = capsys.readouterr().out
    assert "2 segments" in shown
    for text in ("count       1459\n", "38400 bytes", "headAngles  0.8162 0.04767 rad", "xy  "):
        assert text in shown
    monitor.main([*arguments, "--directory", str(captures), "--only", "wcm"])
    assert "vcmImage" not in capsys.readouterr().out


def test_changes_are_counted_and_faults_told(owner: SegmentOwner, user: str) -> None:
    name = f"tcmSegment112{user}"
    owner.create(name)
    owner.set_text(name, "string_c", "hello")
    owner.set(name, "number_a", 1.0)
    owner.sync()
    table = layout_table.load_all(["document", "example_tcm"])
    watch = Monitor(RobotIdentity(1, 2, user), table)
    watch.look_around()
    assert "tcmSegment1  not seen to change" in watch.text()
    assert any("'hello'" in line for line in watch.text())
    owner.set(name, "number_a", 2.5)
    owner.sync()
    watch.scan()
    assert any("last 0.0 s ago" in line for line in watch.text())
    assert any(line.split() == ["number_a", "2.5"] for line in watch.text())
    owner.truncate(name, 100)
    owner.sync()
    watch.look_around()
    assert any("tcmSegment1  truncated" in line for line in watch.text())
    watch.close()


def test_wrong_arguments(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for arguments, message in (
        (["--table", "nowhere"], "neither one of"),
        (["--user", "a/b"], "cannot be part"),
        (["--directory", str(tmp_path / "absent"), "--once"], "No such file"),
    ):
        with pytest.raises(SystemExit) as ended:
            monitor.main(arguments)
        assert ended.value.code == 2
        assert message in capsys.readouterr().err


def test_one_segment_is_shown(owner: SegmentOwner, user: str, capsys) -> None:
    for segment in ("tcmSegment1", "xcmThing"):
        owner.create(f"{segment}12{user}")
        owner.set(f"{segment}12{user}", "number_a", 1.5)
    owner.sync()
    given = ["--team", "1", "--player", "2", "--user", user, "--table", "example_tcm", "--once"]
    assert monitor.main([*given, "xcmThing"]) == 0
    shown = capsys.readouterr().out
    assert "xcmThing" in shown
    assert "tcmSegment1" not in shown
