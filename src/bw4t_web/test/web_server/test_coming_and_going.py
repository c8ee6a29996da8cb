# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Who comes to the page's server, leaves it and comes back; beginnings and ends of the world."""

from __future__ import annotations

import asyncio

import pytest

from bw4t_world.maps import load_map
from bw4t_world.scenarios import BotSpec, Scenario

pytest.importorskip("aiohttp")


async def test_a_lost_connection_resumes_the_same_robot(table):
    made = table(grace=30.0)
    async with made.page() as page:
        token = await page.join()
        await page.go("goTo", "RoomC1")
        blocks = await page.until(lambda: page.things("block"))
        await page.act("goTo", "RoomA1")
    async with made.page(token) as page:
        joined = await page.until(lambda: page.of("joined"))
        assert joined[0]["name"] == "Ann_1"
        assert joined[0]["resumed"]
        await page.until(lambda: page.me.get("in") == "RoomA1")
        assert {n for n, b in page.things("block").items() if b["faded"]} >= set(blocks)
        assert "Arrived at RoomC1." in [event["text"] for event in joined[0]["past"]]
    assert made.names() == ("Ann_1",)


async def test_after_the_grace_time_the_robot_is_freed_and_its_blocks_stay_in_the_room(table):
    made = table(grace=0.3)
    async with made.page() as page:
        token = await page.join()
        await page.go("goTo", "RoomC1")
        block = next(iter((await page.until(lambda: page.things("block"))).values()))
        await page.go("goToBlock", block["id"])
        assert (await page.act("pickUp"))["ok"]
    await made.until(lambda world: world.names == ())
    blocks = made.runner.call(lambda world: world.snapshot().blocks)
    assert block["id"] in {b.id for b in blocks if b.zone == "RoomC1"}
    async with made.page(token) as page:
        left = await page.until(lambda: page.of("left"))
        assert "freed" in left[0]["text"]
        await page.join()


async def test_who_leaves_frees_the_robot_at_once(table, human):
    made = table(Scenario(bots=(human,)))
    async with made.page() as page:
        await page.join()
        await page.send(type="leave")
        await page.until(lambda: page.of("left"))
        await page.until(lambda: set(page.things("robot")) == {"Human_1"})
        await page.send(type="join", bot="Human_1")
        await page.until(lambda: page.me.get("name") == "Human_1")
        async with made.page() as other:
            await other.until(lambda: other.state)
            assert other.state["lobby"]["free"] == []
            await other.send(type="join", bot="Human_1")
            errors = await other.until(lambda: other.of("error"))
            assert "another person" in errors[0]["text"]
            await page.send(type="leave")
            await other.until(lambda: other.state["lobby"]["free"] == ["Human_1"])
            assert not other.things("robot")["Human_1"]["played"]


async def test_of_two_who_want_the_same_robot_at_once_one_gets_it(table, human):
    made = table(Scenario(bots=(human,)))
    async with made.page() as ann, made.page() as ben:
        await asyncio.gather(*(p.send(type="join", bot="Human_1") for p in (ann, ben)))
        await ann.until(lambda: ann.of("joined") or ann.of("error"))
        await ben.until(lambda: ben.of("joined") or ben.of("error"))
        assert sorted(len(p.of("joined")) for p in (ann, ben)) == [0, 1]
        winner = ann if ann.of("joined") else ben
        await winner.go("goTo", "RoomC1")


async def test_a_second_page_takes_over_from_the_first(table):
    made = table()
    async with made.page() as first:
        token = await first.join()
        async with made.page(token) as second:
            await second.until(lambda: second.me.get("name") == "Ann_1")
            await first.until(lambda: first.closed_with is not None)
            assert first.of("replaced")
            await second.go("goTo", "RoomC1")


async def test_without_a_place_for_another_robot_the_reason_is_told(table):
    made = table(Scenario(bots=(BotSpec(amount=3),)))
    async with made.page() as page:
        await page.send(type="join", name="Ann")
        errors = await page.until(lambda: page.of("error"))
        assert "spawn points are taken" in errors[0]["text"]


