# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The tests run beside a ROS 2 installation's pytest plugins, and with fewer plugins than ours."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
# What importing launch.logging does, which launch_testing's plugin imports. pytest 7, which comes
# with Ubuntu 24.04, does not catch such loggers' records; pytest 9 would.
STAND_IN = """
import logging
from _pytest.logging import LogCaptureHandler

class LaunchLogger(logging.getLoggerClass()):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.propagate = False

    def addHandler(self, handler):
        if not isinstance(handler, LogCaptureHandler):
            super().addHandler(handler)

logging.root.setLevel(logging.INFO)
logging.setLoggerClass(LaunchLogger)

def pytest_collection_modifyitems(items):
    items[:] = [item for item in items if "caplog" in item.fixturenames]
"""


# How launch_testing's plugin looks for launch tests in each file.
IMPORTS_BY_BARE_NAMES = """
from _pytest.pathlib import ImportMode, import_path

def pytest_pycollect_makemodule(module_path, parent):
    arguments = {"mode": ImportMode.prepend, "root": None, "consider_namespace_packages": False}
    import_path(module_path, **arguments)
"""


def run_pytest(*arguments, **env):
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments]
    return subprocess.run(
        command, cwd=ROOT, env={**os.environ, **env}, capture_output=True, text=True
    )


@pytest.mark.timeout(300)
def test_what_is_logged_is_caught_with_launch_testing_s_plugin(tmp_path):
    (tmp_path / "stand_in.py").write_text(STAND_IN)
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    tests = ROOT.glob("src/legacy_robots_*/test/test_*.py")
    files = [str(file) for file in tests if "caplog" in file.read_text(encoding="utf-8")]
    assert files
    done = run_pytest("-p", "stand_in", *files, PYTHONPATH=path)
    assert done.returncode == 0, done.stdout
    assert re.search(r"(\d+) passed", done.stdout)


@pytest.mark.parametrize("name", ["launch_testing", "launch_ros"])
def test_installed_plugins_that_import_by_bare_names_are_left_out(tmp_path, name):
    (tmp_path / "imports.py").write_text(IMPORTS_BY_BARE_NAMES)
    installed = tmp_path / "imports-1.0.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: imports\nVersion: 1.0\n")
    (installed / "entry_points.txt").write_text(f"[pytest11]\n{name} = imports\n")
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    same_names = sorted(map(str, ROOT.glob("src/*/test/test_conversions.py")))
    assert len(same_names) > 1
    done = run_pytest("--collect-only", "-q", *same_names, PYTHONPATH=path)
    assert done.returncode == 0, done.stdout + done.stderr


def test_it_starts_without_pytest_timeout():
    done = run_pytest("-p", "no:timeout", "--collect-only", "-q", "src/legacy_robots_common")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def marks(tmp_path_factory):
    """The marks of some tests, one file or more of each kind."""
    plugin = tmp_path_factory.mktemp("plugin")
    (plugin / "tell_marks.py").write_text(
        "def pytest_collection_finish(session):\n"
        "    for item in session.items:\n"
        "        print('MARKS', item.nodeid, *(m.name for m in item.iter_markers()))\n"
    )
    path = os.pathsep.join([str(plugin), os.environ.get("PYTHONPATH", "")])
    files = ["src/nao_goal_bridge", *map(str, ROOT.glob("test/test_[bns]*.py"))]
    done = run_pytest("-p", "tell_marks", "--collect-only", "-q", *files, PYTHONPATH=path)
    assert done.returncode == 0, done.stdout + done.stderr
    return [line.split(" ")[1:] for line in done.stdout.splitlines() if line.startswith("MARKS")]


@pytest.mark.parametrize(
    "place,mark",
    [
        ("src/nao_goal_bridge/test/test_protocol.py", "unit"),
        ("src/nao_goal_bridge/test/node/test_node.py", "node"),
        ("test/test_style.py", "lint"),
        ("test/test_nao_system.py", "system"),
        ("test/test_bringup.py", "bringup"),
    ],
)
def test_every_test_has_a_kind(marks, place, mark):
    found = [names for test, *names in marks if test.startswith(place)]
    assert found
    assert all(mark in names for names in found)
