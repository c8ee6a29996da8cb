# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Conversions, with values computed by hand."""

from __future__ import annotations

import math

import pytest
from builtin_interfaces.msg import Time
from hypothesis import given
from hypothesis import strategies as st
from std_msgs.msg import Header

from bw4t_bridge.bridge import conversions, team_conversions
from bw4t_bridge.bridge.beliefs import EPartnerBeliefs, RobotBeliefs
from bw4t_runner.percept_streams import PerceptCycle
from bw4t_runner.trips import Progress, TripEnd, TripResult
from bw4t_world import Effect, Outcome, Percept, PerceptUpdate, World
from bw4t_world.maps import BlockColor, load_map
from bw4t_world.messages import Message, MessageType, Phrasing
from bw4t_world.scenarios import BotSpec, Controller, EPartnerSpec, Scenario
from legacy_robots_msgs.msg import (
    Bw4tEffect,
    Bw4tEPartnerState,
    Bw4tGoing,
    Bw4tMessage,
    Bw4tPercept,
    Bw4tPercepts,
    Bw4tPlayer,
    Bw4tState,
    Bw4tZone,
)

HEADER = Header(frame_id="map")


def cycle(*add, delete=(), number=0, tick=7):
    return PerceptCycle("Bot_1", number, tick, 0.14, 0, PerceptUpdate(list(add), list(delete)))


def beliefs_of(*add):
    beliefs = RobotBeliefs(repeats=True)
    beliefs.apply(cycle(Percept("ownName", ("Bot_1",)), *add))
    return beliefs


# --- Percepts ------------------------------------------------------------------------------


def test_a_percept_has_its_arguments_in_order_by_type():
    zone = Percept("zone", (18, "RoomA1", 15.0, 15.5, ("FrontRoomA1", "Hall")))
    message = conversions.percept(zone)
    assert (message.change, message.name) == (Bw4tPercept.ADDED, "zone")
    assert list(message.types) == [1, 0, 2, 2, 4, 0, 0]
    assert list(message.numbers) == [18.0, 15.0, 15.5, 2.0]
    assert list(message.texts) == ["RoomA1", "FrontRoomA1", "Hall"]


def test_negations_and_deletions_are_told_apart():
    message = conversions.percepts(
        cycle(
            Percept("colorblind", (True,)),
            Percept("not", (Percept("in", ("RoomA1",)),)),
            delete=[Percept("color", (4, "Red"))],
            number=3,
        ),
        HEADER,
    )
    assert (message.cycle, message.tick) == (3, 7)
    assert [(p.change, p.name) for p in message.percepts] == [
        (Bw4tPercept.DELETED, "color"),
        (Bw4tPercept.ADDED, "colorblind"),
        (Bw4tPercept.NEGATED, "in"),
    ]
    assert list(message.percepts[1].types) == [Bw4tPercept.TRUTH]


VALUES = st.recursive(
    st.one_of(
        st.text(),
        st.booleans(),
        st.integers(-(2**53), 2**53),
        st.floats(allow_nan=False),
    ),
    lambda items: st.lists(items, max_size=4).map(tuple),
    max_leaves=8,
)
NAMES = st.text(min_size=1).filter(lambda name: name != "not")
PERCEPTS = st.builds(Percept, NAMES, st.lists(VALUES, max_size=5).map(tuple))


def typed(value):
    """Return a value in which 1, 1.0 and True are different."""
    if isinstance(value, tuple):
        return tuple(typed(item) for item in value)
    return (type(value).__name__, value)


@given(
    st.lists(PERCEPTS | PERCEPTS.map(lambda p: Percept("not", (p,))), max_size=6),
    st.lists(PERCEPTS, max_size=3),
)
def test_a_cycle_comes_back_as_it_was(add, delete):
    message = conversions.percepts(cycle(*add, delete=delete), HEADER)
    update = conversions.percept_update(message)
    assert [typed(p) for p in update.add] == [typed(p) for p in add]
    assert [typed(p) for p in update.delete] == [typed(p) for p in delete]


@given(
    st.builds(
        Bw4tPercept,
        change=st.integers(0, 4),
        name=st.text(),
        types=st.lists(st.integers(0, 6)),
        numbers=st.lists(st.floats()),
        texts=st.lists(st.text(), max_size=3),
    )
)
def test_any_message_is_percepts_or_refused(percept):
    try:
        conversions.percept_update(Bw4tPercepts(percepts=[percept]))
    except conversions.ConversionError as error:
        assert percept.name in str(error)  # noqa: PT017 - either is right


@pytest.mark.parametrize(
    "types, numbers, texts",
    [
        ([0], [], []),
        ([0], [1.0], ["a"]),
        ([1], [math.nan], []),
        ([4, 0], [2.0], ["a"]),
        ([4], [1e300], []),
        ([4] * 5000, [1.0] * 5000, []),
        ([9], [1.0], []),
    ],
)
def test_messages_that_make_no_sense_are_refused(types, numbers, texts):
    percept = Bw4tPercept(name="odd", types=types, numbers=numbers, texts=texts)
    with pytest.raises(conversions.ConversionError, match="percept odd"):
        conversions.percept_update(Bw4tPercepts(percepts=[percept]))


