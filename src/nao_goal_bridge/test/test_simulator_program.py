# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The simulator as a program: signals, exit codes, arguments."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from legacy_robots_core.link.tcp import Role
from nao_goal_bridge.protocol import Dialect, Profile
from nao_goal_bridge.simulator.nao_settings import NaoSettings
from nao_goal_bridge.simulator.program import main, parse_arguments

TIMEOUT = 40.0


class Program:
    """The simulator as a process that dials us."""

    def __init__(self, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "nao_goal_bridge.simulator.program", *arguments],
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            text=True,
        )

    def end(self) -> tuple[int, str]:
        """Wait for the end; return the exit code and standard error."""
        try:
            _, errors = self.process.communicate(timeout=TIMEOUT)
        finally:
            self.process.kill()
            self.process.wait()
        return self.process.returncode, errors


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(TIMEOUT)
        yield listener


@pytest.fixture
def dialling(listener: socket.socket, peer_type: Any) -> Callable[..., tuple[Program, Any]]:
    """Return a function that starts the program, and gives it with its peer."""

    def dialling(*arguments: str) -> tuple[Program, Any]:
        port = listener.getsockname()[1]
        program = Program("--port", str(port), "--see-rate", "0", *arguments)
        try:
            return program, peer_type(listener.accept()[0])
        except OSError:
            program.process.kill()
            raise

    return dialling


@pytest.mark.node
def test_exit_ends_the_program(dialling: Any) -> None:
    program, peer = dialling("--sit-time", "0")
    peer.expect("8E 00000001")
    peer.send("00")
    assert peer.read_to_the_end().endswith(b"\x81\x00")
    peer.sock.close()
    exit_code, errors = program.end()
    assert exit_code == 0, errors


@pytest.mark.node
def test_a_port_in_use_ends_the_program_with_a_sentence(listener: socket.socket) -> None:
    port = str(listener.getsockname()[1])
    exit_code, errors = Program("--role", "listen", "--port", port).end()
    assert exit_code == 1
    assert errors.endswith(f"port {port} of 127.0.0.1 is in use by another program\n")
    assert errors.count("\n") == 1


@pytest.mark.parametrize(
    "arguments,sentence",
    [
        (["--port", "65536"], "argument --port: must be a port from 0 to 65535, not '65536'"),
        (["--port", "0"], "argument --port: 0 is no port to dial"),
        (["--speed", "0"], "argument --speed: must be greater than 0, not '0'"),
        (["--see-rate", "1e9"], "see_rate must be at most 1000, not 1000000000.0"),
        (["--fault", "fire"], "argument --fault: must be of cut, stall"),
        (["--code-width", "2"], "argument --code-width: invalid choice: "),
        (["--maze", "/none.yaml"], "/none.yaml: the room map cannot be read: No such file"),
        (["--mase", "x"], "unrecognized arguments: --mase x"),
    ],
)
def test_bad_arguments_are_one_sentence(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    errors = capsys.readouterr().err
    assert errors.startswith(f"simulator: {sentence}")
    assert errors.count("\n") == 1


def test_the_command_line_reaches_the_simulator(tmp_path: Path) -> None:
    maze = tmp_path / "maze.yaml"
    maze.write_text("{start: 9, rooms: [{marker_id: 9, tile: [0, 0]}]}")
    config, log_level = parse_arguments(
        ["--role", "listen", "--host", "::1", "--port", "0", "--profile", "naovigate",
         "--code-width", "4", "--seed", "3", "--maze", str(maze), "--speed", "2",
         "--grab-failure", "0.5", "--fault", "error", "--fault-after", "1",
         "--log-level", "debug"]
    )  # fmt: skip
    assert config.role is Role.LISTEN
    assert (config.host, config.port, config.seed) == ("::1", 0, 3)
    assert config.dialect == Dialect(Profile.NAOVIGATE, 4)
    assert config.room_map is not None
    assert config.room_map.start == 9
    assert config.settings == NaoSettings(speed=2.0, grab_failure=0.5)
    assert (config.faults, config.fault_after, log_level) == (("error",), 1.0, "debug")
    defaults, log_level = parse_arguments([])
    assert (defaults.role, defaults.port, log_level) == (Role.DIAL, 6474, "info")
