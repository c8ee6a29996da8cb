# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A host between bytes in an agent's place and a navigation in a robot's place."""

from __future__ import annotations

import math
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from geometry_msgs.msg import TransformStamped
from nav2_msgs.action import NavigateToPose
from rclpy.action import ActionServer, CancelResponse, GoalResponse

from legacy_robots_common.frames.transform_broadcaster import TransformBroadcaster
from legacy_robots_common.node.threadsafe_future import ThreadsafeFuture
from legacy_robots_msgs.msg import LinkState
from legacy_robots_testing.polling import until
from legacy_robots_testing.recorder import Recorder
from legacy_robots_testing.ros_peer import RosPeer
from legacy_robots_testing.running_node import RunningNode
from nao_goal_bridge.host.node import NaoHost

TIMEOUT = 40.0


class NavigationGoal:
    """A goal that has arrived; the test decides how it ends."""

    def __init__(self, handle: Any, executor: Any) -> None:
        self.handle = handle
        self.end: ThreadsafeFuture[str] = ThreadsafeFuture(executor)
        self.cancelled = threading.Event()

    @property
    def place(self) -> tuple[str, float, float, float]:
        """Frame, x, y (m) and heading (degrees) of its pose."""
        pose = self.handle.request.pose
        at, turn = pose.pose.position, pose.pose.orientation
        yaw = math.degrees(2.0 * math.atan2(turn.z, turn.w))
        return pose.header.frame_id, at.x, at.y, round(yaw)


class Robot:
    """An action server and a pose on /tf, both moved by the test."""

    def __init__(self, peer: RosPeer, action_type: Any, name: str) -> None:
        self._peer = peer
        self.goals: Recorder[NavigationGoal] = Recorder(name)
        self.seen: list[NavigationGoal] = []
        self.accepts = self.cancels = True
        self.x, self.y = 0.0, 0.0
        self.broadcasts, self.clock_runs = True, True
        self._by_id: dict[bytes, NavigationGoal] = {}
        self._action_type = action_type
        self.server = peer.on_executor(
            lambda: ActionServer(
                peer.node, action_type, name, self._execute,
                goal_callback=lambda _: self._answer(),
                cancel_callback=self._on_cancel,
            )
        )  # fmt: skip

    def _answer(self) -> GoalResponse:
        return GoalResponse.ACCEPT if self.accepts else GoalResponse.REJECT

    async def _execute(self, handle: Any) -> Any:
        goal = NavigationGoal(handle, self._peer.node.executor)
        self._by_id[bytes(handle.goal_id.uuid)] = goal
        self.goals.add(goal)
        self.seen.append(goal)
        getattr(handle, await goal.end)()
        return self._action_type.Result()

    async def _on_cancel(self, handle: Any) -> CancelResponse:
        goal = self._by_id[bytes(handle.goal_id.uuid)]
        goal.cancelled.set()
        if self.cancels is None:  # it never answers
            await ThreadsafeFuture(self._peer.node.executor)
        return CancelResponse.ACCEPT if self.cancels else CancelResponse.REJECT

    def next_goal(self) -> NavigationGoal:
        """Return the goal that comes next."""
        goal = self.goals.wait_for()
        self.goals.clear()
        return goal

    def destroy(self) -> None:
        """Take the server from the graph."""
        self._peer.on_executor(self.server.destroy)


class Agent:
    """GOAL's end of one connection: bytes as hexadecimal digits, or as bits of them."""

    def __init__(self, stream: socket.socket, *, in_bits: bool = False) -> None:
        stream.settimeout(TIMEOUT)
        self.stream, self._in_bits = stream, in_bits

    def _wire(self, text: str, ending: str) -> bytes:
        data = bytes.fromhex(text)
        if self._in_bits:
            return "".join(f"{byte:08b}" for byte in data).encode() + ending.encode()
        return data

    def send(self, *events: str) -> None:
        for event in events:
            self.stream.sendall(self._wire(event, ""))

    def expect(self, *events: str) -> None:
        for event in events:
            expected = self._wire(event, "\n")
            got = self.stream.recv(len(expected), socket.MSG_WAITALL)
            assert got == expected, f"{got!r} ({got.hex(' ')}) is not {event}"

    def expect_end(self) -> None:
        assert self.stream.recv(1) == b""

    def close(self) -> None:
        self.stream.close()


