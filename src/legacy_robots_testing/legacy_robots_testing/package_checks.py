# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Checks of a robot's package by its own tests: manifest, parameters file, page, registry, style.

A test of ``tools/new_robot`` calls each of CHECKS with the directory of the package and its
System. They raise AssertionError with what is wrong.
"""

from __future__ import annotations

import ast
import dataclasses
import importlib.util
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from pathlib import Path

import yaml

from legacy_robots_common.node.parameters import default_of
from legacy_robots_common.node.raw_topics import interface_class
from legacy_robots_common.system import System, load

__all__ = ["CHECKS"]

KEYS = {
    "aiohttp": "python3-aiohttp",
    "cv2": "python3-opencv",
    "defusedxml": "python3-defusedxml",
    "google": "python3-protobuf",
    "grpc": "python3-grpcio",
    "hypothesis": "python3-hypothesis",
    "matplotlib": "python3-matplotlib",
    "numpy": "python3-numpy",
    "pytest": "python3-pytest",
    "scipy": "python3-scipy",
    "selenium": "python3-selenium",
    "serial": "python3-serial",
    "transforms3d": "python3-transforms3d",
    "yaml": "python3-yaml",
}
"""Keys of rosdep by Python module; a module that is not here is the ROS package of its name."""


def imports(path: Path) -> Iterator[tuple[str, bool]]:
    """Yield each top-level module, and whether importing the file always executes the import."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    always = set(tree.body)
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names = [node.module or ""]
        else:
            continue
        for name in names:
            yield name.split(".")[0], node in always


def imported_in(
    package: Path, directory: str, others: set[str] | None = None
) -> tuple[set[str], set[str]]:
    """Return the keys of what the files of a directory import: always, and at all.

    Without what is Python's, the package's own or among ``others``.
    """
    found = [pair for path in (package / directory).rglob("*.py") for pair in imports(path)]
    own = {package.name, *sys.stdlib_module_names, *(others or ())}
    own |= {path.stem for path in (package / "test").rglob("*.py")}  # helpers of tests
    if directory == package.name:  # what runs an executable, such as legacy_robots_core
        setup = (package / "setup.py").read_text(encoding="utf-8")
        found += [(module, True) for module in re.findall(r"= (\w+)\.executable:", setup)]
    keys = [(KEYS.get(module, module), always) for module, always in found if module not in own]
    return {key for key, always in keys if always}, {key for key, _ in keys}


def declared(package: Path, *kinds: str) -> set[str]:
    """Return what package.xml depends on by these kinds, such as ``exec``."""
    root = ElementTree.parse(package / "package.xml").getroot()
    names = [f"{kind}_depend" for kind in kinds]
    names += ["depend"] if {"build", "exec"} & set(kinds) else []
    return {element.text or "" for name in names for element in root.findall(name)}


def manifest(package: Path, _: System) -> None:
    """Check that package.xml says what the files import and launch, and nothing else."""
    always, at_all = imported_in(package, package.name)
    in_tests = imported_in(package, "test")[1]
    in_launch = imported_in(package, "launch")[1]
    launch = "".join(p.read_text(encoding="utf-8") for p in package.glob("launch/*"))
    named = set(re.findall(r'package="(\w+)"', launch)) - {package.name, "rviz2"}
    needed = always | in_launch | named
    at_run_time = declared(package, "exec")
    assert needed <= at_run_time, f"exec_depend is missing: {sorted(needed - at_run_time)}"
    missing = (at_all | in_tests) - declared(package, "exec", "test")
    assert not missing, f"test_depend is missing: {sorted(missing)}"
    unused = at_run_time - needed - at_all
    assert not unused, f"exec_depend is not imported: {sorted(unused)}"


def parameters(package: Path, system: System) -> None:
    """Check that the parameters file has each parameter of the bridge with its default."""
    expected = {f.name: default_of(f) for f in dataclasses.fields(load(_parameters(system)))}
    text = (package / "config" / f"{system.name}.yaml").read_text(encoding="utf-8")
    (node,) = yaml.safe_load(text).values()
    assert node == {"ros__parameters": expected}


def page(package: Path, system: System) -> None:
    """Check that README.md names each stream, goal and fault of the registry's entry."""
    text = (package / "README.md").read_text(encoding="utf-8")
    names = [*system.streams, *system.faults, *(each.action for each in system.goals)]
    missing = [name for name in names if not re.search(rf"\b{re.escape(name)}\b", text)]
    assert not missing, f"README.md does not name {', '.join(missing)}"


def registry(package: Path, system: System) -> None:
    """Check that what the registry's entry refers to is there."""
    assert system.package == package.name
    for reference in (*system.nodes.values(), *system.parameters.values()):
        load(reference)
    kinds = [*system.streams.values(), *(each.type for each in system.goals)]
    for kind in kinds:
        interface_class(kind)
    file = system.launch.partition("/")[2]
    assert (package / "launch" / file).is_file(), file


def style(package: Path, _: System) -> None:
    """Check with ruff, where it is installed, what can go wrong."""
    if importlib.util.find_spec("ruff") is None:
        return
    command = [sys.executable, "-m", "ruff", "check", "--no-cache", "--isolated"]
    options = ["--select=E,F,W,B", "--ignore=E501", str(package)]  # names may be long
    done = subprocess.run([*command, *options], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def _parameters(system: System) -> str:
    return system.parameters[system.bridge]


CHECKS = (manifest, parameters, page, registry, style)
