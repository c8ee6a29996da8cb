# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Every option of the profiles, with every value that a profile has."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from bw4t_world import PROFILES, SPEC, ActionError, PlacementError, Profile, SpawnError, WorldError
from bw4t_world.maps import BlockColor, Box, EntitySpec, Point, ZoneType
from bw4t_world.messages import Message, MessageType, Phrasing, format_text
from bw4t_world.model.choices import (
    BatteryUse,
    CollisionSwitch,
    Delivery,
    EPartnerPercepts,
    Policy,
    PutDownPlace,
)
from bw4t_world.model.profiles import describe_options, option_names, profile_named
from bw4t_world.scenarios import BotSpec, Controller, EPartnerSpec, Scenario

HUMAN = BotSpec(name="Hum", controller=Controller.HUMAN)
PARTNER = EPartnerSpec(gps=True, forget_me_not=True)
PAIR = Scenario(bots=(HUMAN, BotSpec()), epartners=(PARTNER,))

Observe = Callable[[Any, Any, Profile], Any]
CHECKS: dict[str, tuple[Observe, dict[Any, Any]]] = {}


def shows(**expected: Any) -> Callable[[Observe], Observe]:
    """Register what is observed for each value; the function has the name of the option."""
    values = expected.pop("values", None) or {True: expected["yes"], False: expected["no"]}

    def register(observe: Observe) -> Observe:
        CHECKS[observe.__name__] = (observe, values)
        return observe

    return register


# --- Percepts: delivery and policies -------------------------------------------------------


@shows(values={Delivery.EIS_0_5: False, Delivery.EIS_0_7: True})
def percept_delivery(lab: Any, small_map: Any, profile: Profile) -> Any:
    game = lab(profile=profile)
    game.poll()
    return bool(game.consumers["Bot_1"].poll().delete)


@shows(values={Policy.ON_CHANGE_NEG: (1, True), Policy.ALWAYS: (3, False)})
def local_facts_policy(lab: Any, small_map: Any, profile: Profile) -> Any:
    game = lab(profile=profile)
    game.go("Hall")
    sent = sum(len(game.perceives("in")) for _ in range(3))
    game.go("West")
    return sent, "not(in(Hall))" in game.poll()


@shows(
    values={
        Policy.ONCE: (1, False),
        Policy.ON_CHANGE_NEG: (1, True),
        Policy.ALWAYS: (3, False),
    }
)
def epartner_room_policy(lab: Any, small_map: Any, profile: Profile) -> Any:
    game = lab(scenario=PAIR, profile=profile)
    game.act("pickUpEPartner", name="Hum_1")
    game.go("Hall", name="Hum_1")
    partner = "E-Partner_1"
    sent = sum(len(game.perceives("getRoom", partner)) for _ in range(3))
    game.go("West", name="Hum_1")
    return sent, "not(getRoom(Hall))" in game.poll(partner)


@shows(values={Policy.ON_CHANGE: [1, 1, 0], Policy.ALWAYS: [1, 1, 0]})
def message_policy(lab: Any, small_map: Any, profile: Profile) -> Any:
    """Each message is sent exactly once, even if it is the same again."""
    game = lab(BotSpec(amount=2), profile=profile)
    sent = []
    for reported in (True, True, False):
        if reported:
            game.act("sendMessage", "Bot_1", "hello", name="Bot_2")
        sent.append(len(game.perceives("message")))
    return sent


# --- Percepts: content ---------------------------------------------------------------------


@shows(yes=["message([Bot_2,hello])"], no=["message(Bot_2,hello)"])
def message_as_list(lab: Any, small_map: Any, profile: Profile) -> Any:
    game = lab(BotSpec(amount=2), profile=profile)
    game.act("sendMessage", "Bot_1", "hello", name="Bot_2")
    return game.perceives("message")


@shows(values={"traveling": ["state(traveling)"], "travelling": ["state(travelling)"]})
def traveling_word(lab: Any, small_map: Any, profile: Profile) -> Any:
    game = lab(profile=profile)
    game.act("goTo", "Hall")
    return game.perceives("state")


@shows(yes=["player(Hum_1)", "player(E-Partner_1)"], no=["player(Hum_1)"])
def player_includes_epartners(lab: Any, small_map: Any, profile: Profile) -> Any:
    return lab(scenario=PAIR, profile=profile).perceives("player")


