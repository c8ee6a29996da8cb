# SPDX-License-Identifier: Apache-2.0
"""The page in a browser, used as people use it: with the mouse, and with nothing but keys."""

from __future__ import annotations

import os
import re
import shutil
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("aiohttp")
pytest.importorskip("selenium")

from selenium import webdriver
from selenium.common.exceptions import (
    StaleElementReferenceException,
    TimeoutException,
)
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

from bw4t_bridge.host import WorldHost
from bw4t_bridge.web import Settings, WebServer
from bw4t_bridge.web.team import InProcessTeam
from bw4t_world import World
from bw4t_world.maps import BlockColor, MapSpec, load_map
from bw4t_world.scenarios import BotSpec, EPartnerSpec, Scenario

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
CHROMEDRIVER = shutil.which("chromedriver")

pytestmark = [
    pytest.mark.timeout(240),
    pytest.mark.skipif(
        not (CHROMIUM and CHROMEDRIVER), reason="chromium or chromium-driver is not installed"
    ),
]

PATIENCE = 30.0
SCREENSHOT = "BW4T_PAGE_SCREENSHOT"
"""Environment variable with the file into which the screenshot of the documents is written."""


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
    """Somebody at a browser."""

    def __init__(self, driver: webdriver.Chrome, url: str) -> None:
        self.driver = driver
        driver.get(url)
        self.until(lambda: self.text("link") == "Connected")

    # --- Looking ---

    def until(self, holds: Callable[[], Any]) -> Any:
        waiting = WebDriverWait(
            self.driver, PATIENCE, 0.05, ignored_exceptions=[StaleElementReferenceException]
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
        self.host = WorldHost(world, speed=speed)
        if bots:
            InProcessTeam(self.host, world)
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
        options = webdriver.ChromeOptions()
        options.binary_location = str(CHROMIUM)
        profile = self._tmp_path / f"profile{len(self._drivers)}"
        for argument in (
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--disable-dev-shm-usage",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            f"--user-data-dir={profile}",
            *more,
        ):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        driver = webdriver.Chrome(options=options, service=Service(str(CHROMEDRIVER)))
        self._drivers.append(driver)
        driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False},
        )
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


ROOMS = {
    f"Room{letter}{number}": (5.0 + 10 * number, 15.0 + 20 * row)
    for row, letter in reversed(list(enumerate("ABC")))
    for number in (1, 2, 3)
}
"""The rooms of the map and their centres, those next to the start first."""


def fetch_and_deliver(person: Person) -> str:
    """Look for a block of the colour that is due and bring it to the drop zone, with the mouse.

    Returns the colour.
    """
    due = person.due()
    for room, center in ROOMS.items():
        person.click_map(*center)
        person.arrives(room)
        sight = person.until(
            lambda room=room: person.text("me-at") == f"in {room}" and person.blocks_in_sight()
        )
        fitting = [block for block, color in sight.items() if color.startswith(due)]
        if fitting:
            break
    else:
        raise AssertionError(f"there is no {due} block")
    person.click(f'#map [data-block="{fitting[0]}"]')
    person.arrives(f"block {fitting[0]}")
    person.click('[data-action="pickUp"]')
    person.until(lambda: due in person.element("#me-held").get_attribute("textContent"))
    person.click_map(25, 78)
    person.arrives("DropZone")
    person.click('[data-action="putDown"]')
    person.until(lambda: "delivered" in person.text("last"))
    return due


def test_a_person_joins_fetches_a_block_and_scores(stage):
    made = stage(load_map("nine_rooms"), speed=8.0)
    person = made.person()
    assert len(person.elements("#map .block")) == 22
    person.join("Ann")
    person.until(lambda: not person.elements("#map .block"))
    due = fetch_and_deliver(person)
    person.until(lambda: len(person.elements("#sequence .done")) == 1)
    person.until(lambda: f"{due.capitalize()} delivered: 1 of 6." in person.text("log"))
    assert person.elements("#map .block.faded")
    measures = made.host.call(lambda world: world.measures())
    assert (measures.good_drops, measures.wrong_drops) == (1, 0)


