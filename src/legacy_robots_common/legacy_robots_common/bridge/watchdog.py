# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Ends bridges that hear nothing: they publish, but answer no call of ``~/get_state``.

What a killed process leaves in Fast DDS's shared memory can do that to another one, see
docs/reliability.md. A launch with ``respawn:=true`` starts this node, and starts a bridge again
that it has ended.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from lifecycle_msgs.srv import GetState

from legacy_robots_common.bridge.diagnostics import HOST, PROCESS_ID
from legacy_robots_common.node import qos
from legacy_robots_common.node.main import run
from legacy_robots_common.node.parameters import declare_parameters, parameter
from legacy_robots_common.node.program_node import ProgramNode


@dataclass(frozen=True)
class Parameters:
    """Those of the node ``watchdog``."""

    period: float = parameter(
        5.0, "seconds between two calls of a bridge, each of which has so long", minimum=0.1
    )
    unanswered: int = parameter(
        4, "calls without an answer, in a row, after which a bridge is ended", minimum=2
    )


class _Watched:
    """A bridge: its process, and the calls that it has not answered."""

    def __init__(self, node: ProgramNode, name: str, pid: int) -> None:
        self.name, self.pid = name, pid
        self.heard = time.monotonic()
        self.unanswered = 0
        self._node = node
        self._client = node.create_client(GetState, f"/{name}/get_state")
        self._call: Any = None

    def forget(self) -> None:
        """Call it no more."""
        self._node.destroy_client(self._client)

    def look(self) -> None:
        """Count the last call if it was not answered, and call again."""
        if self._call is not None:
            answered = self._call.done()
            self.unanswered = 0 if answered else self.unanswered + 1
            self._client.remove_pending_request(self._call)
        self._call = None
        if self._client.service_is_ready():
            self._call = self._client.call_async(GetState.Request())


class Watchdog(ProgramNode):
    """Calls each bridge in its namespace that the same launch has started; ends the deaf ones."""

    def __init__(self, **node_arguments: Any) -> None:
        super().__init__("watchdog", **node_arguments)
        self._settings = declare_parameters(self, Parameters)
        self._watched: dict[str, _Watched] = {}
        self._ending: list[int] = []
        self._host = socket.gethostname()
        self._prefix = f"{self.get_namespace()}/".lstrip("/")
        self.create_subscription(
            DiagnosticArray, "/diagnostics", self._on_diagnostics, qos.stream(100)
        )
        self._publisher = qos.publisher(self, DiagnosticArray, "/diagnostics", qos.stream())
        self.steady_timer(self._settings.period, self._look)

    def _on_diagnostics(self, message: DiagnosticArray) -> None:
        for status in message.status:
            values = {value.key: value.value for value in status.values}
            if not status.name.startswith(self._prefix):
                continue
            if values.get(HOST) != self._host or not values.get(PROCESS_ID, "").isdecimal():
                continue
            pid = int(values[PROCESS_ID])
            known = self._watched.get(status.name)
            if known is not None and known.pid == pid:
                known.heard = time.monotonic()
            elif _parent(pid) == os.getppid():
                if known is not None:
                    known.forget()
                self._watched[status.name] = _Watched(self, status.name, pid)

    def _look(self) -> None:
        while self._ending:
            pid = self._ending.pop()
            if _parent(pid) == os.getppid():  # it is not another program's by now
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
        deaf = []
        for watched in self._watched.values():
            watched.look()
            talks = time.monotonic() - watched.heard < self._settings.period
            if not talks:
                watched.unanswered = 0  # stopped or ended: that is not what is looked for here
            if watched.unanswered >= self._settings.unanswered:
                deaf.append(watched)
        for watched in deaf:
            self._end(watched)

    def _end(self, watched: _Watched) -> None:
        text = (
            f"{watched.name} hears nothing: {watched.unanswered} calls of get_state without an "
            f"answer; its process {watched.pid} is ended"
        )
        self.get_logger().error(text)
        message = DiagnosticArray()
        message.header.stamp = self.stamp()
        status = DiagnosticStatus(level=DiagnosticStatus.ERROR, name=watched.name, message=text)
        message.status.append(status)
        self._publisher.publish(message)
        for name in [n for n, other in self._watched.items() if other.pid == watched.pid]:
            self._watched.pop(name).forget()
        with suppress(ProcessLookupError):
            os.kill(watched.pid, signal.SIGTERM)
            self._ending.append(watched.pid)


def _parent(pid: int) -> int:
    """Return the parent of a process; 0 where there is no such process."""
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1])
    except OSError:
        return 0


def main() -> None:
    """Run the node until a signal."""
    sys.exit(run(Watchdog, Parameters))
