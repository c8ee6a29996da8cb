# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The server runs an experiment with people: its page, services, diagnostics and refusals."""

from __future__ import annotations

import asyncio
import errno
import json
import os

import pytest
from std_srvs.srv import Trigger

from bw4t_bridge.bridge.node import Bw4tServer
from bw4t_study.record import read_game, records_in
from bw4t_study.record.session_file import SessionFile
from legacy_robots_common.node.program_node import StartupError
from legacy_robots_msgs.srv import Bw4tAddPlayer, Bw4tLoad, Bw4tRemovePlayer, Bw4tReset
from legacy_robots_testing.running_node import RunningNode

pytestmark = pytest.mark.node

aiohttp = pytest.importorskip("aiohttp")

STUDY = """
maps: [nine_rooms]
teams: [searchers]
seeds: 1
conditions: {open: {robots: 1, max_seconds: 4000}}
people: {start: experimenter, codes: [P07]}
"""


async def take_part(url, call, others):
    """Open the page with the code, call ``call`` at each step and ``others`` in the game."""
    async with aiohttp.ClientSession() as session:
        origin = {"Origin": url.rstrip("/")}
        async with session.ws_connect(f"{url}ws", headers=origin) as socket:
            await socket.send_str(json.dumps({"type": "hello", "token": None, "code": "P07"}))
            begun = False
            async for frame in socket:
                message = json.loads(frame.data)
                screen = message.get("set", {}).get("screen", {}).get("kind")
                if screen == "wait" and not begun:
                    begun = await asyncio.to_thread(call, "start")
                if message["type"] == "joined":
                    assert not await asyncio.to_thread(call, "start")
                    await asyncio.to_thread(others)
                    assert await asyncio.to_thread(call, "abort")
                if message["type"] == "left":
                    return


def test_an_experiment_by_parameters_and_services(serve, tmp_path):
    file = tmp_path / "study.yaml"
    file.write_text(STUDY, encoding="utf-8")
    server, peer = serve(
        experiment=str(file), experiment_secret="s3", record=str(tmp_path / "games"), web_port=0
    )
    part = server.parts["experiment"]
    assert part.server.experimenter_url.endswith("#experimenter=s3")
    assert server.diagnostics()["experiment"] == "waits for start of game 1"
    assert "stands still" in peer.call(Trigger, "start", Trigger.Request()).message

    def call(command):
        return peer.call(Trigger, f"experiment/{command}", Trigger.Request()).success

    def others():
        """A game is neither replaced nor changed by those who do not know of the experiment."""
        names = server.runner.call(lambda world: world.names)
        for service, name, request in (
            (Bw4tReset, "reset", Bw4tReset.Request()),
            (Bw4tLoad, "load", Bw4tLoad.Request(map="large")),
            (Bw4tAddPlayer, "add_player", Bw4tAddPlayer.Request()),
            (Bw4tRemovePlayer, "remove_player", Bw4tRemovePlayer.Request(name="Bot_1")),
        ):
            answer = peer.call(service, name, request)
            assert not answer.success, name
            assert "an experiment runs in this world" in answer.message
        assert server.runner.call(lambda world: world.names) == names == ("Bot_1", "Human_1")

    asyncio.run(asyncio.wait_for(take_part(part.server.url, call, others), 60))
    assert call("end")
    (path,) = records_in(tmp_path)
    assert read_game(path).end["reason"] == "aborted"
    assert "ended the session" in server.diagnostics()["experiment"]


def test_what_cannot_be_written_is_answered(serve, tmp_path, monkeypatch):
    file = tmp_path / "study.yaml"
    file.write_text(STUDY, encoding="utf-8")
    _, peer = serve(experiment=str(file), web_port=0)

    def no_space(*_, **__):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(SessionFile, "write", no_space)
    answer = peer.call(Trigger, "experiment/end", Trigger.Request())
    assert (answer.success, "No space left on device" in answer.message) == (False, True)


@pytest.mark.parametrize("given", ["my own secret", ""])
def test_only_a_secret_that_was_made_is_logged(serve, tmp_path, capfd, given):
    file = tmp_path / "study.yaml"
    file.write_text(STUDY, encoding="utf-8")
    server, _ = serve(experiment=str(file), experiment_secret=given, web_port=0)
    url = server.parts["experiment"].server.experimenter_url
    logged = capfd.readouterr().err
    assert "#experimenter=" in logged
    assert (url in logged) == (not given)


def test_a_language_that_is_not_there_is_refused_in_a_sentence(tmp_path):
    file = tmp_path / "study.yaml"
    file.write_text(STUDY.replace("people: {", "people: {language: dee, "), encoding="utf-8")
    with pytest.raises(StartupError, match="dee"):
        RunningNode(Bw4tServer, {"experiment": str(file), "web_port": 0})


@pytest.mark.parametrize("more", [{}, {"world": "original"}], ids=str)
def test_an_experiment_that_cannot_be_run_is_refused_in_a_sentence(more):
    with pytest.raises(StartupError, match="experiment"):
        RunningNode(Bw4tServer, {"experiment": "/no/such/file.yaml", "web_port": 0, **more})


def test_an_origin_that_is_none_is_refused_in_a_sentence():
    with pytest.raises(StartupError, match=r"web_origin.*study\.example\.org"):
        RunningNode(Bw4tServer, {"web": True, "web_port": 0, "web_origin": "study.example.org"})