def test_everything_goes_with_the_keyboard_alone(stage):
    made = stage(two_blocks_map(), speed=4.0)
    person = made.person()
    person.tab_to("name")
    person.press("Ann", Keys.ENTER)
    person.until(lambda: person.focused() == "map" and person.text("me-at") == "FrontDropZone")
    for color in ("red", "green"):
        for _ in range(10):  # up to the room
            if person.text("choice").startswith("RoomC2"):
                break
            person.press(Keys.ARROW_UP)
        person.press(Keys.ENTER)
        person.until(lambda: person.text("me-at") == "in RoomC2")
        person.arrives("RoomC2")
        for _ in range(4):
            person.press("b")
            if person.text("choice").lower().startswith(color):
                break
        person.press(Keys.ENTER)
        person.until(lambda: "Arrived at block" in person.text("last"))
        person.press("p")
        person.until(lambda: "Picked up" in person.text("last"))
        for _ in range(10):
            if person.text("choice").startswith("DropZone"):
                break
            person.press(Keys.ARROW_DOWN)
        person.press(Keys.ENTER)
        person.arrives("DropZone")
        person.press("d")
        person.until(lambda: "delivered" in person.text("last"))
    person.until(lambda: person.element("#measures").is_displayed())
    assert "2 good and 0 wrong drops" in person.text("measures-text")
    announcer = person.element("#announcer")
    person.until(lambda: "Sequence complete" in announcer.get_attribute("textContent"))


def test_exact_spots_with_keys_and_mouse(stage):
    made = stage(two_blocks_map())
    person = made.person()
    person.join("Ann")
    x, y = person.until(lambda: made.host.snapshot.robots)[0][3:5]
    person.until(lambda: person.focused() == "map" and person.text("me-at"))
    left, down = Keys.ARROW_LEFT, Keys.ARROW_DOWN
    keys = ActionChains(person.driver).key_down(Keys.SHIFT).send_keys(left, left, down)
    keys.key_up(Keys.SHIFT).perform()
    person.until(lambda: person.text("choice").startswith("Spot"))
    person.press(Keys.ENTER)
    person.arrives(f"({x - 2:g}, {y + 1:g})")
    person.click_map(18, 63, shift=True)
    person.until(lambda: re.search(r"Arrived at \(1[78]\S*, 6[23]\S*\)", person.text("last")))


def test_messages_are_chosen_from_lists_and_heard(stage):
    made = stage(two_blocks_map(), bots=0)
    ann, ben = made.person(), made.person()
    ann.join("Ann")
    ben.join("Ben")
    ann.until(lambda: "Ben_1" in ann.text("me-players"))
    ann.click("#map")  # no field has the focus
    ann.press("m")
    phrases = Select(ann.element("#phrase"))
    assert len(phrases.options) > 40
    phrases.select_by_visible_text("room ‹room› contains ‹number› ‹color› blocks")
    for blank, choice in (("room", "RoomC2"), ("number", "2"), ("color", "Pink")):
        Select(ann.element(f'[data-blank="{blank}"]')).select_by_value(choice)
    ann.click("#say-form button")
    ben.until(lambda: "Ann_1: room RoomC2 contains 2 Pink blocks" in ben.text("log"))
    assert "You to all: room RoomC2 contains 2 Pink blocks" in ann.text("log")
    Select(ben.element("#receiver")).select_by_value("Ann_1")
    Select(ben.element("#phrase")).select_by_visible_text("‹player›, are you close?")
    ben.click("#say-form button")
    ann.until(lambda: "Ben_1: Ann_1, are you close?" in ann.text("log"))


