# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The example teams: they complete the sequence, with and without handicaps, on every seed."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import pytest

from bw4t_world import ActionError, Percept, PerceptUpdate, World
from bw4t_world.agents import (
    TEAMS,
    Beliefs,
    Geography,
    Intention,
    Player,
    Purpose,
    Searcher,
    Team,
    TeamKnowledge,
)
from bw4t_world.maps import MapSpec, load_map
from bw4t_world.maps.generator import Layout, generate_map
from bw4t_world.maps.model import BlockColor
from bw4t_world.maps.shipped import nine_rooms
from bw4t_world.messages import Message, MessageType
from bw4t_world.scenarios import BotSpec, Controller, Scenario

MINUTE = 3000
"""Ticks of a simulated minute, in the profile of the specification."""


def play(
    spec: MapSpec,
    bots: Sequence[BotSpec],
    *,
    seed: int,
    profile: str = "spec",
    team: str = "searchers",
    ticks: int = 10 * MINUTE,
    collisions: bool = False,
) -> World:
    world = World(
        spec, Scenario(bots=tuple(bots)), profile=profile, seed=seed, collisions=collisions
    )
    players = Team(world, team, seed=seed)
    players.play(ticks)
    measures = world.measures()
    assert world.is_complete, "\n".join(measures.lines())
    assert measures.wrong_drops == 0
    assert measures.good_drops == measures.sequence_length
    players.close()
    return world


@pytest.mark.parametrize("seed", range(40))
def test_a_team_of_three_completes_the_nine_rooms(seed: int) -> None:
    play(load_map("nine_rooms"), [BotSpec(amount=3)], seed=seed, ticks=MINUTE)


@pytest.mark.parametrize("seed", range(40))
def test_a_team_of_three_completes_random_rooms(seed: int) -> None:
    play(load_map("nine_rooms_random"), [BotSpec(amount=3)], seed=seed, ticks=2 * MINUTE)


@pytest.mark.parametrize("profile", ["server_3_8_1", "server_3_10"])
@pytest.mark.parametrize("seed", range(5))
def test_the_servers_rules_make_no_difference(profile: str, seed: int) -> None:
    play(load_map("nine_rooms_random"), [BotSpec(amount=3)], seed=seed, profile=profile)


@pytest.mark.parametrize("robots", [1, 2, 5, 10])
@pytest.mark.parametrize("seed", range(5))
def test_teams_of_other_sizes(robots: int, seed: int) -> None:
    play(load_map("nine_rooms_random"), [BotSpec(amount=robots)], seed=seed)


@pytest.mark.parametrize("robots", [1, 3])
@pytest.mark.parametrize("seed", range(5))
def test_searchers_that_do_not_talk(robots: int, seed: int) -> None:
    world = play(
        load_map("nine_rooms_random"), [BotSpec(amount=robots)], seed=seed, team="lone_searcher"
    )
    assert world.measures().messages == 0


def test_talking_helps() -> None:
    seconds: Counter[str] = Counter()
    for team in TEAMS:
        for seed in range(10):
            world = play(load_map("nine_rooms_random"), [BotSpec(amount=3)], seed=seed, team=team)
            seconds[team] += round(world.measures().seconds)
    assert seconds["searchers"] < 0.8 * seconds["lone_searcher"]


BLIND = BotSpec(name="Blind", color_blind_handicap=True)
HANDLESS = BotSpec(name="Handless", gripper_handicap=True)
BIG = BotSpec(name="Big", size=5, size_overload_handicap=True)
SLOW = BotSpec(name="Slow", speed=10, move_speed_handicap=True)
FAST = BotSpec(name="Fast", speed=100, move_speed_handicap=True)
MATES = {
    "a colour-blind mate": [BotSpec(amount=2), BLIND],
    "two colour-blind mates": [BotSpec(), replace(BLIND, amount=2)],
    "a mate without gripper": [BotSpec(amount=2), HANDLESS],
    "two mates without gripper": [BotSpec(), replace(HANDLESS, amount=2)],
    "one of each": [BotSpec(), BLIND, HANDLESS],
    "a mate too big for doors": [BotSpec(amount=2), BIG],
    "a slow and a fast one": [SLOW, FAST],
    "three grippers": [BotSpec(amount=3, grippers=3)],
    "human bots": [BotSpec(amount=2, controller=Controller.HUMAN)],
}


