# SPDX-License-Identifier: Apache-2.0
"""The simulator against an independent peer: bare sockets and bytes written by hand."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from legacy_robots_common.simulator import Fault, SimulatorError
from legacy_robots_common.tcp_link import Role
from nao_goal_bridge.protocol import Dialect, Profile
from nao_goal_bridge.room_map import parse_room_map
from nao_goal_bridge.simulator import Simulator, SimulatorConfig, main, parse_arguments
from nao_goal_bridge.world import NaoSettings

TIMEOUT = 10.0

# Room 16 (0x10) with object 5, open to room 32 (0x20); 48 (0x30) is round the corner.
MAZE = parse_room_map(
    """
start: 16
rooms:
  - {marker_id: 16, tile: [0, 0]}
  - {marker_id: 32, tile: [1, 0]}
  - {marker_id: 48, tile: [1, 1]}
passages: [[16, 32], [32, 48]]
objects: [{object_id: 5, room: 16}]
""",
    "test maze",
)
QUICK = NaoSettings(
    agent_id=31, speed=100.0, see_rate=0.0, grab_time=0.01, put_down_time=0.01, sit_time=0.01
)
SLOW = NaoSettings(agent_id=31, speed=0.001, see_rate=0.0, grab_time=600.0)

GREETING = "8E 0000001F 89 00000010 8F 00000000 8A 00000010 00000000 8A 00000020 00000001"
WALK = (
    "8F 00000001 8F 00000000 81 01 89 00000020"
    "8A 00000020 00000000 8A 00000010 00000001 8A 00000030 00000001"
)


class Peer:
    """GOAL's end of one connection."""

    def __init__(self, sock: socket.socket) -> None:
        sock.settimeout(TIMEOUT)
        self.sock = sock

    def send(self, hex_bytes: str) -> None:
        self.sock.sendall(bytes.fromhex(hex_bytes))

    def read(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            piece = self.sock.recv(count - len(data))
            assert piece, f"the connection ended after {data.hex(' ')}"
            data += piece
        return data

    def expect(self, hex_bytes: str) -> None:
        expected = bytes.fromhex(hex_bytes)
        assert self.read(len(expected)).hex(" ") == expected.hex(" ")

    def read_to_the_end(self) -> bytes:
        data = b""
        while piece := self.sock.recv(65536):
            data += piece
        return data


class Goal:
    """Where the peer's connections with one simulator come from."""

    def __init__(self, connect: Callable[[], socket.socket]) -> None:
        self._connect = connect
        self._peers: list[socket.socket] = []

    def meet(self) -> Peer:
        """Have the next connection."""
        sock = self._connect()
        self._peers.append(sock)
        return Peer(sock)

    def close(self) -> None:
        for sock in self._peers:
            sock.close()


class Stage:
    """Starts simulators and peers, and ends them."""

    def __init__(self) -> None:
        self._endings: list[Callable[[], Any]] = []

    def listening_socket(self) -> socket.socket:
        listener = socket.create_server(("127.0.0.1", 0))
        listener.settimeout(TIMEOUT)
        self._endings.append(listener.close)
        return listener

    def set_up(self, role: Role = Role.DIAL, **config: Any) -> tuple[Simulator, Goal]:
        """Start a simulator and give it with the GOAL it talks to."""
        settings: dict[str, Any] = {"room_map": MAZE, "settings": QUICK, **config}
        if role is Role.DIAL:
            listener = self.listening_socket()
            port = listener.getsockname()[1]
            simulator = Simulator(SimulatorConfig(role=role, port=port, **settings))
            goal = Goal(lambda: listener.accept()[0])
        else:
            simulator = Simulator(SimulatorConfig(role=role, port=0, **settings))
            goal = Goal(lambda: socket.create_connection(("127.0.0.1", simulator.port), TIMEOUT))
        self._endings += [goal.close, simulator.close]
        simulator.start()
        return simulator, goal

    def close(self) -> None:
        for ending in reversed(self._endings):
            ending()


@pytest.fixture
def stage() -> Iterator[Stage]:
    stage = Stage()
    yield stage
    stage.close()


both_roles = pytest.mark.parametrize("role", list(Role), ids=lambda role: role.value)


# --- sessions ------------------------------------------------------------------------------


@both_roles
def test_a_session_byte_for_byte(stage: Stage, role: Role) -> None:
    _, goal = stage.set_up(role)
    peer = goal.meet()
    peer.expect(GREETING)
    peer.send("02 00000005")  # PickUp 5
    peer.expect("81 02 8D 00000005")  # Success, Holding
    peer.send("01 00000020 00000000")  # GoTo 32
    peer.expect(WALK)
    peer.send("03")  # PutDown
    peer.expect("81 03 8C 00000005")  # Success, Dropped
    peer.send("03")
    peer.expect("82 03")  # Failure: it holds nothing
    peer.send("01 00000064 00000000")
    peer.expect("82 01")  # Failure: there is no marker 100
    peer.send("04")  # Halt
    peer.expect("81 04")
    peer.send("00")  # Exit
    assert peer.read_to_the_end().hex(" ") == "81 00"


@both_roles
def test_the_same_session_in_the_late_dialect(stage: Stage, role: Role) -> None:
    def spoken(*hex_events: str) -> bytes:
        return b"".join(
            "".join(f"{byte:08b}" for byte in bytes.fromhex(event)).encode() + b"\n"
            for event in hex_events
        )

    _, goal = stage.set_up(role, dialect=Dialect(Profile.NAOVIGATE))
    peer = goal.meet()
    for command, answers in (
        (None, ["8E 0000001F", "89 00000010", "8F 00000000", "8A 00000010", "8A 00000020"]),
        ("02", ["81 02", "8D 00000005"]),
        ("FF", []),
        ("01 00000001 0000000F 00000005",  # one waypoint: tile (1, 0)
         ["8F 00000001", "8F 00000000", "81 01", "89 00000020",
          "8A 00000020", "8A 00000010", "8A 00000030"]),
        ("03", ["81 03", "8C"]),
        ("04", ["81 04"]),
    ):  # fmt: skip
        if command is not None:
            peer.sock.sendall(spoken(command))
        expected = spoken(*answers)
        assert peer.read(len(expected)) == expected
    peer.sock.sendall(b"0000\r\n0101")  # Say, whose argument is not known
    assert peer.read_to_the_end() == b"1000001000000101\n"


def test_wide_codes(stage: Stage) -> None:
    _, goal = stage.set_up(dialect=Dialect(code_width=4))
    peer = goal.meet()
    peer.expect(GREETING)
    peer.send("04 03")
    peer.expect("81 00000004 82 00000003")


def test_one_byte_at_a_time_is_the_same(stage: Stage) -> None:
    _, goal = stage.set_up()
    peer = goal.meet()
    peer.expect(GREETING)
    for byte in bytes.fromhex("03 01 00000020 00000000"):
        peer.sock.sendall(bytes([byte]))
    peer.expect("82 03" + WALK)


def test_markers_are_reported_again_and_again(stage: Stage) -> None:
    _, goal = stage.set_up(settings=NaoSettings(agent_id=31, see_rate=100.0))
    peer = goal.meet()
    peer.expect(GREETING + "8A 00000010 00000000 8A 00000020 00000001" * 5)


def test_what_runs_and_what_waits_fails_at_a_halt(stage: Stage) -> None:
    _, goal = stage.set_up(settings=SLOW)
    peer = goal.meet()
    peer.expect(GREETING)
    peer.send("01 00000020 00000000 03 02 00000005 04")
    peer.expect("8F 00000001 82 01 82 03 82 02 8F 00000000 81 04")


# --- what is not in order ------------------------------------------------------------------


@both_roles
def test_an_unknown_opcode_fails_and_ends_the_connection(stage: Stage, role: Role) -> None:
    _, goal = stage.set_up(role)
    peer = goal.meet()
    peer.expect(GREETING)
    peer.send("04 77 04 04 04")
    assert peer.read_to_the_end().hex(" ") == "81 04 82 77"
    peer.sock.close()
    goal.meet().expect(GREETING)


def test_a_truncated_command_is_never_carried_out(
    stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    simulator, goal = stage.set_up()
    peer = goal.meet()
    peer.expect(GREETING)
    peer.send("01 00000020 000000")
    peer.sock.close()
    goal.meet().expect(GREETING)
    assert "connection ended inside a GoTo event, 8 of 9 bytes" in caplog.text
    assert simulator.wait_for(lambda: simulator.world.room == 16)


def test_a_second_client_is_refused_and_the_first_goes_on(stage: Stage) -> None:
    _, goal = stage.set_up(Role.LISTEN)
    peer = goal.meet()
    peer.expect(GREETING)
    assert goal.meet().read_to_the_end() == b""
    peer.send("04")
    peer.expect("81 04")


def test_a_client_that_comes_back_at_once_is_not_a_second_one(stage: Stage) -> None:
    _, goal = stage.set_up(Role.LISTEN)
    for _ in range(20):
        peer = goal.meet()
        peer.expect(GREETING)
        peer.sock.close()


@both_roles
def test_a_lost_link_stops_the_nao(stage: Stage, role: Role) -> None:
    simulator, goal = stage.set_up(role, settings=SLOW)
    peer = goal.meet()
    peer.expect(GREETING)
    peer.send("01 00000020 00000000 03")
    peer.expect("8F 00000001")
    peer.sock.close()
    assert simulator.wait_for(lambda: simulator.world.state == 0)
    peer = goal.meet()
    peer.expect(GREETING)
    peer.send("04")
    peer.expect("81 04")  # neither the walk nor the PutDown is reported any more


def test_a_reset_connection_is_a_lost_link(stage: Stage) -> None:
    _, goal = stage.set_up()
    peer = goal.meet()
    peer.expect(GREETING)
    linger_zero = b"\1\0\0\0\0\0\0\0"  # closing resets
    peer.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger_zero)
    peer.sock.close()
    goal.meet().expect(GREETING)


def test_it_dials_until_goal_is_there(stage: Stage) -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))  # and does not listen yet: connections are refused
        config = SimulatorConfig(port=listener.getsockname()[1], room_map=MAZE, settings=QUICK)
        simulator = Simulator(config)
        simulator.start()
        try:
            assert not simulator.wait_for(lambda: simulator.connected, 0.1)
            listener.listen()
            listener.settimeout(TIMEOUT)
            begun = time.monotonic()
            with listener.accept()[0] as sock:
                Peer(sock).expect(GREETING)
            assert time.monotonic() - begun < 4.0
        finally:
            simulator.close()


