# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The world for its owner and for observers: time, members, resets, snapshots, measures."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, replace
from typing import Any

import pytest

from bw4t_world import ActionError, PlacementError, SpawnError, World, WorldError
from bw4t_world.maps import BlockColor, Box, MapError, Point, ZoneSpec, ZoneType
from bw4t_world.maps.shipped import nine_rooms
from bw4t_world.pacing import Pacer
from bw4t_world.scenarios import BotSpec, Controller, EPartnerSpec, Scenario, ScenarioError

TWO = Scenario(bots=(BotSpec(amount=2),))

# --- Time ----------------------------------------------------------------------------------


def test_time_passes_only_when_the_owner_says_so(lab: Any) -> None:
    world = lab().world
    assert (world.now, world.seconds) == (0, 0.0)
    assert world.tick() == 1
    assert world.tick(49) == 49
    assert (world.now, world.seconds) == (50, 1.0)
    world.pause()
    assert world.is_paused
    assert world.tick(10) == 0
    assert world.step(3) == 3
    assert world.now == 53
    world.resume()
    assert world.tick(0) == 0
    assert world.tick(7) == 7


@pytest.mark.parametrize("ticks", [-1, 1.5, True, "3", None])
def test_ticks_are_whole_numbers(lab: Any, ticks: Any) -> None:
    world = lab().world
    with pytest.raises(ValueError, match="the number of ticks must be a whole number from 0"):
        world.tick(ticks)
    assert world.now == 0


def test_the_next_event_is_known(lab: Any) -> None:
    game = lab()
    assert game.world.ticks_to_event() is None
    game.act("goTo", "Hall")
    seen = []
    while (ticks := game.world.ticks_to_event()) is not None:
        game.world.tick(ticks)
        seen.append(game.world.now)
    assert game.robot().state == "arrived"
    assert len(seen) < game.world.now / 5
    with pytest.raises(ValueError, match="unknown time stepping 'fast'; there is events, ticks"):
        World(game.world.map, time_stepping="fast")


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_a_pacer_follows_a_clock(lab: Any) -> None:
    world, clock = lab().world, Clock()
    pacer = Pacer(world, clock=clock)
    passed = 0
    for _ in range(100):
        clock.now += 0.013
        passed += pacer.catch_up()
    assert passed == world.now == 65
    assert pacer.seconds_until_due() == pytest.approx(0.02, abs=1e-6)
    pacer.speed = 10.0
    clock.now += 0.1
    assert pacer.catch_up() == 50
    world.pause()
    clock.now += 5
    assert pacer.catch_up() == 0
    world.resume()
    assert pacer.catch_up() == 0  # nothing is made up for a pause
    clock.now += 60
    assert pacer.catch_up() == 500  # nor for more than a second
    for speed in (0, -1, float("inf"), float("nan")):
        with pytest.raises(ValueError, match="the speed must be a finite number above 0"):
            pacer.speed = speed
    assert pacer.speed == 10.0


def test_a_pacer_sleeps_until_the_next_tick(lab: Any) -> None:
    world = lab().world
    pacer = Pacer(world, speed=20.0)
    while world.now < 20:
        pacer.sleep_until_due()
        pacer.catch_up()
    assert world.now >= 20


# --- Members -------------------------------------------------------------------------------


def test_members_come_and_go_while_the_world_runs(lab: Any) -> None:
    game = lab(BotSpec(amount=2))
    game.act("goTo", "Hall")
    game.world.tick(10)
    assert game.world.add_robot(BotSpec(name="Bot", amount=7)) == "Bot_3"
    assert game.world.names == ("Bot_1", "Bot_2", "Bot_3")
    game.world.remove("Bot_2")
    assert game.world.add_robot() == "Bot_2"
    assert game.arrive() == "arrived"
    partner = game.world.add_epartner(EPartnerSpec(name="EP"))
    assert game.world.names == ("Bot_1", "Bot_3", "Bot_2", partner)
    with pytest.raises(WorldError, match="there is no robot or e-partner named 'Bot_9'"):
        game.world.remove("Bot_9")


def test_a_room_is_free_when_its_robot_is_removed(lab: Any) -> None:
    game = lab(BotSpec(amount=2))
    game.go("Hall")
    game.world.remove("Bot_1")
    assert game.go("Hall", name="Bot_2") == "arrived"