@pytest.mark.parametrize("mates", MATES)
@pytest.mark.parametrize("profile", ["spec", "server_3_8_1"])
def test_mates_with_handicaps(mates: str, profile: str) -> None:
    for seed in range(4):
        play(load_map("nine_rooms_random"), MATES[mates], seed=seed, profile=profile)


@pytest.mark.parametrize(
    "profile, capacity", [("spec", 10), ("server_3_8_1", 20), ("server_3_10", 20)]
)
def test_batteries_last_with_a_charging_zone(profile: str, capacity: int) -> None:
    robot = BotSpec(amount=2, battery_enabled=True, battery_capacity=capacity)
    for seed in range(6):
        world = play(load_map("nine_rooms_charging"), [robot], seed=seed, profile=profile)
        assert all(robot.battery > 0 for robot in world.snapshot().robots)


def test_a_small_battery_is_charged_on_the_way() -> None:
    robot = BotSpec(battery_enabled=True, battery_capacity=20)
    world = World(
        load_map("nine_rooms_charging"),
        Scenario(bots=(robot,)),
        profile="server_3_8_1",
        seed=1,
    )
    team = Team(world)
    levels = [100.0]
    team.play(20 * MINUTE, lambda world: levels.append(world.snapshot().robots[0].battery))
    assert world.is_complete
    rises = [now for before, now in itertools.pairwise(levels) if now > before]
    assert rises
    assert min(levels) > 0


@pytest.mark.parametrize("profile", ["spec", "server_3_8_1", "server_3_10"])
@pytest.mark.parametrize("team", TEAMS)
def test_narrow_corridors(profile: str, team: str) -> None:
    # One robot at a time in every corridor zone: they have to make way for each other.
    robots = 3 if team == "searchers" else 2
    for seed in range(8):
        play(
            load_map("nine_rooms_narrow"),
            [BotSpec(amount=robots)],
            seed=seed,
            profile=profile,
            team=team,
        )


@pytest.mark.parametrize("profile", ["spec", "server_3_8_1"])
def test_two_robots_that_collide_with_each_other(profile: str) -> None:
    for seed in range(5):
        play(
            load_map("nine_rooms"),
            [BotSpec(amount=2)],
            seed=seed,
            profile=profile,
            collisions=True,
        )


def test_a_blockade_that_the_planner_walks_into_is_gone_around() -> None:
    pink = (BlockColor.PINK,)
    # The shortest way to the only block leads through the blockade.
    zones = tuple(
        replace(
            zone,
            blocks=pink if zone.name == "RoomA3" else (),
            neighbours=("FrontRoomA3", "RightHallB")
            if zone.name == "BlockadeA"
            else zone.neighbours,
        )
        for zone in nine_rooms(blockade=True).zones
    )
    spec = replace(nine_rooms(blockade=True), zones=zones, sequence=pink)
    for profile in ("spec", "server_3_8_1"):
        world = play(spec, [BotSpec(amount=2)], seed=1, profile=profile)
        assert sum(robot.collisions for robot in world.measures().robots) > 0


def test_a_large_map_with_many_robots() -> None:
    play(load_map("large"), [BotSpec(amount=10)], seed=1, ticks=20 * MINUTE)


def test_runs_are_repeatable() -> None:
    spec = load_map("nine_rooms_random")
    first, second = (play(spec, [BotSpec(amount=3)], seed=7).measures() for _ in range(2))
    assert first == second


def test_robots_with_other_names_for_rooms_find_them_too() -> None:
    spec = generate_map(Layout(2, 2, 2), blocks=8, sequence=3)

    def other(name: str) -> str:
        return name.replace("FrontRoom", "Gang").replace("Room", "Kammer")

    zones = tuple(
        replace(
            zone, name=other(zone.name), neighbours=tuple(other(name) for name in zone.neighbours)
        )
        for zone in spec.zones
    )
    play(replace(spec, zones=zones), [BotSpec(amount=2)], seed=1)


