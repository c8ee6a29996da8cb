# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The page for people in the server's world."""

from __future__ import annotations

from bw4t_bridge.bridge.parameters import Parameters
from bw4t_bridge.bridge.server_parts import ServerContext
from bw4t_web import Settings, WebServer
from bw4t_web.view.others import PersonView
from legacy_robots_common.node.parts import NodePart
from legacy_robots_common.node.program_node import StartupError
from legacy_robots_web import ServerThread
from legacy_robots_web.access import check_origin


def origins_of(p: Parameters) -> tuple[str, ...]:
    """Return the origins that the page is served under; raises StartupError for another text."""
    try:
        return (check_origin(p.web_origin),) if p.web_origin else ()
    except ValueError as error:
        raise StartupError(f"web_origin: {error}") from error


def start_page(server: ServerThread, port: int) -> None:
    """Begin to serve; raises StartupError where the port cannot be used."""
    try:
        server.start()
    except OSError as error:
        raise StartupError(f"the page cannot be served on port {port}: {error}") from error


class Page(NodePart):
    """Serves the page, as the parameters say. Raises StartupError."""

    def __init__(self, context: ServerContext) -> None:
        node, p = context.node, context.settings
        settings = Settings(
            control=p.control,
            wait_for_people=p.wait_for_people,
            view=PersonView(sees=p.sees, free_text=p.free_text),
        )
        self.server = WebServer(
            context.runner,
            port=p.web_port,
            settings=settings,
            on_problem=node.on_problem,
            origins=origins_of(p),
        )
        start_page(self.server, p.web_port)
        node.get_logger().info(f"the page for people is at {self.server.url}")

    def diagnostics(self) -> dict[str, str]:
        """Return its address."""
        return {"page": self.server.url}

    def close(self) -> None:
        """End it. Idempotent."""
        self.server.close()
