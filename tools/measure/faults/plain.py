# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The campaign with clients that share no code with the bridges, and faults of their surroundings.

Goals and calls go through ``plain_client.py``, a program that knows rclpy alone. Beside the
faults of each system, programs are stopped for a while, the simulator's port is taken by a
stranger while it is away, a process with many participants is killed, and the client is stopped.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections import defaultdict
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from typing import Any

from action_msgs.msg import GoalStatus
from rclpy.serialization import deserialize_message, serialize_message

from legacy_robots_testing.process import Process
from legacy_robots_testing.recorder import TIMEOUT, Recorder
from legacy_robots_testing.ros_peer import RosPeer, wait
from measure.faults import plain_client
from measure.faults.observer import Observer, Stream
from measure.faults.system import FREEZE, FREEZE_SECONDS, KILL, System

PORT = "port taken"
"""The fault in which the simulator is killed, and a stranger listens at its port meanwhile."""
PARTICIPANTS = f"{KILL}12 participants"
SLOW_CLIENT = f"{FREEZE}client"
STRANGERS = """
import rclpy
from diagnostic_msgs.msg import DiagnosticArray

def join(number):
    context = rclpy.Context()
    rclpy.init(context=context)
    node = rclpy.create_node(f"stranger_{number}", context=context)
    node.create_subscription(DiagnosticArray, "/diagnostics", print, 10)
    return node

nodes = [join(number) for number in range(12)]
print("all there", flush=True)
input()
"""


class PlainGoal:
    """A goal that was accepted, as legacy_robots_testing.ros_peer.Goal."""

    def __init__(self, kind: type[Any], goal_id: bytes, cancel: Callable[[], None]) -> None:
        self.id = goal_id
        self.ended: Future[Any] = Future()
        self.settled: Future[bool] = Future()
        self._kind = kind
        self._cancel = cancel

    def end(self, timeout: float) -> Any:
        """Wait for the end. Raises TimeoutError, also where an answer was dropped."""
        answer = wait(self.ended, "goal", timeout)
        answered = wait(self.settled, "goal", timeout)
        if not answered and answer.status != GoalStatus.STATUS_UNKNOWN:
            raise TimeoutError("the first request of the result was not answered")
        return answer

    def cancel(self, timeout: float) -> None:
        """Ask to cancel it."""
        self._cancel()


