# SPDX-License-Identifier: Apache-2.0
"""An experiment with people over real sockets: who sees what, what comes next, what is kept."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("aiohttp")
pytest.importorskip("yaml")
pytest.importorskip("bw4t_study")

import aiohttp
import yaml

from bw4t_bridge.runner.world_runner import WorldRunner
from bw4t_bridge.web import ExperimentServer
from bw4t_bridge.web.experiment_hub import Referee
from bw4t_bridge.web.experiment_port import open_experiment
from bw4t_bridge.web.settings import Settings
from bw4t_study.record import read_game, records_in
from bw4t_study.record.session_file import read_session, sessions_in
from bw4t_study.replay import Replay

STUDY: dict[str, Any] = {
    "maps": ["nine_rooms"],
    "teams": ["searchers"],
    "seeds": 1,
    "conditions": {"open": {"robots": 1, "max_seconds": 40}},
    "people": {
        "codes": ["P07", "P08"],
        "consent": "We record what you do.",
        "instructions": "Deliver the blocks.",
        "check": [{"ask": "Which order?", "options": ["any", "given"], "right": "given"}],
        "between": ["team"],
        "after": ["last"],
        "questionnaires": {
            "team": {"items": [{"id": "trust", "ask": "Trust?", "scale": 7}]},
            "last": {"items": [{"id": "age", "ask": "Age?", "number": True}]},
        },
    },
}


def study(people: dict[str, Any] | None = None, **changes: Any) -> dict[str, Any]:
    return {**STUDY, **changes, "people": {**STUDY["people"], **(people or {})}}


class Room:
    """A server of an experiment."""

    def __init__(self, directory: Path, design: dict[str, Any], group: int = 0) -> None:
        self.directory = directory
        file = directory / "study.yaml"
        file.write_text(yaml.safe_dump(design, sort_keys=False), encoding="utf-8")
        self.experiment = open_experiment(
            str(file), str(directory / "games"), group=group, secret="s3"
        )
        self.world = self.experiment.make_world()
        referee = Referee(self.world)
        self.runner = WorldRunner(self.world, referee, speed=20.0, paused=True)
        settings = Settings(frame_rate=50.0)
        self.server = ExperimentServer(
            self.runner, self.experiment, referee, port=0, settings=settings
        )
        self.runner.start()
        self.server.start()

    def close(self) -> None:
        self.server.close()
        self.runner.close()
        self.world.close()
        self.experiment.close()

    @asynccontextmanager
    async def page(self, make_page: Any, **who: str) -> Any:
        async with aiohttp.ClientSession() as session:
            origin = {"Origin": self.server.url.rstrip("/")}
            async with session.ws_connect(f"{self.server.url}ws", headers=origin) as connection:
                page = make_page(connection)
                await page.send(type="hello", token=None, **who)
                yield page

    def session_lines(self, *kinds: str) -> list[dict[str, Any]]:
        (path,) = sessions_in(self.directory)
        return [line for line in read_session(path) if line["kind"] in kinds]


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Callable[..., Room]]:
    rooms: list[Room] = []

    def make(design: dict[str, Any], **options: Any) -> Room:
        rooms.append(Room(tmp_path, design, **options))
        return rooms[-1]

    yield make
    for made in rooms:
        made.close()


async def screen(page: Any, kind: str, form: str = "") -> dict[str, Any]:
    """Wait for a screen of a kind, and for a form of an id."""

    def there() -> bool:
        shown = page.state.get("screen", {})
        return shown.get("kind") == kind and (not form or shown["form"]["id"] == form)

    await page.until(there)
    return dict(page.state["screen"])


async def fill_in(page: Any, form: str, **answers: Any) -> None:
    await screen(page, "form", form)
    answer = await page.ask(type="answers", form=form, answers=answers)
    assert answer["type"] == "taken", answer


async def intake(page: Any) -> None:
    await fill_in(page, "consent")
    await fill_in(page, "instructions")
    await fill_in(page, "check", q1="given")


async def visit(page: Any, room: str) -> None:
    """Go to a room, and again while the agent's robot is in it."""
    while (end := await page.go("goTo", room))["kind"] != "done":
        assert "only one robot at a time" in end["text"], end


