# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What is perceived, and when it is sent, to each of several consumers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bw4t_world import SERVER_3_8_1, SERVER_3_10, SPEC, Percept, World, WorldError
from bw4t_world.maps import ZoneType
from bw4t_world.maps.shipped import nine_rooms
from bw4t_world.model.choices import Delivery, Policy
from bw4t_world.model.percepts import make_percept, negated
from bw4t_world.model.policies import Group, Source, make_stream
from bw4t_world.scenarios import BotSpec, Controller, EPartnerSpec, Scenario

HUMAN = BotSpec(name="Hum", controller=Controller.HUMAN, grippers=2)
PARTNER = EPartnerSpec(gps=True, forget_me_not=True)
PAIR = Scenario(bots=(HUMAN, BotSpec()), epartners=(PARTNER,))

# --- The four policies ---------------------------------------------------------------------


class Facts:
    """A source whose percepts are set by a test."""

    def __init__(self, policy: Policy, delivery: Delivery = Delivery.EIS_0_5) -> None:
        self.now: tuple[int, ...] = ()
        self.version = 0
        source = Source("p", policy, lambda _: tuple(Percept("p", (n,)) for n in self.now))
        self.stream = make_stream(delivery, [Group(lambda _: self.version, (source,))])

    def poll(self, *now: int) -> tuple[list[str], list[str]]:
        if now != self.now:
            self.now = now
            self.version += 1
        update = self.stream.poll(None, [])
        return [str(p) for p in update.add], [str(p) for p in update.delete]


STORY = [(1,), (1,), (1, 2), (2,), (), (2,)]


@pytest.mark.parametrize(
    "policy, sent",
    [
        (Policy.ONCE, ["p(1)", "", "", "", "", ""]),
        (Policy.ON_CHANGE, ["p(1)", "", "p(1) p(2)", "p(2)", "", "p(2)"]),
        (Policy.ON_CHANGE_NEG, ["p(1)", "", "p(2)", "not(p(1))", "not(p(2))", "p(2)"]),
        (Policy.ALWAYS, ["p(1)", "p(1)", "p(1) p(2)", "p(2)", "", "p(2)"]),
    ],
)
def test_policies_in_one_list(policy: Policy, sent: list[str]) -> None:
    facts = Facts(policy)
    updates = [facts.poll(*now) for now in STORY]
    assert [" ".join(add) for add, _ in updates] == sent
    assert all(delete == [] for _, delete in updates)


@pytest.mark.parametrize(
    "policy, sent",
    [
        (Policy.ONCE, ["+p(1)", "-p(1)", "", "", "", ""]),
        (
            Policy.ON_CHANGE,
            ["+p(1)", "-p(1)", "+p(2) -p(1)", "-p(1) -p(2)", "-p(2)", "+p(2)"],
        ),
        (Policy.ALWAYS, ["+p(1)", "", "+p(2)", "-p(1)", "-p(2)", "+p(2)"]),
    ],
)
def test_policies_in_two_lists(policy: Policy, sent: list[str]) -> None:
    facts = Facts(policy, Delivery.EIS_0_7)
    updates = [facts.poll(*now) for now in STORY]
    assert [" ".join([f"+{p}" for p in a] + [f"-{p}" for p in d]) for a, d in updates] == sent


@pytest.mark.parametrize("profile", [SPEC, SERVER_3_8_1, SERVER_3_10])
def test_every_consumer_gets_its_own_complete_stream(lab: Any, profile: Any) -> None:
    game = lab(BotSpec(amount=2), profile=profile)
    first = [game.poll()]
    game.act("sendMessage", "Bot_1", "past", name="Bot_2")
    late = game.world.connect("Bot_1", player=False)
    game.act("sendMessage", "Bot_1", "present", name="Bot_2")
    second = [str(percept) for percept in late.poll().add]
    missing = {text for text in first[0] if text not in second}
    assert missing == set()
    assert [text for text in second if "present" in text]
    assert not [text for text in second if "past" in text]  # said before it was connected
    assert len([text for text in game.poll() if text.startswith("message(")]) == 2


