# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The linters, as tests, so that one command and one last line tell everything."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from workspace import guests

pytestmark = pytest.mark.lint

ROOT = Path(__file__).parents[1]
PIP_ROS = [f"tools/pip_ros/{name}.py" for name in ("idl_cache", "machine", "virtual_environment")]
TOOLS = ["tools/workspace", "tools/measure", "tools/generated_tables.py", *PIP_ROS]


GUESTS = sorted(f"src/{name}" for name in guests.guests())
"""What is none of ours: their own tests check them."""
RUFF = [f"--extend-exclude={guest}" for guest in GUESTS]


@pytest.mark.timeout(1200)
@pytest.mark.parametrize(
    "command,path",
    [
        (["ruff", "check", *RUFF], ""),
        (["ruff", "format", "--check", *RUFF], ""),
        (["codespell_lib", *(f"--skip=./{guest}" for guest in GUESTS)], ""),
        (["mypy"], ""),
        (
            ["mypy", *TOOLS, "conftest.py"],
            "tools",
        ),
        (["mypy", "tools/pip_ros/python"], "tools/pip_ros/python"),
        (["reuse", "lint"], ""),
    ],
    ids=[
        *("ruff-check", "ruff-format", "codespell"),
        *("mypy-packages", "mypy-tools", "mypy-pip_ros", "reuse"),
    ],
)
def test_linter(command, path):
    if importlib.util.find_spec(command[0]) is None:
        pytest.skip(f"needs: python3 -m pip install {command[0].removesuffix('_lib')}")
    done = subprocess.run(
        [sys.executable, "-m", *command],
        cwd=ROOT,
        env={**os.environ, **({"MYPYPATH": path} if path else {})},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_javascript_of_the_pages():
    eslint = shutil.which("eslint")
    if eslint is None:
        pytest.skip("needs ESLint: npm install --global eslint@9 @eslint/js@9 globals@17")
    installed = subprocess.run(["npm", "root", "--global"], capture_output=True, text=True)
    env = {"NODE_PATH": installed.stdout.strip(), **os.environ}
    command = [eslint, "src/**/*.js"]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


EVERYDAY = re.compile(
    r"\b(somebody|nobody|anybody|whoever|for good|knocks?|takes? note|farewell)\b",  # words: ok
    re.IGNORECASE,
)
"""Words of everyday language where the field has a term."""
PROSE = {".action", ".html", ".js", ".md", ".msg", ".py", ".rst", ".srv", ".xml", ".yaml"}
QUOTING = ("docs/originals/", "test/data/")
"""What the originals say and their names; elsewhere a line with "words: ok" is left as it is."""


def test_plain_technical_english():
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode != 0:
        pytest.skip("needs a git checkout")
    files = [f for f in listed.stdout.splitlines() if not f.startswith(QUOTING)]
    found = [
        f"{file}:{number}: {line.strip()}"
        for file in files
        if Path(file).suffix in PROSE and (ROOT / file).is_file()
        for number, line in enumerate((ROOT / file).read_text("utf-8").splitlines(), 1)
        if EVERYDAY.search(re.sub(r"`[^`]*`|NOBODY", "", line)) and "words: ok" not in line
    ]
    assert not found, "\n".join(found)