class Scene:
    """A running host with its two ends."""

    def __init__(self, running: RunningNode[NaoHost], peer: RosPeer, robot: Robot, meet: Any):
        self.running, self.node, self.peer, self.robot, self._meet = (
            running, running.node, peer, robot, meet,
        )  # fmt: skip
        self.link = peer.subscribe(LinkState, "/nao_host/link_state")

    def meet(self, *, in_bits: bool = False) -> Agent:
        """Return the next connection of an agent."""
        return Agent(self._meet(), in_bits=in_bits)

    def greeted(self) -> Agent:
        """Return the next connection, in profile spec, from which the greeting was read."""
        agent = self.meet()
        agent.expect(*GREETING)
        return agent


GREETING = (
    "8E 00000007", "89 00000010", "8F 00000000", "8A 00000010 00000000", "8A 00000020 00000001",
)  # fmt: skip


@contextmanager
def run_host(
    map_file: Path,
    role: str = "dial",
    action_type: Any = NavigateToPose,
    port: int = 0,
    **parameters: Any,
) -> Iterator[Scene]:
    """Run a host whose robot stands in room 16 and sees markers only when the room changes.

    The agent is the test, or what listens on ``port``.
    """
    with ExitStack() as stack:
        peer = stack.enter_context(RosPeer("robot"))
        robot = Robot(peer, action_type, "/nao_host/navigate_to_pose")
        transforms = TransformBroadcaster(peer.node)

        def broadcast() -> None:
            transform = TransformStamped(child_frame_id="base_link")
            transform.header.frame_id = "map"
            transform.transform.translation.x = robot.x
            transform.transform.translation.y = robot.y
            transform.transform.rotation.w = 1.0
            if robot.clock_runs:
                robot.stamp = peer.node.stamp()
            transform.header.stamp = robot.stamp
            if robot.broadcasts:
                transforms.send([transform])

        peer.on_executor(peer.node.steady_timer, 0.02, broadcast)
        listener = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        port = port or listener.getsockname()[1]
        listener.settimeout(TIMEOUT)
        if role == "listen":
            listener.close()
        given = {
            "role": role,
            "port": port,
            "agent_id": 7,
            "room_map": str(map_file),
            "see_rate": 0.0,
            "pose_timeout": 60.0,
            "sight_range": 50.0,
            "server_timeout": TIMEOUT,
            **parameters,
        }
        running = RunningNode(NaoHost, given)
        stack.callback(running.__exit__)
        seen = running.node._body.senses

        def meet() -> socket.socket:
            if role == "dial":
                return stack.enter_context(listener.accept()[0])
            link = scene.link.wait_for(lambda m: "waiting for a connection" in m.detail)
            scene.link.clear()
            assert link.peer
            return stack.enter_context(socket.create_connection(("127.0.0.1", port), TIMEOUT))

        until(lambda: seen.room is not None, "the host hears no /tf", TIMEOUT)
        scene = Scene(running, peer, robot, meet)
        yield scene


@pytest.fixture
def map_file() -> Path:
    return Path(__file__).parents[1] / "maze.yaml"


@pytest.fixture
def hosted(map_file: Path) -> Callable[..., Any]:
    """Return a context manager of a Scene: see run_host."""
    return lambda *arguments, **parameters: run_host(map_file, *arguments, **parameters)


@pytest.fixture
def robot_type() -> type[Robot]:
    """The class, for further action servers."""
    return Robot