def test_bad_robots_are_refused_and_the_world_goes_on(lab: Any) -> None:
    game = lab()
    before = game.world.snapshot()
    with pytest.raises(ScenarioError, match="botBatteryCapacity"):
        game.world.add_robot(BotSpec(battery_enabled=True, battery_capacity=0))
    with pytest.raises(ScenarioError, match="botSpeed"):
        game.world.add_robot(BotSpec(speed=101, move_speed_handicap=True))
    with pytest.raises(ScenarioError, match="Name"):
        game.world.add_epartner(EPartnerSpec(name=""))
    assert game.world.snapshot() == before
    assert game.go("Hall") == "arrived"


def test_requests_of_users_are_checked(lab: Any) -> None:
    game = lab(BotSpec(), BotSpec(name="Hum", controller=Controller.HUMAN))
    with pytest.raises(WorldError, match="Bot_1 has no user: it is a bot"):
        game.world.user_request("Bot_1", "putDown")
    with pytest.raises(WorldError, match="a user cannot ask for fly with 0 parameters"):
        game.world.user_request("Hum_1", "fly")
    with pytest.raises(WorldError, match="cannot ask for goTo with 3 parameters"):
        game.world.user_request("Hum_1", "goTo", 1, 2, 3)
    game.consumers["Hum_1"].close()
    with pytest.raises(WorldError, match="Hum_1 has no consumer"):
        game.world.user_request("Hum_1", "putDown")


# --- Starting again ------------------------------------------------------------------------


def test_a_reset_starts_the_same_run_again(lab: Any) -> None:
    game = lab(BotSpec(amount=2))
    extra = game.world.add_robot(BotSpec(name="Extra"))
    game.world.remove("Bot_2")
    start = game.world.snapshot()
    first = game.poll()
    game.go("Hall")
    game.act("pickUp")
    game.world.reset()
    assert game.world.names == ("Bot_1", extra)
    again = game.world.snapshot()
    assert (again.tick, again.blocks, again.seconds) == (0, start.blocks, 0.0)
    assert [r.name for r in again.robots] == [r.name for r in start.robots]
    assert {text.split("(")[0] for text in game.poll()} == {text.split("(")[0] for text in first}
    assert game.go("Hall") == "arrived"
    game.world.reset(seed=99)
    assert game.world.seed == 99
    assert game.world.snapshot().blocks != start.blocks


def test_another_map_is_loaded(lab: Any) -> None:
    game = lab(BotSpec(amount=2))
    game.world.load(nine_rooms(), seed=3)
    assert game.world.names == ("Bot_1", "Bot_2")
    assert "place(RoomC1)" in game.poll()
    assert game.go("RoomC1") == "arrived"
    game.world.load(nine_rooms(), Scenario(bots=(BotSpec(name="New"),)))
    assert game.world.names == ("New_1",)
    assert not game.consumers["Bot_1"].is_connected
    with pytest.raises(WorldError, match="Bot_1 has been removed"):
        game.poll()


def test_when_loading_fails_the_world_goes_on(lab: Any, small_map: Any) -> None:
    game = lab(BotSpec(amount=2))
    game.act("goTo", "Hall")
    before = game.world.snapshot()
    with pytest.raises(SpawnError, match="all 1 spawn points are taken"):
        game.world.load(small_map(entities=small_map().entities[:1]))
    with pytest.raises(MapError, match="there is no zone 'Hall'"):
        game.world.load(small_map(zones=small_map().zones[:2]))
    assert game.world.snapshot() == before
    assert game.arrive() == "arrived"
    assert game.poll()


# --- Bad worlds ----------------------------------------------------------------------------


def test_worlds_that_cannot_be_are_refused(small_map: Any) -> None:
    with pytest.raises(WorldError, match="the map is 9000 x 20 units; the greatest size is 8191"):
        World(small_map(area=Point(9000, 20)))
    with pytest.raises(ScenarioError, match="grippers"):
        World(small_map(), Scenario(bots=(BotSpec(grippers=-1),)))
    with pytest.raises(ValueError, match="unknown profile 'old'"):
        World(small_map(), profile="old")
    zones = tuple(
        replace(zone, box=Box(15, 10.4, 0.8, 0.8)) if zone.name == "Closet" else zone
        for zone in small_map().zones
    )
    with pytest.raises(PlacementError, match="room Closet is too small: no block fits into it"):
        World(small_map(zones=zones), seed=1)


def test_zones_far_beyond_the_map_cost_nothing(small_map: Any) -> None:
    giant = ZoneSpec("Giant", ZoneType.CORRIDOR, Box(0, 0, 1e6, 1e6))
    world = World(small_map(zones=(*small_map().zones, giant)), TWO, seed=1)
    world.act("Bot_1", "goTo", "Middle")
    world.tick(100)
    assert world.snapshot().robots[0].zone == "Middle"


# --- Observers -----------------------------------------------------------------------------


