# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The campaign with the host: an agent of GOAL's kind drives the toy robot, whose pose is true."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import ClassVar

import yaml
from builtin_interfaces.msg import Time
from tf2_msgs.msg import TFMessage

from legacy_robots_common.node import qos
from legacy_robots_testing.process import Process
from legacy_robots_testing.ros_peer import RosPeer
from measure.faults.errands import End, Errand
from measure.faults.observer import Observer, Stream
from measure.faults.system import FREEZE, KILL, STOP, System, becomes_true
from nao_goal_bridge.goal_client import GoalClient, Reply
from nao_goal_bridge.model.room_map import load_room_map
from nao_goal_bridge.protocol.events import Report

ROW = (64, 80, 114, 85, 146)
"""Rooms of the maze that see each other."""
NEAR_M = 0.26
"""How near to the middle of a room the robot is in it: half the way to the next room.

The host takes the nearest room when it sees the robot again. A walk that ended on its way may have
left it there; then a command to go there succeeds at once.
"""


UNKNOWN = "unknown opcode"
"""The agent sends a byte that is no command."""
REDIAL = "redial"
"""The agent ends, and another one listens in its place at once."""


class Reports(Stream):
    """What the agent hears of the robot, stamped when it comes."""

    def __init__(self) -> None:
        super().__init__(None, topic="the agent")  # type: ignore[arg-type]

    def add(self, report: Report) -> None:
        """Note a report. On the agent's thread."""
        now = time.time_ns()
        header = SimpleNamespace(stamp=Time(sec=now // 10**9, nanosec=now % 10**9))
        self._on_message(self.topic, SimpleNamespace(header=header))


class Walk:
    """A command of the agent that is under way on a thread of its own."""

    def __init__(self, agent: GoalClient, marker: int, truth: Callable[[], bool]) -> None:
        self.name = f"go_to {marker}"
        self._reply: Reply | None = None
        self._true = False
        self._truth = truth
        self._thread = threading.Thread(target=self._run, args=(agent, marker), daemon=True)
        self._thread.start()

    def _run(self, agent: GoalClient, marker: int) -> None:
        reply = agent.go_to(marker)
        self._true = not reply.succeeded or self._truth()
        self._reply = reply

    def end(self, timeout: float) -> End:
        """Wait for the robot's reply, or the loss of the link."""
        self._thread.join(timeout)
        reply = self._reply
        if reply is None:
            return End(lost=True, reason=f"{self.name}: no reply")
        return End(
            succeeded=reply.succeeded, false=not self._true, reason=f"{self.name}: {reply.message}"
        )


class NaoHost(System):
    """Walks along the lowest row of the maze."""

    name = "nao_host"
    node = "host"
    simulator = None
    main_stream = ()
    reads_late = 2.0
    faults: ClassVar[Mapping[str, str]] = {
        KILL + "host": "link",
        STOP + "host": "link",
        KILL + "toy_robot": "nothing",
        FREEZE + "toy_robot": "nothing",
        UNKNOWN: "diagnostics",
        REDIAL: "link",
    }
    of_peer = instant = frozenset({UNKNOWN, REDIAL})

    def arguments(self) -> list[str]:
        """Return launch arguments, and have the agent listen."""
        file = self._scratch / "nao_host.yaml"
        file.write_text(yaml.safe_dump({"/**": {"ros__parameters": {"see_rate": 10.0}}}))
        self._port = self._ports()
        self._reports = Reports()
        self._start_agent()
        return ["toy:=true", f"port:={self._port}", f"params_file:={file}"]

    def _start_agent(self) -> None:
        self._agent = GoalClient(port=self._port, on_report=self._reports.add)
        self._agent.__enter__()

    def inject(self, fault: str) -> bool:
        """Have the agent misbehave."""
        if fault not in self.of_peer:
            return False
        if fault == UNKNOWN:
            self._agent._link.send(b"\x77")
        else:
            self._agent.__exit__()
            self._start_agent()
        return True

    def watch(self, peer: RosPeer, observer: Observer, launch: Process) -> list[Stream]:
        """Watch what the agent hears, and where the robot is."""
        self._peer, self._observer, self._launch = peer, observer, launch
        self._rooms = load_room_map().rooms
        self._been: dict[int, float] = {}
        """When the robot was last seen in the middle of a room, on the monotonic clock."""
        peer.subscribe_with(TFMessage, "/tf", self._on_transforms, qos.stream(100))
        return [self._reports]

    def _on_transforms(self, message: TFMessage) -> None:
        for transform in message.transforms:
            if transform.child_frame_id == "base_link":
                at = transform.transform.translation
                for marker in ROW:
                    room = self._rooms[marker]
                    if math.dist((at.x, at.y), (room.x, room.y)) < NEAR_M:
                        self._been[marker] = time.monotonic()

    def under_way(self) -> list[Errand]:
        """Walk two rooms away; a second command waits behind the first."""
        place = self._place()
        away = place + 2 if place < 2 else place - 2
        return [self._go_to(ROW[away]), self._go_to(ROW[place])]

    def proof(self) -> Errand:
        """Walk to the next room."""
        place = self._place()
        return self._go_to(ROW[place + 1 if place < 2 else place - 1])

    def _place(self) -> int:
        if not self._agent.wait_for(lambda: self._agent.location in ROW, 30.0):
            raise TimeoutError("the robot's place is not known")
        assert self._agent.location is not None
        return ROW.index(self._agent.location)

    def _go_to(self, marker: int) -> Walk:
        begun = time.monotonic()
        return Walk(
            self._agent, marker, lambda: becomes_true(lambda: self._been.get(marker, 0.0) >= begun)
        )


SYSTEM = NaoHost
