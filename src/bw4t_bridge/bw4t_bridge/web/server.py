# SPDX-License-Identifier: Apache-2.0
"""The web application of the blocks world's page, and its server on a thread of its own."""

from __future__ import annotations

from pathlib import Path

from aiohttp import web

from bw4t_bridge.runner.world_runner import WorldRunner
from bw4t_bridge.web.hub import Hub
from bw4t_bridge.web.settings import Settings
from legacy_robots_common.web import ServerThread, page_app
from legacy_robots_common.web.app import ProblemReporter, log_problem

STATIC = Path(__file__).parent / "static"


def make_app(
    runner: WorldRunner,
    settings: Settings | None = None,
    on_problem: ProblemReporter = log_problem,
) -> web.Application:
    """Return the application of a world, a :class:`bw4t_bridge.runner.world_runner.WorldRunner`.

    It answers only to pages that it served itself under a loopback name; bind it to loopback.
    """
    return page_app(lambda: Hub(runner, settings or Settings()), STATIC, on_problem=on_problem)


class WebServer(ServerThread):
    """Serves the page of a world to the browsers of this machine.

    ``port`` 0 takes a free port, which :attr:`url` tells after :meth:`start`. ``on_problem`` gets
    exceptions of the page, after which it goes on. Close the server before the world's runner, or
    the robots of people are not freed.
    """

    def __init__(
        self,
        runner: WorldRunner,
        *,
        port: int = 8090,
        settings: Settings | None = None,
        on_problem: ProblemReporter = log_problem,
    ) -> None:
        super().__init__(
            lambda: make_app(runner, settings, on_problem), port=port, on_problem=on_problem
        )
