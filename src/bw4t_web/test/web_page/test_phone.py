# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The page on a phone of 390x844, used by touch."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("aiohttp")
pytest.importorskip("selenium")

from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.actions.interaction import POINTER_TOUCH
from selenium.webdriver.common.actions.pointer_input import PointerInput

from legacy_robots_testing.browser import SMALL_TARGETS

pytestmark = [pytest.mark.system, pytest.mark.timeout(480)]

WIDTH, HEIGHT = 390, 844


class Finger:
    """Taps what a person with a phone sees."""

    def __init__(self, person: Any) -> None:
        self._person = person
        person.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})

    def tap(self, selector: str) -> None:
        """Tap the middle of an element, which has to be on the screen."""
        box = self.box(selector)
        self.assert_on_screen(selector, box)
        self._tap((box["left"] + box["right"]) / 2, (box["top"] + box["bottom"]) / 2)

    @staticmethod
    def assert_on_screen(selector: str, box: dict[str, float]) -> None:
        assert 0 <= box["left"] < box["right"] <= WIDTH, (selector, box)
        assert 0 <= box["top"] < box["bottom"] <= HEIGHT, (selector, box)

    def tap_map(self, x: float, y: float) -> None:
        """Tap where a point of the map is drawn."""
        self._tap(
            *self._person.script(
                """const matrix = document.getElementById("map").getScreenCTM();
                const point = new DOMPoint(arguments[0], arguments[1]).matrixTransform(matrix);
                return [point.x, point.y];""",
                x,
                y,
            )
        )

    def box(self, selector: str) -> dict[str, float]:
        """Return where on the screen an element is, in pixels."""
        return dict(
            self._person.script(
                "return document.querySelector(arguments[0]).getBoundingClientRect().toJSON()",
                selector,
            )
        )

    def _tap(self, x: float, y: float) -> None:
        finger = PointerInput(POINTER_TOUCH, "finger")
        actions = ActionBuilder(self._person.driver, mouse=finger)
        actions.pointer_action.move_to_location(round(x), round(y))
        actions.pointer_action.pointer_down().pointer_up()
        actions.perform()


def test_a_game_from_its_start_to_its_end_on_one_screen(stage, two_blocks_map):
    made = stage(two_blocks_map, speed=6.0, control=True, wait_for_people=2)
    made.runner.pause().result(10.0)
    person = made.person(width=WIDTH, height=HEIGHT)
    finger = Finger(person)
    person.join("Ann")
    person.until(lambda: "waiting for 1 person" in person.text("clock"))
    person.script("window.scrollTo(0, 0)")
    assert person.text("pause") == "Start"
    for selector in ("#sequence", "#map", "#last", ".actions", "#pause"):
        finger.assert_on_screen(selector, finger.box(selector))
    map_box, last = finger.box("#map"), finger.box("#last")
    assert map_box["bottom"] <= last["top"]
    assert map_box["bottom"] - map_box["top"] > HEIGHT / 2
    finger.tap("#pause")
    person.until(lambda: person.text("pause") == "Pause")
    for color in ("red", "green"):
        finger.tap_map(*person.ROOMS["RoomC2"])
        person.arrives("RoomC2")
        sight = person.until(person.blocks_in_sight)
        block = next(block for block, name in sight.items() if name.startswith(color))
        finger.tap(f'#map [data-block="{block}"]')
        person.arrives(f"block {block}")
        finger.tap('[data-action="pickUp"]')
        person.until(lambda: person.text("last").endswith("."))
        finger.tap_map(25, 78)
        person.arrives("DropZone")
        finger.tap('[data-action="putDown"]')
        person.until(lambda color=color: "delivered" in person.text("last"))
        assert person.script("return window.scrollY") == 0
    person.until(lambda: not person.element("#measures").get_property("hidden"))


def test_what_fingers_touch_is_at_least_44_pixels_wide_and_high(stage, two_blocks_map):
    made = stage(two_blocks_map, control=True)
    person = made.person(width=WIDTH, height=HEIGHT)
    Finger(person)
    person.until(lambda: person.script("return matchMedia('(pointer: coarse)').matches"))
    assert person.script(SMALL_TARGETS) == []
    person.join("Ann")
    person.click_map(*person.ROOMS["RoomC2"])
    person.arrives("RoomC2")
    person.until(person.blocks_in_sight)
    assert person.script(SMALL_TARGETS) == []
