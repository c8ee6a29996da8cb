# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Two SIGINTs 20 ms apart, as a launch in an interrupted terminal sends them, end each program.

Each executable that the packages install is started by itself. It ends with 0, missions and
consoles with 130, and none with a traceback.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest
from ament_index_python import get_package_prefix
from workspace import guests

from legacy_robots_testing.machine import free_ports
from legacy_robots_testing.polling import until
from legacy_robots_testing.process import Process
from legacy_robots_testing.stopwatch import Stopwatch

ROOT = Path(__file__).resolve().parent.parent
APART_S = 0.02
LONGEST_START_S = 60.0
INTERRUPTED = 130
NOT_INTERRUPTED = {
    "aibo_gti_bridge/motion",  # reads files and ends
    "bw4t_java/eis_jar",  # writes a file and ends
    "legacy_robots_geometry/moveit_files",  # writes files and ends
    "luar_bridge/label_table",  # writes a file and ends
    "luar_tools/luar_tools",  # reads files and ends
    "luar_stand_in/segment_owner_abi1",  # ends with its standard input
    "luar_stand_in/segment_owner_abi2",
}


def _executables() -> list[str]:
    found = []
    for package in (directory.name for directory in guests.packages()):
        folder = Path(get_package_prefix(package), "lib", package)
        found += [f"{package}/{file.name}" for file in sorted(folder.glob("*"))]
    return found


def _catches_sigterm(process: Process) -> bool:
    """Tell whether a program has set its handlers: Python has none for SIGTERM."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    caught = next(line for line in status.splitlines() if line.startswith("SigCgt:"))
    return bool(int(caught.split()[1], 16) >> (signal.SIGTERM - 1) & 1)


def _has_socket(process: Process) -> bool:
    """Tell whether a program has begun to communicate, which it does with its handlers set."""
    for link in Path(f"/proc/{process.pid}/fd").iterdir():
        with suppress(OSError):  # it has just been closed
            if os.readlink(link).startswith("socket:"):
                return True
    return False


def _has_printed(process: Process) -> bool:
    return bool(process.lines.items)


@dataclass(frozen=True)
class Program:
    """How to start an executable, what shows that it can be interrupted, and its exit code."""

    arguments: tuple[object, ...] = ()
    is_up: Callable[[Process], bool] = _catches_sigterm
    code: int = 0


def _with(**parameters: object) -> tuple[str, ...]:
    return (
        "--ros-args",
        *(w for name in parameters for w in ("-p", f"{name}:={parameters[name]}")),
    )


def _mission(*arguments: object) -> Program:
    return Program(arguments, _has_socket, INTERRUPTED)


def _programs(folder: Path) -> dict[str, Program]:
    """Return those that need arguments, to start at all or beside others on the machine."""
    fleet = folder / "fleet.yaml"
    fleet.write_text('fleet:\n  ros__parameters:\n    nodes: ["nao /nao_1", "nao /nao_2"]\n')
    ports = iter(free_ports(10))
    game = Program(("--port", next(ports), "--http-port", next(ports)))
    return {
        "aibo_gti_bridge/simulator": Program(("--port", next(ports))),
        "bw4t_world/bw4t_world": Program(
            ("run", "nine_rooms", "--speed", "0.1"), _has_printed, INTERRUPTED
        ),
        "legacy_robots_common/after_topic": Program(("/topic", "/bin/true")),
        "legacy_robots_common/fleet": Program(("--ros-args", "--params-file", fleet)),
        "legacy_robots_common/simulation": Program(_with(control="none")),
        "legacy_robots_examples/courier": _mission(),
        "legacy_robots_examples/fetch_object": _mission(),
        "legacy_robots_examples/find_ball": _mission(),
        "legacy_robots_examples/record": _mission(*_with(file="/dev/null")),
        "legacy_robots_examples/replay": _mission(
            *_with(file=_recording(folder / "empty.mcap"), patience=LONGEST_START_S)
        ),
        "legacy_robots_examples/security_policy": _mission(),
        "legacy_robots_examples/two_robots": _mission(),
        "legacy_robots_view/foxglove": Program(_with(port=next(ports))),
        "legacy_robots_view/view": Program(_with(port=next(ports))),
        "luar_bridge/color_table": Program(
            (folder / "picks", folder / "table", "--port", next(ports)), _has_printed
        ),
        "luar_bridge/monitor": Program((), _has_printed),
        "luar_bridge/referee": Program(("--port", next(ports), "--ball-port", next(ports))),
        "luar_bridge/simulator": Program(
            ("--user", f"test{os.getpid()}", "--profile", "webots")
        ),
        "nao_goal_bridge/goal_client": _mission("--port", next(ports)),
        "nao_goal_bridge/simulator": Program(("--port", next(ports))),
        "roboskate_bridge/simulator": game,
        "roboskate_game/simulator": game,
    }  # fmt: skip


def _recording(file: Path) -> Path:
    """Write a recording with one topic, which no program subscribes to."""
    writer_of = pytest.importorskip("mcap.writer", reason="needs mcap: pip install mcap").Writer
    with file.open("wb") as stream:
        writer = writer_of(stream)
        writer.start(profile="ros2")
        schema = writer.register_schema("std_msgs/msg/Empty", "ros2msg", b"")
        channel = writer.register_channel("/empty", "cdr", schema)
        writer.add_message(channel, 0, b"\0\1\0\0\0", 0)
        writer.finish()
    return file


def _end(name: str, program: Program) -> tuple[int, int, str]:
    """Start and interrupt an executable; return how it should end, how it did, and its output."""
    package, _, executable = name.partition("/")
    path = Path(get_package_prefix(package), "lib", package, executable)
    with Process([path, *map(str, program.arguments)]) as process, Stopwatch() as watch:
        while process.session() and watch.seconds < LONGEST_START_S and not program.is_up(process):
            time.sleep(0.01)
        process.signal(signal.SIGINT)
        time.sleep(APART_S)
        process.signal(signal.SIGINT)
        return program.code, process.wait(), "\n".join(process.lines.items)


@pytest.fixture(scope="module")
def ends(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[dict[str, Future[tuple[int, int, str]]]]:
    """Give the end of each executable; as many are started at once as there are cores."""
    programs = _programs(tmp_path_factory.mktemp("programs"))
    names = {*_executables(), *programs} - NOT_INTERRUPTED
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        yield {name: pool.submit(_end, name, programs.get(name, Program())) for name in names}


@pytest.mark.parametrize("name", [n for n in _executables() if n not in NOT_INTERRUPTED])
def test_it_ends_in_order(ends: dict[str, Future[tuple[int, int, str]]], name: str) -> None:
    expected, code, output = ends[name].result()
    assert code == expected, output
    assert "Traceback" not in output


@pytest.mark.parametrize("name", ["nao_goal_bridge/bridge", "roboskate_bridge/simulator"])
def test_while_it_still_imports_it_ends_in_order_too(name: str) -> None:
    package, _, executable = name.partition("/")
    with Process([Path(get_package_prefix(package), "lib", package, executable)]) as process:
        # Both need numpy, long before their handlers are set.
        until(lambda: "numpy" in Path(f"/proc/{process.pid}/maps").read_text(), period=0.001)
        process.signal(signal.SIGINT)
        process.signal(signal.SIGINT)
        assert process.wait() == 0
        assert "Traceback" not in "\n".join(process.lines.items)