def test_a_peer_that_does_not_read_is_left(stage: Stage) -> None:
    simulator, goal = stage.set_up()
    peer = goal.meet()
    peer.expect(GREETING)
    for _ in range(200):  # 18 MB
        simulator.inject("flood")
    assert simulator.wait_for(lambda: simulator.connections >= 2)
    goal.meet().expect(GREETING)


def test_a_port_in_use_is_named(stage: Stage) -> None:
    port = stage.listening_socket().getsockname()[1]
    simulator = Simulator(SimulatorConfig(role=Role.LISTEN, port=port, room_map=MAZE))
    with pytest.raises(SimulatorError, match=f"cannot listen on 127.0.0.1:{port}: it is in use"):
        simulator.start()
    simulator.close()


def test_it_can_be_closed_at_any_time(stage: Stage) -> None:
    Simulator(SimulatorConfig(room_map=MAZE)).close()
    simulator, goal = stage.set_up(Role.LISTEN)
    peer = goal.meet()
    peer.expect(GREETING)
    simulator.close()
    simulator.close()
    assert peer.read_to_the_end() == b""
    assert not simulator.connected
    with pytest.raises(ConnectionRefusedError):
        goal.meet()


# --- faults --------------------------------------------------------------------------------


@both_roles
def test_cut(stage: Stage, role: Role) -> None:
    simulator, goal = stage.set_up(role)
    peer = goal.meet()
    peer.expect(GREETING)
    simulator.inject(Fault.CUT)
    assert peer.read_to_the_end().hex(" ") == "8e 00", "the beginning of an Agent event"
    peer.sock.close()
    begun = time.monotonic()
    goal.meet().expect(GREETING)
    assert time.monotonic() - begun < 4.0


