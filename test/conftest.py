# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The systems under test: a test with an argument ``system`` runs once for each."""

from __future__ import annotations

import json
import os
import re
import subprocess
import uuid
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from legacy_robots_common.system import System, load, systems
from legacy_robots_testing.machine import (
    free_domain,
    free_port,
    free_ports,
    launch_command,
    machine_wide,
    ros2,
)
from legacy_robots_testing.process import Process

ROOT = Path(__file__).parents[1]


@dataclass(frozen=True)
class TestedSystem:
    """One bridge, or the view, with all that belongs to it."""

    __test__ = False

    name: str
    """Of its launch, config, rviz and docs files, and of its default namespace."""
    parameters: str
    """Its parameters: MODULE:CLASS."""
    declared: System | None = None
    """What its package declares; None for the view."""

    @classmethod
    def of(cls, declared: System) -> TestedSystem:
        return cls(declared.name, declared.parameters[declared.bridge], declared)

    @property
    def nodes(self) -> int:
        """How many nodes its launch file starts."""
        return self.declared.launched_nodes

    @property
    def lock(self) -> str:
        """What only one robot on a machine can have; see machine_wide."""
        return self.declared.exclusive

    @property
    def arguments(self) -> tuple[str, ...]:
        """Launch arguments which keep it apart from others on this machine, besides ports."""
        return tuple(f"{name}:=test{os.getpid()}" for name in self.declared.own_arguments)

    def free_ports(self) -> list[str]:
        """Return launch arguments that give it free ports."""
        return [f"{port.argument}:={free_port()}" for port in self.declared.ports]

    @property
    def document(self) -> str:
        return (ROOT / "docs" / f"{self.name}.md").read_text(encoding="utf-8")

    @property
    def launch_file(self) -> Path:
        return ROOT / "launch" / f"{self.name}.launch.py"

    def generic(self, name: str) -> str:
        """Return a name as documents write it, which stands for one of each player."""
        player = self.declared.player
        pattern = re.sub(r"\d+", r"\\d+", player)
        return re.sub(f"^{pattern}(?=/)", "<player>", name) if player else name

    def concrete(self, name: str) -> str:
        """Return the name of one player."""
        return name.replace("<player>", self.declared.player)

    def absolute(self, name: str) -> str:
        """Return the name of one player in the default namespace."""
        return name if name.startswith("/") else f"/{self.name}/{self.concrete(name)}"

    def interface(self) -> dict[str, tuple[str, str]]:
        """Return kind and type of all that is documented, by name as documents write it."""
        rows = self.table("Interface")
        return {
            name: (row[1], row[2].strip("`"))
            for row in rows
            for name in re.findall("`([^`]+)`", row[0])
        }

    def parameters_class(self) -> type:
        return load(self.parameters)

    def table(self, title: str, document: str = "") -> list[list[str]]:
        """Return the cells of the first table below the heading ``title``, without its head.

        Of the system's own page, unless ``document`` is another one's text.
        """
        text = document or self.document
        part = re.split(rf"^#+ {re.escape(title)}$", text, flags=re.MULTILINE)[1]
        rows = []
        for line in part.splitlines():
            if line.startswith("|"):
                rows.append([cell.strip() for cell in line.strip("|").split(" | ")])
            elif rows or line.startswith("#"):
                break
        return [[cell.strip("| ") for cell in row] for row in rows[2:]]


SYSTEMS = [TestedSystem.of(system) for system in systems()]
VIEW = TestedSystem("view", "legacy_robots_view.view_parameters:Parameters")
"""No bridge, but documented like one; a test with an argument ``documented`` gets it, too."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    for name, tested in {"system": SYSTEMS, "documented": [*SYSTEMS, VIEW]}.items():
        if name in metafunc.fixturenames:
            metafunc.parametrize(name, tested, ids=[s.name for s in tested], scope="module")


@pytest.fixture(scope="session")
def system_named() -> Callable[[str], TestedSystem]:
    return {system.name: system for system in SYSTEMS}.__getitem__


@pytest.fixture(scope="session")
def specified() -> Callable[[str], dict[str, Any]]:
    """Read what the document of a system names: ``specified("nao")["events"]``."""

    def read(system: str) -> dict[str, Any]:
        path = ROOT / "test" / "data" / "specifications" / f"{system}.json"
        return json.loads(path.read_text(encoding="utf-8"))

    return read


@pytest.fixture(scope="session", name="machine_wide")
def machine_wide_fixture() -> Callable[[str], AbstractContextManager[None]]:
    return machine_wide


@pytest.fixture(scope="session", name="ros2")
def ros2_fixture() -> Callable[..., list[str]]:
    return ros2


@pytest.fixture(scope="session", name="free_ports")
def free_ports_fixture() -> Callable[[int], list[int]]:
    return free_ports


@pytest.fixture(scope="session")
def send_goal() -> Callable[[str, str, str], str]:
    """Send a goal as from a second terminal; return what is printed there.

    Takes the action, its type (of our own package unless another is named), and the goal in YAML.
    """

    def send(action: str, kind: str, goal: str) -> str:
        kind = kind if "/" in kind else f"legacy_robots_msgs/action/{kind}"
        command = ros2("action", "send_goal", action, kind, goal)
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        return done.stdout + done.stderr

    return send


def rviz_displays(view: str) -> list[dict[str, Any]]:
    """Return the displays in ``rviz/VIEW.rviz``, those in groups too."""
    path = ROOT / "rviz" / f"{view}.rviz"
    shown = yaml.safe_load(path.read_text(encoding="utf-8"))["Visualization Manager"]["Displays"]
    return [
        display
        for entry in shown
        for display in (entry["Displays"] if entry["Class"] == "rviz_common/Group" else [entry])
    ]


@pytest.fixture(scope="session")
def displays() -> Callable[[str], list[dict[str, Any]]]:
    return rviz_displays


@pytest.fixture
def user() -> Iterator[str]:
    """A user name of this test alone; nothing of it may be left in the shared memory."""
    name = f"test{uuid.uuid4().hex[:10]}"
    yield name
    left = [file for file in os.listdir("/dev/shm") if file.endswith(name)]
    for file in left:
        os.unlink(f"/dev/shm/{file}")
    assert left == []


@pytest.fixture
def own_domain(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An empty ROS graph, for a test of all that is in it: what others have left is not there."""
    with free_domain() as number:
        monkeypatch.setenv("ROS_DOMAIN_ID", str(number))
        yield


@pytest.fixture
def port() -> int:
    """A TCP port that is free."""
    return free_port()


@pytest.fixture(scope="module")
def launched(system: TestedSystem) -> Iterator[Process]:
    """The system, launched as a user would, on its simulator, and up."""
    arguments = [*system.free_ports(), *system.arguments]
    command = launch_command(system.launch_file.name, *arguments)
    with machine_wide(system.lock), Process(command) as process:
        process.wait_for_line("link connected")
        yield process
