# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""An experiment over real sockets: full disks, failed starts, and requests that come at once."""

from __future__ import annotations

import asyncio
import errno
import json
import os
import socket
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

pytest.importorskip("aiohttp")
pytest.importorskip("yaml")
pytest.importorskip("bw4t_study")

from experiment_room import (
    SECRET,
    TIMEOUT_S,
    Room,
    fill_in,
    games,
    intake,
    screen,
    states,
    study,
)

from bw4t_study.experiment.games import SessionGame
from bw4t_study.record.session_file import SessionFile
from bw4t_web.console import running
from bw4t_world import World
from bw4t_world.console import main

ONLY_GAMES = {"between": [], "after": []}
BY_COMMAND = {"start": "experimenter", **ONLY_GAMES}


def no_space(*_: Any, **__: Any) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@asynccontextmanager
async def starting(made: Room, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[threading.Event]:
    """Start a game, whose loading waits for the event or the end of the block."""
    loading, may_go_on, begin = threading.Event(), threading.Event(), SessionGame.begin

    def begin_slowly(game: SessionGame, world: World) -> None:
        loading.set()
        assert may_go_on.wait(TIMEOUT_S)
        begin(game, world)

    monkeypatch.setattr(SessionGame, "begin", begin_slowly)
    started = asyncio.ensure_future(made.command("start"))
    try:
        assert await asyncio.to_thread(loading.wait, TIMEOUT_S)
        yield may_go_on
    finally:
        may_go_on.set()
        await started


# --- Files ---------------------------------------------------------------------------------


async def test_what_cannot_be_written_is_refused_in_a_sentence(room, monkeypatch):
    made = room(study())
    async with made.page(code="P07") as page, made.page(secret=SECRET) as boss:
        await screen(page, "form", "consent")
        with monkeypatch.context() as full_disk:
            full_disk.setattr(SessionFile, "write", no_space)
            for answer in (
                await page.ask(type="answers", form="consent", answers={}),
                await boss.ask(type="command", command="end"),
            ):
                assert answer["type"] == "error"
                assert "No space left on device" in answer["text"]
        await fill_in(page, "consent")


async def test_what_is_filled_in_outlives_an_answer_that_is_refused(room, monkeypatch):
    made = room(study())
    async with made.page(code="P07") as page:
        await fill_in(page, "consent")
        await fill_in(page, "instructions")
        await screen(page, "form", "check")
        await page.send(type="draft", form="check", answers={"q1": "any"})
        with monkeypatch.context() as full_disk:
            full_disk.setattr(SessionFile, "write", no_space)
            answer = await page.ask(type="answers", form="check", answers={"q1": "given"})
            assert "No space left on device" in answer["text"]
    async with made.page(code="P07") as page:
        await page.until(lambda: page.of("draft"))
        assert page.of("draft")[0]["answers"] == {"q1": "any"}
        await fill_in(page, "check", q1="given")
        await screen(page, "play")
    async with made.page(code="P07") as page:
        await screen(page, "play")
        assert not page.of("draft")


async def test_a_participant_comes_and_goes_while_the_disk_is_full(room, monkeypatch):
    made = room(study(BY_COMMAND))
    async with made.page(code="P07") as page:
        await intake(page)
        await screen(page, "wait")
        await made.command("start")
        await page.until(lambda: page.me.get("name"))
        monkeypatch.setattr(SessionFile, "write", no_space)
    async with made.page(code="P07") as page:
        await page.until(lambda: page.of("joined"))
        monkeypatch.undo()
        await made.command("abort")
    (game,) = games(made)
    notes = [line["text"] for line in game.of_kind("note")]
    assert notes == ["page: joined, participant P07", "page: connection lost", "page: came back"]


async def test_a_game_that_cannot_begin_is_interrupted_and_can_be_repeated(room, monkeypatch):
    made = room(study(ONLY_GAMES))
    begun: list[Any] = []

    def cannot_begin(*_: Any) -> None:
        begun.extend(made.session_lines("begun"))
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))

    async with made.page(code="P07") as page, made.page(secret=SECRET) as boss:
        with monkeypatch.context() as broken:
            broken.setattr(SessionGame, "begin", cannot_begin)
            await intake(page)
            await boss.until(lambda: states(boss) == ["interrupted"])
        assert len(begun) == 1, "a record is made before the session knows of its game"
        await boss.ask(type="command", command="repeat")
        await screen(page, "play")


async def test_two_experimenters_see_recorded_games_on_their_own_maps(room):
    made = room(study(BY_COMMAND, maps=["nine_rooms", "large"]))
    async with (
        made.page(code="P07") as page,
        made.page(secret=SECRET) as one,
        made.page(secret=SECRET) as other,
    ):
        await intake(page)
        await screen(page, "wait")
        for _ in range(2):
            await made.command("start")
            await made.command("abort")
        await one.until(lambda: states(one) == ["aborted", "aborted"])
        first, second = (trial["file"] for trial in one.state["experiment"]["trials"])
        await one.ask(type="show", file=first)
        await other.ask(type="show", file=second)
        await one.ask(type="show", file=second)
        for boss in (one, other):
            await boss.until(lambda boss=boss: boss.state.get("replay", {}).get("file") == second)
        assert one.world == other.world


