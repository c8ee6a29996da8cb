# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A signal while a program imports ends it without a word; a mission has then not succeeded."""

import os
import subprocess
import sys

import pytest

from legacy_robots_core import executable

pytestmark = pytest.mark.node

IMPORTS = "import os, signal\nos.kill(os.getpid(), signal.{})\nwhile True: pass\n"


@pytest.mark.parametrize("signal", ["SIGINT", "SIGTERM"])
@pytest.mark.parametrize(
    "program,code",
    [("slow_import.main", 0), ("mission.slow_import.main", 130)],
)
def test_it_is_ended_while_it_imports(tmp_path, program, code, signal):
    (tmp_path / "slow_import.py").write_text(IMPORTS.format(signal))
    start = f"from legacy_robots_core import executable; executable.{program}()"
    paths = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-c", start], env={**os.environ, "PYTHONPATH": paths},
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (code, "", "")


def test_private_names_are_no_packages():
    with pytest.raises(AttributeError):
        _ = executable._nothing