def test_two_people_in_two_browsers_play_with_agents(stage):
    spec = load_map("nine_rooms_random")
    made = stage(replace(spec, seed=None), bots=2, speed=4.0)
    ann, ben = made.person(), made.person()
    ann.join("Ann")
    ben.join("Ben")
    ann.until(lambda: set(ann.text("me-players").split(", ")) == {"Bot_1", "Bot_2", "Ben_1"})
    # Both want the same room: one gets in, the other is told why not.
    ann.click_map(*ROOMS["RoomA1"])
    ben.click_map(*ROOMS["RoomA1"])
    ann.until(lambda: re.search("Arrived|Stopped at the door", ann.text("last")))
    ben.until(lambda: re.search("Arrived|Stopped at the door", ben.text("last")))
    done = made.host.call(lambda world: world.is_complete)
    if not done:  # the agents go on, and what they say is heard
        ann.until(lambda: "Bot_" in ann.text("log"))
    ann.until(lambda: ann.element("#measures").is_displayed())
    ben.until(lambda: "Ann_1" in ben.text("measures-rows"))


def test_after_a_cut_the_page_comes_back_to_the_same_robot(stage):
    made = stage(two_blocks_map())
    line = made.line()
    person = made.person(line.url)
    person.join("Ann")
    person.click_map(*ROOMS["RoomC2"])
    person.arrives("RoomC2")
    line.cut()
    person.until(lambda: "lost" in person.text("link"))
    person.press("p")
    person.until(lambda: "no connection" in person.text("last"))
    line.mend()
    person.until(lambda: person.text("link") == "Connected")
    person.until(lambda: "You steer Ann_1 again." in person.text("log"))
    assert "Arrived at RoomC2." in person.text("log")
    person.click("#map [data-block]")
    person.until(lambda: "Arrived at block" in person.text("last"))
    person.driver.refresh()
    person.until(lambda: person.text("me-title") == "Ann_1")
    person.until(lambda: person.text("me-at") == "in RoomC2")
    assert made.host.call(lambda world: world.names) == ("Ann_1",)
    person.click("#leave")
    person.until(lambda: person.element("#join-form").is_displayed())
    assert made.host.call(lambda world: world.names) == ()


def test_an_epartner_is_taken_along(stage):
    made = stage(two_blocks_map(), epartners=1)
    person = made.person()
    person.join("Ann")
    spot = made.host.snapshot.epartners[0]
    person.click("details summary")
    person.element("#x").send_keys(str(spot.x))
    person.element("#y").send_keys(str(spot.y))
    person.click("#spot-form button")
    person.until(lambda: "Arrived" in person.text("last"))
    assert person.elements("#map .epartner")
    person.press("e")
    person.until(lambda: "E-Partner_1" in person.text("me-held"))
    person.until(lambda: person.text("epartner").startswith("Put e-partner down"))
    person.press("e")
    person.until(lambda: person.text("epartner").startswith("Take e-partner"))


@pytest.mark.parametrize("size", [(1280, 720), (800, 600), (390, 780)], ids=str)
@pytest.mark.parametrize("name, bots", [("nine_rooms_charging", 2), ("large", 40)])
def test_it_fits_on_screens(stage, size, name, bots):
    made = stage(load_map(name), bots=bots, speed=4.0)
    person = made.person(width=size[0], height=size[1])
    if bots > 30:  # something is shown below the edge of the screen
        person.until(lambda: person.elements("#team tr:nth-child(n+30) .swatch"))
    for joined in (False, True):
        if joined:
            person.join("Ann")
        assert person.script("return document.documentElement.scrollWidth") <= size[0]
        if size[0] == 1280:
            assert person.script("return document.documentElement.scrollHeight") <= size[1]
        overlaps = person.script(
            """const shown = [...document.querySelectorAll("#map, .card:not([hidden])")]
                .map((e) => [e.id, e.getBoundingClientRect()]).filter(([, r]) => r.width > 0);
            const meet = (p, q) => p.left < q.right - 1 && q.left < p.right - 1
                && p.top < q.bottom - 1 && q.top < p.bottom - 1;
            return shown.flatMap(([a, p], i) => shown.slice(i + 1)
                .filter(([, q]) => meet(p, q)).map(([b]) => `${a} and ${b}`));"""
        )
        assert overlaps == []
        smallest = person.script(
            """return Math.min(...[...document.querySelectorAll("button, select, input")]
               .filter((e) => e.offsetParent && e.type !== "checkbox")
               .map((e) => e.getBoundingClientRect().height));"""
        )
        assert smallest >= 24


