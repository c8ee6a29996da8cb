# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A study in real browsers: two people, one at a phone, an agent, and the experimenter."""

from __future__ import annotations

import csv
import os
import time
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("aiohttp")
pytest.importorskip("selenium")
pytest.importorskip("yaml")
pytest.importorskip("bw4t_study")

from page_study import DESK, PHONE, SPEED, Study, choose, experimenter, plays, send, title
from selenium.webdriver.common.keys import Keys

from bw4t_study.record import read_game, records_in
from bw4t_study.replay import Replay
from bw4t_world.console import main

pytestmark = [pytest.mark.system, pytest.mark.timeout(480)]


def intake(person: Any) -> None:
    for wanted in ("Consent", "Instructions"):
        title(person, wanted)
        send(person)
    title(person, "Questions about the task")
    choose(person, "q1", "in that of the sequence")
    send(person)


def questionnaires(person: Any, trust: int) -> None:
    title(person, "Workload")
    for slider in person.elements("#screen-items input[type=range]"):
        slider.send_keys(Keys.ARROW_RIGHT)
    send(person)
    title(person, "The team")
    send(person)
    person.until(lambda: "Please answer" in person.text("screen-fault"))
    choose(person, "trust", str(trust))
    person.element("#answer-why").send_keys("It found the blocks.")
    send(person)


def picture(person: Any, name: str) -> None:
    """Keep a picture for the documents, where that is wanted."""
    if directory := os.environ.get("BW4T_STUDY_PICTURES"):
        (Path(directory) / f"bw4t_study_{name}.png").write_bytes(
            person.driver.get_screenshot_as_png()
        )