def test_a_participant_from_the_link_to_the_end(room, play, page_class):
    made = room(study())

    async def story():
        async with made.page(page_class, code="P07") as page:
            shown = await screen(page, "form", "consent")
            assert shown["form"]["text"] == "We record what you do."
            assert not page.things("robot")
            assert not page.things("block")
            await fill_in(page, "consent")
            await fill_in(page, "instructions")
            await screen(page, "form", "check")
            answer = await page.ask(type="answers", form="check", answers={"q1": "any"})
            assert "not right" in answer["text"]
            await fill_in(page, "instructions")
            await fill_in(page, "check", q1="given")
            await screen(page, "play")
            await page.until(lambda: page.of("joined"))
            assert page.of("joined")[0]["token"] is None
            await visit(page, "RoomC2")
            await screen(page, "form", "team")  # by the time limit
            answer = await page.ask(type="answers", form="team", answers={"trust": 8})
            assert answer["type"] == "error"
            await fill_in(page, "team", trust=6)
            await fill_in(page, "last", age=31)
            await screen(page, "end")

    play(story)
    (path,) = records_in(made.directory)
    game = read_game(path)
    assert game.end["reason"] == "time limit"
    assert game.end["tick"] == 40 / game.header["tick_seconds"]
    assert game.header["about"]["participants"] == "P07=Human_1"
    Replay(game).measures()
    answers = [(li["form"], li["answers"]) for li in made.session_lines("answers")]
    assert answers[0] == ("consent", {})
    assert ("check", {"q1": "any"}) in answers
    assert answers[-2:] == [("team", {"trust": 6}), ("last", {"age": 31})]
    assert made.session_lines("session")[0]["texts"]["consent"] == "We record what you do."


def test_who_may_not_take_part_or_watch_sees_nothing(room, play, page_class):
    made = room(study())

    async def story():
        async with made.page(page_class, code="P99") as page:
            assert "not valid" in (await screen(page, "end"))["text"]
            assert (await page.ask(type="answers", form="consent", answers={}))["type"] == "error"
            assert (await page.ask(type="command", command="end"))["type"] == "error"
        for who in ({}, {"secret": "guess"}):
            async with made.page(page_class, **who) as page:
                assert "link" in (await screen(page, "end"))["text"]
                await page.send(type="join", name="Ann")
                await page.until(lambda page=page: page.of("error"))
                await page.send(type="control", command="resume")
                await page.until(lambda page=page: len(page.of("error")) == 2)
                assert not page.things("robot")
                assert not page.things("block")

    play(story)
    assert made.session_lines("arrived", "begun") == []


def test_a_participant_comes_back_by_the_link_alone(room, play, page_class):
    made = room(study(conditions={"open": {"robots": 1, "max_seconds": 4000}}))

    async def story():
        async with made.page(page_class, code="P07") as page:
            await intake(page)
            await page.until(lambda: page.me.get("name"))
        async with made.page(page_class, code="P07") as page:
            await page.until(lambda: page.of("joined"))
            assert page.of("joined")[0]["resumed"]
            await visit(page, "RoomC2")
            async with made.page(page_class, code="P07") as second:
                await page.until(lambda: page.of("replaced"))
                await second.until(lambda: second.me.get("in") == "RoomC2")

    play(story)
    texts = [line["text"] for line in made.session_lines("connection")]
    assert texts[:4] == ["connected", "lost", "connected", "connected"]


def test_the_experimenter_starts_pauses_aborts_repeats_and_watches(room, play, page_class):
    made = room(study({"start": "experimenter", "between": [], "after": []}))

    async def story():
        async with (
            made.page(page_class, secret="s3") as boss,
            made.page(page_class, code="P07") as page,
        ):
            await intake(page)
            await screen(page, "wait")
            await boss.until(lambda: boss.state.get("experiment", {}).get("participants"))
            assert boss.state["experiment"]["commands"] == ["start", "end"]
            assert (await boss.ask(type="command", command="abort"))["type"] == "error"
            await boss.ask(type="command", command="start")
            await screen(page, "play")
            await boss.until(lambda: boss.things("robot").keys() == {"Bot_1", "Human_1"})
            await boss.ask(type="command", command="pause")
            await page.until(lambda: page.state["task"]["paused"])
            await boss.ask(type="command", command="resume")
            await page.until(lambda: not page.state["task"]["paused"])
            await page.until(lambda: page.state["task"]["seconds"] > 0)
            await boss.ask(type="command", command="abort")
            await screen(page, "wait")
            await boss.until(lambda: states(boss) == ["aborted"])
            file = boss.state["experiment"]["trials"][0]["file"]
            answer = await boss.ask(type="show", file=file, seconds=0)
            assert answer["type"] == "taken"
            await boss.until(lambda: boss.state.get("replay"))
            assert boss.state["replay"]["length"] > 0
            assert boss.state["task"]["seconds"] == 0
            assert boss.things("robot").keys() == {"Bot_1", "Human_1"}
            assert (await boss.ask(type="show", file="../x", seconds=0))["type"] == "error"
            await boss.ask(type="show", file="")
            await boss.until(lambda: "replay" not in boss.state)
            await boss.ask(type="command", command="repeat")
            await screen(page, "play")
            await screen(page, "end")

    play(story)
    ends = {g.header["about"]["attempt"]: g.end["reason"] for g in games(made)}
    assert ends == {"1": "aborted", "2": "time limit"}