def test_stall(stage: Stage) -> None:
    simulator, goal = stage.set_up(fault_seconds=0.3)
    peer = goal.meet()
    peer.expect(GREETING)
    begun = time.monotonic()
    simulator.inject("stall")
    assert simulator.wait_for(lambda: simulator.stalled)
    peer.send("04")
    peer.expect("81 04")
    assert time.monotonic() - begun >= 0.3


def test_nothing_moves_during_a_stall(stage: Stage) -> None:
    settings = NaoSettings(agent_id=31, speed=5.0, see_rate=0.0)
    simulator, goal = stage.set_up(settings=settings, fault_seconds=0.5)
    peer = goal.meet()
    peer.expect(GREETING)
    peer.send("01 00000020 00000000")
    peer.expect("8F 00000001")
    begun = time.monotonic()
    simulator.inject("stall")
    peer.expect("8F 00000000 81 01 89 00000020")
    assert time.monotonic() - begun >= 0.5 + 0.1, "0.2 s of walking, begun before the stall"


def test_flood(stage: Stage) -> None:
    simulator, goal = stage.set_up()
    peer = goal.meet()
    peer.expect(GREETING)
    simulator.inject("flood")
    peer.expect("8A 00000010 00000000 8A 00000020 00000001" * 5000)
    peer.send("04")
    peer.expect("81 04")


