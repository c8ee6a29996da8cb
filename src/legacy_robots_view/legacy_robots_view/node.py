# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The view: one node that looks at all systems for a page in the browser."""

from __future__ import annotations

import ipaddress
import sys
import time
from pathlib import Path
from typing import Any

from legacy_robots_common.node.main import run
from legacy_robots_common.node.parameters import declare_parameters
from legacy_robots_common.node.program_node import ProgramNode, StartupError
from legacy_robots_view.hub import ViewHub
from legacy_robots_view.pictures import StatePicture
from legacy_robots_view.systems import kinds
from legacy_robots_view.view_parameters import Parameters
from legacy_robots_view.watch import Watch
from legacy_robots_web import ServerThread, is_address, names_loopback, page_app

STATIC = Path(__file__).parent / "static"

NO_BROWSER_TIMEOUT_S = 2.0
"""Seconds for which it goes on after the last browser has gone: pages are loaded again."""


class View(ProgramNode):
    """Serves the page, and watches the systems while a browser shows it.

    Systems are watched on the executor, browsers are served on a thread of their own; states go
    from the one to the other. Raises ParameterError, or StartupError for an address or port that
    cannot be used.
    """

    def __init__(self, **node_arguments: Any) -> None:
        super().__init__("view", **node_arguments)
        self._settings = p = declare_parameters(self, Parameters)
        self._kinds = kinds(p)
        self._watch: Watch | None = None
        self._browsers = 0
        self._number = 0
        self._unwatched_since = 0.0
        self._news = self.create_guard_condition(self._on_browsers)
        self._timer = self.steady_timer(1.0 / p.rate, self._show)
        self._timer.cancel()
        self._hub = ViewHub(self._count_browsers)
        is_loopback = _is_loopback(p.host)
        self._server = ServerThread(
            lambda: page_app(
                lambda: self._hub,
                STATIC,
                names_loopback if is_loopback else is_address,
                requests_per_second=2.0 * p.rate + 10.0,
                files={f"/kinds/{kind.name}.js": kind.script for kind in self._kinds},
            ),
            port=p.port,
            address=p.host,
        )
        try:
            self._server.start()
        except OSError as error:
            raise StartupError(
                f"the page cannot be served at {p.host}, port {p.port}: {error}"
            ) from error
        self.get_logger().info(f"the view is at {self.url}")
        if not is_loopback:
            self.get_logger().warning(
                f"host is {p.host}: port {self._server.port} shows the robots to everyone"
            )

    @property
    def url(self) -> str:
        """The page's address."""
        return self._server.url

    def close(self) -> None:
        """End the page. Idempotent."""
        self._server.close()
        self._stop_watching()

    # --- on the web server's thread --------------------------------------------------------

    def _count_browsers(self, browsers: int) -> None:
        self._browsers = browsers
        self._news.trigger()

    # --- on the executor -------------------------------------------------------------------

    def _on_browsers(self) -> None:
        if self._browsers:
            self._unwatched_since = 0.0
            if self._watch is None:
                self._watch = Watch(self, self._settings, self._kinds, time.monotonic())
                self._timer.reset()
        elif self._watch is not None:
            self._unwatched_since = time.monotonic()

    def _show(self) -> None:
        """Read all topics and send their state. A timer calls it while a browser is connected."""
        now = time.monotonic()
        if self._unwatched_since and now - self._unwatched_since > NO_BROWSER_TIMEOUT_S:
            self._stop_watching()
        if self._watch is None:
            return
        for image in self._watch.look(now):
            self._server.call_soon(self._hub.show_image, image)
        self._number += 1
        state = StatePicture(self._number, self._watch.state(now))
        self._server.call_soon(self._hub.show, state)

    def _stop_watching(self) -> None:
        self._timer.cancel()
        if self._watch is not None:
            self._watch.close()
            self._watch = None


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return names_loopback(host)


def main() -> None:
    """Run the view until SIGINT or SIGTERM."""
    sys.exit(run(View, Parameters))
