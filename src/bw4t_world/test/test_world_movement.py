# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""How robots move: waypoints, doors, corridors, batteries, collisions and detours."""

from __future__ import annotations

from dataclasses import replace
from math import hypot
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bw4t_world import SERVER_3_8_1, ActionError, World
from bw4t_world.maps import Box, EntitySpec, MapSpec, Point, ZoneSpec, ZoneType
from bw4t_world.maps.shipped import nine_rooms
from bw4t_world.model.motion import make_leg
from bw4t_world.scenarios import BotSpec, Scenario

OLD = SERVER_3_8_1


def changed(spec: MapSpec, name: str, **changes: Any) -> MapSpec:
    """Return a map with another version of one zone."""
    zones = tuple(replace(z, **changes) if z.name == name else z for z in spec.zones)
    return replace(spec, zones=zones)


# --- Ticks ---------------------------------------------------------------------------------


def test_a_robot_moves_a_quarter_unit_a_tick_and_rests_one_at_every_waypoint(lab: Any) -> None:
    game = lab()
    game.act("goTo", "Middle")  # waypoints: West, where it stands, Middle, and Middle again
    xs = []
    for _ in range(45):
        game.world.tick()
        xs.append((game.robot().x, game.robot().state))
    assert xs[0] == (5.0, "traveling")
    assert [x for x, _ in xs[1:41]] == [5.0 + 0.25 * n for n in range(1, 41)]
    assert xs[41:44] == [(15.0, "traveling"), (15.0, "arrived"), (15.0, "arrived")]


@pytest.mark.parametrize(
    "speed, handicap, step", [(100, True, 0.5), (10, True, 0.05), (100, False, 0.25)]
)
def test_the_speed_counts_with_the_handicap(
    lab: Any, speed: int, handicap: bool, step: float
) -> None:
    game = lab(BotSpec(speed=speed, move_speed_handicap=handicap))
    game.act("goTo", "Middle")
    game.world.tick(11)
    assert game.robot().x == pytest.approx(5 + 10 * step, abs=1e-9)
    assert game.robot().step == pytest.approx(step)


def test_a_robot_without_speed_never_arrives(lab: Any) -> None:
    game = lab(BotSpec(speed=0, move_speed_handicap=True))
    game.act("goTo", "Middle")
    game.world.tick(5000)
    assert (*game.place(), game.robot().state) == (5.0, 5.0, "traveling")


def test_a_robot_sticks_to_the_edge_of_the_map(lab: Any) -> None:
    game = lab(profile=OLD)
    outcome = game.act("goTo", 1000, 5)
    assert "outside of the map" in outcome.text
    game.world.tick(2000)
    assert game.place() == (31.0, 5.0)
    assert game.robot().state == "traveling"
    assert game.go("East") == "arrived"


@given(st.tuples(*[st.floats(0, 200)] * 4), st.floats(0.005, 0.5), st.integers(1, 2000))
def test_a_leg_adds_the_same_step_every_move_and_ends_at_the_waypoint(
    points: tuple[float, ...], step: float, move: int
) -> None:
    x, y, to_x, to_y = (round(value * 2.0**40) / 2.0**40 for value in points)
    leg = make_leg(x, y, to_x, to_y, step)
    stepped = (x, y)
    for _ in range(min(move, int(leg.full_moves))):
        stepped = (stepped[0] + leg.vx, stepped[1] + leg.vy)
    assert stepped == leg.at(min(move, int(leg.full_moves)))
    end = leg.at(int(leg.moves))
    assert hypot(end[0] - to_x, end[1] - to_y) < 0.001
    assert leg.moves <= hypot(to_x - x, to_y - y) / step + 1.001


# --- Rooms ---------------------------------------------------------------------------------


def test_only_one_robot_gets_into_a_room(lab: Any) -> None:
    game = lab(BotSpec(amount=2))
    assert game.go("Hall") == "arrived"
    assert game.go("Hall", name="Bot_2") == "collided"
    robot = game.robot("Bot_2")
    assert (robot.x, robot.y) == (5.0, 9.75)  # one step before the room
    assert (robot.stop, robot.stopped_by, robot.path) == ("closed door", "Hall", ())


