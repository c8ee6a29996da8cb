# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Beliefs: whatever the delivery, they are what holds in the world."""

from __future__ import annotations

import random

import pytest

from bw4t_bridge.agents.merging import Merger
from bw4t_bridge.bridge.beliefs import Change, EPartnerBeliefs, RobotBeliefs
from bw4t_runner.percept_streams import PerceptCycle
from bw4t_world import PROFILES, ActionError, Percept, PerceptUpdate, World
from bw4t_world.agents import Beliefs
from bw4t_world.maps import load_map
from bw4t_world.model.choices import Delivery
from bw4t_world.model.percepts import negated
from bw4t_world.scenarios import BotSpec, Controller, EPartnerSpec, Scenario

SCENARIO = Scenario(
    bots=(
        BotSpec(amount=2, grippers=2),
        BotSpec(name="Ann", controller=Controller.HUMAN, grippers=2),
    ),
    epartners=(EPartnerSpec(gps=True, forget_me_not=True),),
)
PLACES = ["RoomC1", "RoomC2", "RoomC3", "FrontDropZone", "FrontRoomC1", "DropZone"]


def random_run(profile, seed, *, steps=200):
    """Let robots do things by chance; yield the world after every tick."""
    choose = random.Random(seed)
    world = World(load_map("nine_rooms"), SCENARIO, profile=profile, seed=seed)
    robots = ["Bot_1", "Bot_2", "Ann_1"]
    yield world
    world.act("Ann_1", "pickUpEPartner")
    for _ in range(steps):
        name = choose.choice(robots)
        action = choose.choice(
            ["goTo", "goTo", "pickUp", "putDown", "goToBlock", "pickUpEPartner", "putDownEPartner"]
        )
        args = {"goTo": [choose.choice(PLACES)]}.get(action, [])
        if action == "goToBlock" or (action == "pickUp" and world.profile.pick_up_by_id):
            snapshot = world.snapshot()
            zone = next(robot.zone for robot in snapshot.robots if robot.name == name)
            blocks = [block.id for block in snapshot.blocks if block.zone == zone] or [0]
            args = [choose.choice(blocks)]
        try:
            world.act(name, action, *args)
        except ActionError:
            pass
        for _ in range(choose.randint(1, 40)):
            world.tick()
            yield world


@pytest.mark.parametrize("profile", list(PROFILES))
def test_a_robot_s_beliefs_are_what_holds(profile):
    seen_blocks = held = carried = 0
    for seed in range(4):
        for beliefs, snapshot in believed(profile, seed):
            seen_blocks += len(beliefs.blocks) > 1
            held += len(beliefs.holding)
            carried += snapshot.epartners[0].holder is not None
    assert seen_blocks  # the runs were worth it
    assert held
    assert carried


def believed(profile, seed):
    """Check all beliefs after every tick of a random run; yield those of the robot."""
    repeats = PROFILES[profile].percept_delivery is Delivery.EIS_0_5
    name = "Ann_1"
    beliefs = RobotBeliefs(repeats=repeats)
    epartner = EPartnerBeliefs("E-Partner_1", repeats=repeats)
    consumers = []
    for number, world in enumerate(random_run(profile, seed)):
        if not consumers:
            consumers = [world.connect(n, player=False) for n in (name, "E-Partner_1")]
        for consumer, view in zip(consumers, (beliefs, epartner), strict=True):
            view.apply(PerceptCycle(name, number, world.now, world.seconds, 0, consumer.poll()))
        snapshot = world.snapshot()
        robot = next(robot for robot in snapshot.robots if robot.name == name)
        rooms = {zone.name for zone in snapshot.map.zones if zone.doors}
        assert beliefs.id == robot.id
        assert beliefs.location == (robot.x, robot.y)
        assert beliefs.state == robot.state
        assert beliefs.room == (robot.zone if robot.zone in rooms else "")
        assert beliefs.holding == tuple(block.id for block in reversed(robot.held))
        assert beliefs.size == robot.size
        assert beliefs.players == ()
        if beliefs.room:
            assert set(beliefs.blocks) == {
                (block.id, block.color.value, block.x, block.y)
                for block in snapshot.blocks
                if block.zone == robot.zone
            }
        (partner,) = snapshot.epartners
        assert epartner.held_by == (-1 if partner.holder is None else robot.id)
        assert epartner.is_taken == (partner.holder is not None)
        assert epartner.place
        carried = [e.name for e in beliefs.epartners if e.holder == robot.id]
        assert carried == (["E-Partner_1"] if partner.holder else [])
        yield beliefs, snapshot


