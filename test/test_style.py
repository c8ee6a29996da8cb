# SPDX-License-Identifier: Apache-2.0
"""The linters, as tests, so that one command and one last line tell everything."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PIP_ROS = ["tools/pip_ros/machine.py", "tools/pip_ros/virtual_environment.py"]


@pytest.mark.timeout(1200)
@pytest.mark.parametrize(
    "command,path",
    [
        (["ruff", "check"], ""),
        (["ruff", "format", "--check"], ""),
        (["mypy"], ""),
        (["mypy", "tools/workspace", *PIP_ROS], "tools"),
        (["mypy", "tools/pip_ros/python"], "tools/pip_ros/python"),
    ],
    ids=["ruff-check", "ruff-format", "mypy-packages", "mypy-tools", "mypy-pip_ros"],
)
def test_linter(command, path):
    if importlib.util.find_spec(command[0]) is None:
        pytest.skip(f"{command[0]} is not installed")
    done = subprocess.run(
        [sys.executable, "-m", *command],
        cwd=ROOT,
        env={**os.environ, **({"MYPYPATH": path} if path else {})},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
