# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A robot that is played in words: by a program without a model, also over the protocol."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bw4t_study.record import RecordedWorld, read_game, records_in
from bw4t_study.replay import Replay
from bw4t_study.text import TextSession
from bw4t_world import World
from bw4t_world.maps import load_map
from bw4t_world.scenarios import BotSpec, Scenario

Ask = Callable[..., str]


def session(robots: int = 1, **options: Any) -> TextSession:
    world = World(load_map("nine_rooms"), Scenario(bots=(BotSpec(amount=robots),)), seed=1)
    return TextSession(world, "Bot_1", **options)


def play(ask: Ask) -> None:
    """Complete the sequence by requests alone, as a model would: look, decide, act."""
    rooms = sorted(set(re.findall(r"^(Room\w+):", ask("places"), re.MULTILINE)))
    for _ in range(300):
        text = ask("look")
        due = re.search(r"Due now: (\w+)", text)
        assert due
        if due[1] == "nothing":
            return
        held = re.search(r"You hold block \d+ \((\w+)\)", text)
        if held and "in DropZone" in text:
            ask("put_down")
        elif held:
            ask("go_to", place="DropZone")
        elif match := re.search(rf"Blocks here: .*?block (\d+) \({due[1]}", text):
            ask("go_to_block", block=int(match[1]))
            ask("pick_up")
        else:
            known = dict(re.findall(r"When you left (\w+) it contained (.*)\.", text))
            here = re.search(r"in (Room\w+)", text)
            known |= {here[1]: ""} if here else {}
            there = [room for room, blocks in known.items() if f"({due[1]}" in blocks]
            new = [room for room in rooms if room not in known]
            ask("go_to", place=(there or new or rooms)[0])
    raise AssertionError(text)


def test_the_sequence_is_completed_by_requests_alone() -> None:
    one = session()
    play(lambda tool, **given: one.request(tool, *given.values()))
    measures = one.world.measures()
    assert (measures.good_drops, measures.completion_ticks is not None) == (6, True)


def test_mates_play_and_talk_meanwhile() -> None:
    one = session(robots=3)
    assert "Other players: Bot_2, Bot_3." in one.request("look")
    assert "Bot_2: " in one.request("wait", 5)
    assert one.request("say", "I am going to RoomC1").startswith("Sent.")
    assert one.world.measures().robots[0].messages == 1


def test_a_slow_player_scores_like_a_fast_one() -> None:
    clock = [0.0]
    results = []
    for turn in (0.0, 10.0):
        one = session(robots=2, clock=lambda: clock[0])

        def ask(tool: str, one: TextSession = one, turn: float = turn, **given: object) -> str:
            clock[0] += turn
            return one.request(tool, *given.values())

        play(ask)
        results.append(one.world.measures())
    assert results[0] == results[1]


def test_with_a_budget_thinking_costs() -> None:
    clock = [0.0]
    one = session(budget=4.0, clock=lambda: clock[0])
    for turn in (3.0, 100.0):
        clock[0] += turn
        one.request("look")
    assert one.world.seconds == pytest.approx(7.0)


@pytest.mark.parametrize(
    "tool, arguments, problem",
    [
        ("go_to", ["Mars"], "Mars"),
        ("go_to", ["R" * 10_000], "at most 300"),
        ("go_to", [None], "must be a text"),
        ("go_to", [], "missing"),
        ("go_to_block", ["5"], "whole number"),
        ("go_to_block", [10**400], ""),
        ("go_to_block", [True], "whole number"),
        ("put_down", [], "not holding"),
        ("say", ["buy now"], "none of the messages"),
        ("say", ["OK", "Bot_9"], "Bot_9"),
        ("wait", [float("nan")], "above 0"),
        ("wait", [1e9], "at most 60"),
        ("wait", ["1"], "a number"),
    ],
    ids=range(13),
)
def test_what_cannot_be_is_a_sentence(tool: str, arguments: list[Any], problem: str) -> None:
    one = session()
    answer = one.request(tool, *arguments)
    assert answer.startswith("Refused: ")
    assert problem in answer
    assert len(answer) < 500
    assert one.world.now == 0