@shows(yes=1, no=0)
def color_outside_rooms(lab: Any, small_map: Any, profile: Profile) -> Any:
    """A corridor that comes first covers the closet, so its block lies in the corridor."""
    zones = list(small_map().zones)
    zones[1] = replace(zones[1], box=Box(15, 6, 10, 12))
    game = lab(profile=profile, spec=small_map(zones=tuple(zones)))
    game.go("Middle")
    return len(game.perceives("color"))


@shows(yes=3, no=1)
def at_block_all(lab: Any, small_map: Any, profile: Profile) -> Any:
    game = lab(
        BotSpec(size=3, size_overload_handicap=True), profile=profile, spec=_crowd(small_map)
    )
    game.go("Hall")
    return len(game.perceives("atBlock"))


def _crowd(small_map: Any) -> Any:
    """Return the small map with a hall of 5 x 5 units, where all blocks are close."""
    zones = tuple(
        replace(zone, box=Box(5, 12.5, 5, 5)) if zone.name == "Hall" else zone
        for zone in small_map().zones
    )
    return small_map(zones=zones)


@shows(yes=1, no=0)
def at_block_when_full(lab: Any, small_map: Any, profile: Profile) -> Any:
    game = lab(BotSpec(gripper_handicap=True), profile=profile)
    game.go("Closet")
    return len(game.perceives("atBlock"))


@shows(yes=("PICKED_UP", 1), no=("NOTHING_IN_REACH", 0))
def reach_through_walls(lab: Any, small_map: Any, profile: Profile) -> Any:
    game = lab(profile=profile)
    game.go(16.2, 9.2)  # outside of the closet, less than 3 units from its block
    near = len(game.perceives("atBlock"))
    return game.act("pickUp").effect.name, near


@shows(yes=(False, True), no=(True, True))
def position_humans_only(lab: Any, small_map: Any, profile: Profile) -> Any:
    game = lab(scenario=PAIR, profile=profile)
    return bool(game.perceives("position")), bool(game.perceives("position", "Hum_1"))


@shows(yes=True, no=False)
def position_of_robots(lab: Any, small_map: Any, profile: Profile) -> Any:
    game = lab(BotSpec(amount=2), profile=profile)
    game.go(7, 5, name="Bot_2")
    positions = game.perceives("position")
    return f"position({game.robot('Bot_2').id},7.0,5.0)" in positions


@shows(yes=2, no=1)
def position_self_twice(lab: Any, small_map: Any, profile: Profile) -> Any:
    game = lab(profile=profile)
    own = f"position({game.robot().id},"
    alone = sum(text.startswith(own) for text in game.poll())
    game = lab(profile=replace(profile, position_of_robots=True))
    among_robots = sum(text.startswith(own) for text in game.poll())
    assert alone == among_robots
    return alone


@shows(
    values={
        "getEPartners": ["getEPartners(11,E-Partner_1,-1,[GPS,Forget-me-not])"],
        "epartner": ["epartner(11,E-Partner_1,-1,[GPS,Forget-me-not])"],
    }
)
def epartner_percept_name(lab: Any, small_map: Any, profile: Profile) -> Any:
    game = lab(scenario=PAIR, profile=profile)
    number = game.epartner().id
    return [
        text.replace(f"({number},", "(11,") for text in game.poll("Hum_1") if "PS,Forget" in text
    ]


@shows(yes=0, no=1)
def epartner_percept_humans_only(lab: Any, small_map: Any, profile: Profile) -> Any:
    game = lab(scenario=PAIR, profile=profile)
    game.go(7, 5)
    return len(game.perceives("getEPartners"))


@shows(yes=["bumped(Hall)"], no=[])
def bumped_by_places(lab: Any, small_map: Any, profile: Profile) -> Any:
    game = lab(BotSpec(amount=2), profile=profile)
    game.go("Hall", name="Bot_2")
    assert game.go("Hall") == "collided"
    return game.perceives("bumped")


@shows(yes=2, no=1)
def bumped_repeats(lab: Any, small_map: Any, profile: Profile) -> Any:
    game = lab(BotSpec(amount=2), profile=profile, collisions=True)
    for _ in range(2):
        assert game.go("East") == "collided"  # Bot_2 stands in the middle
    return len(game.perceives("bumped", "Bot_2"))


@shows(yes=["pickUpEPartner()"], no="a user cannot ask for pickUpEPartner with 0 parameters")
def extended_gui_percepts(lab: Any, small_map: Any, profile: Profile) -> Any:
    game = lab(HUMAN, profile=profile)
    try:
        game.world.user_request("Hum_1", "pickUpEPartner")
    except WorldError as error:
        return str(error)
    return game.perceives("pickUpEPartner", "Hum_1")


