# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The compiled physics on disk is that of the sources that are there now."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import roboskate_game
from roboskate_game.physics import fingerprint

PACKAGE = Path(roboskate_game.__file__).parent
FINGERPRINTS = """
import ast, pathlib, sys
from roboskate_game.physics.fingerprint import fingerprint_of
root, number = pathlib.Path(sys.argv[1]), fingerprint_of("roboskate_game.physics.compiled")
for path in sorted(root.rglob("*.py")):
    text = path.read_text()
    path.write_text(text + "# edited")
    if fingerprint_of("roboskate_game.physics.compiled") != number:
        print(path.relative_to(root))
    path.write_text(text)
"""
TURNED = """
import numpy
from roboskate_game.physics.batch import Fleet
for engine in ("numba", "python"):
    fleet = Fleet(1, engine=engine)
    fleet.run(numpy.array([[500.0, 0.0, 0.0]]), 25)
    print(fleet.columns().w1[0], fleet.rows.tobytes().hex())
"""


@pytest.fixture
def copy(tmp_path):
    """Return a copy of the package, and a function that runs Python on it."""
    root = shutil.copytree(
        PACKAGE, tmp_path / "roboskate_game", ignore=shutil.ignore_patterns("__pycache__")
    )
    path = os.pathsep.join((str(tmp_path), *sys.path))
    settings = {**os.environ, "PYTHONPATH": path, "NUMBA_CACHE_DIR": str(tmp_path / "numba")}

    def run(program):
        command = [sys.executable, "-c", program, str(root)]
        done = subprocess.run(command, env=settings, check=False, capture_output=True, text=True)
        assert not done.returncode, done.stderr
        return done.stdout.split()

    return root, run


def test_the_fingerprint_changes_with_each_file_that_is_compiled_in(copy):
    found = set(copy[1](FINGERPRINTS))
    assert found >= {
        "model/crane.py", "model/rules.py", "physics/arithmetic.py", "physics/compiled.py",
        "physics/dynamics.py", "physics/equations.py",
        "physics/kinematics.py", "physics/mechanics.py",
    }  # fmt: skip
    assert not [path for path in found if path.startswith(("drawing", "learning", "simulator"))]


@pytest.mark.skipif(find_spec("numba") is None, reason="python3 -m pip install numba")
def test_an_edit_of_an_imported_constant_is_in_the_compiled_code(copy):
    root, run = copy
    usual, *_ = run(TURNED)
    crane = root / "model" / "crane.py"
    text = crane.read_text()
    crane.write_text(text.replace("math.radians(170.0)", "math.radians(17.0)"))
    assert crane.read_text() != text
    now, rows, plain, plain_rows = run(TURNED)
    assert (now, rows) == (plain, plain_rows)
    assert float(now) < 0.2 * float(usual)


def test_an_import_by_either_statement_is_found():
    source = "import roboskate_game.a, numpy\nfrom roboskate_game import b\n"
    assert set(fingerprint._imported(source + "from roboskate_game.c import d")) == {
        "roboskate_game.a", "roboskate_game", "roboskate_game.b", "roboskate_game.c",
        "roboskate_game.c.d",
    }  # fmt: skip
