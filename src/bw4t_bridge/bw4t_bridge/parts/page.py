# SPDX-License-Identifier: Apache-2.0
"""The page for people in the server's world."""

from __future__ import annotations

from bw4t_bridge.bridge.server_parts import ServerContext
from bw4t_bridge.web import Settings, WebServer
from legacy_robots_common.node.parts import NodePart
from legacy_robots_common.node.program_node import StartupError


class Page(NodePart):
    """Serves the page, as the parameters say. Raises StartupError."""

    def __init__(self, context: ServerContext) -> None:
        node, p = context.node, context.settings
        settings = Settings(control=p.control, wait_for_people=p.wait_for_people)
        self.server = WebServer(
            context.runner, port=p.web_port, settings=settings, on_problem=node.on_problem
        )
        try:
            self.server.start()
        except OSError as error:
            text = f"the page cannot be served on port {p.web_port}: {error}"
            raise StartupError(text) from error
        node.get_logger().info(f"the page for people is at {self.server.url}")

    def diagnostics(self) -> dict[str, str]:
        """Return its address."""
        return {"page": self.server.url}

    def close(self) -> None:
        """End it. Idempotent."""
        self.server.close()
