# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Our world behind the RMI interface of a BW4T server, for unchanged BW4T clients."""

from __future__ import annotations

from collections.abc import Callable

from bw4t_java.eis.server import EisServer
from bw4t_java.jvm import JavaProgram
from legacy_robots_core.link.base import LinkObserver, LinkState, LinkStatus


class RmiServer(LinkObserver):
    """Serves the clients of a user's BW4T jar.

    ``address`` is the one that it binds to and that clients are told; ``on_status`` gets
    sentences about how it is. The clients' requests go through ``server``.
    """

    def __init__(
        self,
        server: EisServer,
        *,
        jars: str,
        address: str,
        port: int,
        on_status: Callable[[bool, str], None],
    ) -> None:
        self._report = on_status
        self.status = "starting"
        self._program = JavaProgram(
            "RmiServer",
            jars,
            [address, str(port), str(server.port)],
            peer=f"rmi://{address}:{port}/BW4TServer",
            observer=self,
        )

    def start(self) -> None:
        """Begin to serve. Returns at once."""
        self._program.start()

    def close(self) -> None:
        """End it. Idempotent."""
        self._program.close()

    def on_status(self, status: LinkStatus) -> None:
        """Report how the Java program is."""
        is_up = status.state is LinkState.CONNECTED
        self.status = status.peer if is_up else status.detail
        if status.state is not LinkState.DISCONNECTED:
            self._report(is_up, f"{status.peer}: {status.detail}")