def test_a_room_is_free_when_the_centre_of_the_robot_has_left_it(lab: Any) -> None:
    game = lab(BotSpec(amount=2))
    game.go("Hall")
    game.go("West", name="Bot_2")
    game.act("goTo", "West")
    while game.robot().y >= 10:
        assert not next(d for d in game.world.snapshot().doors if d.room == "Hall").is_open
        game.world.tick()
    assert game.robot().y == 9.75  # still on the door
    assert next(d for d in game.world.snapshot().doors if d.room == "Hall").is_open


def test_walls_are_passed_from_inside_only(lab: Any, small_map: Any) -> None:
    game = lab(profile=OLD)
    assert game.go(1, 9) == "arrived"
    game.act("goTo", 1, 12)  # by way of both centres, so through the door
    assert game.arrive() == "arrived"
    assert game.go("West") == "arrived"
    spec = changed(small_map(), "Hall", doors=())
    game = lab(profile=OLD, spec=spec)
    assert game.go("Hall") == "collided"
    assert game.robot().stop == "wall"
    assert game.place() == (5.0, 9.75)


def test_a_robot_leaves_a_room_without_looking_for_a_door(lab: Any) -> None:
    game = lab(profile=OLD)
    game.go(1, 14)
    assert game.place() == (1.0, 14.0)
    assert game.go("West") == "arrived"  # through the centre of the room
    assert game.robot().stop == "arrived"


@pytest.mark.parametrize("size, state", [(3, "arrived"), (4, "collided"), (5, "collided")])
def test_oversized_robots_never_get_into_a_room(lab: Any, size: int, state: str) -> None:
    game = lab(BotSpec(size=size, size_overload_handicap=True))
    assert game.go("Hall") == state


def test_a_blockade_is_a_wall(lab: Any, small_map: Any) -> None:
    spec = changed(small_map(), "Middle", type=ZoneType.BLOCKADE)
    game = lab(spec=replace(spec, entities=spec.entities[:1]))
    assert game.go("East") == "collided"
    assert (game.robot().stop, game.robot().stopped_by) == ("wall", "Middle")


# --- Corridors -----------------------------------------------------------------------------


def test_a_corridor_takes_one_robot_where_the_map_says_so(lab: Any, small_map: Any) -> None:
    spec = small_map(one_bot_per_corridor_zone=True)
    game = lab(BotSpec(amount=2), spec=spec)
    assert game.go("Middle") == "collided"
    assert (game.robot().stop, game.robot().stopped_by) == ("occupied zone", "Middle")
    assert game.go("Closet", name="Bot_2") == "arrived"
    assert game.go("Middle") == "arrived"
    game = lab(BotSpec(amount=2), spec=small_map())
    assert game.go("Middle") == "arrived"


def test_charging_zones_take_any_number_of_robots(lab: Any, small_map: Any) -> None:
    spec = changed(small_map(), "Middle", type=ZoneType.CHARGINGZONE)
    game = lab(BotSpec(amount=2), spec=replace(spec, one_bot_per_corridor_zone=True))
    assert game.go("Middle") == "arrived"


# --- Routes --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "start, target, path",
    [
        # in the same zone: straight
        ((5, 5), (9, 1), [(9, 1)]),
        # on the centre of the first zone: it is left out; the last one is passed
        ((5, 5), (17, 5), [(15, 5), (17, 5)]),
        # the target is nearer to the centre before than the last centre is: that is left out
        ((5, 5), (13, 5), [(13, 5)]),
        # beside the centre of the first zone: it is passed
        ((6, 5), (13, 5), [(5, 5), (13, 5)]),
        # into a room: the centre of the room is always passed
        ((5, 5), (5, 12), [(5, 15), (5, 12)]),
    ],
)
def test_the_way_to_a_point_leaves_out_needless_centres(
    lab: Any, small_map: Any, start: Any, target: Any, path: Any
) -> None:
    game = lab(profile=OLD, spec=small_map(entities=(EntitySpec(Point(*start)),)))
    game.act("goTo", *target)
    assert list(game.robot().path) == path


