# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The page in a browser, used as people use it: with the mouse, and with nothing but keys."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bw4t_world import EventKind
from bw4t_world.maps import load_map
from bw4t_world.scenarios import BotSpec

pytest.importorskip("aiohttp")
pytest.importorskip("selenium")

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

pytestmark = [pytest.mark.system, pytest.mark.timeout(480)]

SCREENSHOT = "BW4T_PAGE_SCREENSHOT"
"""Environment variable with the file into which the screenshot of the documents is written."""


def fetch_and_deliver(person: Any) -> str:
    """Look for a block of the colour that is due and bring it to the drop zone, with the mouse.

    Returns the colour.
    """
    due = person.due()
    for room in person.ROOMS:
        person.click_room(room)
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
    measures = made.runner.call(lambda world: world.measures())
    assert (measures.good_drops, measures.wrong_drops) == (1, 0)


def test_everything_goes_with_the_keyboard_alone(stage, two_blocks_map):
    made = stage(two_blocks_map, speed=4.0)
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


def test_exact_spots_with_keys_and_mouse(stage, two_blocks_map):
    made = stage(two_blocks_map)
    person = made.person()
    person.join("Ann")
    x, y = person.until(lambda: made.runner.snapshot.robots)[0][3:5]
    person.until(lambda: person.focused() == "map" and person.text("me-at"))
    left, down = Keys.ARROW_LEFT, Keys.ARROW_DOWN
    keys = ActionChains(person.driver).key_down(Keys.SHIFT).send_keys(left, left, down)
    keys.key_up(Keys.SHIFT).perform()
    person.until(lambda: person.text("choice").startswith("Spot"))
    person.press(Keys.ENTER)
    person.arrives(f"({x - 2:g}, {y + 1:g})")
    person.click_map(18, 63, shift=True)
    person.until(lambda: re.search(r"Arrived at \(1[78]\S*, 6[23]\S*\)", person.text("last")))


def test_messages_are_chosen_from_lists_and_heard(stage, two_blocks_map):
    made = stage(two_blocks_map, bots=0)
    # Browsers take their time; the agents alone could be done before.
    made.runner.pause().result(10.0)
    ann, ben = made.person(), made.person()
    ann.join("Ann")
    ben.join("Ben")
    made.runner.resume().result(10.0)
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
    # Browsers take their time; the agents alone could be done before.
    made.runner.pause().result(10.0)
    ann, ben = made.person(), made.person()
    ann.join("Ann")
    ben.join("Ben")
    made.runner.resume().result(10.0)
    ann.until(lambda: set(ann.text("me-players").split(", ")) == {"Bot_1", "Bot_2", "Ben_1"})
    # Both want the same room: one gets in, the other is told why not.
    ann.click_room("RoomA1")
    ben.click_room("RoomA1")
    ann.until(lambda: re.search("Arrived|Stopped at the door", ann.text("last")))
    ben.until(lambda: re.search("Arrived|Stopped at the door", ben.text("last")))
    done = made.runner.call(lambda world: world.is_complete)
    if not done:  # the agents go on, and what they say is heard
        ann.until(lambda: "Bot_" in ann.text("log"))
    ann.until(lambda: ann.element("#measures").is_displayed())
    ben.until(lambda: "Ann_1" in ben.text("measures-rows"))


def test_after_a_cut_the_page_comes_back_to_the_same_robot(stage, two_blocks_map):
    made = stage(two_blocks_map)
    line = made.line()
    person = made.person(line.url)
    person.join("Ann")
    person.click_room("RoomC2")
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
    person.until(lambda: person.text("me-title") == "Ann_1 (you)")
    person.until(lambda: person.text("me-at") == "in RoomC2")
    assert made.runner.call(lambda world: world.names) == ("Ann_1",)
    person.click("#leave")
    person.until(lambda: person.element("#join-form").is_displayed())
    assert made.runner.call(lambda world: world.names) == ()


def test_a_stalled_network_is_noticed_and_nothing_is_done_late(stage, two_blocks_map):
    made = stage(two_blocks_map)
    line = made.line()
    person = made.person(line.url)
    person.join("Ann")
    acted = []
    made.runner.call(lambda world: world.listen(lambda event: acted.append(event.kind)))
    line.stall()
    person.click_room("RoomC1")
    person.until(lambda: "no answer" in person.text("last"))
    assert person.text("last").startswith("Go: no answer")
    person.until(lambda: person.text("link") == "The server does not answer")
    line.flow()
    person.until(lambda: person.text("link") == "Connected")
    person.click_room("RoomC2")
    person.arrives("RoomC2")
    assert acted.count(EventKind.ACTION) == 1


