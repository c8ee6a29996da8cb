# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What those see and hear of the page's server who watch."""

from __future__ import annotations

import asyncio

import pytest

from bw4t_world.scenarios import BotSpec, EPartnerSpec, Scenario
from legacy_robots_testing.recorder import Recorder

pytest.importorskip("aiohttp")


async def test_who_watches_sees_everything(table):
    made = table(Scenario(bots=(BotSpec(amount=2),), epartners=(EPartnerSpec(),)))
    async with made.page() as page:
        await page.until(lambda: page.state)
        assert len(page.things("block")) == 22
        assert set(page.things("robot")) == {"Bot_1", "Bot_2"}
        assert set(page.things("epartner")) == {"E-Partner_1"}
        assert page.state["task"]["sequence"]
        zones = {zone["name"]: zone for zone in page.world["zones"]}
        assert zones["DropZone"]["kind"] == "DROPZONE"
        assert zones["RoomA1"]["box"][2:] == [10, 10]
        assert len(zones["RoomA1"]["doors"]) == 1


async def test_changes_are_small_and_lead_to_what_a_newcomer_sees(table):
    made = table(Scenario(bots=(BotSpec(amount=2),)), speed=5.0)
    async with made.page() as page:
        await page.until(lambda: page.state)
        made.runner.act("Bot_1", "goTo", "RoomC1")
        await page.until(lambda: "RoomC1" in page.things("room"))
        made.runner.pause().result(5)
        async with made.page() as newcomer:
            await newcomer.until(lambda: newcomer.state)
            await page.until(lambda: page.state == newcomer.state)


async def test_who_watches_hears_each_message_once(table):
    made = table(Scenario(bots=(BotSpec(amount=3),)))
    for name in made.names():
        made.runner.open_percepts(name, lambda cycle: None)
    async with made.page() as page:
        await page.until(lambda: page.state)
        for _ in range(40):  # until the monitor listens
            made.runner.act("Bot_1", "sendMessage", "all", "yes")
            made.runner.act("Bot_2", "sendMessage", "Bot_3", "no")
            await asyncio.sleep(0.05)  # said again: nothing tells that it listens
            if page.said("yes"):
                break
        made.runner.act("Bot_1", "sendMessage", "all", "wait")
        made.runner.act("Bot_3", "sendMessage", "Bot_1", "OK")
        made.runner.act("Bot_3", "sendMessage", "Bot_1", "OK")
        made.runner.act("Bot_2", "sendMessage", "all", "I do")
        await page.until(lambda: page.said("I do"))
        events = page.of("event")
        after = next(i for i, message in enumerate(events) if message["text"] == "wait")
        assert [(m["sender"], m["to"], m["text"]) for m in events[after:]] == [
            ("Bot_1", "all", "wait"),
            ("Bot_3", "Bot_1", "OK"),
            ("Bot_3", "Bot_1", "OK"),
            ("Bot_2", "all", "I do"),
        ]


async def test_watching_takes_no_message_from_a_player_who_comes_later(table, percepts_of):
    made = table(Scenario(bots=(BotSpec(amount=2),)))
    async with made.page() as page:
        await page.until(lambda: page.state)
        made.runner.act("Bot_1", "sendMessage", "Bot_2", "wait")
        seen = page.states
        await page.until(lambda: page.states > seen + 10)
    stream = Recorder("Bot_2")
    made.runner.open_percepts("Bot_2", stream.add)
    assert percepts_of(stream, {"message"}, count=1) == ["message(Bot_1,wait)"]


async def test_watching_can_be_forbidden(table, human):
    made = table(Scenario(bots=(human,)), watch=False)
    async with made.page() as page:
        await page.until(lambda: page.state)
        assert set(page.state) == {"task", "start", "lobby"}
        assert page.state["start"]["missing"] == 0
        assert page.state["lobby"]["free"] == ["Human_1"]