def test_starting_in_a_room_its_centre_is_always_passed(lab: Any) -> None:
    game = lab(profile=OLD)
    game.go("Hall")
    game.act("goTo", 5, 6)
    assert list(game.robot().path) == [(5, 15), (5, 6)]


def test_the_way_to_a_place_passes_all_centres(lab: Any) -> None:
    game = lab()
    game.act("goTo", "East")
    assert list(game.robot().path) == [(5, 5), (15, 5), (25, 5), (25, 5)]
    game.go("Hall")
    block = next(b for b in game.world.snapshot().blocks if b.zone == "Hall")
    game.act("goToBlock", block.id)
    assert list(game.robot().path) == [(5, 15), (block.x, block.y)]


def test_neighbours_count_in_both_directions(lab: Any) -> None:
    game = lab()
    assert game.go("DropZone") == "arrived"
    assert game.go("West") == "arrived"  # only West names Middle, only Middle names East


def test_without_a_path_going_is_an_error(lab: Any, small_map: Any) -> None:
    island = ZoneSpec("Island", ZoneType.CORRIDOR, Box(15, 17, 4, 4))
    game = lab(spec=small_map(zones=(*small_map().zones, island)))
    game.act("goTo", "Middle")
    before = game.world.snapshot()
    with pytest.raises(ActionError, match="there is no path from West to Island"):
        game.act("goTo", "Island")
    assert game.world.snapshot() == before


def test_outside_of_all_zones_the_nearest_place_counts(lab: Any, small_map: Any) -> None:
    game = lab(profile=OLD)
    assert game.go(12, 15) == "arrived"  # a gap beside the closet
    assert game.robot().zone is None
    assert game.perceives("at") == ["at(Middle)"]
    assert game.go("West") == "arrived"


# --- Batteries -----------------------------------------------------------------------------

FLAT = BotSpec(speed=100, battery_enabled=True, battery_capacity=1)
DRAIN = (0.0002 * 2 + 0.0004 * 100) / 1 * 100  # percent a tick


def test_a_battery_drains_while_moving_only(lab: Any) -> None:
    game = lab(FLAT, profile=OLD)
    game.world.tick(100)
    assert game.robot().battery == 100.0
    game.act("goTo", "Middle")
    game.world.tick(1)  # takes the waypoint that it stands on
    assert game.robot().battery == 100.0
    game.world.tick(10)
    assert game.robot().battery == pytest.approx(100 - 10 * DRAIN)


def test_with_an_empty_battery_a_robot_stops_and_drops_its_plan(lab: Any) -> None:
    game = lab(FLAT, profile=OLD)
    game.act("goTo", "East")
    assert game.arrive() == "arrived"
    assert game.robot().battery == 0.0
    assert game.robot().stop == "battery empty"
    assert game.place() == (5 + 25 * 0.25, 5.0)  # 25 moves take the last of it
    assert game.go("East") == "arrived"
    assert game.place() == (5 + 25 * 0.25, 5.0)


def test_a_charging_zone_fills_the_battery(lab: Any, small_map: Any) -> None:
    spec = changed(small_map(), "Middle", type=ZoneType.CHARGINGZONE)
    game = lab(replace(FLAT, battery_capacity=2), profile=OLD, spec=spec)
    game.go("Middle")
    assert game.robot().battery == 100.0
    game.go("West")
    assert 0 < game.robot().battery < 100


def test_without_a_battery_it_is_always_full(lab: Any) -> None:
    game = lab(profile=OLD)
    game.go("East")
    assert game.robot().battery == 100.0
    assert not game.robot().has_battery


# --- Collisions ----------------------------------------------------------------------------


