# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What is drawn of the world: for those who watch, and for those who only perceive."""

from __future__ import annotations

import json
from collections import deque
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest

pytest.importorskip("aiohttp")

from hypothesis import given
from hypothesis import strategies as st

from bw4t_web.sessions.chat_monitor import merged
from bw4t_web.sessions.client_requests import parse_request
from bw4t_web.view.phrases import catalogue, read_message, say
from bw4t_web.view.player_view import Knowledge
from bw4t_web.view.scene import WholeView
from bw4t_world import Consumer, World
from bw4t_world.agents import Team
from bw4t_world.maps import load_map
from bw4t_world.messages import MessageType, Phrasing, parse_text
from bw4t_world.scenarios import BotSpec, Controller, EPartnerSpec, Scenario
from legacy_robots_web import change


def test_one_moving_robot_makes_a_change_of_its_place_alone():
    world = World(load_map("nine_rooms"), Scenario(bots=(BotSpec(amount=2),)), seed=1)
    view = WholeView()
    world.act("Bot_1", "goTo", "RoomC1")
    world.tick()
    before = view.state(world.snapshot())
    world.tick()
    difference = change(before, view.state(world.snapshot()))
    assert set(difference["set"]) <= {"robot:Bot_1", "task"}
    assert set(difference["set"]["robot:Bot_1"]) <= {"x", "y"}


class Player:
    """One robot in a world, and what it knows."""

    def __init__(self, *bots: BotSpec, profile: str = "spec", epartners: int = 0) -> None:
        people = tuple(replace(bot, controller=Controller.HUMAN) for bot in bots or (BotSpec(),))
        scenario = Scenario(people, (EPartnerSpec(amount=epartners),))
        self.world = World(load_map("nine_rooms"), scenario, seed=1, profile=profile)
        self.consumer: Consumer = self.world.connect("Bot_1")
        self.knowledge = Knowledge()

    def look(self) -> dict[str, Any]:
        self.knowledge.update(self.consumer.poll())
        self.knowledge.hear(self.world.profile.message_phrasing)
        return {name: dict(fields) for name, fields in self.knowledge.state().items()}

    def go(self, *where: Any) -> dict[str, Any]:
        self.world.act("Bot_1", "goTo", *where)
        for _ in range(2000):
            self.world.tick()
            state = self.look()
            if state["me"]["state"] != "traveling":
                return state
        raise AssertionError("it does not arrive")

    def blocks_in(self, room: str) -> set[int]:
        return {block.id for block in self.world.snapshot().blocks if block.zone == room}


def seen(state: dict[str, Any], *, faded: bool) -> set[int]:
    return {
        it["id"] for name, it in state.items() if name[:6] == "block:" and it["faded"] is faded
    }


PROFILES = pytest.mark.parametrize("profile", ["spec", "server_3_8_1", "server_3_10"])


@PROFILES
def test_blocks_are_seen_in_their_room_and_remembered_outside(profile):
    player = Player(profile=profile)
    assert not seen(player.look(), faded=False)
    state = player.go("RoomC1")
    inside = player.blocks_in("RoomC1")
    assert seen(state, faded=False) == inside
    assert state["me"]["in"] == "RoomC1"
    real = {block.id: block for block in player.world.snapshot().blocks}
    for number in inside:
        block = state[f"block:{number}"]
        assert (block["x"], block["y"]) == pytest.approx(
            (real[number].x, real[number].y), abs=0.01
        )
    state = player.go("FrontRoomC1")
    assert (seen(state, faded=False), seen(state, faded=True)) == (set(), inside)


@PROFILES
def test_what_is_gone_when_one_comes_back_is_forgotten(profile):
    player = Player(BotSpec(amount=2), profile=profile)
    inside = player.blocks_in("RoomC1")
    player.go("RoomC1")
    player.go("RoomC2")
    world = player.world
    world.act("Bot_2", "goTo", "RoomC1")
    world.tick(600)
    number = min(inside)
    world.act("Bot_2", "goToBlock", number)
    world.tick(300)
    world.act("Bot_2", "pickUp", *([number] if profile == "server_3_10" else []))
    taken = world.snapshot().robots[1].held[0].id
    world.act("Bot_2", "goTo", "LeftHallA")
    world.tick(600)
    assert inside <= seen(player.look(), faded=True)
    state = player.go("RoomC1")
    assert seen(state, faded=False) == inside - {taken}
    assert taken not in seen(state, faded=True)


