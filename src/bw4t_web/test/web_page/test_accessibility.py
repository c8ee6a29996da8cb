# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The page for every screen and person: layout, names, focus, shortcuts, motion, colours."""

from __future__ import annotations

import pytest

from bw4t_world.maps import load_map

pytest.importorskip("aiohttp")
pytest.importorskip("selenium")

from selenium.webdriver.common.keys import Keys

pytestmark = [pytest.mark.system, pytest.mark.timeout(480)]


SIZES = (1280, 720), (800, 600), (390, 780)


@pytest.mark.parametrize("name, bots", [("nine_rooms_charging", 2), ("large", 40)])
def test_it_fits_on_screens(stage, name, bots):
    made = stage(load_map(name), bots=bots, speed=4.0 if bots < 10 else 1.0)
    person = made.person(width=SIZES[0][0], height=SIZES[0][1])
    if bots > 30:  # something is shown below the edge of the screen
        person.until(lambda: person.elements("#team tr:nth-child(n+30) .swatch"))
    for joined in (False, True):
        if joined:
            person.join("Ann")
        for width, height in SIZES:
            person.resize(width, height)
            fits(person, width, height)


def fits(person, width, height):
    """Nothing is beyond the sides or above anything else, and what is touched is large enough."""
    assert person.script("return document.documentElement.scrollWidth") <= width
    if width == 1280:
        assert person.script("return document.documentElement.scrollHeight") <= height
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


def test_controls_have_names_and_show_the_focus(stage, two_blocks_map):
    made = stage(two_blocks_map, bots=1)
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


def test_single_key_shortcuts_can_be_switched_off(stage, two_blocks_map):
    made = stage(two_blocks_map)
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


def test_those_who_want_no_motion_get_none(stage, two_blocks_map):
    made = stage(two_blocks_map)
    person = made.person("", "force-prefers-reduced-motion")
    person.join("Ann")
    name = person.script(
        'return getComputedStyle(document.querySelector(".target circle")).animationName'
    )
    assert name == "none"
    person.click_room("RoomC2")
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
