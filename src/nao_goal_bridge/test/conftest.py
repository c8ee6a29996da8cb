# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A simulated Nao for tests: its world without a link, and its simulator with a peer."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from legacy_robots_core.link.tcp import Role
from nao_goal_bridge.model.room_map import load_room_map
from nao_goal_bridge.protocol import Command, Event, See
from nao_goal_bridge.simulator.nao_settings import NaoSettings
from nao_goal_bridge.simulator.program import Simulator, SimulatorConfig
from nao_goal_bridge.simulator.world import NaoWorld

if find_spec("rclpy") is None:  # installed by pip, without ROS
    collect_ignore = ["node", "host", "test_occupancy.py"]

TIMEOUT = 40.0

MAZE = load_room_map(Path(__file__).with_name("maze.yaml"))
QUICK = NaoSettings(
    agent_id=31, speed=100.0, see_rate=0.0, grab_time=0.01, put_down_time=0.01, sit_time=0.01
)
SLOW = NaoSettings(agent_id=31, speed=0.001, see_rate=0.0, grab_time=600.0)

GREETING = "8E 0000001F 89 00000010 8F 00000000 8A 00000010 00000000 8A 00000020 00000001"


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
        """Return the next connection."""
        sock = self._connect()
        self._peers.append(sock)
        return Peer(sock)

    def close(self) -> None:
        for sock in self._peers:
            sock.close()


class Stage:
    """Starts simulators and peers, and ends them."""

    MAZE = MAZE
    QUICK = QUICK
    SLOW = SLOW
    GREETING = GREETING
    TIMEOUT = TIMEOUT

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


@pytest.fixture(scope="session")
def peer_type() -> type[Peer]:
    """The class, for connections that no stage has made."""
    return Peer


@pytest.fixture(params=list(Role), ids=lambda role: role.value)
def role(request: pytest.FixtureRequest) -> Role:
    """The end of the connection that the simulator is: a test that asks runs for both."""
    return request.param


# --- the world without a link --------------------------------------------------------------

# Two rooms a second, one second for each move of the hands, markers only when the Nao moved.
SETTINGS: dict[str, Any] = {
    "speed": 2.0, "see_rate": 0.0, "grab_time": 1.0, "put_down_time": 1.0, "sit_time": 1.0,
}  # fmt: skip
SHIPPED_MAZE = load_room_map()


def make_world(seed: int = 0, **settings: Any) -> NaoWorld:
    """A world without a link."""
    return NaoWorld(SHIPPED_MAZE, seed, NaoSettings(**{**SETTINGS, **settings}))


def make_connected(seed: int = 0, **settings: Any) -> NaoWorld:
    """A world whose greeting was read."""
    nao = make_world(seed, **settings)
    nao.connect()
    return nao


def without_sightings(events: list[Event]) -> list[Event]:
    """Everything but the sightings."""
    return [event for event in events if not isinstance(event, See)]


def run_commands(nao: NaoWorld, *commands: Command) -> list[Event]:
    """Give commands one after the other, each when the one before is over."""
    events: list[Event] = []
    for command in commands:
        events += nao.command(command) + nao.step(60.0)
    return without_sightings(events)


@pytest.fixture(scope="session")
def world() -> Callable[..., NaoWorld]:
    """Return a function that makes a world: see make_world."""
    return make_world


@pytest.fixture(scope="session")
def connected() -> Callable[..., NaoWorld]:
    """Return a function that makes a world with a link: see make_connected."""
    return make_connected


@pytest.fixture(scope="session")
def unseen() -> Callable[[list[Event]], list[Event]]:
    """Return a function that leaves out the sightings."""
    return without_sightings


@pytest.fixture(scope="session")
def run() -> Callable[..., list[Event]]:
    """Return a function that gives commands: see run_commands."""
    return run_commands