@PROFILES
def test_the_block_in_the_gripper_is_held_and_lies_nowhere(profile):
    player = Player(BotSpec(grippers=2), profile=profile)
    player.go("RoomC2")
    held = []
    for number in sorted(player.blocks_in("RoomC2"))[:2]:
        player.world.act("Bot_1", "goToBlock", number)
        player.world.tick(300)
        arguments = [number] if profile == "server_3_10" else []
        held.append(player.world.act("Bot_1", "pickUp", *arguments).value)
        player.look()
    state = player.look()
    assert [number for number, _ in state["me"]["held"]] == held  # the bottom first
    assert not {number for number in held if f"block:{number}" in state}
    colors = {block.id: block.color.value for block in player.world.snapshot().robots[0].held}
    assert dict(map(tuple, state["me"]["held"])) == colors


def test_the_colour_blind_see_no_colours():
    player = Player(BotSpec(color_blind_handicap=True))
    state = player.go("RoomC1")
    colors = {it["color"] for name, it in state.items() if name.startswith("block:")}
    assert colors == {"Dark_gray"}
    assert state["me"]["colorBlind"]


def test_other_robots_are_not_seen_in_the_profile_of_the_document():
    player = Player(BotSpec(amount=3))
    state = player.look()
    assert not [name for name in state if name.startswith("robot:")]
    player.world.connect("Bot_2")
    assert "player:Bot_2" in player.look()


def test_robots_of_the_same_zone_are_seen_where_the_server_tells_of_them():
    player = Player(BotSpec(amount=3), profile="server_3_8_1")
    state = player.look()
    others = [it for name, it in state.items() if name.startswith("robot:")]
    places = {(r.x, r.y) for r in player.world.snapshot().robots if r.name != "Bot_1"}
    assert {(it["x"], it["y"]) for it in others} == places
    assert {it["name"] for it in others} == {""}
    player.go("RoomC1")
    assert not [name for name in player.look() if name.startswith("robot:")]


@PROFILES
def test_occupied_rooms_are_known_to_all(profile):
    player = Player(BotSpec(amount=2), profile=profile)
    player.world.act("Bot_2", "goTo", "RoomA1")
    player.world.tick(1500)
    assert "room:RoomA1" in player.look()
    player.world.act("Bot_2", "goTo", "FrontRoomA1")
    player.world.tick(300)
    assert "room:RoomA1" not in player.look()


def test_epartners_are_seen_in_the_own_zone():
    player = Player(epartners=1)
    assert player.look()["epartner:E-Partner_1"]["holder"] is None
    state = player.go("RoomA1")
    assert "epartner:E-Partner_1" not in state


def test_a_whole_game_is_perceived_as_it_is():
    """At every step, what a player sees is a part of what there is."""
    scenario = Scenario(bots=(BotSpec(amount=3),))
    world = World(load_map("nine_rooms"), scenario, seed=3)
    team = Team(world, "searchers", seed=3)
    consumer, knowledge = world.connect("Bot_1", player=False), Knowledge()
    for _ in range(2000):
        team.step()
        knowledge.update(consumer.poll())
        state, snapshot = knowledge.state(), world.snapshot()
        own = snapshot.robots[0]
        visible = {b.id for b in snapshot.blocks if b.zone == own.zone and b.zone is not None}
        assert seen({n: dict(f) for n, f in state.items()}, faded=False) == visible
        assert (state["me"]["x"], state["me"]["y"]) == pytest.approx((own.x, own.y), abs=0.01)
        assert state["me"]["held"] == [[b.id, b.color.value] for b in own.held]
        assert knowledge.task(0, paused=False)["index"] == snapshot.delivered
        if world.is_complete:
            break
    assert world.is_complete


# --- The chat monitor ---


