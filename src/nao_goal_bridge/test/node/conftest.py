# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A bridge with a simulated Nao, or with bytes in a Nao's place."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest
from rclpy.executors import SingleThreadedExecutor

from legacy_robots_core.link.tcp import Role
from legacy_robots_msgs.action import NaoGoTo, NaoPickUp, NaoPutDown
from legacy_robots_msgs.msg import LinkState
from legacy_robots_msgs.srv import NaoSetLocation
from legacy_robots_testing.machine import free_port
from legacy_robots_testing.polling import until
from legacy_robots_testing.ros_peer import Goal as RosGoal
from legacy_robots_testing.ros_peer import RosPeer
from legacy_robots_testing.running_node import RunningNode
from nao_goal_bridge.bridge.node import NaoBridge
from nao_goal_bridge.model.room_map import load_room_map
from nao_goal_bridge.protocol import Command, Dialect, Event, encode
from nao_goal_bridge.simulator.nao_settings import NaoSettings
from nao_goal_bridge.simulator.program import Simulator, SimulatorConfig

TIMEOUT = 40.0

SPEC = Dialect()
LIVELY = NaoSettings(speed=20.0, grab_time=0.1, put_down_time=0.1, sit_time=0.05, see_rate=20.0)
FAULT_SECONDS = 2.0
"""How long a robot is away or silent; longer than it may take to answer a Halt."""


class Client:
    """A user of the bridge's actions."""

    def __init__(self, peer: RosPeer) -> None:
        self.peer = peer
        self.link = peer.subscribe(LinkState, "/nao/link_state")

    def wait_for_link(self, state: int = LinkState.CONNECTED, connections: int = 1) -> Any:
        return self.link.wait_for(lambda m: m.state == state and m.connections >= connections)

    def go_to(self, marker_id: int, distance: int = 0) -> RosGoal:
        goal = NaoGoTo.Goal(marker_id=marker_id, distance=distance)
        return self.peer.send_goal(NaoGoTo, "/nao/go_to", goal)

    def pick_up(self, object_id: int) -> RosGoal:
        return self.peer.send_goal(NaoPickUp, "/nao/pick_up", NaoPickUp.Goal(object_id=object_id))

    def set_location(self, room: int | None) -> Any:
        """Set or, with None, clear the room when the robot stands; return the answer."""
        request = NaoSetLocation.Request(known=room is not None, marker_id=room or 0)

        def answered() -> Any:
            answer = self.peer.call(NaoSetLocation, "/nao/set_location", request)
            return None if "may still walk" in answer.message else answer

        return until(answered)

    def put_down(self) -> RosGoal:
        return self.peer.send_goal(NaoPutDown, "/nao/put_down", NaoPutDown.Goal())


class Scene(Client):
    """A running bridge, its simulated Nao and a client."""

    FAULT_SECONDS = FAULT_SECONDS

    def __init__(self, running: RunningNode[NaoBridge], simulator: Simulator, peer: RosPeer):
        super().__init__(peer)
        self.running, self.node, self.simulator = running, running.node, simulator


@contextmanager
def run_bridge(
    settings: NaoSettings = LIVELY,
    dialect: Dialect = SPEC,
    role: str = "listen",
    fault_seconds: float = FAULT_SECONDS,
    executor_type: type[SingleThreadedExecutor] = SingleThreadedExecutor,
    maze: str = "",
    is_there: bool = True,
    **parameters: Any,
) -> Iterator[Scene]:
    """Run a bridge and a simulator, to be started unless it ``is_there``, on a free port."""
    opposite = Role.DIAL if role == "listen" else Role.LISTEN
    port = free_port()
    parameters = {
        "profile": dialect.profile.value,
        "code_width": dialect.code_width,
        "halt_timeout": 1.0,
        "role": role,
        "port": port,
        "room_map": maze,
        **parameters,
    }
    simulator = Simulator(
        SimulatorConfig(
            opposite,
            port=port,
            dialect=dialect,
            room_map=load_room_map(maze),
            settings=settings,
            fault_seconds=fault_seconds,
        )
    )
    with ExitStack() as stack:
        running = RunningNode(NaoBridge, parameters, executor_type)
        stack.callback(simulator.close)
        stack.enter_context(running)
        scene = Scene(running, simulator, stack.enter_context(RosPeer()))
        if is_there:
            simulator.start()
            scene.wait_for_link()
        yield scene


class Robot:
    """A bridge, a client of it, and bytes in the robot's place."""

    def __init__(
        self, running: RunningNode[NaoBridge], client: Client, listener: socket.socket
    ) -> None:
        self.running, self.client = running, client
        self.dialect = SPEC
        self._listener = listener
        self.stream = self._accept()

    def _accept(self) -> socket.socket:
        stream, _ = self._listener.accept()
        stream.settimeout(TIMEOUT)
        return stream

    def connect_anew(self) -> None:
        """End the connection and wait for the next one."""
        self.stream.close()
        self.stream = self._accept()

    def send(self, *events: Event) -> None:
        self.stream.sendall(b"".join(encode(event, self.dialect) for event in events))

    def expect(self, *commands: Command) -> None:
        for command in commands:
            expected = encode(command, self.dialect)
            assert self.stream.recv(len(expected), socket.MSG_WAITALL) == expected

    def expect_nothing(self) -> None:
        """Wait for a while, longer than anything that the bridge does of itself."""
        self.stream.settimeout(1.0)
        with pytest.raises(TimeoutError):
            self.stream.recv(1)
        self.stream.settimeout(TIMEOUT)


@contextmanager
def run_robot(**parameters: Any) -> Iterator[Robot]:
    """Run a bridge and connect to it as a Robot."""
    with ExitStack() as stack:
        listener = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        listener.settimeout(TIMEOUT)
        running = RunningNode(
            NaoBridge,
            {
                "role": "dial",
                "port": listener.getsockname()[1],
                "probe_period": 0.0,
                **parameters,
            },
        )
        stack.enter_context(running)
        client = Client(stack.enter_context(RosPeer()))
        robot = Robot(running, client, listener)
        stack.callback(lambda: robot.stream.close())
        client.wait_for_link()
        yield robot


@pytest.fixture(scope="session")
def robot_with() -> Callable[..., Any]:
    """Return a context manager of a Robot: see run_robot."""
    return run_robot


@pytest.fixture
def robot() -> Iterator[Robot]:
    """Return a Robot that is connected."""
    with run_robot() as robot:
        yield robot


@pytest.fixture(scope="session")
def bridged() -> Callable[..., Any]:
    """Return a context manager of a Scene: see run_bridge."""
    return run_bridge


@pytest.fixture(scope="session")
def client_type() -> type[Client]:
    """The class, for further clients."""
    return Client
