# SPDX-License-Identifier: Apache-2.0
"""A study in real browsers: two people, one at a phone, an agent, and the experimenter."""

from __future__ import annotations

import csv
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("aiohttp")
pytest.importorskip("selenium")
pytest.importorskip("yaml")
pytest.importorskip("bw4t_study")

import yaml
from selenium.webdriver.common.keys import Keys

from bw4t_bridge.runner.world_runner import WorldRunner
from bw4t_bridge.web import ExperimentServer
from bw4t_bridge.web.experiment_hub import Referee
from bw4t_bridge.web.experiment_port import open_experiment
from bw4t_study.record import read_game, records_in
from bw4t_study.replay import Replay
from bw4t_world.console import main

pytestmark = pytest.mark.timeout(480)

PHONE = (390, 844)
DESK = (1280, 800)

STUDY: dict[str, Any] = {
    "maps": ["nine_rooms"],
    "teams": ["searchers"],
    "seeds": 1,
    "order": "latin square",
    "conditions": {
        "open": {"robots": 1, "max_seconds": 3000, "sees": "robots", "free_text": True},
        "silent": {"robots": 1, "max_seconds": 3000, "messages": False},
        "plain": {"robots": 1, "max_seconds": 100},
    },
    "people": {
        "seats": 2,
        "codes": ["P07", "P08"],
        "consent": "We record what you do and say in three games.\n\nYou can leave at any time.",
        "instructions": "Deliver the blocks in the order of the sequence, with a robot.",
        "check": [
            {
                "ask": "In which order are blocks delivered?",
                "options": ["in any order", "in that of the sequence"],
                "right": "in that of the sequence",
            }
        ],
        "between": ["nasa-tlx", "teamwork"],
        "after": ["closing"],
        "questionnaires": {
            "teamwork": {
                "title": "The team",
                "items": [
                    {
                        "id": "trust",
                        "ask": "I trusted the robot.",
                        "scale": 7,
                        "low": "not at all",
                        "high": "completely",
                    },
                    {"id": "why", "ask": "Why?", "text": True, "optional": True},
                ],
            },
            "closing": {
                "title": "At last",
                "items": [{"id": "age", "ask": "How old are you?", "number": True}],
            },
        },
    },
}


class Study:
    """A served experiment, of which ``world`` records the games below ``directory``."""

    def __init__(self, directory: Path, browsers: Any, **people: Any) -> None:
        self.browsers = browsers
        file = directory / "study.yaml"
        design = {**STUDY, "people": {**STUDY["people"], **people}}
        file.write_text(yaml.safe_dump(design, sort_keys=False), encoding="utf-8")
        self.games = directory / "games"
        self.experiment = open_experiment(str(file), str(self.games), group=1, secret="")
        self.world = self.experiment.make_world()
        referee = Referee(self.world)
        self.runner = WorldRunner(self.world, referee, speed=10.0, paused=True)
        self.server = ExperimentServer(self.runner, self.experiment, referee, port=0)
        self.runner.start()
        self.server.start()

    def close(self) -> None:
        self.server.close()
        self.runner.close()
        self.world.close()
        self.experiment.close()


@pytest.fixture
def study(tmp_path: Path, browsers: Any) -> Iterator[Callable[..., Study]]:
    studies: list[Study] = []

    def make(**people: Any) -> Study:
        studies.append(Study(tmp_path, browsers, **people))
        return studies[-1]

    yield make
    for made in studies:
        made.close()


def title(person: Any, wanted: str) -> None:
    """Wait for a form or a text with a title."""
    person.until(lambda: person.text("screen-title") == wanted)


def send(person: Any) -> None:
    person.click("#screen-submit")


def choose(person: Any, item: str, value: str) -> None:
    person.click(f'#item-{item} input[value="{value}"]')


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


def plays(person: Any) -> None:
    person.until(lambda: person.text("me-title").startswith("Human_"))


def picture(person: Any, name: str) -> None:
    """Keep a picture for the documents, where that is wanted."""
    if directory := os.environ.get("BW4T_STUDY_PICTURES"):
        (Path(directory) / f"bw4t_study_{name}.png").write_bytes(
            person.driver.get_screenshot_as_png()
        )


def experimenter(person: Any, command: str, *, twice: bool = False) -> None:
    selector = f'[data-command="{command}"]'
    person.until(lambda: person.elements(selector))
    person.click(selector)
    if twice:
        person.until(lambda: "press again" in person.element(selector).text)
        person.click(selector)


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
    ann.click_room("RoomC2")
    ann.arrives("RoomC2")
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
    line.cut()
    bob.until(lambda: "lost" in bob.text("link"))
    ann.driver.refresh()
    ann.until(lambda: "again" in ann.text("log"))
    ann.click_room("RoomC1")
    ann.arrives("RoomC1")
    time.sleep(float(os.environ.get("BW4T_STUDY_LOSS_S", "0")))  # to see a long loss, by hand
    line.mend()
    bob.until(lambda: bob.text("link") == "Connected")
    bob.click_room("RoomC3")
    bob.arrives("RoomC3")
    made.runner.set_speed(200.0).result(20)
    questionnaires(ann, 6)
    title(bob, "Workload")
    picture(bob, "phone")
    made.runner.set_speed(10.0).result(20)
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


def test_a_study_with_the_keyboard_alone(study):
    made = study(seats=1, codes=[], between=["teamwork"], after=[])
    browsers = made.browsers
    person = browsers.person(f"{made.server.url}?p=Ann", size=DESK)
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
        made.runner.set_speed(10.0).result(20)
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
    made = study(seats=1, codes=[], language="de", between=["nasa-tlx"])
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


AXE = Path(os.environ.get("AXE_CORE", "/nowhere/axe.min.js"))


@pytest.mark.skipif(not AXE.is_file(), reason="needs AXE_CORE=FILE: npm install axe-core")
@pytest.mark.parametrize("size", [DESK, PHONE], ids=str)
def test_no_screen_has_a_serious_fault_for_axe(study, size):
    made = study(seats=1, codes=[])
    boss = made.browsers.person(made.server.experimenter_url, size=size)
    person = made.browsers.person(f"{made.server.url}?p=Ann", size=size)
    for wanted in ("Consent", "Instructions", "Questions about the task"):
        title(person, wanted)
        check_by_axe(person)
        if wanted == "Questions about the task":
            choose(person, "q1", "in that of the sequence")
        send(person)
    plays(person)
    check_by_axe(person)
    check_by_axe(boss)
    person.script("document.getElementById('help').showModal()")
    check_by_axe(person)
    person.script("document.getElementById('help').close()")
    person.click("#withdraw")
    check_by_axe(person)
    person.press(Keys.ESCAPE)
    made.runner.set_speed(200.0).result(20)
    title(person, "Workload")
    check_by_axe(person)
    boss.until(lambda: boss.elements("#experiment-games button"))
    boss.click("#experiment-games button")
    boss.until(lambda: boss.element("#replay").is_displayed())
    check_by_axe(boss)


def check_by_axe(person: Any) -> None:
    """Fail for what axe-core calls serious or critical."""
    person.script(AXE.read_text(encoding="utf-8"))
    found = person.driver.execute_async_script(
        "axe.run({resultTypes: ['violations']}).then(arguments[0])"
    )
    serious = [
        f"{fault['id']}: {node['html'][:150]} {node['failureSummary']}"
        for fault in found["violations"]
        if fault["impact"] in ("serious", "critical")
        for node in fault["nodes"]
    ]
    assert not serious, "\n".join(serious)
