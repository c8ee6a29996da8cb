# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A person at the page, in a browser. Needs selenium."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable
from typing import Any

from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException, TimeoutException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from legacy_robots_testing import browser

TIMEOUT_S = 90.0
PATIENCE_S = 8.0
"""Seconds after which a person clicks again."""
SHOWN = ("screen-title", "me-title", "last", "banner", "log", "choice")
ROOMS = {
    f"Room{letter}{number}": (5.0 + 10 * number, 15.0 + 20 * row)
    for row, letter in reversed(list(enumerate("ABC")))
    for number in (1, 2, 3)
}
"""The rooms of the map and their centres, those next to the start first."""


class Person:
    """A person at a browser."""

    ROOMS = ROOMS

    def __init__(self, driver: webdriver.Chrome, url: str, connected: str = "Connected") -> None:
        self.driver = driver
        driver.get(url)
        self.until(lambda: self.text("link") == connected)

    def resize(self, width: int, height: int) -> None:
        """Give the inside of the browser a size in pixels."""
        browser.resize(self.driver, (width, height))
        self.until(lambda: self.script("return [innerWidth, innerHeight]") == [width, height])

    # --- Looking ---

    def until(self, holds: Callable[[], Any]) -> Any:
        waiting = WebDriverWait(
            self.driver, TIMEOUT_S, 0.05, ignored_exceptions=[StaleElementReferenceException]
        )
        try:
            return waiting.until(lambda _: holds())
        except TimeoutException:
            shown = {name: self.text(name) for name in SHOWN}
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
        """Click; again where the page drew the element anew between the look and the click."""

        def clicked() -> bool:
            self.element(selector).click()
            return True

        self.until(clicked)

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

    def visit(self, room: str) -> None:
        """Go to a room; again, as people do, where a robot is in it or the click was lost."""
        clicked = -math.inf

        def arrived() -> bool:
            nonlocal clicked
            last = self.text("last")
            again = last.endswith("only one robot at a time may be there.")
            again = again or time.monotonic() - clicked > PATIENCE_S
            if again and self.element("#map").is_displayed():
                self.click_room(room)
                clicked = time.monotonic()
            return last.endswith(f"Arrived at {room}.")

        self.until(arrived)

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