# --- E-partners ----------------------------------------------------------------------------

_DOCUMENT = {"getAt", "getLocation", "getRooms", "getFunctionalities"}
_SERVER = {"at", "location", "place", "functionality"}


@shows(values={EPartnerPercepts.DOCUMENT: _DOCUMENT, EPartnerPercepts.SERVER: _SERVER})
def epartner_percepts(lab: Any, small_map: Any, profile: Profile) -> Any:
    game = lab(scenario=PAIR, profile=profile)
    names = {percept.name for percept in game.consumers["E-Partner_1"].poll().add}
    return names - {"heldBy", "isTaken", "leftBehind"}


@shows(yes=[], no=["getLocation(16.0,6.0)"])
def epartner_location_frozen(lab: Any, small_map: Any, profile: Profile) -> Any:
    game = lab(scenario=PAIR, profile=profile)
    game.poll("E-Partner_1")
    game.act("pickUpEPartner", name="Hum_1")
    game.go("Middle", name="Hum_1")
    return game.perceives("getLocation", "E-Partner_1")


@shows(yes=["getAt()"], no=[])
def epartner_at_without_gps(lab: Any, small_map: Any, profile: Profile) -> Any:
    game = lab(scenario=replace(PAIR, epartners=(EPartnerSpec(),)), profile=profile)
    return game.perceives("getAt", "E-Partner_1")


@shows(yes=["leftBehind(1)"], no=[])
def left_behind_before_held(lab: Any, small_map: Any, profile: Profile) -> Any:
    game = lab(scenario=PAIR, profile=profile)
    before = game.perceives("leftBehind", "E-Partner_1")
    game.act("pickUpEPartner", name="Hum_1")
    assert game.perceives("leftBehind", "E-Partner_1") == ["leftBehind(0)"]
    game.act("putDownEPartner", name="Hum_1")
    assert game.perceives("leftBehind", "E-Partner_1") == ["leftBehind(1)"]
    return before


# --- Movement and battery ------------------------------------------------------------------


@shows(yes=((7.0, 3.0),), no=((5.0, 5.0), (7.0, 3.0)))
def goto_point_shortcuts(lab: Any, small_map: Any, profile: Profile) -> Any:
    game = lab(profile=profile)
    game.act("goTo", 7, 3)
    return game.robot().path


@shows(yes="error", no="STARTED")
def navigate_needs_collision(lab: Any, small_map: Any, profile: Profile) -> Any:
    game = lab(profile=profile)
    game.act("goTo", "East")
    game.world.tick(10)
    try:
        return game.act("navigateObstacles").effect.name
    except ActionError:
        return "error"


@shows(yes=[(15.0, 5.0), (25.0, 5.0), (25.0, 5.0)], no=[(25.0, 5.0)])
def detour_repeats_plan(lab: Any, small_map: Any, profile: Profile) -> Any:
    game = lab(BotSpec(amount=2), profile=profile, collisions=True)
    game.go(15, 7, name="Bot_2")
    assert game.go("East") == "collided"
    game.act("navigateObstacles")
    path = list(game.robot().path)
    lattice_end = path.index((25.0, 5.0))
    return path[lattice_end + 1 :]


@shows(values={CollisionSwitch.SCENARIO: True, CollisionSwitch.OWNER_ONLY: False})
def collision_switch(lab: Any, small_map: Any, profile: Profile) -> Any:
    scenario = Scenario(bots=(BotSpec(),), collision_enabled=True)
    assert lab(scenario=scenario, profile=profile, collisions=True).world.collisions
    assert not lab(scenario=scenario, profile=profile, collisions=False).world.collisions
    return lab(scenario=scenario, profile=profile).world.collisions


ELECTRIC = BotSpec(
    size=3,
    size_overload_handicap=True,
    speed=80,
    move_speed_handicap=True,
    battery_enabled=True,
    battery_capacity=10,
)


def _used_in_ten_moves(lab: Any, spec: BotSpec, profile: Profile) -> float:
    game = lab(spec, profile=profile)
    game.act("goTo", "Middle")
    game.world.tick(1)  # the waypoint that it stands on
    game.world.tick(10)
    return round(100 - game.robot().battery, 6)


@shows(values={BatteryUse.FRACTION_OF_FULL: 0.92, BatteryUse.CAPACITY_UNITS: 3.26})
def battery_use(lab: Any, small_map: Any, profile: Profile) -> Any:
    """0.02 % * 3 + 0.04 % * 0.8 of full, and 0.0002 * 3 + 0.0004 * 80 of 10 units, a tick."""
    return _used_in_ten_moves(lab, ELECTRIC, profile)


