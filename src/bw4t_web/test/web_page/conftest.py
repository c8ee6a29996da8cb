# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The page in browsers, at which people sit."""

from __future__ import annotations

import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bw4t_runner.world_runner import WorldRunner
from bw4t_world import World
from bw4t_world.maps import BlockColor, MapSpec, load_map
from bw4t_world.scenarios import BotSpec, EPartnerSpec, Scenario
from legacy_robots_testing import browser

sys.path.insert(0, str(Path(__file__).parent))

try:
    from page_person import Person
    from selenium import webdriver

    from bw4t_runner.team import InProcessTeam
    from bw4t_web import Settings, WebServer
except ImportError:
    pass  # all tests here are skipped


@pytest.fixture(scope="session")
def two_blocks_map() -> MapSpec:
    """Return the nine rooms with a red and a green block, both in the room next to the start."""
    spec = load_map("nine_rooms")
    inside = {"RoomC2": (BlockColor.GREEN, BlockColor.RED), "RoomC1": (BlockColor.BLUE,)}
    zones = tuple(replace(zone, blocks=inside.get(zone.name, ())) for zone in spec.zones)
    return replace(spec, zones=zones, sequence=(BlockColor.RED, BlockColor.GREEN))


class Line:
    """A TCP connection that can be cut, between a browser and the server."""

    def __init__(self, port: int) -> None:
        self._to = ("127.0.0.1", port)
        self._is_cut = False
        self._flows = threading.Event()
        self._flows.set()
        self._sockets: list[socket.socket] = []
        self._lock = threading.Lock()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}/"
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                with self._lock:
                    if self._is_cut:
                        near.close()
                        continue
                    far = socket.create_connection(self._to)
                    self._sockets += [near, far]
                for pair in ((near, far), (far, near)):
                    threading.Thread(target=self._pass_on, args=pair, daemon=True).start()

    def _pass_on(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                self._flows.wait()
                target.sendall(data)
        for end in (source, target):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def stall(self) -> None:
        """Let nothing through, and keep it: the ends notice nothing."""
        self._flows.clear()

    def flow(self) -> None:
        """Let through what was kept, and all that comes."""
        self._flows.set()

    def cut(self) -> None:
        self._flows.set()
        with self._lock:
            self._is_cut = True
            for end in self._sockets:
                with suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)
                end.close()
            self._sockets.clear()

    def mend(self) -> None:
        with self._lock:
            self._is_cut = False

    def close(self) -> None:
        self._listener.close()
        self.cut()


class Browsers:
    """Browsers, each with a profile of its own, and connections that can be cut."""

    def __init__(self, tmp_path: Path) -> None:
        self._tmp_path = tmp_path
        self._drivers: list[webdriver.Chrome] = []
        self._lines: list[Line] = []

    def line(self, port: int) -> Line:
        self._lines.append(Line(port))
        return self._lines[-1]

    def person(
        self, url: str, *more: str, size: tuple[int, int], connected: str = "Connected"
    ) -> Person:
        """Open a page in a browser of its own; the size is that of its inside."""
        profile = self._tmp_path / f"profile{len(self._drivers)}"
        driver = browser.open_browser(profile, size, *more)
        self._drivers.append(driver)
        return Person(driver, url, connected)

    def check_consoles(self) -> None:
        """Nothing went wrong in any browser, content policies included."""
        for driver in self._drivers:
            faults = [
                entry["message"]
                for entry in driver.get_log("browser")
                # What a browser says about a connection that was cut is no fault of the page.
                if entry["level"] == "SEVERE" and "WebSocket connection" not in entry["message"]
            ]
            assert not faults

    def close(self) -> None:
        for driver in self._drivers:
            driver.quit()
        for line in self._lines:
            line.close()


@pytest.fixture
def browsers(tmp_path: Path) -> Iterator[Browsers]:
    """Give browsers; skip where there are none."""
    if browser.missing():
        pytest.skip(browser.missing())
    made = Browsers(tmp_path)
    yield made
    try:
        made.check_consoles()
    finally:
        made.close()


class Stage:
    """A world with its server, and browsers."""

    def __init__(
        self,
        browsers: Browsers,
        spec: MapSpec,
        *,
        bots: int = 0,
        speed: float = 4.0,
        epartners: int = 0,
        **settings: Any,
    ) -> None:
        scenario = Scenario(
            bots=(BotSpec(amount=bots),), epartners=(EPartnerSpec(amount=epartners),)
        )
        world = World(spec, scenario, seed=1)
        self.runner = WorldRunner(world, InProcessTeam(world) if bots else None, speed=speed)
        self.server = WebServer(self.runner, port=0, settings=Settings(**settings))
        self._browsers = browsers
        self.runner.start()
        self.server.start()

    def line(self) -> Line:
        return self._browsers.line(self.server.port)

    def person(self, url: str = "", *more: str, width: int = 1280, height: int = 720) -> Person:
        """Open the page in a browser of its own; the size is that of its inside."""
        return self._browsers.person(url or self.server.url, *more, size=(width, height))

    def close(self) -> None:
        self.server.close()
        self.runner.close()


@pytest.fixture
def stage(browsers: Browsers) -> Iterator[Callable[..., Stage]]:
    """Return a function that makes a world with browsers."""
    with ExitStack() as stack:
        yield lambda *args, **options: stack.enter_context(
            closing(Stage(browsers, *args, **options))
        )


@pytest.fixture
def study(tmp_path: Path, browsers: Browsers) -> Iterator[Callable[..., Any]]:
    """Return a function that serves an experiment with people."""
    pytest.importorskip("yaml")
    pytest.importorskip("bw4t_study")
    from page_study import Study

    with ExitStack() as stack:
        yield lambda **options: stack.enter_context(closing(Study(tmp_path, browsers, **options)))