def states(boss: Any) -> list[str]:
    """The states of the games as the experimenter sees them; empty while a map is new."""
    return [trial["state"] for trial in boss.state.get("experiment", {"trials": []})["trials"]]


def games(made: Room) -> list[Any]:
    return [read_game(path) for path in records_in(made.directory)]


def test_people_see_and_hear_of_others_what_the_condition_says(room, play, page_class):
    conditions = {
        "quiet": {"robots": 0, "max_seconds": 4000, "messages": False, "free_text": True},
        "seen": {"robots": 0, "max_seconds": 4000, "sees": "everything"},
        "late": {"robots": 0, "max_seconds": 4000, "message_delay": 100.0, "sees": "robots"},
    }
    made = room(study({"seats": 2, "between": [], "after": []}, conditions=conditions))

    async def story():
        async with (
            made.page(page_class, secret="s3") as boss,
            made.page(page_class, code="P07") as one,
            made.page(page_class, code="P08") as two,
        ):
            await intake(one)
            await intake(two)
            await screen(one, "play")
            await screen(two, "play")
            assert not one.things("robot")
            assert not one.things("block")
            answer = await one.ask(type="say", to="all", text="hello there")
            assert answer["ok"], answer
            await one.ask(type="say", to="all", message={"type": "ok"})
            await boss.until(lambda: boss.said("hello there"))
            assert not two.said("hello there")
            await next_game(boss)
            await one.until(lambda: one.things("robot").keys() == {"Human_2"})
            assert len(one.things("block")) > 10
            answer = await one.ask(type="say", to="all", text="hello again")
            assert answer["type"] == "error"
            await one.ask(type="say", to="all", message={"type": "yes"})
            await two.until(lambda: two.said("yes"))
            await next_game(boss)
            await one.until(lambda: one.things("robot") and not one.things("block"))
            before = one.state["task"]["seconds"]
            await one.ask(type="say", to="all", message={"type": "wait"})
            await two.until(lambda: any(m.get("text") == "wait" for m in two.messages))
            (said,) = [m for m in two.messages if m.get("text") == "wait"]
            assert said["seconds"] >= before + 100

    async def next_game(boss):
        number = states(boss).index("playing")
        await boss.ask(type="command", command="abort")
        await boss.ask(type="command", command="start")
        await boss.until(lambda: states(boss)[number + 1 :][:1] == ["playing"])

    play(story)


def test_a_game_stands_still_for_questions(room, play, page_class):
    items = {"items": [{"id": "where", "ask": "Where is the robot?", "text": True}]}
    people = {"freeze": {"at": [10], "ask": "awareness"}, "between": [], "after": []}
    made = room(study({**people, "questionnaires": {"awareness": items}}))

    async def story():
        async with made.page(page_class, code="P07") as page:
            await intake(page)
            await screen(page, "form", "awareness")
            assert page.state["task"]["seconds"] == 10
            answer = await page.act("goTo", "RoomC2")
            assert answer["type"] == "error"
            await fill_in(page, "awareness", where="In RoomA1.")
            await screen(page, "play")
            await screen(page, "end")

    play(story)
    (line,) = [line for line in made.session_lines("answers") if line["form"] == "awareness"]
    assert line["moment"] == "game 1 at 10 s"
    (game,) = games(made)
    assert game.end["reason"] == "time limit"


def test_a_server_that_was_killed_goes_on_with_the_same_group(room, play, page_class):
    design = study({"between": [], "after": []})
    first = room(design)

    async def begin():
        async with first.page(page_class, code="P07") as page:
            await intake(page)
            await screen(page, "play")

    play(begin)
    first.server.close()  # nothing is said to the experiment
    first.runner.close()
    second = room(design, group=1)

    async def story():
        async with (
            second.page(page_class, secret="s3") as boss,
            second.page(page_class, code="P07") as page,
        ):
            await screen(page, "wait")
            await boss.until(lambda: "experiment" in boss.state)
            assert boss.state["experiment"]["trials"][0]["state"] == "interrupted"
            await boss.ask(type="command", command="repeat")
            await screen(page, "play")
            await page.send(type="withdraw")
            await screen(page, "end")
            await boss.until(lambda: boss.state["experiment"]["commands"] == [])

    play(story)
    kinds = [line["kind"] for line in second.session_lines("begun", "ended", "withdrew")]
    assert kinds == ["begun", "ended", "begun", "ended", "withdrew"]
    assert json.dumps(second.session_lines("session"))