@shows(yes=0.92, no=0.6)
def battery_ignores_handicap(lab: Any, small_map: Any, profile: Profile) -> Any:
    spec = replace(ELECTRIC, size_overload_handicap=False, move_speed_handicap=False)
    return _used_in_ten_moves(lab, spec, profile)


@shows(yes=100.0, no=99.674)
def charge_after_move(lab: Any, small_map: Any, profile: Profile) -> Any:
    profile = replace(profile, battery_use=BatteryUse.CAPACITY_UNITS)
    zones = list(small_map().zones)
    zones[1] = replace(zones[1], type=ZoneType.CHARGINGZONE)
    game = lab(ELECTRIC, profile=profile, spec=small_map(zones=tuple(zones)))
    game.act("goTo", "Middle")
    while game.robot().x < 12:
        game.world.tick()
    charge = round(game.robot().battery, 6)
    game.arrive()
    assert game.robot().battery == 100.0
    return charge


# --- Actions -------------------------------------------------------------------------------


@shows(yes=[True] * 3, no=[False] * 3)
def document_action_names(lab: Any, small_map: Any, profile: Profile) -> Any:
    game = lab(HUMAN, profile=profile)
    done = []
    for action in (("sendmessage", "all", "x"), ("pickUpEpartner",), ("dropEPartner",)):
        try:
            game.act(*action, name="Hum_1")
            text = ""
        except ActionError as error:
            text = str(error)
        done.append(not text)
        assert text == "" or "Entity does not support action" in text
        assert (action[0] in game.world.actions_of("Hum_1")) == done[-1]
    return done


@shows(yes=("error", "PICKED_UP"), no=("PICKED_UP", "error"))
def pick_up_by_id(lab: Any, small_map: Any, profile: Profile) -> Any:
    results = []
    for with_id in (False, True):
        game = lab(profile=profile)
        game.go("Closet")
        (block,) = (b for b in game.world.snapshot().blocks if b.zone == "Closet")
        try:
            args = (block.id,) if with_id else ()
            results.append(game.act("pickUp", *args).effect.name)
        except ActionError:
            results.append("error")
    return tuple(results)


@shows(
    values={
        PutDownPlace.NEAR_ROBOT: (True, False, True),
        PutDownPlace.ANYWHERE_WITHIN_5: (False, True, False),
        PutDownPlace.FREE_PLACE: (False, False, True),
    }
)
def put_down_place(lab: Any, small_map: Any, profile: Profile) -> Any:
    """Whether 60 blocks came near the robot, near the centre, and all inside the room."""
    zones = tuple(
        replace(zone, box=Box(5, 20, 10, 20), blocks=(BlockColor.RED,))
        if zone.name == "Hall"
        else zone
        for zone in small_map().zones
    )
    game = lab(profile=profile, spec=small_map(zones=zones, area=Point(30, 30)))
    game.go("Hall")
    (block,) = (b for b in game.world.snapshot().blocks if b.zone == "Hall")
    places = []
    for _ in range(60):
        game.act("goToBlock", block.id)
        game.arrive()
        assert game.act("pickUp").succeeded
        game.go(5, 28)
        robot = game.robot()
        assert game.act("putDown").effect.name == "PUT_IN_ROOM"
        lying = next(b for b in game.world.snapshot().blocks if b.id == block.id)
        places.append((lying.x, lying.y, robot.x, robot.y))
    near = all(abs(x - rx) <= 1 and abs(y - ry) <= 1 for x, y, rx, ry in places)
    central = all(abs(x - 5) <= 5 and abs(y - 20) <= 5 for x, y, _, _ in places)
    inside = all(0.5 <= x <= 9.5 and 10.5 <= y <= 29.5 for x, y, _, _ in places)
    return near, central, inside


@shows(yes="DELIVERED", no="VANISHED")
def drop_zone_by_box(lab: Any, small_map: Any, profile: Profile) -> Any:
    game = lab(profile=profile)
    game.go("Closet")
    game.act("pickUp")
    game.go(25, 9.5)
    return game.act("putDown").effect.name


@shows(yes=(1, 1), no=(0, 1))
def broadcast_to_sender(lab: Any, small_map: Any, profile: Profile) -> Any:
    game = lab(BotSpec(amount=2), profile=profile)
    game.act("sendMessage", "all", "hello")
    return tuple(len(game.perceives("message", name)) for name in ("Bot_1", "Bot_2"))


