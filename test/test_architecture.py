# SPDX-License-Identifier: Apache-2.0
"""The architecture page is true: files and functions exist, rooms without ROS have none."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "architecture.md"
PROSE = re.sub(r"```.*?```", "", PAGE.read_text(encoding="utf-8"), flags=re.DOTALL)
WALKS = re.findall(r"^\| `(src/[\w/]+\.py)`: `(\w+)` \|", PROSE, re.MULTILINE)

# What stands in the place of ROS in a process where importing it is an error.
WITHOUT_ROS = """
import importlib, sys
class NoRos:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0].endswith(("_msgs", "rclpy")):
            raise ImportError(f"{name} is ROS")
sys.meta_path.insert(0, NoRos())
for module in sys.argv[1:]:
    importlib.import_module(module)
"""
ROOMS_WITHOUT_ROS = [
    *(
        f"{package}.{room}"
        for package in ("nao_goal_bridge", "roboskate_bridge", "luar_bridge", "aibo_gti_bridge")
        for room in ("protocol", "link", "simulator")
    ),
    "nao_goal_bridge.world",
    "luar_bridge.world",
    "aibo_gti_bridge.world",
    "roboskate_bridge.environments",
    "roboskate_bridge.simulation.world",
    "luar_bridge.accessors",
    "luar_bridge.monitor",
    "aibo_gti_bridge.client",
    "bw4t_world",
    "bw4t_bridge.host",
    "bw4t_bridge.remote_host",
    "bw4t_bridge.trips",
    "bw4t_bridge.web",
]


def code_files():
    return {p.relative_to(ROOT).as_posix() for p in ROOT.glob("src/*/*/**/*.py")}


def named_paths():
    """What the page shows as code and that looks like a file or a directory of ours."""
    for name in re.findall(r"`([^`\s]+)`", PROSE):
        topic = name.startswith("/")
        if not topic and re.fullmatch(r"[\w./*-]*(\.py|/|/[\w.*-]+)", name):
            yield name


def exists(name):
    if any(file.endswith(f"/{name}") or file == name for file in code_files()):
        return True
    pattern = re.sub(r"NAME", "*", name).rstrip("/")
    places = (pattern, f"launch/{pattern}", f"src/*/*/**/{pattern}")
    return any(True for place in places for _ in ROOT.glob(place))


@pytest.mark.parametrize("name", sorted(set(named_paths())))
def test_every_file_of_the_architecture_page_exists(name):
    assert exists(name), name


def test_the_walks_go_through_functions_that_exist():
    assert len(WALKS) > 12
    for path, function in WALKS:
        tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
        defined = {n.name for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)}
        defined |= {n.name for n in ast.walk(tree) if isinstance(n, ast.AsyncFunctionDef)}
        assert function in defined, f"{path}: {function}"


def test_the_bytes_of_the_walks_are_those_of_the_wire():
    from nao_goal_bridge.protocol import Dialect, GoTo, See, encode

    assert encode(See(80, 1), Dialect()).hex(" ") == "8a 00 00 00 50 00 00 00 01"
    assert encode(GoTo(114, 0), Dialect()).hex(" ") in PROSE
    assert encode(See(80, 1), Dialect()).hex(" ") in PROSE


def test_every_package_is_on_the_page():
    packages = {p.parent.name for p in ROOT.glob("src/*/package.xml")}
    assert packages == set(re.findall(r"^\| `src/(\w+)` \|", PROSE, re.MULTILINE))


def test_every_module_that_the_bridges_share_is_on_the_page():
    shared = ROOT / "src" / "legacy_robots_common" / "legacy_robots_common"
    section = PROSE.split("## What the bridges share")[1].split("\n## ")[0]
    named = set(re.findall(r"`(\w+)\.py`", section))
    assert named == {p.stem for p in shared.glob("*.py")} - {"__init__"}


@pytest.mark.parametrize("module", ROOMS_WITHOUT_ROS)
def test_rooms_without_ros_need_none(module):
    command = [sys.executable, "-c", WITHOUT_ROS, module]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
