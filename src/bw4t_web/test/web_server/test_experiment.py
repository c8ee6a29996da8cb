# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""An experiment with people over real sockets: who sees what, what comes next, what is kept."""

from __future__ import annotations

import json
from typing import Any

import pytest

pytest.importorskip("aiohttp")
pytest.importorskip("yaml")
pytest.importorskip("bw4t_study")

from experiment_room import fill_in, games, intake, screen, states, study, visit

from bw4t_runner.world_runner import WorldRunner
from bw4t_study.record import read_game, records_in
from bw4t_study.replay import Replay


async def test_a_participant_from_the_link_to_the_end(room):
    made = room(study())
    async with made.page(code="P07") as page:
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


async def test_who_may_not_take_part_or_watch_sees_nothing(room):
    made = room(study())
    async with made.page(code="P99") as page:
        assert "not valid" in (await screen(page, "refused"))["text"]
        assert (await page.ask(type="answers", form="consent", answers={}))["type"] == "error"
        assert (await page.ask(type="command", command="end"))["type"] == "error"
    for who in ({}, {"secret": "guess"}):
        async with made.page(**who) as page:
            assert "link" in (await screen(page, "refused"))["text"]
            await page.send(type="join", name="Ann")
            await page.until(lambda page=page: page.of("error"))
            await page.send(type="control", command="resume")
            await page.until(lambda page=page: len(page.of("error")) == 2)
            assert not page.things("robot")
            assert not page.things("block")
    assert made.session_lines("arrived", "begun") == []


async def test_a_participant_comes_back_by_the_link_alone(room):
    made = room(study(conditions={"open": {"robots": 1, "max_seconds": 4000}}))
    async with made.page(code="P07") as page:
        await intake(page)
        await page.until(lambda: page.me.get("name"))
    async with made.page(code="P07") as page:
        await page.until(lambda: page.of("joined"))
        assert page.of("joined")[0]["resumed"]
        await visit(page, "RoomC2")
        async with made.page(code="P07") as second:
            await page.until(lambda: page.of("replaced"))
            await second.until(lambda: second.me.get("in") == "RoomC2")
    texts = [line["text"] for line in made.session_lines("connection")]
    assert texts[:4] == ["connected", "lost", "connected", "connected"]


async def test_the_experimenter_starts_pauses_aborts_repeats_and_watches(room):
    made = room(study({"start": "experimenter", "between": [], "after": []}))
    async with (
        made.page(secret="s3") as boss,
        made.page(code="P07") as page,
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
    ends = {g.header["about"]["attempt"]: g.end["reason"] for g in games(made)}
    assert ends == {"1": "aborted", "2": "time limit"}


async def next_game(boss: Any) -> None:
    number = states(boss).index("playing")
    await boss.ask(type="command", command="abort")
    await boss.ask(type="command", command="start")
    await boss.until(lambda: states(boss)[number + 1 :][:1] == ["playing"])


async def test_people_see_and_hear_of_others_what_the_condition_says(room):
    conditions = {
        "quiet": {"robots": 0, "max_seconds": 4000, "messages": False, "free_text": True},
        "seen": {"robots": 0, "max_seconds": 4000, "sees": "everything"},
        "late": {"robots": 0, "max_seconds": 4000, "message_delay": 100.0, "sees": "robots"},
    }
    made = room(study({"seats": 2, "between": [], "after": []}, conditions=conditions))
    async with (
        made.page(secret="s3") as boss,
        made.page(code="P07") as one,
        made.page(code="P08") as two,
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


async def test_a_player_knows_the_game_and_who_is_not_connected(room):
    conditions = {"open": {"robots": 0, "max_seconds": 4000}}
    made = room(study({"seats": 2, "between": [], "after": []}, conditions=conditions))
    async with made.page(code="P07") as one:
        await intake(one)
        assert (await screen(one, "wait"))["missing"] == 1
        async with made.page(code="P08") as two:
            await intake(two)
            shown = await screen(one, "play")
            assert shown["game"] == {"number": 1, "of": 1, "practice": False, "limit": 4000}
            await one.until(lambda: one.state["screen"]["away"] == [])
        await one.until(lambda: one.state["screen"]["away"] == ["Human_2"])


async def test_what_is_filled_in_so_far_is_kept(room):
    made = room(study())
    async with made.page(code="P07") as page:
        await fill_in(page, "consent")
        await fill_in(page, "instructions")
        await screen(page, "form", "check")
        await page.send(type="draft", form="check", answers={"q1": [1]})
        await page.until(lambda: page.said("a number or a text"))
        await page.send(type="draft", form="check", answers={"q1": "any"})
    async with made.page(code="P07") as page:
        await page.until(lambda: page.of("draft"))
        assert page.of("draft")[0]["answers"] == {"q1": "any"}
        answer = await page.ask(type="answers", form="check", answers={"q1": "any"})
        assert answer["type"] == "error"
        assert "not right" in (await screen(page, "form", "instructions"))["note"]
    async with made.page(code="P07") as page:
        await fill_in(page, "instructions")
        await fill_in(page, "check", q1="given")
        await screen(page, "play")
        assert not page.of("draft")


async def test_a_game_stands_still_for_questions(room):
    items = {"items": [{"id": "where", "ask": "Where is the robot?", "text": True}]}
    people = {"freeze": {"at": [10], "ask": "awareness"}, "between": [], "after": []}
    made = room(study({**people, "questionnaires": {"awareness": items}}))
    async with made.page(code="P07") as page:
        await intake(page)
        await screen(page, "form", "awareness")
        assert page.state["task"]["seconds"] == 10
        answer = await page.act("goTo", "RoomC2")
        assert answer["type"] == "error"
        await fill_in(page, "awareness", where="In RoomA1.")
        await screen(page, "play")
        await screen(page, "end")
    (line,) = [line for line in made.session_lines("answers") if line["form"] == "awareness"]
    assert line["moment"] == "game 1 at 10 s"
    (game,) = games(made)
    assert game.end["reason"] == "time limit"


async def test_a_server_that_was_killed_goes_on_with_the_same_group(room):
    design = study({"between": [], "after": []})
    first = room(design)
    async with first.page(code="P07") as page:
        await intake(page)
        await screen(page, "play")
    first.server.close()
    WorldRunner.close(first.runner)  # its record has no end
    first.experiment.close()
    second = room(design, group=1)
    async with (
        second.page(secret="s3") as boss,
        second.page(code="P07") as page,
    ):
        await screen(page, "wait")
        await boss.until(lambda: "experiment" in boss.state)
        assert boss.state["experiment"]["trials"][0]["state"] == "interrupted"
        await boss.ask(type="command", command="repeat")
        await screen(page, "play")
        await page.send(type="withdraw")
        await screen(page, "end")
        await boss.until(lambda: boss.state["experiment"]["commands"] == [])
    kinds = [line["kind"] for line in second.session_lines("begun", "ended", "withdrew")]
    assert kinds == ["begun", "ended", "begun", "ended", "withdrew"]
    assert json.dumps(second.session_lines("session"))