def test_messages_wait_for_the_first_consumer(small_map: Any) -> None:
    world = World(small_map(), Scenario(bots=(BotSpec(amount=2),)), seed=1)
    world.act("Bot_2", "sendMessage", "Bot_1", "early")
    consumer = world.connect("Bot_1")
    assert list(consumer.poll().named("message")) == [("Bot_2", "early")]
    assert list(world.connect("Bot_1").poll().named("message")) == []


def test_a_consumer_that_never_polls_loses_the_oldest_messages(small_map: Any) -> None:
    world = World(small_map(), Scenario(bots=(BotSpec(),)), seed=1)
    consumer = world.connect("Bot_1")
    for number in range(10_005):
        world.act("Bot_1", "sendMessage", "Bot_1", str(number))
    assert consumer.lost_messages == 5
    assert next(consumer.poll().named("message")) == ("Bot_1", "5")


def test_a_closed_consumer_says_so(lab: Any) -> None:
    game = lab(BotSpec(amount=2))
    consumer = game.consumers["Bot_1"]
    consumer.close()
    consumer.close()
    assert not consumer.is_connected
    with pytest.raises(WorldError, match="Bot_1 has been removed, or its consumer closed"):
        consumer.poll()
    game.world.remove("Bot_2")
    with pytest.raises(WorldError, match="Bot_2 has been removed"):
        game.poll("Bot_2")
    with pytest.raises(WorldError, match="no robot or e-partner named 'Bot_2'"):
        game.world.connect("Bot_2")


# --- Robots --------------------------------------------------------------------------------


def test_the_first_poll_tells_about_the_world_and_the_robot(lab: Any) -> None:
    game = lab(BotSpec(amount=2))
    number = game.robot().id
    expected = {
        "ownName(Bot_1)",
        f"robot({number})",
        f"robotSize({number},2.0,2.0)",
        f"robotSize({number + 1},2.0,2.0)",
        "sequence([Blue,Red])",
        "sequenceIndex(0)",
        "colorblind(false)",
        "battery(100.0)",
        "speed(0.5)",
        "gripperCapacity(1)",
        "holdingblocks([])",
        "state(arrived)",
        "at(West)",
        "location(5.0,5.0)",
        f"position({number},5.0,5.0)",
        f"oldTargetUnreachable({number},0)",
        "player(Bot_2)",
        "zone(0,West,5.0,5.0,[Middle,Hall])",
        "zone(7,DropZone,25.0,15.0,[])",
        "place(Closet)",
        "place(DropZone)",
        "position(7,25.0,15.0)",
    }
    first = game.poll()
    assert expected <= set(first)
    assert sum(text.startswith("place(") for text in first) == 6
    assert sum(text.startswith("zone(") for text in first) == 6
    assert game.poll() == []


def test_rooms_and_blocks_are_perceived_inside_only(lab: Any) -> None:
    game = lab(BotSpec(amount=2))
    game.poll("Bot_2")
    game.poll()
    game.go("Closet")
    block = next(b for b in game.world.snapshot().blocks if b.zone == "Closet")
    inside = game.poll()
    assert {f"color({block.id},Blue)", "in(Closet)", "occupied(Closet)", "at(Closet)"} <= set(
        inside
    )
    assert f"position({block.id},{block.x},{block.y})" in inside
    assert f"atBlock({block.id})" in inside
    assert game.poll() == [f"color({block.id},Blue)"]  # sent always
    assert game.poll("Bot_2") == ["occupied(Closet)"]
    game.go("Middle")
    outside = game.poll()
    assert {"not(in(Closet))", "not(occupied(Closet))", f"not(atBlock({block.id}))"} <= set(
        outside
    )
    assert not [text for text in outside if text.startswith("color(")]
    assert game.poll("Bot_2") == ["not(occupied(Closet))"]


def test_a_colour_blind_robot_sees_dark_gray(lab: Any) -> None:
    game = lab(BotSpec(color_blind_handicap=True))
    assert "colorblind(true)" in game.poll()
    game.go("Closet")
    assert all(text.endswith(",Dark_gray)") for text in game.perceives("color"))


