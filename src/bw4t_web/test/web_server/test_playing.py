# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What people do over the page's server: act, talk, and tell an agent what to do."""

from __future__ import annotations

import asyncio

import pytest

from bw4t_world.scenarios import BotSpec, EPartnerSpec, Scenario
from legacy_robots_testing.recorder import Recorder

pytest.importorskip("aiohttp")

GUI = {"goTo", "goToBlock", "pickUp", "putDown", "sendMessage", "navigateObstacles"}
"""The percepts of a human bot that tell what its user asks for."""


async def test_a_person_fetches_a_block_and_scores(table):
    made = table()
    async with made.page() as page:
        await page.until(lambda: page.state)
        due = page.state["task"]["sequence"][0]
        block = next(b for b in page.things("block").values() if b["color"] == due)
        await page.join()
        assert not page.things("block")
        assert not page.things("robot")
        end = await page.go("goTo", block["zone"])
        assert end["text"] == f"Arrived at {block['zone']}."
        await page.until(lambda: page.me["in"] == block["zone"])
        assert str(block["id"]) in page.things("block")
        assert {b["zone"] for b in page.things("block").values()} == {block["zone"]}
        await page.go("goToBlock", block["id"])
        answer = await page.act("pickUp")
        assert answer["ok"]
        await page.until(lambda: page.me["held"] == [[block["id"], due]])
        await page.go("goTo", "DropZone")
        answer = await page.act("putDown")
        assert "delivered" in answer["text"]
        await page.until(lambda: page.state["task"]["index"] == 1)
        await page.until(lambda: page.said(f"{due} delivered: 1 of"))
        rest = page.things("block").values()
        assert all(b["faded"] for b in rest)
    assert made.runner.call(lambda world: world.measures().good_drops) == 1


async def test_every_failure_is_told(table):
    made = table(Scenario(bots=(BotSpec(),)))
    made.runner.act("Bot_1", "goTo", "RoomA1")
    async with made.page() as page:
        await page.join()
        answer = await page.act("putDown")
        assert (answer["ok"], answer["text"]) == (False, "Bot is not holding any block.")
        assert not (await page.act("pickUp"))["ok"]
        assert "unknown place" in (await page.act("goTo", "Mars"))["text"].lower()
        assert not (await page.act("goToBlock", 12345))["ok"]
        assert not (await page.act("navigateObstacles"))["ok"]
        assert not (await page.act("pickUpEPartner"))["ok"]
        assert not (await page.act("putDownEPartner"))["ok"]
        await page.until(lambda: "RoomA1" in page.things("room"))
        end = await page.go("goTo", "RoomA1")
        assert (end["kind"], "door of RoomA1" in end["text"]) == ("failed", True)
        assert page.me["state"] == "collided"
        assert page.me["bumped"] == ["RoomA1"]
        end = await page.go("goTo", 15, 45)
        assert end["text"] == "Arrived at (15, 45)."


async def test_a_person_goes_around_a_robot_in_the_way(table):
    made = table(Scenario(bots=(BotSpec(),)), collisions=True)
    async with made.page() as page:
        await page.join()
        end = await page.go("goTo", "RightHallD")
        assert end["text"] == ("Stopped: bumped into Bot_1. Going around obstacles may help.")
        await page.until(lambda: page.me["bumped"] == ["Bot_1"])
        answer = await page.act("navigateObstacles")
        assert (answer["ok"], answer["text"]) == (True, "Trying another way.")
        await page.until(lambda: page.me["at"] == "RightHallD" and page.said("Arrived"))
        assert not page.me["bumped"]


async def test_an_empty_battery_is_told(table):
    made = table(bot=BotSpec(battery_enabled=True))
    async with made.page() as page:
        await page.join()
        for place in ("RoomA1", "RoomC3") * 10:
            end = await page.go("goTo", place)
            if end["kind"] == "failed":
                break
        assert end["text"] == "Stopped: the battery is empty."
        assert page.me["battery"] == 0


async def test_a_person_carries_an_epartner(table):
    made = table(Scenario(epartners=(EPartnerSpec(gps=True),)))
    async with made.page() as page:
        await page.join()
        spot = made.runner.snapshot.epartners[0]
        await page.go("goTo", spot.x, spot.y)
        assert set(await page.until(lambda: page.things("epartner"))) == {"E-Partner_1"}
        assert (await page.act("pickUpEPartner"))["ok"]
        await page.until(lambda: page.me["epartner"] == "E-Partner_1")
        await page.go("goTo", "RoomC1")
        assert (await page.act("putDownEPartner"))["ok"]
        await page.until(lambda: page.me["epartner"] is None)
        there = made.runner.call(lambda world: world.snapshot().epartners[0])
        assert (there.holder, there.y > 50) == (None, True)