def test_a_snapshot_has_what_it_takes_to_draw_the_world(lab: Any) -> None:
    human = BotSpec(name="Hum", controller=Controller.HUMAN, color_blind_handicap=True)
    game = lab(scenario=Scenario(bots=(BotSpec(), human), epartners=(EPartnerSpec(gps=True),)))
    game.go("Closet")
    block = next(b for b in game.world.snapshot().blocks if b.zone == "Closet")
    game.act("pickUp")
    game.act("goTo", "DropZone")
    game.act("pickUpEPartner", name="Hum_1")
    snapshot = game.world.snapshot()
    assert snapshot.map is game.world.map
    assert (snapshot.tick, snapshot.seconds) == (game.world.now, game.world.seconds)
    assert snapshot.sequence == (BlockColor.BLUE, BlockColor.RED)
    assert (snapshot.delivered, snapshot.completed_at, snapshot.is_paused) == (0, None, False)
    assert [door.is_open for door in snapshot.doors if door.room == "Closet"] == [False]
    assert [zone.occupants for zone in snapshot.zones if zone.name == "Closet"] == [("Bot_1",)]
    robot, human_view = snapshot.robots
    assert (robot.kind, robot.zone, robot.state, robot.is_played) == (
        "bot",
        "Closet",
        "traveling",
        True,
    )
    assert [(held.id, held.color) for held in robot.held] == [(block.id, BlockColor.BLUE)]
    assert robot.path[-1] == (25.0, 15.0)
    assert (human_view.kind, human_view.epartner, human_view.color_blind) == (
        "human",
        "E-Partner_1",
        True,
    )
    (partner,) = snapshot.epartners
    assert (partner.holder, partner.functionalities) == ("Hum_1", ("GPS",))
    assert (partner.x, partner.y) == (human_view.x + 1, human_view.y + 1)


def test_a_snapshot_does_not_change(lab: Any) -> None:
    game = lab()
    before = game.world.snapshot()
    kept = (before.tick, before.robots, before.blocks)
    game.go("Closet")
    game.act("pickUp")
    assert (before.tick, before.robots, before.blocks) == kept
    assert game.world.snapshot() != before
    with pytest.raises(AttributeError):
        before.tick = 5  # type: ignore[misc]


def test_observing_disturbs_nothing(lab: Any) -> None:
    watched, alone = lab(BotSpec(amount=2)), lab(BotSpec(amount=2))
    for game in (watched, alone):
        game.act("goTo", "DropZone")
        game.act("goTo", "Hall", name="Bot_2")
    for _ in range(300):
        watched.world.tick()
        watched.world.snapshot()
        watched.world.measures()
    alone.world.tick(300)
    assert watched.world.snapshot() == alone.world.snapshot()
    assert watched.world.measures() == alone.world.measures()


def test_measures_count_per_robot_and_team(lab: Any) -> None:
    game = lab(BotSpec(amount=2))
    game.world.tick(100)
    game.go("Hall")
    ticks = game.world.now - 100
    game.go("Hall", name="Bot_2")
    game.act("sendMessage", "all", "yes")
    measures = game.world.measures()
    first, second = measures.robots
    assert (first.rooms_entered, second.rooms_entered, measures.rooms_entered) == (1, 0, 1)
    assert (first.collisions, second.collisions) == (0, 1)
    assert (first.messages, measures.messages) == (1, 1)
    assert second.idle_seconds < measures.seconds
    assert first.idle_seconds == pytest.approx((game.world.now - ticks) * 0.02)
    lines = measures.lines()
    assert lines[0] == "sequence not finished: 0 of 2"
    assert "nroomsentered 1" in lines[1]
    assert lines[2].startswith("agentsummary Bot_1 bot: gooddrops 0, wrongdrops 0, nmessage 1")
    with pytest.raises(FrozenInstanceError):
        measures.messages = 5  # type: ignore[misc]


def test_removed_robots_still_count(lab: Any) -> None:
    game = lab(BotSpec(amount=2))
    game.go("Hall")
    game.world.remove("Bot_1")
    measures = game.world.measures()
    assert [robot.name for robot in measures.robots] == ["Bot_1", "Bot_2"]
    assert measures.rooms_entered == 1


# --- Listeners -----------------------------------------------------------------------------


