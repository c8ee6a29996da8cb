# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Texts on the map keep apart, what a game does not have is not shown, and time can be set."""

from __future__ import annotations

import pytest

from bw4t_world.maps import load_map
from bw4t_world.maps.generator import Layout, generate_map

pytest.importorskip("aiohttp")
pytest.importorskip("selenium")

from page_study import DESK, PHONE, choose, plays, send, title
from selenium.webdriver.support.ui import Select

pytestmark = [pytest.mark.system, pytest.mark.timeout(480)]

OVERLAPS = """
const shown = [...document.querySelectorAll("#map .name, #map .plate-text, #map text.label")]
  .filter((text) => !text.hasAttribute("hidden"))
  .filter((text) => getComputedStyle(text).visibility === "visible")
  .map((text) => [text.textContent, text.getBoundingClientRect()]);
const found = [];
shown.forEach(([one, a], i) => shown.slice(i + 1).forEach(([two, b]) => {
  const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  if (width > 1 && height > 4) found.push(`${one} and ${two}: ${width} x ${height}`);
}));
return [shown.length, found];
"""


@pytest.mark.parametrize("size", [DESK, PHONE], ids=str)
@pytest.mark.parametrize("name", ["nine_rooms_random", "generated"])
def test_no_text_on_the_map_covers_another(stage, name, size):
    spec = load_map("nine_rooms_random")
    if name == "generated":
        spec = generate_map(Layout(rows=2, columns=6, spawns=8), blocks=6, sequence=2, seed=1)
    made = stage(spec, bots=8, speed=1.0, wait_for_people=0)
    person = made.person(width=size[0], height=size[1])
    # A slow page draws robots behind where they are.
    person.driver.execute_cdp_cmd("Emulation.setCPUThrottlingRate", {"rate": 10})
    person.until(lambda: len(person.elements("#map .name")) == 8)
    for seconds in (1.0, 4.0, 7.0):
        person.until(lambda seconds=seconds: made.runner.snapshot.seconds >= seconds)
        shown, found = person.script(OVERLAPS)
        assert shown > 16
        assert found == []


def test_a_person_without_exact_spots_sees_none(study):
    conditions = {"plain": {"robots": 0, "max_seconds": 600, "exact_spots": False}}
    made = study(seats=1, codes=[], conditions=conditions)
    person = made.browsers.person(f"{made.server.url}?p=Ann", size=DESK)
    for wanted in ("Consent", "Instructions"):
        title(person, wanted)
        send(person)
    title(person, "Questions about the task")
    choose(person, "q1", "in that of the sequence")
    send(person)
    plays(person)
    person.until(lambda: not person.element("#spot").is_displayed())
    assert "Exact spot" not in person.element("main").text
    person.script("document.getElementById('help').showModal()")
    assert "exact spot" not in person.element("#help").text


def test_the_speed_is_set_on_the_page(stage):
    made = stage(load_map("nine_rooms"), bots=1, speed=1.0, control=True)
    person = made.person()
    person.until(lambda: person.element("#speed").is_displayed())
    choice = Select(person.element("#speed"))
    assert choice.first_selected_option.text == "1 ×"
    choice.select_by_visible_text("8 ×")
    person.until(lambda: made.runner.world_status.speed == 8.0)
    person.until(lambda: Select(person.element("#speed")).first_selected_option.text == "8 ×")