@shows(yes=["message(Elvis,hello)"], no="error")
def receive_message_callable(lab: Any, small_map: Any, profile: Profile) -> Any:
    game = lab(profile=profile)
    try:
        game.act("receiveMessage", "Elvis", "hello")
    except ActionError:
        return "error"
    return game.perceives("message")


@shows(yes=True, no=False)
def block_error_names_room(lab: Any, small_map: Any, profile: Profile) -> Any:
    with pytest.raises(ActionError, match="there is no block with id=9999") as caught:
        lab(profile=profile).act("goToBlock", 9999)
    return str(caught.value).endswith("in the room")


@shows(values={Phrasing.DOCUMENT: "Bob go to RoomA", Phrasing.SERVER: "Bob, go to room RoomA"})
def message_phrasing(lab: Any, small_map: Any, profile: Profile) -> Any:
    message = Message(MessageType.GO_TO_ROOM, room="RoomA", player="Bob")
    return format_text(message, profile.message_phrasing)


# --- Setting up ----------------------------------------------------------------------------


@shows(values={0.02: 2.0, 0.01: 1.0})
def tick_seconds(lab: Any, small_map: Any, profile: Profile) -> Any:
    game = lab(profile=profile)
    game.world.tick(100)
    assert game.world.measures().seconds == game.world.seconds
    return game.world.seconds


@shows(yes=7, no=None)
def map_seed_counts(lab: Any, small_map: Any, profile: Profile) -> Any:
    spec = small_map(seed=7)
    assert lab(profile=profile, spec=spec, seed=3).world.seed == 3
    seeds = {lab(profile=profile, spec=spec, seed=None).world.seed for _ in range(5)}
    return seeds.pop() if len(seeds) == 1 else None


@shows(yes=3, no="room Closet is too small for 2 blocks that lie 2 apart")
def crowded_rooms_allowed(lab: Any, small_map: Any, profile: Profile) -> Any:
    zones = tuple(
        replace(zone, blocks=(BlockColor.BLUE,) * 3) if zone.name == "Closet" else zone
        for zone in small_map().zones
    )
    try:
        game = lab(profile=profile, spec=small_map(zones=zones))
    except PlacementError as error:
        return str(error)
    return sum(block.zone == "Closet" for block in game.world.snapshot().blocks)


@shows(yes="the map has Cyan, a colour that no original server knows", no="Cyan")
def server_colors_only(lab: Any, small_map: Any, profile: Profile) -> Any:
    try:
        game = lab(profile=profile, spec=small_map(sequence=(BlockColor.CYAN,)))
    except WorldError as error:
        return str(error)
    return str(game.world.snapshot().sequence[0])


@shows(
    yes=(("Bot_1",), ("Bot_2", "Last_1")),
    no="Bot_2 cannot be placed: all 1 spawn points are taken",
)
def spawn_failure_is_silent(lab: Any, small_map: Any, profile: Profile) -> Any:
    spec = small_map(entities=(EntitySpec(Point(5, 5)),))
    try:
        game = lab(BotSpec(amount=2), BotSpec(name="Last"), profile=profile, spec=spec)
    except SpawnError as error:
        return str(error)
    return game.world.names, game.world.not_announced


# --- The table -----------------------------------------------------------------------------

_CASES = [
    pytest.param(name, value, id=f"{name}={getattr(value, 'name', value)}")
    for name, (_, values) in CHECKS.items()
    for value in values
]


@pytest.mark.parametrize("name, value", _CASES)
def test_an_option_does_what_it_says(lab: Any, small_map: Any, name: str, value: Any) -> None:
    observe, values = CHECKS[name]
    profile = replace(SPEC, name="test", **{name: value})
    assert observe(lab, small_map, profile) == values[value]


def test_every_option_is_tested_with_every_value_that_a_profile_has() -> None:
    assert list(CHECKS) == list(option_names())
    for name, _, values in describe_options():
        assert set(values.values()) <= set(CHECKS[name][1]), name
        assert len(CHECKS[name][1]) > 1, name


def test_every_option_is_documented() -> None:
    for name, doc, values in describe_options():
        assert len(doc) > 20, name
        assert list(values) == ["spec", "server_3_8_1", "server_3_10"]


def test_profiles_are_columns_of_the_table() -> None:
    for profile_name, profile in PROFILES.items():
        assert profile_named(profile_name) is profile
        for name, _, values in describe_options():
            assert getattr(profile, name) == values[profile_name]


def test_an_unknown_profile_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match="unknown profile 'nice'; the profiles are spec, serv"):
        profile_named("nice")
