# SPDX-License-Identifier: Apache-2.0
"""The page in browsers, at which people sit."""

from __future__ import annotations

import re
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bw4t_bridge.host import WorldHost
from bw4t_world import World
from bw4t_world.maps import BlockColor, MapSpec, load_map
from bw4t_world.scenarios import BotSpec, EPartnerSpec, Scenario
from legacy_robots_common.testing import browser

try:
    from selenium import webdriver
    from selenium.common.exceptions import StaleElementReferenceException, TimeoutException
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.ui import WebDriverWait

    from bw4t_bridge.web import Settings, WebServer
    from bw4t_bridge.web.team import InProcessTeam
except ImportError:
    pass  # all tests here are skipped

TIMEOUT_S = 90.0
ROOMS = {
    f"Room{letter}{number}": (5.0 + 10 * number, 15.0 + 20 * row)
    for row, letter in reversed(list(enumerate("ABC")))
    for number in (1, 2, 3)
}
"""The rooms of the map and their centres, those next to the start first."""


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

    @staticmethod
    def _pass_on(source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                target.sendall(data)
        for end in (source, target):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def cut(self) -> None:
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


class Person:
    """A person at a browser."""

    ROOMS = ROOMS

    def __init__(self, driver: webdriver.Chrome, url: str) -> None:
        self.driver = driver
        driver.get(url)
        self.until(lambda: self.text("link") == "Connected")

    # --- Looking ---

    def until(self, holds: Callable[[], Any]) -> Any:
        waiting = WebDriverWait(
            self.driver, TIMEOUT_S, 0.05, ignored_exceptions=[StaleElementReferenceException]
        )
        try:
            return waiting.until(lambda _: holds())
        except TimeoutException:
            shown = {name: self.text(name) for name in ("last", "banner", "log", "choice")}
            raise AssertionError(f"it did not happen: {shown}") from None

    def element(self, selector: str) -> Any:
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def elements(self, selector: str) -> list[Any]:
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def text(self, identifier: str) -> str:
        return str(self.element(f"#{identifier}").text)

    def script(self, text: str, *arguments: Any) -> Any:
        return self.driver.execute_script(text, *arguments)

    def blocks_in_sight(self) -> dict[str, str]:
        """Return colours by block, of those in the room, as the list shows them."""
        buttons = self.elements("#blocks button:not(.faded)")
        return {str(b.get_attribute("data-goto")): b.text.split("\n")[-1] for b in buttons}

    def due(self) -> str:
        """Return the colour that is due."""
        title = self.element("#sequence .due").get_attribute("title")
        match = re.match(r"\d+: (.*), due now", str(title))
        assert match
        return match[1]

    # --- Mouse ---

    def join(self, name: str) -> None:
        self.element("#name").clear()
        self.element("#name").send_keys(name)
        self.element("#join-form button").click()
        self.until(lambda: self.text("me-title").startswith(name))

    def click(self, selector: str) -> None:
        self.element(selector).click()

    def click_map(self, x: float, y: float, *, shift: bool = False) -> None:
        """Click where a point of the map is drawn."""
        place = self.script(
            """const matrix = document.getElementById("map").getScreenCTM();
            const point = new DOMPoint(arguments[0], arguments[1]).matrixTransform(matrix);
            return [point.x, point.y];""",
            x,
            y,
        )
        if shift:
            ActionChains(self.driver).key_down(Keys.SHIFT).perform()
        actions = ActionChains(self.driver)
        actions.w3c_actions.pointer_action.move_to_location(*map(round, place))
        actions.w3c_actions.pointer_action.click()
        actions.perform()
        if shift:
            ActionChains(self.driver).key_up(Keys.SHIFT).perform()

    def click_room(self, room: str) -> None:
        self.click_map(*ROOMS[room])

    def arrives(self, where: str) -> bool:
        self.until(lambda: self.text("last").endswith(f"Arrived at {where}."))
        return True

    # --- Keys ---

    def press(self, *keys: str) -> None:
        ActionChains(self.driver).send_keys(*keys).perform()

    def focused(self) -> str:
        return str(self.script("return document.activeElement.id"))

    def tab_to(self, identifier: str) -> None:
        for _ in range(60):
            if self.focused() == identifier:
                return
            self.press(Keys.TAB)
        raise AssertionError(f"the Tab key does not lead to {identifier}")


class Stage:
    """A world with its server, and browsers."""

    def __init__(
        self,
        tmp_path: Path,
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
        self.host = WorldHost(world, InProcessTeam(world) if bots else None, speed=speed)
        self.server = WebServer(self.host, port=0, settings=Settings(**settings))
        self._tmp_path = tmp_path
        self._drivers: list[webdriver.Chrome] = []
        self._lines: list[Line] = []
        self.host.start()
        self.server.start()

    def line(self) -> Line:
        self._lines.append(Line(self.server.port))
        return self._lines[-1]

    def person(self, url: str = "", *more: str, width: int = 1280, height: int = 720) -> Person:
        """Open the page in a browser of its own; the size is that of its inside."""
        profile = self._tmp_path / f"profile{len(self._drivers)}"
        driver = browser.open_browser(profile, (width, height), *more)
        self._drivers.append(driver)
        return Person(driver, url or self.server.url)

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
        self.server.close()
        self.host.close()


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Callable[..., Stage]]:
    """Return a function that makes a world with browsers; skip where there is no browser."""
    if browser.missing():
        pytest.skip(browser.missing())
    stages: list[Stage] = []

    def make(*args: Any, **options: Any) -> Stage:
        stages.append(Stage(tmp_path, *args, **options))
        return stages[-1]

    yield make
    for made in stages:
        try:
            made.check_consoles()
        finally:
            made.close()