@pytest.mark.parametrize("believed", [{}, {"Blue": 3, "Red": 2}])
def test_wrong_beliefs_about_rooms_are_corrected(believed: dict[str, int]) -> None:
    # As if a player had moved all blocks after the rooms were searched.
    world = World(nine_rooms(), Scenario(bots=(BotSpec(amount=2),)), seed=3)
    team = Team(world)
    for agent in team.agents:
        assert isinstance(agent, Searcher)
        for zone in world.map.zones:
            if zone.is_blocks_room:
                agent.knowledge.contents[zone.name] = Counter(believed)
    team.play(10 * MINUTE)
    assert world.is_complete
    assert world.measures().wrong_drops == 0


class _Scripted(Player):
    """Gives percepts from a list, and remembers the actions."""

    def __init__(self, *updates: list[Percept]) -> None:
        self.updates = list(updates)
        self.actions: list[tuple[object, ...]] = []
        self.refuse: set[str] = set()

    def percepts(self) -> PerceptUpdate:
        return PerceptUpdate(self.updates.pop(0) if self.updates else [], [])

    def act(self, action: str, *arguments: str | int | float) -> None:
        self.actions.append((action, *arguments))
        if action in self.refuse:
            raise ActionError(action)


START = [
    Percept("ownName", ("Bob",)),
    Percept("sequence", (("Red",),)),
    Percept("sequenceIndex", (0,)),
    Percept("state", ("arrived",)),
    Percept("at", ("Hall",)),
    Percept("player", ("Ann",)),
    Percept("gripperCapacity", (1,)),
    Percept("zone", (0, "Hall", 10.0, 5.0, ("RoomA", "RoomB", "DropZone"))),
    Percept("zone", (1, "RoomA", 5.0, 15.0, ("Hall",))),
    Percept("zone", (2, "RoomB", 15.0, 15.0, ("Hall",))),
    Percept("zone", (3, "DropZone", 25.0, 15.0, ("Hall",))),
]


def test_an_agent_needs_nothing_but_a_player() -> None:
    player = _Scripted(
        [],
        START,
        [Percept("state", ("traveling",))],
        [
            Percept("in", ("RoomA",)),
            Percept("at", ("RoomA",)),
            Percept("state", ("arrived",)),
            Percept("color", (7, "Red")),
        ],
        [Percept("color", (7, "Red"))],
    )
    agent = Searcher(player)
    agent.step()
    assert player.actions == []  # it does not know yet who and where it is
    agent.step()
    assert player.actions == [
        ("sendMessage", "all", "I am going to RoomA"),
        ("goTo", "RoomA"),
    ]
    agent.step()
    agent.step()
    agent.step()
    assert player.actions[2:] == [
        ("sendMessage", "all", "room RoomA has been checked."),
        ("sendMessage", "all", "room RoomA contains a Red block"),
        ("sendMessage", "all", "I am getting a Red block from room RoomA"),
        ("goToBlock", 7),
    ]


def test_names_that_no_text_can_carry_are_told_as_terms() -> None:
    odd = Percept("zone", (1, "RoomA?", 5.0, 15.0, ("Hall",)))
    player = _Scripted([odd if "RoomA" in percept.args else percept for percept in START])
    Searcher(player).step()
    assert ("sendMessage", "all", "imp(in('Bob','RoomA?'))") in player.actions


def test_a_room_that_another_robot_searches_is_left_to_it() -> None:
    player = _Scripted([*START, Percept("message", ("Ann", "I am going to RoomA"))])
    Searcher(player).step()
    assert ("goTo", "RoomB") in player.actions


def test_the_list_form_of_messages_and_goal_terms_are_understood() -> None:
    player = _Scripted([*START, Percept("message", (("Ann", "imp(in('Ann','RoomA'))"),))])
    Searcher(player).step()
    assert ("goTo", "RoomB") in player.actions


def test_an_occupied_room_is_waited_for_outside() -> None:
    spec = [*START, Percept("occupied", ("RoomA",)), Percept("occupied", ("RoomB",))]
    player = _Scripted(spec)
    agent = Searcher(player)
    for _ in range(8):
        agent.step()
    assert ("goTo", "RoomA") not in player.actions
    assert ("sendMessage", "all", "I am waiting outside room RoomA") in player.actions
    player.updates = [[Percept("not", (Percept("occupied", ("RoomA",)),))]]
    agent.step()
    assert player.actions[-1] == ("goTo", "RoomA")