@pytest.mark.parametrize("profile", list(Profile), ids=lambda profile: profile.value)
def test_garbage(stage: Stage, profile: Profile) -> None:
    simulator, goal = stage.set_up(dialect=Dialect(profile))
    peer = goal.meet()
    if profile is Profile.SPEC:
        peer.expect(GREETING)
    else:
        peer.read(3 * 41 + 2 * 41)
    simulator.inject("garbage")
    assert peer.read(64)[0] == 0x7F


@both_roles
def test_restart(stage: Stage, role: Role) -> None:
    simulator, goal = stage.set_up(role, fault_seconds=0.3)
    peer = goal.meet()
    peer.expect(GREETING)
    begun = time.monotonic()
    simulator.inject("restart")
    assert peer.read_to_the_end() == b""
    peer.sock.close()
    if role is Role.LISTEN:
        assert simulator.wait_for(lambda: not simulator.connected)
        with pytest.raises(ConnectionRefusedError):
            goal.meet()
        assert simulator.wait_for(lambda: simulator.listening)
    goal.meet().expect(GREETING)
    assert 0.3 <= time.monotonic() - begun < 4.0


def test_error(stage: Stage) -> None:
    simulator, goal = stage.set_up(settings=SLOW)
    peer = goal.meet()
    peer.expect(GREETING)
    peer.send("01 00000020 00000000")
    peer.expect("8F 00000001")
    simulator.inject("error")
    peer.expect("80")
    peer.send("04 03")
    peer.expect("82 04 82 03")
    peer.sock.close()
    peer = goal.meet()
    peer.expect(GREETING)
    peer.send("04")
    peer.expect("81 04")


def test_a_chosen_fault_happens_once(stage: Stage) -> None:
    _, goal = stage.set_up(faults=("garbage",), fault_after=0.05)
    peer = goal.meet()
    peer.expect(GREETING)
    assert peer.read(64)[0] == 0x7F
    peer.sock.close()
    peer = goal.meet()
    peer.expect(GREETING)
    peer.sock.settimeout(0.2)
    with pytest.raises(TimeoutError):
        peer.read(1)