def test_the_stack_is_perceived_top_first(lab: Any) -> None:
    game = lab(BotSpec(grippers=3, speed=100, move_speed_handicap=True))
    game.go("Hall")
    blocks = [b.id for b in game.world.snapshot().blocks if b.zone == "Hall"]
    game.poll()
    for number in blocks:
        game.act("goToBlock", number)
        game.arrive()
        assert game.act("pickUp").value == number
    one, two, three = blocks
    seen = game.poll()
    assert {f"holding({n})" for n in blocks} <= set(seen)
    assert f"holdingblocks([{three},{two},{one}])" in seen
    game.go("West")
    game.act("putDown")
    seen = game.poll()
    assert f"not(holding({three}))" in seen
    assert f"holdingblocks([{two},{one}])" in seen


def test_a_block_that_is_picked_up_is_not_seen_any_more(lab: Any) -> None:
    game = lab()
    game.go("Closet")
    number = next(b.id for b in game.world.snapshot().blocks if b.zone == "Closet")
    assert [text for text in game.perceives("position") if f"({number}," in text]
    game.act("pickUp")
    seen = game.poll()
    assert f"not(atBlock({number}))" in seen
    positions = [text for text in seen if text.startswith("position(")]
    assert len(positions) == 4  # three rooms and the robot itself
    game = lab(profile=SERVER_3_10)
    game.go("Closet")
    assert f"color({number},Blue)" in game.poll()
    game.act("pickUp", number)
    assert Percept("color", (number, "Blue")) in game.consumers["Bot_1"].poll().delete


def test_a_block_is_in_reach_when_the_gripper_gets_free(lab: Any) -> None:
    game = lab(profile=SERVER_3_8_1)
    game.go("Hall")
    assert game.act("pickUp").succeeded
    game.go(16.2, 9.2)  # outside of the closet, less than 3 units from its block
    assert "atBlock" not in "".join(text for text in game.poll() if "not(" not in text)
    game.act("putDown")  # it vanishes in the corridor
    number = next(b.id for b in game.world.snapshot().blocks if b.zone == "Closet")
    assert f"atBlock({number})" in game.poll()


def test_all_of_a_changed_source_is_sent_again(lab: Any) -> None:
    game = lab()
    game.poll()
    game.act("goTo", "Middle")
    game.world.tick(5)
    assert len(game.perceives("position")) == 4  # three rooms and the robot itself
    assert game.perceives("position") == []


def test_players_come_and_go(lab: Any, small_map: Any) -> None:
    world = World(small_map(), Scenario(bots=(BotSpec(amount=2),)), seed=1)
    watcher = world.connect("Bot_1")
    assert list(watcher.poll().named("player")) == []
    listener = world.connect("Bot_2", player=False)
    assert list(watcher.poll().named("player")) == []
    player = world.connect("Bot_2")
    assert list(watcher.poll().named("player")) == [("Bot_2",)]
    player.close()
    assert [str(p) for p in watcher.poll().add] == ["not(player(Bot_2))"]
    listener.close()
    assert watcher.poll().add == []


def test_sizes_are_sent_again_when_a_robot_comes(lab: Any) -> None:
    game = lab()
    game.poll()
    name = game.world.add_robot(BotSpec(name="Big", size=3, size_overload_handicap=True))
    number = game.robot(name).id
    assert f"robotSize({number},3.0,3.0)" in game.perceives("robotSize")


def test_the_original_s_percepts_in_two_lists(lab: Any) -> None:
    game = lab(profile=SERVER_3_10)
    consumer = game.consumers["Bot_1"]
    consumer.poll()
    game.go("Hall")
    update = consumer.poll()
    assert Percept("in", ("Hall",)) in update.add
    assert Percept("location", (5.0, 5.0)) in update.delete
    assert not any(percept.is_negation for percept in update.add)
    game.go("West")
    assert Percept("in", ("Hall",)) in consumer.poll().delete


def test_what_the_user_of_a_human_asks_for_comes_as_a_percept(lab: Any) -> None:
    game = lab(HUMAN)
    game.poll("Hum_1")
    for request in (
        ("sendMessage", "all", "I am in room A"),
        ("goToBlock", 3),
        ("goTo", "Hall"),
        ("goTo", 3, 4.5),
        ("pickUp",),
        ("putDown",),
    ):
        game.world.user_request("Hum_1", *request)
    assert game.poll("Hum_1") == [
        "sendMessage(all,I am in room A)",
        "goToBlock(3)",
        "goTo(Hall)",
        "goTo(3,4.5)",
        "pickUp()",
        "putDown()",
    ]
    assert game.poll("Hum_1") == []


