# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""No screen has what axe-core calls serious or critical, on a desk and on a phone."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("aiohttp")
pytest.importorskip("selenium")
pytest.importorskip("yaml")
pytest.importorskip("bw4t_study")

from page_study import DESK, PHONE, SPEED, STUDY, choose, experimenter, plays, send, title
from selenium.webdriver.common.keys import Keys

AXE = Path(os.environ.get("AXE_CORE", "/nowhere/axe.min.js"))

pytestmark = [
    pytest.mark.system,
    pytest.mark.skipif(not AXE.is_file(), reason="needs AXE_CORE=FILE: npm install axe-core"),
    pytest.mark.timeout(480),
    pytest.mark.parametrize("size", [DESK, PHONE], ids=str),
]


def check(person: Any, screen: str) -> None:
    """Fail for what axe-core calls serious or critical, and for what is beyond the side."""
    person.script(AXE.read_text(encoding="utf-8"))
    found = person.driver.execute_async_script(
        "axe.run({resultTypes: ['violations']}).then(arguments[0])"
    )
    if directory := os.environ.get("BW4T_STUDY_PICTURES"):
        width = person.script("return innerWidth")
        picture = Path(directory) / f"axe_{width}_{screen}.png"
        picture.write_bytes(person.driver.get_screenshot_as_png())
    serious = [
        f"{screen}: {fault['id']}: {node['html'][:150]} {node['failureSummary']}"
        for fault in found["violations"]
        if fault["impact"] in ("serious", "critical")
        for node in fault["nodes"]
    ]
    assert not serious, "\n".join(serious)
    assert person.script("return document.documentElement.scrollWidth <= innerWidth"), screen


def test_the_screens_of_a_game(stage, two_blocks_map, size):
    made = stage(two_blocks_map, bots=1, speed=1.0, control=True)
    line = made.line()
    person = made.person(line.url, width=size[0], height=size[1])
    check(person, "lobby")
    person.join("Ann")
    check(person, "game")
    person.click("#reset")
    check(person, "new_game")
    person.press(Keys.ESCAPE)
    person.click("#pause")
    person.until(lambda: person.text("pause") == "Go on")
    check(person, "paused_game")
    person.click("#pause")
    line.cut()
    person.until(lambda: "lost" in person.text("link"))
    check(person, "lost")
    line.mend()
    person.until(lambda: person.text("link") == "Connected")
    made.runner.set_speed(200.0).result(20)
    person.until(lambda: person.element("#measures").is_displayed())
    check(person, "complete")


def test_the_screens_of_a_study(study, size):
    made = study(
        conditions={"plain": STUDY["conditions"]["plain"]},
        seats=1,
        codes=[],
        start="experimenter",
        freeze={"at": [20], "ask": "teamwork"},
    )
    boss = made.browsers.person(made.server.experimenter_url, size=size)
    person = made.browsers.person(f"{made.server.url}?p=Ann", size=size)
    for wanted in ("Consent", "Instructions", "Questions about the task"):
        title(person, wanted)
        check(person, wanted)
        if wanted == "Questions about the task":
            send(person)
            person.until(lambda: person.text("screen-fault"))
            check(person, "not_answered")
            choose(person, "q1", "in that of the sequence")
        send(person)
    title(person, "Please wait")
    check(person, "wait")
    experimenter(boss, "start")
    plays(person)
    experimenter(boss, "pause")
    person.until(lambda: not boss.elements('[data-command="pause"]'))
    check(person, "paused")
    check(boss, "experimenter")
    for dialog in ("help", "withdrawal"):
        person.script(f"document.getElementById('{dialog}').showModal()")
        check(person, dialog)
        person.press(Keys.ESCAPE)
    experimenter(boss, "resume")
    made.runner.set_speed(20.0).result(20)
    title(person, "The team")
    check(person, "freeze")
    check(boss, "experimenter_freeze")
    choose(person, "trust", "4")
    made.runner.set_speed(200.0).result(20)
    send(person)
    title(person, "Workload")
    made.runner.set_speed(SPEED).result(20)
    check(person, "workload")
    for slider in person.elements("#screen-items input[type=range]"):
        slider.send_keys(Keys.ARROW_RIGHT)
    send(person)
    title(person, "The team")
    check(person, "questionnaire")
    choose(person, "trust", "4")
    send(person)
    title(person, "At last")
    check(person, "last_questions")
    person.element("#answer-age").send_keys("31")
    send(person)
    title(person, "The end")
    check(person, "end")
    boss.click("#experiment-games button")
    boss.until(lambda: boss.element("#replay").is_displayed())
    check(boss, "replay")
