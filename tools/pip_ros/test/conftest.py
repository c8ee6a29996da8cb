# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Run the programs of tools/pip_ros as a user would, in a ROS domain of their own."""

from __future__ import annotations

import contextlib
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

HERE = Path(__file__).parent
PIP_ROS = HERE.parent
CASES = HERE / "cases"


class Program:
    """A running program whose output can be awaited."""

    def __init__(self, words: list[str], env: dict[str, str]) -> None:
        self.process = subprocess.Popen(
            words,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        self.pid = self.process.pid
        self._condition = threading.Condition()
        self._lines: list[str] = []
        self._errors: list[str] = []
        self._threads = [
            threading.Thread(target=self._read, args=pair, daemon=True)
            for pair in (
                (self.process.stdout, self._lines),
                (self.process.stderr, self._errors),
            )
        ]
        for thread in self._threads:
            thread.start()

    def _read(self, stream, lines: list[str]) -> None:
        for line in stream:
            with self._condition:
                lines.append(line.rstrip("\n"))
                self._condition.notify_all()

    @property
    def output(self) -> str:
        with self._condition:
            return "\n".join(self._lines)

    @property
    def errors(self) -> str:
        with self._condition:
            return "\n".join(self._errors)

    def wait_for(self, pattern: str, count: int = 1, timeout: float = 40.0) -> list[re.Match[str]]:
        """Return the first `count` matches in the output as soon as they are there."""
        deadline = time.monotonic() + timeout
        with self._condition:
            while True:
                found = list(re.finditer(pattern, "\n".join(self._lines), re.MULTILINE))
                if len(found) >= count:
                    return found[:count]
                rest = deadline - time.monotonic()
                assert rest > 0, f"no {count} × {pattern!r} in:\n" + "\n".join(
                    [*self._lines, "--- stderr", *self._errors]
                )
                self._condition.wait(rest)

    def send(self, number: int) -> None:
        self.process.send_signal(number)

    def end(self, timeout: float = 40.0) -> int:
        """Wait for the end of the program and of its output; return the exit code."""
        code = self.process.wait(timeout)
        for thread in self._threads:
            thread.join(5.0)
        return code

    def kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        self.process.wait()
        for thread in self._threads:
            thread.join(5.0)
        self.process.stdout.close()
        self.process.stderr.close()


@pytest.fixture(scope="session")
def domain() -> Iterator[int]:
    """A ROS domain that no other test session of this machine uses."""
    with contextlib.ExitStack() as stack:
        try:
            from legacy_robots_testing.machine import free_domain

            number = stack.enter_context(free_domain())
        except ImportError:
            number = random.SystemRandom().randrange(1, 100)
        yield number


@pytest.fixture(scope="session")
def base_env(domain: int, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of all programs, without the path of the program under test."""
    env = dict(os.environ)
    prefixes = [str(HERE / "prefix"), *filter(None, [env.get("AMENT_PREFIX_PATH")])]
    if str(sys.prefix) not in prefixes:
        prefixes.append(sys.prefix)
    env.update(
        AMENT_PREFIX_PATH=os.pathsep.join(prefixes),
        PATH=os.pathsep.join([str(Path(sys.executable).parent), env["PATH"]]),
        ROS_DOMAIN_ID=str(domain),
        ROS_AUTOMATIC_DISCOVERY_RANGE="LOCALHOST",
        ROS_HOME=str(tmp_path_factory.mktemp("ros_home")),
        PYTHONUNBUFFERED="1",
        COLUMNS="100",
    )
    env.pop("PYTHONPATH", None)
    env.pop("ROS_LOG_DIR", None)
    return env


@pytest.fixture(scope="session")
def ros2_words() -> list[str]:
    return [sys.executable, "-m", "ros2_command"]


@pytest.fixture(scope="session")
def env(base_env: dict[str, str]) -> dict[str, str]:
    return {**base_env, "PYTHONPATH": str(PIP_ROS / "python")}


@pytest.fixture(scope="session")
def program_type() -> type[Program]:
    """The class, for fixtures of a wider scope than `start` (test folders are no packages)."""
    return Program


@pytest.fixture
def start(env: dict[str, str], ros2_words: list[str]) -> Iterator[Callable[..., Program]]:
    """Start ``ros2 WORDS``; whatever still runs at the end of the test is killed."""
    running: list[Program] = []

    def start_(*words: str, more_env: dict[str, str] | None = None) -> Program:
        program = Program([*ros2_words, *map(str, words)], {**env, **(more_env or {})})
        running.append(program)
        return program

    yield start_
    for program in running:
        program.kill()


@pytest.fixture
def ros2(start: Callable[..., Program]) -> Callable[..., Program]:
    """Run ``ros2 WORDS`` to its end; the exit code is in ``code``."""

    def run(*words: str, timeout: float = 60.0, **options) -> Program:
        program = start(*words, **options)
        program.code = program.end(timeout)
        return program

    return run


@pytest.fixture
def ros2_all(start: Callable[..., Program]) -> Callable[..., list[Program]]:
    """Run several commands at once, each a text of words without blanks in them."""

    def run(*commands: str) -> list[Program]:
        programs = [start(*command.split()) for command in commands]
        for program in programs:
            program.code = program.end(60)
        return programs

    return run


@pytest.fixture(scope="session")
def check() -> Callable[..., None]:
    """Compare the whole output of a program that has ended."""

    def check_(program: Program, output: str = "", errors: str = "", code: int = 0) -> None:
        assert program.code == code, program.output + program.errors
        assert program.output.rstrip("\n") == output.rstrip("\n")
        assert program.errors == errors

    return check_


@pytest.fixture
def launch_text(tmp_path: Path, ros2: Callable[..., Program]) -> Callable[..., Program]:
    """Run a launch file whose description is the given list of Python expressions."""

    def run(actions: str, *words: str, **options) -> Program:
        return ros2("launch", write_launch_file(tmp_path, actions), *words, **options)

    return run


@pytest.fixture
def launch_file(tmp_path: Path) -> Callable[[str], Path]:
    return lambda actions: write_launch_file(tmp_path, actions)


def write_launch_file(folder: Path, actions: str) -> Path:
    path = folder / "generated.launch.py"
    path.write_text(
        "from launch import LaunchDescription\n"
        "from launch.actions import *\n"
        "from launch.conditions import *\n"
        "from launch.event_handlers import *\n"
        "from launch.launch_description_sources import *\n"
        "from launch.substitutions import *\n"
        "from launch_ros.actions import *\n"
        "from launch_ros.parameter_descriptions import *\n"
        "from launch_ros.substitutions import *\n"
        "def generate_launch_description():\n"
        f"    return LaunchDescription([{actions}])\n"
    )
    return path


@pytest.fixture(scope="module")
def probe(base_env: dict[str, str]) -> Iterator[Program]:
    """The test node, running for the whole module."""
    pytest.importorskip("rclpy")
    program = Program([str(HERE / "prefix" / "lib" / "probe_pkg" / "probe")], base_env)
    program.wait_for("probe ready")
    yield program
    program.send(signal.SIGINT)
    assert program.end() == 0, program.errors
    program.kill()
