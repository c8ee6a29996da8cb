# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The architecture page is true: files and functions exist, rooms without ROS have none."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest
from workspace import guests

pytestmark = pytest.mark.lint

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "architecture.md"
PROSE = re.sub(r"```.*?```", "", PAGE.read_text(encoding="utf-8"), flags=re.DOTALL)
FOLDER_TABLE = re.compile(r"^`(src/\w+/\w+)`\n\n<!-- .* -->\n((?:\|.*\n)+)", re.MULTILINE)
FOLDERS = {
    package: re.findall(r"^\| `(\w+)/` \|", rows, re.MULTILINE)
    for package, rows in FOLDER_TABLE.findall(PROSE)
}
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
    "nao_goal_bridge.protocol",
    "nao_goal_bridge.model.ways",
    "nao_goal_bridge.bridge.link",
    "nao_goal_bridge.simulator.program",
    "nao_goal_bridge.goal_client",
    "roboskate_bridge.bridge.link",
    "roboskate_game.environments",
    "roboskate_game.simulator.program",
    "luar_bridge.protocol.segment",
    "luar_bridge.model.beliefs",
    "luar_bridge.bridge.link",
    "luar_bridge.simulator.program",
    "luar_bridge.accessors",
    "luar_bridge.monitor",
    "aibo_gti_bridge.protocol.codec",
    "aibo_gti_bridge.model.motions",
    "aibo_gti_bridge.bridge.link",
    "aibo_gti_bridge.simulator.program",
    "aibo_gti_bridge.client",
    "bw4t_study.record",
    "bw4t_study.commands",
    "bw4t_world",
    "bw4t_runner.trips",
    "bw4t_runner.remote_runner",
    "bw4t_web",
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
    places = (pattern, f"launch/{pattern}", f"src/*/{pattern}", f"src/*/*/**/{pattern}")
    return any(True for place in places for _ in ROOT.glob(place))


@pytest.mark.parametrize("name", sorted(set(named_paths())))
def test_every_file_of_the_architecture_page_exists(name):
    assert exists(name), name


def test_the_walks_go_through_functions_that_exist():
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
    packages = {package.name for package in guests.packages()}
    assert packages == set(re.findall(r"^\| `src/(\w+)` \|", PROSE, re.MULTILINE))


def test_every_folder_of_every_package_is_on_the_page_and_no_other():
    assert {package: FOLDERS.get(package) for package in packages_with_folders()} == FOLDERS
    for package, named in FOLDERS.items():
        assert set(named) == folders_of(ROOT / package), package


def packages_with_folders():
    return {
        (package / package.name).relative_to(ROOT).as_posix()
        for package in guests.packages()
        if (package / package.name / "__init__.py").exists() and folders_of(package / package.name)
    }


def folders_of(package):
    return {
        p.name
        for p in package.iterdir()
        if p.is_dir() and p.name != "__pycache__" and any(f.is_file() for f in p.rglob("*"))
    }


@pytest.mark.parametrize("package", sorted(FOLDERS))
def test_folders_import_from_those_above_them_in_the_table(package):
    name, order = Path(package).name, FOLDERS[package]
    for file in (ROOT / package).glob("*/**/*.py"):
        own = order.index(file.relative_to(ROOT / package).parts[0])
        for module in imported_modules(file):
            top, *rest = module.split(".")
            if top == name and rest and rest[0] in order:
                assert order.index(rest[0]) <= own, f"{file}: {module}"


def imported_modules(file):
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.system
@pytest.mark.parametrize("module", ROOMS_WITHOUT_ROS)
def test_rooms_without_ros_need_none(module):
    command = [sys.executable, "-c", WITHOUT_ROS, module]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
