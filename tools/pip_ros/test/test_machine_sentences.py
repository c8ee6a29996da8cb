# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What a machine lacks is one sentence: room, a network, the right to write."""

import errno
import shutil
import sys

import pytest
from pip_ros import machine
from workspace import SetupError, session
from workspace.console import run_logged


def test_a_disk_that_is_too_small_is_refused_before_anything_is_fetched(monkeypatch):
    usage = shutil.disk_usage("/")._replace(free=300_000_000)
    monkeypatch.setattr(machine.shutil, "disk_usage", lambda path: usage)
    with pytest.raises(SetupError, match=r"has 0\.3 GB free, a set-up takes 1\.0: make room"):
        machine.check()


@pytest.mark.parametrize(
    "line,sentence",
    [
        ("OSError: [Errno 28] No space left on device", "the disk is full"),
        ("Failed: [Errno -3] Temporary failure in name resolution", "PyPI cannot be reached"),
    ],
)
def test_a_command_that_failed_for_the_machine_is_one_sentence(tmp_path, line, sentence):
    command = [sys.executable, "-c", f"print({line!r}); raise SystemExit(1)"]
    with pytest.raises(SetupError, match=f"^pip install failed: {sentence}") as raised:
        run_logged(command, tmp_path / "log", "pip install")
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EACCES])
def test_a_place_that_cannot_be_written_is_one_sentence(capsys, number):
    def fail(arguments):
        raise OSError(number, "reason", "/there")

    with pytest.raises(SystemExit) as raised:
        session.main(fail)
    assert raised.value.code == 1
    printed = capsys.readouterr().err
    assert "/there: reason: " in printed
    assert printed.count("\n") == 1