def rows(study: Study, table: str) -> list[dict[str, str]]:
    with (study.games / "tables" / f"{table}.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_three_games_from_the_link_to_the_last_question(study):
    made = study()
    browsers = made.browsers
    boss = browsers.person(made.server.experimenter_url, size=DESK)
    line = browsers.line(made.server.port)
    ann = browsers.person(f"{made.server.url}?p=P07", size=DESK)
    bob = browsers.person(f"{line.url}?p=P08", size=PHONE)
    title(ann, "Consent")
    picture(ann, "consent")
    intake(ann)
    title(ann, "Please wait")
    intake(bob)
    # The first game: one plays; the experimenter aborts it.
    plays(ann)
    plays(bob)
    ann.visit("RoomC2")
    ann.element("#text").send_keys("I am in C2")
    ann.click("#text-form button")
    bob.until(lambda: "I am in C2" in bob.text("log"))
    picture(boss, "experimenter")
    experimenter(boss, "abort", twice=True)
    title(ann, "Please wait")
    experimenter(boss, "start")
    # The second: one connection is lost for a while; the other page is loaded again.
    ann.until(lambda: not ann.element("#text-form").is_displayed())
    plays(ann)
    plays(bob)
    made.runner.set_speed(SPEED / 10).result(20)  # so that the robot does not end the game alone
    line.cut()
    bob.until(lambda: "lost" in bob.text("link"))
    ann.driver.refresh()
    ann.until(lambda: "again" in ann.text("log"))
    ann.click_room("RoomC1")
    time.sleep(float(os.environ.get("BW4T_STUDY_LOSS_S", "0")))  # to see a long loss, by hand
    line.mend()
    bob.until(lambda: bob.text("link") == "Connected")
    made.runner.set_speed(SPEED).result(20)
    ann.visit("RoomC1")
    bob.visit("RoomC3")
    made.runner.set_speed(200.0).result(20)
    questionnaires(ann, 6)
    title(bob, "Workload")
    picture(bob, "phone")
    made.runner.set_speed(SPEED).result(20)
    questionnaires(bob, 2)
    # The third ends by its time limit.
    plays(ann)
    made.runner.set_speed(100.0).result(20)
    for person, trust in ((ann, 7), (bob, 1)):
        questionnaires(person, trust)
    for person, age in ((ann, "31"), (bob, "44")):
        title(person, "At last")
        person.element("#answer-age").send_keys(age)
        send(person)
        title(person, "The end")
    boss.until(lambda: "all games are over" in boss.text("experiment-phase"))
    replay_in_the_page(boss)
    check_records(made)


def replay_in_the_page(boss: Any) -> None:
    boss.click("#experiment-games tr:nth-child(2) button")
    boss.until(lambda: boss.element("#replay").is_displayed())
    boss.until(lambda: float(boss.element("#replay-line").get_attribute("max")) > 100)
    boss.element("#replay-line").send_keys(Keys.END)
    boss.until(lambda: boss.text("clock").split()[0] != "0:00")
    picture(boss, "replay")
    boss.click("#replay-end")
    boss.until(lambda: not boss.element("#replay").is_displayed())


def check_records(made: Study) -> None:
    games = [read_game(path) for path in records_in(made.games)]
    assert games[0].end["reason"] == "aborted"
    assert {game.end["reason"] for game in games[1:]} <= {"complete", "time limit"}
    assert len(games) == 3
    for game in games:
        assert Replay(game).measures()["messages"] == game.end["measures"]["messages"]
    assert main(["analyse", str(made.games)]) == 0
    answers = rows(made, "answers")
    trust = [(row["participant"], row["value"]) for row in answers if row["item"] == "trust"]
    assert sorted(trust) == [("P07", "6"), ("P07", "7"), ("P08", "1"), ("P08", "2")]
    assert {row["condition"] for row in answers if row["item"] == "trust"} == {"silent", "plain"}
    assert sum(row["form"] == "consent" for row in answers) == 2
    assert {row["item"] for row in answers if row["form"] == "nasa-tlx"} >= {"mental", "effort"}
    course = rows(made, "course")
    happened = [(row["what"], row["participant"]) for row in course]
    assert happened.count(("lost", "P08")) == 1
    assert happened.count(("lost", "P07")) >= 1  # the reload
    assert ("ended: aborted", "") in happened
    assert ("start", "") in happened
    people = [r for r in rows(made, "players") if r["kind"] == "human"]
    assert {row["participant"] for row in people} == {"P07", "P08"}
    assert len(people) == 6
    notes = [row["note"] for row in rows(made, "notes")]
    assert notes.count("page: came back") == 2


@pytest.mark.parametrize("size", [DESK, PHONE], ids=str)
def test_a_study_with_the_keyboard_alone(study, size):
    made = study(seats=1, codes=[], between=["teamwork"], after=[])
    browsers = made.browsers
    person = browsers.person(f"{made.server.url}?p=Ann", size=size)
    for wanted in ("Consent", "Instructions"):
        title(person, wanted)
        assert person.focused() == "screen-title"
        tab_and_press(person, "screen-submit")
    title(person, "Questions about the task")
    tab_into(person, "answer-q1")
    person.press(Keys.ARROW_DOWN)
    person.press(Keys.ARROW_DOWN)
    while not person.script(
        """return document.querySelector('input[value="in that of the sequence"]').checked"""
    ):
        person.press(Keys.ARROW_DOWN)
    person.press(Keys.ENTER)
    for number in range(3):
        plays(person)
        if number == 0:
            person.press("g")
            person.press(Keys.ARROW_UP)
            person.press(Keys.ENTER)
            person.until(lambda: person.text("last"))
        made.runner.set_speed(200.0).result(20)
        title(person, "The team")
        made.runner.set_speed(SPEED).result(20)
        tab_into(person, "answer-trust")
        person.press(Keys.SPACE)
        person.press(Keys.ARROW_RIGHT)
        tab_and_press(person, "screen-submit")
    title(person, "The end")


def tab_and_press(person: Any, identifier: str) -> None:
    person.tab_to(identifier)
    person.press(Keys.ENTER)


def tab_into(person: Any, name: str) -> None:
    """Press Tab until a radio button of a group has the focus."""
    for _ in range(30):
        if person.script("return document.activeElement.name") == name:
            return
        person.press(Keys.TAB)
    raise AssertionError(f"the Tab key does not lead to {name}")


def test_a_study_in_another_language(study):
    alone = {"alone": {"robots": 0, "max_seconds": 3000, "free_text": True}}
    made = study(seats=1, codes=[], language="de", between=["nasa-tlx"], conditions=alone)
    person = made.browsers.person(f"{made.server.url}?p=Ann", size=PHONE, connected="Verbunden")
    title(person, "Einwilligung")
    assert person.text("screen-submit") == "Ich stimme zu"
    send(person)
    title(person, "Anleitung")
    send(person)
    title(person, "Fragen zur Aufgabe")
    send(person)
    person.until(lambda: person.text("screen-fault").startswith("Bitte antworten"))
    choose(person, "q1", "in that of the sequence")
    send(person)
    plays(person)
    person.click_room("RoomC2")
    person.until(lambda: person.text("last").endswith("Angekommen bei RoomC2."))
    assert person.element('[data-action="pickUp"]').text.startswith("Aufheben")
    assert person.script("return document.documentElement.lang") == "de"
    person.element("#text").send_keys("most of it")
    person.click("#text-form button")
    person.until(lambda: ": most of it" in person.text("log"))