# --- Beliefs -------------------------------------------------------------------------------


def test_a_robot_s_state_is_in_metres_with_y_up_and_the_battery_from_0_to_1():
    beliefs = beliefs_of(
        Percept("robot", (60,)),
        Percept("at", ("RoomC1",)),
        Percept("in", ("RoomC1",)),
        Percept("state", ("collided",)),
        Percept("location", (15.0, 49.75)),
        Percept("holdingblocks", ((3, 2),)),
        Percept("gripperCapacity", (2,)),
        Percept("atBlock", (5,)),
        Percept("bumped", ("Bot_2",)),
        Percept("battery", (62.5,)),
        Percept("speed", (0.5,)),
        Percept("robotSize", (60, 2.0, 2.0)),
        Percept("robotSize", (61, 4.0, 4.0)),
        Percept("colorblind", (True,)),
        Percept("oldTargetUnreachable", (60, 1)),
    )
    message = conversions.robot_state(beliefs, HEADER)
    assert (message.id, message.name) == (60, "Bot_1")
    assert (message.place, message.room) == ("RoomC1", "RoomC1")
    assert (message.position.x, message.position.y, message.position.z) == (15.0, -49.75, 0.0)
    assert message.state == Bw4tState.COLLIDED
    assert (list(message.holding), message.gripper_capacity) == ([3, 2], 2)
    assert (list(message.at_blocks), message.bumped) == ([5], ["Bot_2"])
    assert (message.battery, message.speed, message.size) == (0.625, 0.5, 2.0)
    assert message.color_blind
    assert message.old_target_unreachable
    battery = conversions.battery(beliefs, HEADER)
    assert battery.percentage == 0.625
    assert battery.present
    assert math.isnan(battery.voltage)


def test_blocks_have_their_colour_and_place():
    beliefs = beliefs_of(
        Percept("color", (43, "Yellow")),
        Percept("position", (43, 12.0, 52.5)),
        Percept("color", (44, "Red")),
    )
    first, second = conversions.visible_blocks(beliefs, HEADER).blocks
    assert (first.id, first.color) == (43, "Yellow")
    assert (first.position.x, first.position.y) == (12.0, -52.5)
    assert math.isnan(second.position.x)


def test_an_epartner_knows_what_its_functionalities_tell():
    beliefs = EPartnerBeliefs("E-Partner_1", repeats=True)
    message = conversions.epartner_state(beliefs, HEADER)
    assert message.held_by == Bw4tEPartnerState.UNKNOWN
    beliefs.apply(
        cycle(
            Percept("getFunctionalities", ("GPS",)),
            Percept("getFunctionalities", ("Forget-me-not",)),
            Percept("getRooms", ("RoomA1",)),
            Percept("getAt", ("HallA",)),
            Percept("getLocation", (5.0, 15.0)),
            Percept("heldBy", (60,)),
            Percept("isTaken", (70,)),
            Percept("leftBehind", (0,)),
        )
    )
    message = conversions.epartner_state(beliefs, HEADER)
    assert message.functionalities == ["GPS", "Forget-me-not"]
    assert (message.place, message.room, message.rooms) == ("HallA", "", ["RoomA1"])
    assert (message.position.x, message.position.y) == (5.0, -15.0)
    assert (message.held_by, message.taken, message.left_behind) == (60, True, False)


def test_what_a_robot_perceives_of_others_is_typed():
    beliefs = beliefs_of(
        Percept("robot", (50,)),
        Percept("robotSize", (50, 2, 2)),
        Percept("robotSize", (51, 3, 3)),
        Percept("player", ("Bob",)),
        Percept("getEPartners", (70, "Helper", 50, ("GPS",))),
        Percept("getEPartners", (71, "Other", -1, ())),
        Percept("position", (70, 5.0, 15.0)),
    )
    players = conversions.players(beliefs, HEADER)
    assert (players.players, list(players.robots), list(players.sizes)) == (["Bob"], [51], [3.0])
    first, second = conversions.visible_epartners(beliefs, HEADER).epartners
    assert (first.position.x, first.position.y) == (5.0, -15.0)
    assert math.isnan(second.position.x)


# --- Messages ------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["room RoomA1 contains 2 Red blocks", "at(2,'Red','RoomA1')"])
def test_what_is_heard_is_parsed_as_language_or_as_a_term(text):
    message = conversions.heard("Bob", text, Phrasing.DOCUMENT, HEADER)
    assert (message.sender, message.text) == ("Bob", text)
    parsed = message.message
    assert (parsed.type, parsed.room, parsed.color) == ("roomContainsAmount", "RoomA1", "Red")
    assert (parsed.has_number, parsed.number) == (True, 2)
    assert message.term == "at(2,'Red','RoomA1')"