def test_changes_are_told_once():
    beliefs = RobotBeliefs(repeats=True)

    def apply(number, *add):
        update = PerceptUpdate(list(add), [])
        return beliefs.apply(PerceptCycle("Bot_1", number, number, 0.0, 0, update))

    everything = apply(0, Percept("location", (1.0, 1.0)), Percept("battery", (100.0,)))
    assert everything == Change.EVERYTHING
    assert apply(1) == Change.NOTHING
    assert apply(2, Percept("location", (2.0, 1.0))) == Change.POSITION
    assert apply(3, Percept("battery", (99.0,))) == Change.BATTERY
    assert apply(4, Percept("in", ("RoomA1",))) == Change.STATE
    assert apply(5, Percept("color", (3, "Red"))) == Change.BLOCKS
    assert apply(6, Percept("color", (3, "Red"))) == Change.NOTHING
    assert apply(7, Percept("player", ("Bot_2",))) == Change.PLAYERS | Change.BLOCKS
    assert apply(8, negated(Percept("player", ("Bot_2",)))) == Change.PLAYERS
    assert apply(9, Percept("getEPartners", (7, "E", -1, ()))) == Change.EPARTNERS
    assert apply(10, negated(Percept("in", ("RoomA1",)))) == Change.STATE | Change.EPARTNERS


def test_a_stream_that_begins_anew_makes_what_was_believed_void():
    beliefs = RobotBeliefs(repeats=True)
    first = [Percept("in", ("RoomA1",)), Percept("robot", (60,))]
    beliefs.apply(PerceptCycle("Bot_1", 0, 0, 0.0, 0, PerceptUpdate(first, [])))
    assert beliefs.room == "RoomA1"
    again = PerceptUpdate([Percept("robot", (61,))], [])
    assert beliefs.apply(PerceptCycle("Bot_1", 0, 9, 0.18, 0, again)) == Change.EVERYTHING
    assert (beliefs.room, beliefs.id) == ("", 61)


def test_messages_are_in_the_inbox_of_their_cycle():
    beliefs = RobotBeliefs(repeats=True)
    for args in (("Bob", "hello"), (("Bob", "hello"),)):
        update = PerceptUpdate([Percept("message", args)], [])
        beliefs.apply(PerceptCycle("Bot_1", 0, 0, 0.0, 0, update))
        assert beliefs.inbox == [("Bob", "hello")]
    beliefs.apply(PerceptCycle("Bot_1", 1, 0, 0.0, 0, PerceptUpdate([], [])))
    assert beliefs.inbox == []


# --- Merging -------------------------------------------------------------------------------

COMPARED = (
    "name", "sequence", "sequence_index", "state", "at", "location", "capacity",
    "battery", "room", "holding", "visible", "colors",
)  # fmt: skip
COMPARED_AS_SETS = ("players", "occupied", "bumped")


@pytest.mark.parametrize("profile", list(PROFILES))
@pytest.mark.parametrize("seed", [1, 2])
def test_merged_cycles_lead_to_the_beliefs_of_one_poll(profile, seed):
    """Also when the stream begins anew now and then, as when a node subscribes."""
    merged, polled, merger = Beliefs(), Beliefs(), Merger()
    choose = random.Random(seed)
    stream = consumer = None
    number, messages = 0, 0
    for tick, world in enumerate(random_run(profile, seed)):
        if stream is None:
            consumer, stream = world.connect("Bot_1"), world.connect("Bot_1")
            other = world.connect("Bot_2")
        if tick % 97 == 13:
            other.act("sendMessage", "Bot_1", f"tick {tick}")
        if choose.random() < 0.01:
            update, old = None, stream
            stream, number = world.connect("Bot_1"), 0
            for percept in old.poll().add:
                if percept.name == "message":
                    stream.notify(percept)
            old.close()
        update = stream.poll()
        assert merger.feed(number, world.now, update)
        number += 1
        if tick % 5 == 0:
            merged.update(merger.take())
            polled.update(consumer.poll())
            for what in COMPARED:
                assert getattr(merged, what) == getattr(polled, what), what
            for what in COMPARED_AS_SETS:
                assert set(getattr(merged, what)) == set(getattr(polled, what)), what
            assert merged.inbox == polled.inbox
            messages += len(merged.inbox)
    assert messages > 10
    assert merger.missed == 0


def test_nothing_counts_before_the_beginning_and_after_a_gap():
    merger = Merger()
    update = PerceptUpdate([Percept("in", ("RoomA1",))], [])
    nothing = PerceptUpdate([], [])
    assert not merger.feed(4, 4, update)
    assert not merger.has_begun
    assert merger.feed(0, 5, update)
    assert merger.feed(1, 6, nothing)
    assert not merger.feed(4, 9, nothing)
    assert merger.missed == 2
    assert not merger.feed(5, 10, nothing)
    assert merger.feed(0, 11, nothing)
    # What was taken back in the gap was not sent, and is sent now.
    assert merger.take().add == [*update.add, negated(update.add[0])]
    assert merger.missed == 2


def test_another_run_of_the_world_is_noticed():
    merger = Merger()
    merger.feed(0, 100, PerceptUpdate([Percept("in", ("RoomA1",))], []))
    merger.feed(0, 1, PerceptUpdate([Percept("ownName", ("Bot_1",))], []))
    assert merger.run == 1
    assert merger.take() == PerceptUpdate([Percept("ownName", ("Bot_1",))], [])
