# SPDX-License-Identifier: Apache-2.0
"""The web application of the blocks world's page."""

from __future__ import annotations

from pathlib import Path

from aiohttp import web

from bw4t_bridge.web.hub import Hub, Settings
from bw4t_bridge.web.world_port import WorldPort
from legacy_robots_common.web import page_app
from legacy_robots_common.web.app import ProblemReporter, log_problem

STATIC = Path(__file__).parent / "static"


def make_app(
    host: WorldPort,
    settings: Settings | None = None,
    on_problem: ProblemReporter = log_problem,
) -> web.Application:
    """Return the application of a world, a :class:`bw4t_bridge.host.WorldHost`.

    It answers only to pages that it served itself under a loopback name; bind it to loopback.
    """
    return page_app(lambda: Hub(host, settings or Settings()), STATIC, on_problem=on_problem)
