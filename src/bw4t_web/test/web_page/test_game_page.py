# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What a participant knows on each screen, and that nothing of one game is left in the next."""

from __future__ import annotations

import re
from typing import Any

import pytest

pytest.importorskip("aiohttp")
pytest.importorskip("selenium")
pytest.importorskip("yaml")
pytest.importorskip("bw4t_study")

from page_study import DESK, PHONE, choose, experimenter, plays, send, title
from selenium.webdriver.common.keys import Keys

pytestmark = [pytest.mark.system, pytest.mark.timeout(480)]

CONDITIONS = {
    "open": {"robots": 0, "max_seconds": 600, "free_text": True},
    "silent": {"robots": 0, "max_seconds": 600, "messages": False},
}
AGE = {"title": "You", "items": [{"id": "age", "ask": "Age?", "number": True, "min": 18}]}
LOAD = {"title": "Load", "items": [{"id": "mental", "ask": "Mental?", "scale": 21},
                                   {"id": "trust", "ask": "Trust?", "scale": 7},
                                   {"id": "why", "ask": "Why?", "text": True}]}  # fmt: skip


def intake(person: Any, answer: str = "in that of the sequence") -> None:
    for wanted in ("Consent", "Instructions"):
        title(person, wanted)
        send(person)
    title(person, "Questions about the task")
    choose(person, "q1", answer)
    send(person)


def test_what_a_person_reads_belongs_to_the_present_game(study):
    made = study(conditions=CONDITIONS, practice="open", between=[], after=[])
    boss = made.browsers.person(made.server.experimenter_url, size=DESK)
    ann = made.browsers.person(f"{made.server.url}?p=P07", size=DESK)
    intake(ann)
    ann.until(lambda: "1 participant is missing" in ann.text("screen-text"))
    line = made.browsers.line(made.server.port)
    bob = made.browsers.person(f"{line.url}?p=P08", size=PHONE)
    intake(bob)
    plays(ann)
    plays(bob)
    # Who am I, what is this, how long, what can I do.
    assert ann.text("me-title") == "Human_1 (you)"
    bob.until(lambda: bob.text("game").endswith("left · Human_2 (you)"))  # beside the map
    ann.until(lambda: ann.text("game").startswith("Practice · "))
    assert re.search(r"\d:\d\d left", ann.text("game"))
    shown = [button for button in ann.elements(".actions button") if button.is_displayed()]
    assert [button.get_attribute("data-action") for button in shown] == ["pickUp", "putDown"]
    assert not ann.element("#leave").is_displayed()
    assert not ann.element("#me-battery").is_displayed()
    # What is said stays in its game.
    ann.element("#text").send_keys("the red block is in C2")
    ann.click("#text-form button")
    bob.until(lambda: "the red block" in bob.text("log"))
    experimenter(boss, "abort", twice=True)
    title(ann, "Please wait")
    assert "The experimenter has ended this game." in ann.text("screen-text")
    assert "until the experimenter starts" in ann.text("screen-text")
    experimenter(boss, "start")
    plays(bob)
    bob.until(lambda: "Game 1 of 2" in bob.text("game"))
    assert "the red block" not in bob.text("log")
    assert "the red block" not in ann.text("log")
    assert bob.element("#announcer").get_attribute("textContent").count("the red block") == 0
    line.cut()
    ann.until(lambda: "Human_2 is not connected" in ann.text("game"))


def test_a_form_says_what_is_wrong_and_keeps_what_is_filled_in(study):
    made = study(
        seats=1, codes=[], conditions=CONDITIONS, before=["load", "you"], between=[], after=[],
        questionnaires={"load": LOAD, "you": AGE},
    )  # fmt: skip
    person = made.browsers.person(f"{made.server.url}?p=Ann", size=DESK)
    intake(person, "in any order")
    title(person, "Instructions")
    assert "1 of your answers is not right" in person.text("screen-note")
    send(person)
    title(person, "Questions about the task")
    choose(person, "q1", "in that of the sequence")
    send(person)
    title(person, "Load")
    assert not person.element("#screen-note").is_displayed()
    for number in range(3):
        person.element("#answer-mental").send_keys(Keys.ARROW_RIGHT)
        assert person.text("item-mental").count(f"{12 + number} of 21") == 1
    choose(person, "trust", "6")
    person.element("#answer-why").send_keys("because")
    drafts = made.server._hub._drafts
    person.until(lambda: "Ann" in drafts and len(drafts["Ann"].answers) == 3)
    person.driver.refresh()
    title(person, "Load")
    person.until(lambda: "14 of 21" in person.text("item-mental"))
    assert person.element("#answer-why").get_attribute("value") == "because"
    send(person)
    title(person, "You")
    person.element("#answer-age").send_keys("-5")
    send(person)
    person.until(lambda: "from 18" in person.text("item-age"))
    person.element("#answer-age").clear()
    person.element("#answer-age").send_keys("31")
    send(person)
    plays(person)


def test_a_link_that_is_not_valid_is_no_end(study):
    made = study()
    person = made.browsers.person(f"{made.server.url}?p=P99", size=DESK)
    title(person, "This link does not work")


def test_what_can_be_pressed_at_a_desk_is_large_enough(study):
    made = study(seats=1, codes=[], conditions=CONDITIONS)
    person = made.browsers.person(f"{made.server.url}?p=Ann", size=DESK)
    intake(person)
    plays(person)
    heights = person.script(
        """return [...document.querySelectorAll("button, select, input:not([type=checkbox])")]
        .filter((e) => e.offsetParent).map((e) => e.getBoundingClientRect().height)"""
    )
    assert len(heights) > 5
    assert min(heights) >= 36