def test_a_refused_action_is_tried_again() -> None:
    player = _Scripted(START)
    player.refuse = {"goTo", "sendMessage"}
    agent = Searcher(player)
    for _ in range(30):
        agent.step()
    player.refuse = set()
    player.actions.clear()
    for _ in range(30):
        agent.step()
    assert any(action[0] == "goTo" for action in player.actions)


def test_beliefs_follow_both_deliveries() -> None:
    repeating, deleting = Beliefs(), Beliefs()
    red, blue = Percept("color", (1, "Red")), Percept("color", (2, "Blue"))
    inside = Percept("in", ("RoomA",))
    repeating.update(PerceptUpdate([inside, red, blue], []))
    repeating.update(PerceptUpdate([blue], []))
    deleting.update(PerceptUpdate([inside, red, blue, Percept("state", ("arrived",))], []))
    deleting.update(PerceptUpdate([], [red, Percept("state", ("arrived",))]))
    for beliefs in (repeating, deleting):
        assert beliefs.visible == {2: "Blue"}
        assert beliefs.room == "RoomA"
        assert beliefs.state == "arrived"
    repeating.update(PerceptUpdate([Percept("not", (inside,))], []))
    deleting.update(PerceptUpdate([], [inside, blue]))
    for beliefs in (repeating, deleting):
        assert beliefs.visible == {}
        assert not beliefs.room


def test_the_team_decides_by_name_and_hand() -> None:
    knowledge = TeamKnowledge()
    mine = Intention(Purpose.FETCH, "RoomA", "Red", 0)
    getting = Message(MessageType.AM_GETTING_COLOR, room="RoomB", color=BlockColor.RED)
    knowledge.hear("Ann", getting, 0)
    assert knowledge.is_surplus(["Red"], "Bob", mine)
    assert not knowledge.is_surplus(["Red", "Red"], "Bob", mine)
    holding = Intention(Purpose.DELIVER, "RoomA", "Red", 0)
    assert not knowledge.is_surplus(["Red"], "Bob", holding)
    assert knowledge.open_needs(["Red", "Blue", "Red"], "Bob", None) == ["Blue", "Red"]
    knowledge.forget_absent(["Carl"], older_than=0)
    assert knowledge.open_needs(["Red"], "Bob", None) == ["Red"]


def test_what_others_take_is_gone() -> None:
    knowledge = TeamKnowledge()
    red = BlockColor.RED
    amount = Message(MessageType.ROOM_CONTAINS_AMOUNT, room="RoomA", color=red, number=2)
    knowledge.hear("Ann", Message(MessageType.CHECKED, room="RoomA"), 0)
    knowledge.hear("Ann", amount, 0)
    has = Message(MessageType.HAS_COLOR, room="RoomA", color=red)
    knowledge.hear("Ann", has, 1)
    knowledge.hear("Ann", has, 2)  # said again, not taken again
    assert knowledge.contents["RoomA"] == Counter({"Red": 1})
    knowledge.hear("Ann", Message(MessageType.ROOM_IS_EMPTY, room="RoomA"), 3)
    assert knowledge.available("RoomA", "Red") == 0


def test_geography() -> None:
    zones = {
        "A": (0.0, 0.0, ("B",)),
        "B": (10.0, 0.0, ("C", "Gone")),
        "C": (10.0, 10.0, ("D",)),
        "D": (0.0, 10.0, ("A",)),
        "E": (99.0, 99.0, ()),
    }
    geography = Geography(zones)
    assert geography.distance("A", "C") == 20
    assert geography.way("A", "C") in (["A", "B", "C"], ["A", "D", "C"])
    assert geography.way("A", "C", avoid={"B"}) == ["A", "D", "C"]
    assert geography.way("A", "E") is None
    assert geography.way("A", "nowhere") is None
    assert geography.distance("nowhere", "A") == float("inf")


def test_an_unknown_team_is_an_error() -> None:
    world = World(nine_rooms(), seed=1)
    with pytest.raises(ValueError, match="no team 'dancers'; the teams are lone_searcher, sea"):
        Team(world, "dancers")