def test_what_is_not_of_the_set_is_unknown():
    heard = conversions.heard("Bob", "nice day", Phrasing.DOCUMENT, HEADER)
    parsed = heard.message
    assert heard.term == ""
    assert (parsed.type, parsed.text, parsed.has_number) == ("unknown", "nice day", False)


@pytest.mark.parametrize(
    "message",
    [
        Message(MessageType.CHECKED, room="RoomA1", player="Bob"),
        Message(MessageType.AT_BOX, number=0),
        Message(MessageType.WE_NEED, color=BlockColor.DARK_GRAY),
        Message.unknown("nice day"),
    ],
    ids=str,
)
def test_messages_come_back_as_they_were(message):
    assert conversions.to_message(conversions.said(message, message.text or "")) == message


def test_unknown_types_and_colours_are_refused():
    with pytest.raises(conversions.ConversionError, match=r"'shout'.*roomContains"):
        conversions.to_message(Bw4tMessage(type="shout"))
    with pytest.raises(conversions.ConversionError, match="Mauve"):
        conversions.to_message(Bw4tMessage(type="weNeed", color="Mauve"))


# --- Effects and ways ----------------------------------------------------------------------


def test_effects_say_what_happened_where_the_original_is_silent():
    done = conversions.effect(Outcome(Effect.PICKED_UP, "Bot_1 picked up block 5", 5))
    assert (done.code, done.success, done.id) == (Bw4tEffect.PICKED_UP, True, 5)
    silent = conversions.effect(Outcome(Effect.NOTHING_IN_REACH, "no block is close"))
    assert (silent.code, silent.success, silent.id) == (Bw4tEffect.NOTHING_IN_REACH, False, -1)
    assert silent.message == "no block is close"
    refused = conversions.rejected("why")
    assert (refused.code, refused.success, refused.message) == (20, False, "why")


def test_every_effect_of_an_instant_action_has_a_code():
    ways = {Effect.STARTED, Effect.UNREACHABLE, Effect.ANSWERED}
    codes = [conversions.effect(Outcome(e, "")).code for e in Effect if e not in ways]
    assert len(set(codes)) == len(codes)


@pytest.mark.parametrize("end", list(TripEnd))
def test_every_end_of_a_way_has_the_code_of_its_name(end):
    message = conversions.going(TripResult(end, "why", "RoomA1", Progress(1, 2, "A", 0)))
    assert (message.stopped_by, message.message) == ("RoomA1", "why")
    assert message.code == getattr(Bw4tGoing, end.name)


def test_stamps_are_exact():
    assert conversions.stamp(1_700_000_000_000_000_001) == Time(sec=1_700_000_000, nanosec=1)


# --- The team ------------------------------------------------------------------------------


@pytest.fixture
def world():
    bots = (BotSpec(amount=2), BotSpec(name="Ann", controller=Controller.HUMAN))
    scenario = Scenario(bots=bots, epartners=(EPartnerSpec(),))
    return World(load_map("nine_rooms"), scenario, seed=1)


def test_the_map_has_its_zones_and_doors_with_y_up(world):
    message = team_conversions.map_message(world.snapshot(), HEADER)
    assert (message.width, message.height) == (50.0, 80.0)
    zones = {zone.name: zone for zone in message.zones}
    assert len(zones) == 28
    room, drop = zones["RoomC1"], zones["DropZone"]
    assert (room.type, room.is_drop_zone, drop.is_drop_zone) == (Bw4tZone.ROOM, False, True)
    assert (room.center.x, room.center.y, room.width, room.height) == (15.0, -55.0, 10.0, 10.0)
    assert room.neighbours == ["FrontRoomC1"]
    (door,) = room.doors
    assert (door.center.x, door.center.y, door.width, door.height) == (15.0, -50.0, 4.0, 1.0)
    assert zones["FrontDropZone"].type == Bw4tZone.CORRIDOR


def test_a_room_is_occupied_while_a_robot_is_inside(world):
    assert team_conversions.occupied_rooms(world.snapshot()) == ()
    world.act("Bot_1", "goTo", "RoomC2")
    world.tick(1000)
    assert team_conversions.occupied_rooms(world.snapshot()) == ("RoomC2",)


def test_the_task_has_the_measures_of_all(world):
    message = team_conversions.task_message(world.snapshot(), world.measures(), HEADER)
    assert message.sequence == ["Blue", "Green", "Yellow", "Pink", "Orange", "Red"]
    assert (message.index, message.done) == (0, False)
    assert math.isnan(message.completion_time)
    assert [robot.name for robot in message.robots] == ["Bot_1", "Bot_2", "Ann_1"]


def test_the_roster_has_ros_names_and_kinds(world):
    roster = team_conversions.roster_message(world.snapshot(), HEADER)
    assert [(p.name, p.ros_name, p.kind) for p in roster.players] == [
        ("Bot_1", "Bot_1", Bw4tPlayer.BOT),
        ("Bot_2", "Bot_2", Bw4tPlayer.BOT),
        ("Ann_1", "Ann_1", Bw4tPlayer.HUMAN),
        ("E-Partner_1", "E_X2D_Partner_1", Bw4tPlayer.EPARTNER),
    ]