async def test_people_talk_to_each_other_and_to_agents(table, percepts_of):
    made = table(Scenario(bots=(BotSpec(),)), map_name="nine_rooms_random")
    agent = Recorder("Bot_1")
    made.runner.open_percepts("Bot_1", agent.add)
    async with made.page() as ann, made.page() as ben:
        await ann.join("Ann")
        await ben.join("Ben")
        await ann.until(lambda: set(ann.things("player")) == {"Bot_1", "Ben_1"})
        message = {"type": "roomContainsAmount", "room": "RoomA1", "color": "Red", "number": 2}
        answer = await ann.ask(type="say", to="all", message=message)
        assert answer["text"] == "room RoomA1 contains 2 Red blocks"
        await ben.until(lambda: ben.said("room RoomA1 contains 2 Red blocks"))
        await ben.ask(type="say", to="Ann_1", message={"type": "ok", "room": "RoomA1"})
        await ann.until(lambda: ann.said("OK, room RoomA1"))
        assert ann.of("event")[-1]["sender"] == "Ben_1"
        answer = await ben.ask(type="say", to="all", message={"type": "weNeed"})
        assert answer["type"] == "error"
        answer = await ben.ask(type="say", to="Stranger", message={"type": "yes"})
        assert answer["kind"] == "failed"
    heard = percepts_of(agent, {"message"}, count=1)
    assert heard == ["message(Ann_1,room RoomA1 contains 2 Red blocks)"]


async def test_every_message_of_the_list_can_be_sent(table):
    made = table(Scenario(bots=(BotSpec(),)))
    blanks = {"room": "RoomA1", "color": "Red", "player": "Bot_1", "number": 3}
    async with made.page() as page:
        await page.join()
        phrases = [p for group in page.world["phrases"] for p in group["messages"]]
        assert len(phrases) > 40
        for phrase in phrases:
            filled = {name: blanks[name] for name in phrase["blanks"]}
            message = {"type": phrase["type"], **filled}
            answer = await page.ask(type="say", to="Bot_1", message=message)
            assert answer["ok"], answer
            assert answer["text"] == phrase["text"].format(**filled)
            await asyncio.sleep(0.05)  # people do not type faster, and are not let to


# --- The percepts of the human GUI ------------------------------------------------------------


async def test_requests_become_percepts_of_the_human_bot(table, percepts_of, human):
    made = table(Scenario(bots=(human,)), profile="server_3_8_1")
    listener = Recorder("Human_1")
    made.runner.open_percepts("Human_1", listener.add, as_player=False)
    async with made.page() as page:
        await page.send(type="join", bot="Human_1")
        await page.until(lambda: page.me.get("name") == "Human_1")
        await page.go("goTo", "FrontDropZone")
        await page.act("goTo", 25, 65)
        await page.act("navigateObstacles")
        await page.act("pickUp")
        await page.act("putDown")
        await page.act("goToBlock", 40)
        await page.ask(type="say", to="all", message={"type": "weNeed", "color": "Red"})
    assert percepts_of(listener, GUI, count=7) == [
        "goTo(FrontDropZone)",
        "goTo(25,65)",
        "navigateObstacles()",
        "pickUp()",
        "putDown()",
        "goToBlock(40)",
        "sendMessage(all,need('Red'))",
    ]


async def test_with_an_agent_for_the_human_bot_only_the_agent_acts(table, percepts_of, human):
    made = table(Scenario(bots=(human,)))
    agent = Recorder("Human_1")
    made.runner.open_percepts("Human_1", agent.add)
    async with made.page() as page:
        await page.send(type="join", bot="Human_1", agentActs=True)
        await page.until(lambda: page.me.get("agentActs"))
        answer = await page.act("goTo", "RoomC1")
        assert answer["text"] == "Your agent was told: goTo(RoomC1)."
        assert made.runner.call(lambda world: world.snapshot().robots[0].state) == "arrived"
        seen = page.states
        assert percepts_of(agent, GUI, count=1) == ["goTo(RoomC1)"]
        made.runner.act("Human_1", "goTo", "RoomC1")
        await page.until(lambda: page.me["in"] == "RoomC1")
        assert page.states > seen


async def test_a_wrong_drop_is_a_failure(table):
    made = table()
    async with made.page() as page:
        await page.join()
        await page.go("goTo", "RoomC1")
        due = page.state["task"]["sequence"][0]
        blocks = (await page.until(lambda: page.things("block"))).values()
        wrong = next(block for block in blocks if block["color"] != due)
        await page.go("goToBlock", wrong["id"])
        assert (await page.act("pickUp"))["kind"] == "done"
        await page.go("goTo", "DropZone")
        answer = await page.act("putDown")
        assert (answer["kind"], answer["ok"]) == ("failed", False)
        assert f"but {due} is due" in answer["text"]


async def test_a_request_that_comes_late_is_not_carried_out(table):
    made = table()
    async with made.page() as page:
        name = (await page.join()) and page.me["name"]
        await page.send(type="ping", sent=100_000)
        await page.until(lambda: page.of("pong"))
        late = await page.ask(type="act", action="goTo", args=["RoomC1"], sent=95_000)
        assert late["type"] == "error"
        assert "5 s late and was not carried out" in late["text"]
        robots = made.runner.call(lambda world: world.snapshot().robots)
        assert {robot.name: robot.path for robot in robots} == {name: ()}
        assert (await page.ask(type="act", action="goTo", args=["RoomC1"], sent=99_900))["ok"]
