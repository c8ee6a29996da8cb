# SPDX-License-Identifier: Apache-2.0
"""The systems under test: a test with an argument ``system`` runs once for each."""

from __future__ import annotations

import importlib
import json
import os
import re
import subprocess
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from legacy_robots_common.testing.machine import (
    LUAR_JOINTS,
    free_port,
    free_ports,
    launch_command,
    machine_wide,
    ros2,
)
from legacy_robots_common.testing.process import Process

ROOT = Path(__file__).parents[1]


@dataclass(frozen=True)
class System:
    """One bridge with all that belongs to it."""

    name: str
    """Of its launch, config, rviz and docs files, and of its default namespace."""
    parameters: str
    """Its parameters: MODULE:CLASS."""
    ready: str
    """A line of its log that tells that it is up."""
    ports: tuple[str, ...] = ("port",)
    """Launch arguments that get a free port."""
    nodes: int = 1
    """How many nodes its launch file starts."""
    instances: str = ""
    """Regular expression of name parts that documents write as <player>."""
    example: str = ""
    """One of those."""
    arguments: tuple[str, ...] = ()
    """More launch arguments, which keep it apart from others on this machine."""
    lock: str = ""
    """What only one robot on a machine can have; see machine_wide."""

    @property
    def document(self) -> str:
        return (ROOT / "docs" / f"{self.name}.md").read_text(encoding="utf-8")

    @property
    def launch_file(self) -> Path:
        return ROOT / "launch" / f"{self.name}.launch.py"

    def generic(self, name: str) -> str:
        """Return a name as documents write it, which stands for one of each instance."""
        return re.sub(self.instances, "<player>", name) if self.instances else name

    def concrete(self, name: str) -> str:
        """Return the name of one instance."""
        return name.replace("<player>", self.example)

    def parameters_class(self) -> type:
        module, name = self.parameters.split(":")
        return getattr(importlib.import_module(module), name)

    def table(self, title: str) -> list[list[str]]:
        """Return the cells of the first table below the heading ``title``, without its head."""
        part = re.split(rf"^#+ {re.escape(title)}$", self.document, flags=re.MULTILINE)[1]
        rows = []
        for line in part.splitlines():
            if line.startswith("|"):
                rows.append([cell.strip() for cell in line.strip("|").split(" | ")])
            elif rows or line.startswith("#"):
                break
        return [[cell.strip("| ") for cell in row] for row in rows[2:]]


SYSTEMS = [
    System("nao", "nao_goal_bridge.bridge_parameters:Parameters", "link connected"),
    System(
        "bw4t",
        "bw4t_bridge.bridge_parameters:Parameters",
        "the world is up",
        ports=("web_port",),
        nodes=4,
        instances=r"^Bot_\d+(?=/)",
        example="Bot_1",
    ),
    System(
        "roboskate",
        "roboskate_bridge.bridge_parameters:Parameters",
        "link connected",
        ("port", "http_port"),
    ),
    System(
        "luar",
        "luar_bridge.bridge_parameters:Parameters",
        "link connected",
        ports=(),
        arguments=(f"user:=test{os.getpid()}",),
        lock=LUAR_JOINTS,
    ),
    System("aibo", "aibo_gti_bridge.bridge_parameters:Parameters", "link connected"),
]


VIEW = System("view", "legacy_robots_view.view_parameters:Parameters", "the view is at")
"""No bridge, but documented like one; a test with an argument ``documented`` gets it, too."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    for name, systems in {"system": SYSTEMS, "documented": [*SYSTEMS, VIEW]}.items():
        if name in metafunc.fixturenames:
            metafunc.parametrize(name, systems, ids=[s.name for s in systems], scope="module")


@pytest.fixture(scope="session")
def system_named() -> Callable[[str], System]:
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
def port() -> int:
    """A TCP port that nobody uses."""
    return free_port()


@pytest.fixture(scope="module")
def launched(system: System) -> Iterator[Process]:
    """The system, launched as a user would, on its simulator, and up."""
    ports = [f"{argument}:={free_port()}" for argument in system.ports]
    arguments = [*ports, *system.arguments]
    command = launch_command(system.launch_file.name, *arguments)
    with machine_wide(system.lock), Process(command) as process:
        process.wait_for_line(system.ready)
        yield process