# --- At once ---------------------------------------------------------------------------------


async def test_a_game_is_not_judged_by_a_moment_of_the_last_one(room):
    made = room(study(ONLY_GAMES))
    async with made.page(code="P07") as page:
        await intake(page)
        await screen(page, "play")
        await screen(page, "end")  # by the time limit
        async with made.standstill():
            repeated = asyncio.ensure_future(made.command("repeat"))
            await made.arrivals_are_handled()
        await repeated
        await screen(page, "play")
        await screen(page, "end")
    first, second = games(made)
    assert second.end["tick"] == first.end["tick"] > 0


async def test_who_leaves_while_a_game_is_loaded_ends_it(room, monkeypatch):
    made = room(study(BY_COMMAND))
    async with made.page(code="P07") as page:
        await intake(page)
        await screen(page, "wait")
        async with starting(made, monkeypatch):
            await page.send(type="withdraw")
            await made.arrivals_are_handled()
        await screen(page, "end")
    lines = made.session_lines("begun", "ended", "withdrew")
    assert [line["kind"] for line in lines] == ["begun", "ended", "withdrew"]
    assert lines[1]["reason"] == "aborted"


async def test_a_page_that_is_opened_while_a_game_is_loaded_gets_its_robot(room, monkeypatch):
    made = room(study(BY_COMMAND))
    async with made.page(code="P07") as page:
        await intake(page)
        await screen(page, "wait")
        async with starting(made, monkeypatch) as may_go_on, made.page(code="P07") as again:
            await made.arrivals_are_handled()
            may_go_on.set()
            await again.until(lambda: again.of("joined"))
            await again.until(lambda: again.me.get("name"))


async def test_only_who_takes_part_controls_time_and_nobody_ends_a_freeze(room):
    items = {"items": [{"id": "where", "ask": "Where is the robot?", "text": True}]}
    people = {"freeze": {"at": [10], "ask": "awareness"}, "control": True, **ONLY_GAMES}
    made = room(study({**people, "questionnaires": {"awareness": items}}))
    async with made.page(code="P07") as page, made.page(code="P99") as stranger:
        await intake(page)
        await screen(page, "play")
        await page.send(type="control", command="pause")
        await page.until(lambda: page.state["task"]["paused"])
        await stranger.send(type="control", command="resume")
        await stranger.until(lambda: stranger.said("do not take part"))
        await page.send(type="control", command="resume")
        await screen(page, "form", "awareness")
        await page.send(type="control", command="resume")
        await page.until(lambda: page.said("The game stands still."))
        assert made.runner.call(lambda world: (world.is_paused, world.seconds)) == (True, 10)
        await fill_in(page, "awareness", where="In RoomA1.")
        await screen(page, "end")


# --- The start -------------------------------------------------------------------------------


@pytest.fixture
def start(tmp_path, monkeypatch):
    """Start the program with an experiment, which fails; return the exit code."""
    monkeypatch.setattr(running, "set_up_logging", lambda **_: None)

    def start(design: dict[str, Any], *options: str) -> int:
        file = tmp_path / "study.yaml"
        file.write_text(json.dumps(design), encoding="utf-8")
        return main(["experiment", str(file), "--output", str(tmp_path), *options])

    return start


@pytest.mark.parametrize(
    "options, named",
    [
        (["--speed", "0"], "speed"),
        (["--origin", "study.example.org"], "study.example.org"),
        (["--secret", "x" * 101], "secret"),
        (["--port", "taken"], "in use; choose another"),
    ],
    ids=str,
)
def test_a_start_that_fails_uses_up_no_group(start, tmp_path, capsys, options, named):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert start(study(), *(port if text == "taken" else text for text in options)) == 2
    assert named in capsys.readouterr().err
    assert list(tmp_path.rglob("*.session")) == []


def test_a_language_that_is_not_there_is_refused(start, capsys):
    assert start(study({"language": "dee"})) == 2
    assert "dee" in capsys.readouterr().err


async def test_any_secret_is_in_the_experimenters_link(room):
    secret = "a+b &c%41#ü"
    made = room(study(), secret=secret)
    link = urlsplit(made.server.experimenter_url).fragment
    assert parse_qs(link) == {"experimenter": [secret]}
    async with made.page(secret=secret) as boss:
        await boss.until(lambda: "experiment" in boss.state)


def test_the_phase_is_told(room):
    made = room(study({"start": "experimenter"}))
    assert made.server.phase == "waits for start of game 1"
    made.server.command("end").result(TIMEOUT_S)
    assert "ended the session" in made.server.phase