def test_a_new_game_is_asked_for(stage, two_blocks_map):
    made = stage(two_blocks_map, control=True)
    person = made.person()
    person.join("Ann")
    person.click_room("RoomC2")
    person.arrives("RoomC2")
    before = made.runner.world_status.run
    person.click("#reset")
    person.until(lambda: person.element("#again").is_displayed())
    person.click('#again [value="no"]')
    person.until(lambda: not person.element("#again").is_displayed())
    assert made.runner.world_status.run == before
    person.click("#reset")
    person.until(lambda: person.element("#again").is_displayed())
    person.click('#again [value="yes"]')
    person.until(lambda: made.runner.world_status.run == before + 1)


def test_the_next_person_is_not_offered_the_name_of_the_last(stage, two_blocks_map):
    person = stage(two_blocks_map).person()
    person.join("Ann")
    person.click("#leave")
    person.until(lambda: person.element("#join-form").is_displayed())
    person.driver.refresh()
    person.until(lambda: person.text("link") == "Connected")
    assert person.element("#name").get_property("value") == ""
    assert person.script("return Object.keys(localStorage)") == []


def test_the_lobby_works_where_watching_is_forbidden(stage, two_blocks_map):
    made = stage(two_blocks_map, watch=False)
    person = made.person()
    person.until(lambda: person.text("clock") not in ("", "0:00"))
    person.join("Ann")


def test_an_epartner_is_taken_along(stage, two_blocks_map):
    made = stage(two_blocks_map, epartners=1)
    person = made.person()
    person.join("Ann")
    spot = made.runner.snapshot.epartners[0]
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


def test_the_picture_of_the_documents(stage, tmp_path):
    made = stage(load_map("nine_rooms_charging"), bots=2, speed=2.0)
    person = made.person()
    person.join("Ann")
    for room in ("RoomC1", "RoomC2"):
        person.until(lambda room=room: visit(person, room))
        person.until(person.blocks_in_sight)
    person.until(lambda: begin(person, "#blocks button:not(.faded)"))
    person.until(lambda: "Arrived at block" in person.text("last"))
    person.press("p")
    held = person.until(lambda: person.element("#me-held .swatch").get_attribute("title"))
    color = str(held).split()[0]
    Select(person.element("#phrase")).select_by_visible_text("I have a ‹color› block.")
    Select(person.element('[data-blank="color"]')).select_by_visible_text(color)
    person.click("#say-form button")
    person.until(lambda: "You to all" in person.text("log"))
    person.click_map(25, 75)
    # Where a busy browser sees it next, and whether a bot stands in its way, is not known.
    person.until(lambda: person.text("me-at") != "RoomC2")
    target = Path(os.environ.get(SCREENSHOT) or tmp_path / "page.png")
    person.driver.save_screenshot(str(target))
    assert 20_000 < target.stat().st_size < 200_000


def visit(person: Any, room: str) -> bool:
    """Try to get into a room; return whether it worked."""
    person.click_room(room)
    # What is shown of the room before is still there until the page has heard of this walk's end.
    person.until(lambda: re.search(f"(Arrived|Stopped).* {room}|bumped", person.text("last")))
    return f"Arrived at {room}" in person.text("last")


def begin(person: Any, selector: str) -> bool:
    """Click on what may be drawn anew just then: the caller tries again."""
    person.click(selector)
    return True


def test_what_mates_report_is_drawn_in_the_rooms(stage):
    made = stage(load_map("nine_rooms"), speed=8.0)
    person = made.person()
    person.join("Ann")
    mate = made.runner.add_player(BotSpec(name="Mate")).result()

    def drawn() -> list[str]:
        return [e.get_attribute("textContent") for e in person.elements("#map .report")]

    for said in ("room RoomA1 contains 2 red blocks", "room RoomC2 is empty"):
        made.runner.act(mate, "sendMessage", "all", said)
    person.until(lambda: len(drawn()) == 2)
    assert drawn()[0] == f"{mate} says: 2 red in RoomA1RR"
    assert drawn()[1] == f"{mate} says: no block in RoomC2empty"
    person.click_room("RoomC2")
    person.arrives("RoomC2")
    person.until(lambda: len(drawn()) == 1)
    assert "RoomA1" in drawn()[0]
    if os.environ.get(SCREENSHOT):
        Path(os.environ[SCREENSHOT]).with_suffix(".reports.png").write_bytes(
            person.driver.get_screenshot_as_png()
        )
