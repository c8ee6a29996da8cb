# SPDX-License-Identifier: Apache-2.0
"""The page's server on a thread of its own."""

from __future__ import annotations

from bw4t_bridge.web.app import make_app
from bw4t_bridge.web.hub import Settings
from bw4t_bridge.web.world_port import WorldPort
from legacy_robots_common.web import ServerThread
from legacy_robots_common.web.app import ProblemReporter, log_problem


class WebServer(ServerThread):
    """Serves the page of a world to the browsers of this machine.

    ``port`` 0 takes a free port, which :attr:`url` tells after :meth:`start`. ``on_problem`` gets
    exceptions of the page, after which it goes on. Close the server before the world's host, or
    the robots of people are not freed.
    """

    def __init__(
        self,
        host: WorldPort,
        *,
        port: int = 8090,
        settings: Settings | None = None,
        on_problem: ProblemReporter = log_problem,
    ) -> None:
        super().__init__(
            lambda: make_app(host, settings, on_problem), port=port, on_problem=on_problem
        )
