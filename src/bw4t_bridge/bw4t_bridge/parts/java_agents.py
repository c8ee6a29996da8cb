# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Starts the servers for agents in Java (RMI, EIS) that the parameters ask for."""

from __future__ import annotations

from bw4t_bridge.bridge.server_parts import ServerContext
from bw4t_java.eis import EisServer
from bw4t_java.eis.rmi import RmiServer
from bw4t_runner.events import RunnerEvent
from legacy_robots_common.node.parts import NodePart
from legacy_robots_common.node.program_node import StartupError


class JavaAgents(NodePart):
    """Serves agents in Java, as the parameters say. Raises StartupError where it cannot be."""

    def __init__(self, context: ServerContext) -> None:
        node, p = context.node, context.settings
        self._node = node
        self._rmi: RmiServer | None = None
        port = p.eis_port if p.eis else 0
        self._server = EisServer(
            context.runner,
            loaded_map=context.control.loaded_map,
            port=port,
            on_problem=node.on_problem,
        )
        try:
            self._server.start()
        except OSError as error:
            raise StartupError(f"EIS cannot be served on port {port}: {error}") from error
        if p.eis:
            node.get_logger().info(f"agents of EIS connect to 127.0.0.1:{self._server.port}")
        if p.rmi:
            self._rmi = RmiServer(
                self._server,
                jars=p.jars,
                address=p.rmi_address,
                port=p.rmi_port,
                on_status=self._on_status,
            )
            self._rmi.start()

    def close(self) -> None:
        """End it. Idempotent."""
        if self._rmi is not None:
            self._rmi.close()
        self._server.close()

    @property
    def eis_port(self) -> int:
        """Port for agents of EIS."""
        return self._server.port

    def diagnostics(self) -> dict[str, str]:
        """Return how the clients are served."""
        rmi = {"rmi": self._rmi.status} if self._rmi is not None else {}
        return {**rmi, "EIS clients": str(self._server.clients)}

    def on_event(self, event: object) -> None:
        """Notify the clients of pauses and of players that have left. On the runner's thread."""
        if isinstance(event, RunnerEvent):
            self._server.on_runner_event()

    def _on_status(self, is_up: bool, sentence: str) -> None:
        if is_up:
            self._node.get_logger().info(sentence)
        elif not sentence.endswith(": connecting"):
            self._node.on_problem("rmi faults", sentence)