TALK = st.lists(
    st.tuples(
        st.sampled_from("ABC"), st.sampled_from(["yes", "no"]), st.sets(st.sampled_from("ABC"))
    )
)


@given(talk=TALK)
def test_every_message_is_reported_once_and_in_order(talk):
    heard: dict[str, deque[tuple[str, str]]] = {name: deque() for name in "ABC"}
    expected = []
    for sender, text, chosen in talk:
        receivers = {"A", "B", "C"} - {sender} if len(chosen) != 1 else chosen
        expected.append(((sender, text), receivers))
        for name in receivers:
            heard[name].append((sender, text))
    originals = {name: list(queue) for name, queue in heard.items()}
    found = list(merged(heard))
    for name in "ABC":
        assert [said for said, receivers in found if name in receivers] == originals[name]
    distinct = {said for said, _ in expected}
    if len(distinct) == len(expected):  # no message is repeated
        assert sorted((said, sorted(r)) for said, r in found) == sorted(
            (said, sorted(r)) for said, r in expected
        )


# --- Messages --------------------------------------------------------------------------------


@pytest.mark.parametrize("phrasing", Phrasing)
def test_the_list_has_every_type_of_the_document_and_all_of_it_is_understood(phrasing):
    messages = [message for group in catalogue(phrasing) for message in group["messages"]]
    beyond = {MessageType.I_WANT_TO_GO, MessageType.YOU_FORGOT_ME, MessageType.UNKNOWN}
    assert {m["type"] for m in messages} == {t.value for t in MessageType if t not in beyond}
    blanks = {"room": "RoomA1", "color": "Red", "player": "Bot_1", "number": 7}
    for message in messages:
        filled = {name: blanks[name] for name in message["blanks"]}
        read = read_message({"type": message["type"], **filled})
        text = say(read, phrasing)
        assert text == message["text"].format(**filled)
        assert parse_text(text, phrasing) == read


def test_an_empty_blank_is_refused():
    with pytest.raises(ValueError, match="roomIsEmpty"):
        say(read_message({"type": "roomIsEmpty"}), Phrasing.DOCUMENT)


@given(st.text() | st.recursive(st.none() | st.integers() | st.text(), st.lists).map(repr))
def test_any_text_is_read_or_refused(text):
    with suppress(ValueError):
        assert parse_request(text)


@given(
    st.fixed_dictionaries(
        {"type": st.sampled_from(["hello", "join", "leave", "act", "say", "control"])},
        optional={
            name: st.none() | st.integers() | st.text() | st.lists(st.integers() | st.floats())
            for name in ("id", "name", "bot", "action", "args", "to", "message", "token")
        },
    )
)
def test_any_request_is_read_or_refused(request_data):
    with suppress(ValueError):
        assert parse_request(json.dumps(request_data))


@pytest.mark.parametrize("name", ["Ann", "Zoë", "a-b_c", "Ж1", " Ann "])
def test_names_of_people_in_any_alphabet(name):
    assert parse_request(json.dumps({"type": "join", "name": name}))[0].name == name.strip()


def test_what_others_say_of_a_room_is_kept_until_the_robot_looks_into_it():
    player = Player(BotSpec(amount=2))

    def say(text: str, sender: str = "Bot_2") -> Any:
        player.world.act(sender, "sendMessage", "all", text)
        return player.look().get("report:RoomC1")

    assert say("room RoomC1 contains 2 red blocks") == {
        "zone": "RoomC1", "blocks": [["Red", 2]], "by": "Bot_2",
    }  # fmt: skip
    assert say("room RoomC1 contains a blue block")["blocks"] == [["Blue", 1], ["Red", 2]]
    assert say("I have a red block from room RoomC1")["blocks"] == [["Blue", 1], ["Red", 1]]
    assert say("room RoomC1 is empty")["blocks"] == []
    assert say("room RoomC1 contains a red block", "Bot_1")["blocks"] == [], "its own words"
    assert "report:RoomC1" not in player.go("RoomC1")
    assert say("room Nowhere is empty") is None
    assert not [name for name in player.look() if name.startswith("report:")]