def test_a_fault_without_a_link_waits_for_one(stage: Stage) -> None:
    simulator, goal = stage.set_up(Role.LISTEN)
    simulator.inject("cut")
    assert goal.meet().read_to_the_end() == bytes.fromhex(GREETING + "8E 00")


def test_an_unknown_fault_is_refused(stage: Stage) -> None:
    simulator, _ = stage.set_up(Role.LISTEN)
    with pytest.raises(ValueError, match=r"unknown fault 'fire', known are cut, stall, .*, error"):
        simulator.inject("fire")


# --- the program ---------------------------------------------------------------------------


class Program:
    """The simulator as a process that dials us."""

    def __init__(self, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "nao_goal_bridge.simulator", *arguments],
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            text=True,
        )

    def end(self) -> tuple[int, str]:
        """Wait for the end; give the exit code and standard error."""
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


def dialling(listener: socket.socket, *arguments: str) -> tuple[Program, Peer]:
    port = listener.getsockname()[1]
    program = Program("--port", str(port), "--see-rate", "0", *arguments)
    try:
        return program, Peer(listener.accept()[0])
    except OSError:
        program.process.kill()
        raise


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_end_the_program_well(listener: socket.socket, number: signal.Signals) -> None:
    program, peer = dialling(listener, "--agent-id", "7", "--ros-args", "-r", "__node:=nao")
    peer.expect("8E 00000007")
    program.process.send_signal(number)
    exit_code, errors = program.end()
    assert exit_code == 0, errors
    assert f"{number.name}: ending" in errors
    assert re.search(r"^\d\d:\d\d:\d\d\.\d{3} INFO +simulator: connected with GOAL", errors, re.M)
    assert "Traceback" not in errors
    peer.sock.close()


def test_exit_ends_the_program(listener: socket.socket) -> None:
    program, peer = dialling(listener, "--sit-time", "0")
    peer.expect("8E 00000001")
    peer.send("00")
    assert peer.read_to_the_end().endswith(b"\x81\x00")
    peer.sock.close()
    exit_code, errors = program.end()
    assert exit_code == 0, errors


def test_sigusr1_makes_the_fault_happen_again(listener: socket.socket) -> None:
    program, peer = dialling(listener, "--fault", "cut", "--fault-after", "0")
    for _ in range(2):
        assert peer.read_to_the_end().endswith(b"\x8e\x00")
        peer.sock.close()
        peer = Peer(listener.accept()[0])
        peer.expect("8E 00000001")
        program.process.send_signal(signal.SIGUSR1)
    assert peer.read_to_the_end().endswith(b"\x8e\x00")
    peer.sock.close()
    program.process.send_signal(signal.SIGINT)
    exit_code, errors = program.end()
    assert exit_code == 0, errors


def test_a_port_in_use_ends_the_program_with_a_sentence(listener: socket.socket) -> None:
    port = str(listener.getsockname()[1])
    exit_code, errors = Program("--role", "listen", "--port", port).end()
    assert exit_code == 1
    assert errors.endswith(f"cannot listen on 127.0.0.1:{port}: it is in use\n")
    assert errors.count("\n") == 1


@pytest.mark.parametrize(
    "arguments,sentence",
    [
        (["--port", "65536"], "argument --port: must be a port from 0 to 65535, not '65536'"),
        (["--port", "0"], "argument --port: 0 is no port to dial"),
        (["--speed", "0"], "argument --speed: must be greater than 0, not '0'"),
        (["--see-rate", "1e9"], "see_rate must be at most 1000, not 1000000000.0"),
        (["--fault", "fire"], "argument --fault: must be of cut, stall"),
        (["--code-width", "2"], "argument --code-width: invalid choice: 2"),
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
