# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A study that is served to browsers, and what its participants and its experimenter do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from bw4t_web import ExperimentServer
from bw4t_web.experiment.port import open_experiment
from bw4t_web.experiment.runner import ExperimentRunner
from bw4t_web.server.experiment_hub import Referee
from bw4t_web.server.settings import Settings

PHONE = (390, 844)
DESK = (1280, 800)

SPEED = 2.0
"""Simulated seconds in a second: a robot alone completes the sequence in about 40 s."""

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


class ServedStudy:
    """A served experiment, of which ``world`` records the games below ``directory``."""

    def __init__(
        self,
        directory: Path,
        design: dict[str, Any],
        *,
        group: int,
        secret: str = "",
        speed: float = SPEED,
        **settings: Any,
    ) -> None:
        file = directory / "study.yaml"
        file.write_text(yaml.safe_dump(design, sort_keys=False), encoding="utf-8")
        self.games = directory / "games"
        self.experiment = open_experiment(str(file), str(self.games), group=group, secret=secret)
        self.world = self.experiment.make_world()
        referee = Referee(self.world)
        self.runner = ExperimentRunner(self.experiment, self.world, referee, speed=speed)
        self.server = ExperimentServer(
            self.runner, self.experiment, referee, port=0, settings=Settings(**settings)
        )
        self.runner.start()
        self.server.start()

    def close(self) -> None:
        self.server.close()
        self.runner.close()


class Study(ServedStudy):
    """A served experiment, and browsers."""

    def __init__(
        self,
        directory: Path,
        browsers: Any,
        *,
        conditions: dict[str, Any] | None = None,
        **people: Any,
    ) -> None:
        self.browsers = browsers
        played = conditions or STUDY["conditions"]
        design = {**STUDY, "conditions": played, "people": {**STUDY["people"], **people}}
        super().__init__(directory, design, group=1)


def title(person: Any, wanted: str) -> None:
    """Wait for a form or a text with a title."""
    person.until(lambda: person.text("screen-title") == wanted)


def send(person: Any) -> None:
    person.click("#screen-submit")


def choose(person: Any, item: str, value: str) -> None:
    person.click(f'#item-{item} input[value="{value}"]')


def plays(person: Any) -> None:
    person.until(lambda: person.text("me-title").startswith("Human_"))


def experimenter(person: Any, command: str, *, twice: bool = False) -> None:
    """Press a button of the experimenter, which the page makes anew with the state."""
    selector = f'[data-command="{command}"]'

    def press() -> bool:
        found = person.elements(selector)
        for button in found:
            button.click()
        return bool(found)

    person.until(press)
    if twice:
        person.until(lambda: "press again" in person.element(selector).text)
        person.until(press)