def test_controls_have_names_and_show_the_focus(stage):
    made = stage(two_blocks_map(), bots=1)
    person = made.person()
    person.join("Ann")
    person.driver.execute_script("document.activeElement.blur()")
    seen: list[str] = []
    for _ in range(60):
        person.press(Keys.TAB)
        active = person.driver.switch_to.active_element
        if active.tag_name == "body" or active.id in seen:
            break
        seen.append(active.id)
        assert active.accessible_name, active.get_attribute("outerHTML")
        outline = person.script("return getComputedStyle(arguments[0]).outlineStyle", active)
        assert outline != "none"
    assert len(seen) > 15
    roles = {e.get_attribute("id"): e.aria_role for e in person.elements("[id]")}
    assert roles["log"] == "log"
    assert person.element("#announcer").get_attribute("aria-live") == "polite"


def test_single_key_shortcuts_can_be_switched_off(stage):
    made = stage(two_blocks_map())
    person = made.person()
    person.join("Ann")
    person.press("?")
    person.until(lambda: person.element("#help").is_displayed())
    person.click("#shortcuts")
    person.press(Keys.ESCAPE)
    person.until(lambda: not person.element("#help").is_displayed())
    person.press("d")
    person.click('[data-action="pickUp"]')  # would come after an answer to the key
    person.until(lambda: "No block" in person.text("last"))
    assert "holding any block" not in person.text("log")


def test_those_who_want_no_motion_get_none(stage):
    made = stage(two_blocks_map())
    person = made.person("", "--force-prefers-reduced-motion")
    person.join("Ann")
    name = person.script(
        'return getComputedStyle(document.querySelector(".target circle")).animationName'
    )
    assert name == "none"
    person.click_map(*ROOMS["RoomC2"])
    person.arrives("RoomC2")


def test_letters_tell_colours_apart(stage):
    made = stage(load_map("nine_rooms_random"))
    person = made.person()
    drawn = person.script(
        """const text = (block, selector) => block.querySelector(selector).textContent;
        const blocks = [...document.querySelectorAll("#map .block")];
        return blocks.map((block) => [text(block, "title"), text(block, ".letter")]);"""
    )
    letters: dict[str, set[str]] = {}
    for title, letter in drawn:
        letters.setdefault(str(title).split(" block")[0], set()).add(letter)
    assert len(letters) > 3
    assert all(found == {color[0].upper()} for color, found in letters.items())
    assert len({min(found) for found in letters.values()}) == len(letters)


def test_the_picture_of_the_documents(stage, tmp_path):
    made = stage(load_map("nine_rooms_charging"), bots=2, speed=2.0)
    person = made.person()
    person.join("Ann")
    for room in ("RoomC1", "RoomC2"):
        person.until(lambda room=room: visit(person, room))
        person.until(person.blocks_in_sight)
    person.click("#blocks button:not(.faded)")
    person.until(lambda: "Arrived at block" in person.text("last"))
    person.press("p")
    person.until(lambda: person.elements("#me-held .swatch"))
    color = str(person.element("#me-held .swatch").get_attribute("title")).split()[0]
    Select(person.element("#phrase")).select_by_visible_text("I have a ‹color› block.")
    Select(person.element('[data-blank="color"]')).select_by_visible_text(color)
    person.click("#say-form button")
    person.until(lambda: "You to all" in person.text("log"))
    person.click_map(25, 75)
    person.until(lambda: person.text("me-at") == "FrontRoomC2")
    target = Path(os.environ.get(SCREENSHOT) or tmp_path / "page.png")
    person.driver.save_screenshot(str(target))
    assert 20_000 < target.stat().st_size < 200_000


def visit(person: Person, room: str) -> bool:
    """Try to get into a room; return whether it worked."""
    person.click_map(*ROOMS[room])
    person.until(lambda: re.search("Arrived|Stopped", person.text("last")))
    return f"Arrived at {room}" in person.text("last")