async def test_a_robot_that_is_taken_out_of_the_world_leaves_its_person_watching(table):
    made = table()
    async with made.page() as page:
        await page.join()
        made.runner.remove_player("Ann_1").result(5)
        left = await page.until(lambda: page.of("left"))
        assert "taken out" in left[0]["text"]
        await page.until(lambda: "me" not in page.state)
        assert len(page.things("block")) == 22


async def test_a_reset_begins_anew_for_all(table):
    made = table(control=True)
    async with made.page() as page:
        await page.join()
        await page.go("goTo", "RoomC1")
        await page.until(lambda: page.things("block"))
        await page.send(type="control", command="pause")
        await page.until(lambda: page.state["task"]["paused"])
        await page.send(type="control", command="reset")
        await page.until(lambda: not page.things("block"))
        await page.send(type="control", command="resume")
        await page.go("goTo", "RoomC1")


async def test_the_world_waits_for_its_people(table):
    made = table(wait_for_people=2, paused=True)
    async with made.page() as first, made.page() as second:
        await first.join("Ann")
        await first.until(
            lambda: first.state["start"].items() >= {"missing": 1, "begun": False}.items()
        )
        assert first.state["task"]["paused"]
        await second.join("Bob")
        for page in (first, second):
            await page.until(lambda page=page: page.state["start"]["begun"])
        made.runner.pause().result(5)
        # It waits once only: who comes later does not set it going again.
        await first.until(lambda: first.state["task"]["paused"])
        await second.send(type="leave")
        await second.until(lambda: second.of("left"))
        await second.join("Cid")
        assert first.state["task"]["paused"]
        assert first.state["start"].items() >= {"missing": 0, "begun": True}.items()


async def test_a_world_that_waits_is_started_by_hand(table):
    made = table(wait_for_people=2, paused=True, control=True)
    async with made.page() as page:
        await page.until(lambda: page.state.get("start", {}).get("missing") == 2)
        await page.send(type="control", command="resume")
        await page.until(
            lambda: page.state["start"].items() >= {"missing": 0, "begun": True}.items()
        )


async def test_another_map_is_shown_to_all(table):
    made = table()
    async with made.page() as page, made.page() as watcher:
        await page.join()
        await watcher.until(lambda: watcher.state)
        made.runner.load(load_map("large")).result(10)
        await page.until(lambda: len(page.world["zones"]) > 60)
        await page.until(lambda: page.me.get("at"))
        await watcher.until(lambda: len(watcher.things("block")) == 240)


async def test_the_measures_come_at_the_end(table):
    made = table(speed=100.0)
    async with made.page() as page:
        await page.until(lambda: page.state)
        blocks = list(page.things("block").values())
        await page.join()
        for color in page.state["task"]["sequence"]:
            block = next(b for b in blocks if b["color"] == color)
            blocks.remove(block)
            await page.go("goTo", block["zone"])
            await page.go("goToBlock", block["id"])
            await page.act("pickUp")
            await page.go("goTo", "DropZone")
            await page.act("putDown")
        measures = await page.until(lambda: page.state.get("measures"))
        assert (measures["goodDrops"], measures["wrongDrops"]) == (6, 0)
        assert measures["robots"][0]["name"] == "Ann_1"
        assert measures["seconds"] > 0


async def test_the_end_of_the_world_is_told(table):
    made = table()
    async with made.page() as page:
        await page.join()
        made.runner.close()
        ended = await page.until(lambda: page.of("ended"))
        assert "ended" in ended[0]["text"]
    async with made.page() as late:
        await late.until(lambda: late.of("ended"))


async def test_closing_the_server_frees_all_robots(table):
    made = table()
    async with made.page() as page:
        await page.join()
        await asyncio.get_running_loop().run_in_executor(None, made.server.close)
        assert made.names() == ()
        await page.until(lambda: page.closed_with is not None)