def beside_a_mate(monkeypatch: pytest.MonkeyPatch) -> TextSession:
    """Return a session whose mate is about to deliver the last block of the sequence."""
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    spec = load_map("nine_rooms")
    spec = replace(spec, sequence=spec.sequence[:1])
    world = World(spec, Scenario(bots=(BotSpec(amount=2),)), seed=1)
    blocks = [block for block in world.snapshot().blocks if block.color is spec.sequence[0]]
    for name, block in zip(("Bot_2", "Bot_1"), blocks[:2], strict=True):
        for action, args in (("goTo", [block.zone]), ("goToBlock", [block.id]), ("pickUp", [])):
            world.act(name, action, *args)
            world.tick(3000)
    world.act("Bot_1", "goTo", "RoomA1")
    world.act("Bot_2", "goTo", "DropZone")
    world.tick(3000)
    return TextSession(world, "Bot_1", "my_agents:Dropper")


def test_what_a_mate_delivers_meanwhile_is_not_ones_own(monkeypatch: pytest.MonkeyPatch) -> None:
    one = beside_a_mate(monkeypatch)
    answer = one.request("put_down")
    assert answer.startswith("Put down.\n")
    assert "The sequence is complete" in answer


def test_a_way_ends_when_a_mate_completes_the_sequence(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = beside_a_mate(monkeypatch).request("go_to", "RoomC3")
    assert answer.startswith("Still on the way, and the sequence is complete.\n")


def test_all_messages_are_listed() -> None:
    listed = session().request("messages").splitlines()
    assert "I am going to {room}" in listed
    assert len(listed) >= 45


def test_requests_and_answers_are_in_the_record(tmp_path: Path) -> None:
    world = RecordedWorld(
        load_map("nine_rooms"), Scenario(bots=(BotSpec(),)), seed=1, directory=tmp_path
    )
    one = TextSession(world, "Bot_1")
    one.request("go_to", "RoomC1")
    world.close()
    game = read_game(records_in(tmp_path)[0])
    notes = [line["text"] for line in game.of_kind("note")]
    assert notes == ["request: go_to('RoomC1')", "answer: Arrived at RoomC1."]
    Replay(game).measures()


def test_a_client_of_the_protocol_completes_the_sequence(tmp_path: Path) -> None:
    mcp = pytest.importorskip("mcp", reason="needs: pip install mcp")
    arguments = ["-m", "bw4t_world", "mcp", "nine_rooms", "--robots", "1", "--seed", "1"]
    server = mcp.StdioServerParameters(
        command=sys.executable, args=[*arguments, "--record", str(tmp_path)], env=dict(os.environ)
    )

    async def story() -> None:
        async with mcp.stdio_client(server) as streams, mcp.ClientSession(*streams) as client:
            assert (await client.initialize()).server_info.version
            tools = {tool.name for tool in (await client.list_tools()).tools}
            assert {"look", "go_to", "pick_up", "put_down", "say"} <= tools
            loop = asyncio.get_running_loop()

            def ask(tool: str, **given: Any) -> str:
                call = client.call_tool(tool, given)
                result: Any = asyncio.run_coroutine_threadsafe(call, loop).result(60)
                return str(result.content[0].text)

            await asyncio.to_thread(play, ask)
            for tool, given, named in (
                ("go_to_block", {"block": "all"}, "block must be a whole number"),
                ("go_to_block", {}, "block must be a whole number"),
                ("go_to", {"place": 7}, "place must be a text"),
                ("go_to", {"place": "Room\x1b[31mA1"}, "cannot be printed"),
                ("say", {"sentence": ["yes"]}, "sentence must be a text"),
                ("wait", {"seconds": "long"}, "seconds must be a number"),
            ):
                odd: Any = await client.call_tool(tool, given)
                answer = odd.content[0].text
                assert answer.startswith("Refused: "), answer
                assert named in answer
                assert "\x1b" not in answer
            unknown: Any = await client.call_tool("look", {})
            assert "complete" in unknown.content[0].text

    asyncio.run(asyncio.wait_for(story(), 100))
    game = read_game(records_in(tmp_path)[0])
    assert sum(line.get("effect") == "delivered" for line in game.of_kind("act")) == 6