def test_robots_pass_through_each_other_unless_they_collide(lab: Any) -> None:
    assert lab(BotSpec(amount=2)).go("East") == "arrived"
    game = lab(BotSpec(amount=2), collisions=True)
    assert game.go("East") == "collided"
    assert game.place() == (12.5, 5.0)  # outlines half a unit apart: 15 - 1 - 0.5 - 1
    assert game.robot("Bot_2").state == "collided"
    assert game.perceives("bumped") == ["bumped(Bot_2)"]
    assert game.perceives("bumped", "Bot_2") == ["bumped(Bot_1)"]


def test_a_robot_that_was_bumped_into_freezes_until_it_is_sent_on(lab: Any) -> None:
    game = lab(BotSpec(amount=2), collisions=True)
    game.act("goTo", "Hall", name="Bot_2")
    game.world.tick(4)
    game.act("goTo", 14, 5)
    game.arrive()
    frozen = game.place("Bot_2")
    game.world.tick(100)
    assert game.place("Bot_2") == frozen
    assert game.robot("Bot_2").state == "collided"
    game.act("goTo", "East", name="Bot_2")
    assert game.arrive("Bot_2") == "arrived"
    assert game.perceives("bumped", "Bot_2") == []


def test_a_detour_leads_around_the_obstacle_and_frees_it(lab: Any, small_map: Any) -> None:
    game = lab(
        BotSpec(amount=2), collisions=True, spec=small_map(entities=_spots((5, 5), (15, 7)))
    )
    assert game.go("East") == "collided"
    assert game.act("navigateObstacles").succeeded
    path = game.robot().path
    assert all(
        abs(x - 15) > 2 or abs(y - 7) > 2 for x, y in path
    )  # a unit away from the outline of the obstacle
    assert game.robot("Bot_2").state == "arrived"
    assert game.arrive() == "arrived"
    assert game.place() == (25.0, 5.0)


def _spots(*points: tuple[float, float]) -> tuple[EntitySpec, ...]:
    return tuple(EntitySpec(Point(*point)) for point in points)


def test_the_recorded_detour_takes_the_row_beside_the_obstacle() -> None:
    """docs/originals/bw4t.md, 3: bumped into at (21, 63), a robot passes in row y = 66."""
    scenario = Scenario(bots=(BotSpec(amount=2),))
    world = World(nine_rooms(), scenario, profile=OLD, collisions=True, seed=1)
    world.act("Bot_1", "goTo", "LeftHallD")
    world.tick(40)
    assert world.snapshot().robots[0].state == "collided"
    world.act("Bot_1", "navigateObstacles")
    path = world.snapshot().robots[0].path
    beside = [y for x, y in path if 19 <= x <= 23]
    assert beside
    assert set(beside[:5]) == {66.0}
    world.tick(600)
    assert world.snapshot().robots[0].state == "arrived"


def test_without_a_way_around_the_old_target_is_unreachable(lab: Any, small_map: Any) -> None:
    thin = changed(small_map(), "Middle", box=Box(15, 5, 10, 2))
    thin = replace(thin, entities=_spots((5, 5), (15, 5)))
    game = lab(BotSpec(amount=2), collisions=True, spec=thin)
    assert game.go("East") == "collided"
    game.poll()
    outcome = game.act("navigateObstacles")
    assert not outcome.succeeded
    number = game.robot().id
    assert game.perceives("oldTargetUnreachable") == [f"oldTargetUnreachable({number},1)"]
    assert game.robot().state == "collided"
    game.act("goTo", "West")
    assert game.perceives("oldTargetUnreachable") == [f"oldTargetUnreachable({number},0)"]


def test_robots_that_start_on_top_of_each_other_can_part(lab: Any, small_map: Any) -> None:
    spec = small_map(entities=_spots((5, 5), (5.5, 5)))
    game = lab(BotSpec(amount=2), collisions=True, spec=spec)
    assert game.go("East", name="Bot_2") == "arrived"
    assert game.robot().state == "arrived"
    assert game.go("East") == "collided"