class PlainPeer(RosPeer):
    """Watches by a node of ours; goals and calls go through a program that knows rclpy alone."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._numbers = iter(range(10**9))
        self._events: dict[int, Recorder[dict[str, Any]]] = defaultdict(lambda: Recorder("order"))
        self._on_event: dict[tuple[int, str], Callable[[dict[str, Any]], None]] = {}
        self._process = subprocess.Popen(
            [sys.executable, plain_client.__file__, f"{name}_plain"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True,
        )  # fmt: skip
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == "ready\n"
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __exit__(self, *exception: object) -> None:
        """End the program, leave the graph."""
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):
            self._process.stdin.close()
        self._process.wait(TIMEOUT)
        super().__exit__()

    def freeze(self) -> None:
        """Stop the program for FREEZE_SECONDS."""
        self._process.send_signal(signal.SIGSTOP)
        threading.Timer(FREEZE_SECONDS, self._process.send_signal, [signal.SIGCONT]).start()

    def send_goal(
        self, action_type: type[Any], name: str, goal: Any, timeout: float = TIMEOUT
    ) -> Any:
        """As RosPeer."""
        number = next(self._numbers)
        plain = PlainGoal(action_type, b"", lambda: self._tell(cancel=number))

        def ended(event: dict[str, Any]) -> None:
            kind = action_type.Impl.GetResultService.Response
            plain.ended.set_result(deserialize_message(bytes.fromhex(event["message"]), kind))

        self._on_event[number, "ended"] = ended
        self._on_event[number, "settled"] = lambda event: plain.settled.set_result(
            event["answered"]
        )
        self._order(number, action_type, name, goal)
        answer = self._events[number].wait_for(timeout=timeout)
        assert answer["event"] == "accepted", f"{name} rejected {goal}"
        plain.id = bytes.fromhex(answer["id"])
        return plain

    def call_later(
        self,
        service_type: type[Any],
        name: str,
        request: Any | None = None,
        timeout: float = TIMEOUT,
    ) -> Any:
        """As RosPeer."""
        number, future = next(self._numbers), Future()  # type: ignore[var-annotated]

        def ended(event: dict[str, Any]) -> None:
            data = bytes.fromhex(event["message"])
            future.set_result(deserialize_message(data, service_type.Response))

        self._on_event[number, "ended"] = ended
        self._order(number, service_type, name, request or service_type.Request())
        try:
            self._events[number].wait_for(timeout=timeout)
        except TimeoutError:
            self._tell(cancel=number)
            raise
        return future

    def _order(self, number: int, kind: type[Any], name: str, message: Any) -> None:
        package, folder, *_ = kind.__module__.split(".")
        self._tell(
            number=number, kind=f"{package}/{folder}/{kind.__name__}", name=name,
            message=serialize_message(message).hex(),
        )  # fmt: skip

    def _tell(self, **order: Any) -> None:
        assert self._process.stdin is not None
        print(json.dumps(order), file=self._process.stdin, flush=True)

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            event = json.loads(line)
            if act := self._on_event.pop((event["number"], event["event"]), None):
                act(event)
            self._events[event["number"]].add(event)


def plain_of(kind: type[System]) -> type[System]:
    """Return a system of the campaign with the faults of its surroundings too."""
    more = {f"{FREEZE}{kind.process or kind.node}": "silence"}
    more |= {PARTICIPANTS: "nothing", SLOW_CLIENT: "nothing"}
    if kind.simulator is not None:
        more[f"{FREEZE}{kind.simulator}"] = "silence"
    if kind.simulator == "simulator":  # the others have no port
        more[PORT] = "link"

    class Plain(kind):  # type: ignore[valid-type, misc]
        peer = PlainPeer
        faults = {**kind.faults, **more}  # noqa: RUF012
        of_peer = kind.of_peer | {PORT, PARTICIPANTS, SLOW_CLIENT}

        def arguments(self) -> list[str]:
            given: list[str] = super().arguments()
            named = dict(argument.split(":=", 1) for argument in given)
            self._port = int(named.get("port", 0))
            return given

        def watch(self, peer: RosPeer, observer: Observer, launch: Process) -> list[Stream]:
            self._plain = peer
            streams: list[Stream] = super().watch(peer, observer, launch)
            return streams

        def lasting(self, fault: str) -> float:
            own = (PORT, SLOW_CLIENT)
            return FREEZE_SECONDS if fault in own else float(super().lasting(fault))

        def inject(self, fault: str) -> bool:
            if fault == SLOW_CLIENT:
                assert isinstance(self._plain, PlainPeer)
                self._plain.freeze()
            elif fault == PARTICIPANTS:
                _kill_strangers()
            elif fault == PORT:
                pid = [pid for name, pid in self._launch.started() if name == kind.simulator][-1]
                threading.Thread(target=_take_port, args=(pid, self._port)).start()
            else:
                return bool(super().inject(fault))
            return True

    Plain.__name__ = kind.__name__
    return Plain


def _take_port(pid: int, port: int) -> None:
    """Kill a process that listens at a port, and listen there for FREEZE_SECONDS."""
    held = []
    over = threading.Event()
    with socket.socket() as server:
        server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        os.kill(pid, signal.SIGKILL)
        while True:
            try:
                server.bind(("127.0.0.1", port))
                break
            except OSError:
                over.wait(0.01)
        server.listen()
        server.settimeout(0.1)
        threading.Timer(FREEZE_SECONDS, over.set).start()
        while not over.is_set():
            with suppress(TimeoutError):
                held.append(server.accept()[0])
    for connection in held:
        connection.close()


def _kill_strangers() -> None:
    """Have a process with many participants join, and kill it."""
    with subprocess.Popen(
        [sys.executable, "-c", STRANGERS],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True,
    ) as strangers:  # fmt: skip
        assert strangers.stdout is not None
        strangers.stdout.readline()
        strangers.kill()