# --- E-partners ----------------------------------------------------------------------------


def test_an_epartner_perceives_being_carried(lab: Any) -> None:
    game = lab(scenario=PAIR)
    name, number, human = "E-Partner_1", game.epartner().id, game.robot("Hum_1").id
    first = game.poll(name)
    assert {
        "getLocation(5.0,5.0)",
        "getAt(West)",
        "getFunctionalities(GPS)",
        "getFunctionalities(Forget-me-not)",
        "getRooms(Hall)",
        "getRooms(DropZone)",
        "heldBy(-1)",
        "isTaken(-1)",
    } <= set(first)
    assert "getRooms(West)" not in first
    assert game.act("pickUpEPartner", name="Hum_1").value == number
    assert set(game.poll(name)) == {
        f"heldBy({human})",
        "not(heldBy(-1))",
        f"isTaken({number})",
        "not(isTaken(-1))",
        "leftBehind(0)",
        "getLocation(6.0,6.0)",
    }
    game.go("Middle", name="Hum_1")
    assert set(game.poll(name)) == {"getAt(Middle)", "getLocation(16.0,6.0)"}
    game.act("putDownEPartner", name="Hum_1")
    game.go("West", name="Hum_1")
    assert "leftBehind(1)" in game.poll(name)
    assert (game.epartner().x, game.epartner().y, game.epartner().holder) == (16.0, 6.0, None)


def test_an_epartner_without_functionalities_perceives_little(lab: Any) -> None:
    game = lab(scenario=replace(PAIR, epartners=(EPartnerSpec(),)))
    assert game.poll("E-Partner_1") == ["getLocation(5.0,5.0)"]


def test_humans_see_epartners_in_their_zone_and_the_one_they_carry(lab: Any) -> None:
    game = lab(scenario=PAIR)
    number, human = game.epartner().id, game.robot("Hum_1").id
    free = f"getEPartners({number},E-Partner_1,-1,[GPS,Forget-me-not])"
    assert free in game.poll("Hum_1")
    assert free in game.poll("Hum_1")  # sent always
    game.act("pickUpEPartner", name="Hum_1")
    carried = f"getEPartners({number},E-Partner_1,{human},[GPS,Forget-me-not])"
    game.go("Hall", name="Hum_1")
    assert carried in game.poll("Hum_1")
    game.act("putDownEPartner", name="Hum_1")
    game.go("Middle", name="Hum_1")
    assert game.perceives("getEPartners", "Hum_1") == []


# --- Text and speed ------------------------------------------------------------------------


def test_percepts_have_the_text_form_of_the_recordings() -> None:
    percept = Percept("zone", (0, "West", 5.0, 5.0, ("Middle", "Hall")))
    assert str(percept) == "zone(0,West,5.0,5.0,[Middle,Hall])"
    assert str(negated(Percept("colorblind", (True,)))) == "not(colorblind(true))"
    assert make_percept(("at", ("West",))) == Percept("at", ("West",))
    assert isinstance(make_percept(("at", ("West",))), Percept)


def test_every_state_is_perceived(lab: Any) -> None:
    game = lab(BotSpec(amount=2))
    assert game.perceives("state") == ["state(arrived)"]
    game.act("goTo", "Hall")
    assert game.perceives("state") == ["state(traveling)"]
    game.arrive()
    game.go("Hall", name="Bot_2")
    assert game.perceives("state", "Bot_2") == ["state(collided)"]


def test_a_zone_of_every_type_is_a_place() -> None:
    spec = nine_rooms(charging=True, blockade=True)
    world = World(spec, Scenario(bots=(BotSpec(),)), seed=1)
    places = {args[0] for args in world.connect("Bot_1").poll().named("place")}
    for kind in ZoneType:
        zone = next(zone for zone in spec.zones if zone.type is kind)
        assert zone.name in places