def test_listeners_are_told_what_happens_and_when(lab: Any, small_map: Any) -> None:
    spec = small_map(sequence=(BlockColor.BLUE,))
    game = lab(BotSpec(amount=2), spec=spec)
    lines: list[str] = []
    stop = game.world.listen(lambda event: lines.append(str(event)))
    game.act("goTo", "Closet")
    game.act("goTo", "Closet", name="Bot_2")
    game.world.tick(300)
    with pytest.raises(ActionError):
        game.act("putDown")
    game.act("pickUp", name="Bot_2")
    game.go("DropZone", name="Bot_2")
    game.act("putDown", name="Bot_2")
    stop()
    stop()
    game.act("goTo", "West")
    assert [line.split(" ", 1)[1] for line in lines] == [
        "Bot_1 action: Bot_1 goes to Closet",
        "Bot_2 action: Bot_2 goes to Closet",
        "Bot_2 entered: Closet",
        "Bot_2 arrived",
        "Bot_1 collided: closed door Closet",
        "Bot_1 error: Bot_1: Action putDown with parameters [] failed: "
        "bot is not holding any block",
        "Bot_2 action: Bot_2 picked up block 9",
        "Bot_2 action: Bot_2 goes to DropZone",
        "Bot_2 entered: DropZone",
        "Bot_2 arrived",
        "Bot_2 action: block 9 delivered, 1 of 1",
        f"Bot_2 completed: 1 blocks in {game.world.seconds:.2f} s",
    ]
    ticks = [int(line[1:].split("]")[0]) for line in lines]
    assert ticks == sorted(ticks)
    assert ticks[2] == 21  # five units to the room, and the waypoint that it stood on


def test_a_listener_may_act_and_may_fail(lab: Any) -> None:
    game = lab(BotSpec(amount=2))
    fail = True

    def listener(event: Any) -> None:
        if event.kind.name == "ENTERED" and event.entity == "Bot_1":
            game.act("goTo", "Hall", name="Bot_2")
            if fail:
                raise RuntimeError("the listener is at fault")

    game.world.listen(listener)
    game.act("goTo", "Closet")
    with pytest.raises(RuntimeError, match="the listener is at fault"):
        game.world.tick(200)
    assert game.world.now == 200
    assert game.arrive("Bot_2") == "arrived"
    assert game.robot("Bot_2").zone == "Hall"
    fail = False
    game.world.reset()
    game.go("Closet")
    assert game.arrive("Bot_2") == "arrived"
    assert game.robot("Bot_2").zone == "Hall"


def test_a_world_without_robots_has_measures(lab: Any) -> None:
    assert isinstance(lab().world.measures().idle_seconds, float)


def test_both_time_steppings_tell_the_same_story(lab: Any) -> None:
    stories = []
    for stepping in ("events", "ticks"):
        game = lab(BotSpec(amount=3), time_stepping=stepping, collisions=True)
        story: list[Any] = []
        game.world.listen(story.append)
        for name, place in (("Bot_1", "DropZone"), ("Bot_2", "Hall"), ("Bot_3", "Closet")):
            game.act("goTo", place, name=name)
        game.world.tick(500)
        stories.append(story)
    assert stories[0] == stories[1]
    assert any(event.kind.name == "COLLIDED" for event in stories[0])


def test_an_empty_battery_is_told(lab: Any) -> None:
    game = lab(BotSpec(battery_enabled=True, battery_capacity=1), profile="server_3_8_1")
    lines: list[str] = []
    game.world.listen(lambda event: lines.append(str(event)))
    game.go("East")
    assert lines[-1] == f"[{game.world.now}] Bot_1 battery empty"


def test_changing_one_s_mind_all_the_time_costs_no_memory(lab: Any) -> None:
    game = lab()
    for _ in range(6000):
        game.act("goTo", "East")
    assert game.world.ticks_to_event() == 1
    assert game.arrive() == "arrived"
    assert game.world.now == 84  # as after one goTo: 80 moves and 4 waypoints


def test_the_time_of_a_complete_sequence_is_in_the_log(lab: Any, small_map: Any) -> None:
    game = lab(spec=small_map(sequence=(BlockColor.BLUE,)))
    game.go("Closet")
    game.act("pickUp")
    game.go("DropZone")
    game.act("putDown")
    ticks = game.world.now
    game.world.tick(100)
    measures = game.world.measures()
    assert measures.completion_ticks == ticks
    assert measures.lines()[0] == f"time to finish sequence is {ticks * 0.02:.2f} s"


def test_in_a_map_of_rooms_only_nobody_gets_anywhere(lab: Any, small_map: Any) -> None:
    rooms = tuple(zone for zone in small_map().zones if zone.type is ZoneType.ROOM)
    game = lab(spec=small_map(zones=rooms))
    assert game.perceives("at") == []
    with pytest.raises(ActionError, match="there is no path: all zones of this map are rooms"):
        game.act("goTo", "Hall")
