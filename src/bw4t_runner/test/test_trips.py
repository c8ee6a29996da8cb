# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""How ways end: every way there is, recognised by what happened in the world."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import pairwise

import pytest

from bw4t_runner.trips import TripEnd, Trips
from bw4t_runner.world_runner import WorldRunner
from bw4t_world import SERVER_3_8_1, World
from bw4t_world.maps import EntitySpec, Point, load_map
from bw4t_world.scenarios import BotSpec, Scenario
from legacy_robots_core.link.base import LinkObserver

TIMEOUT = 40.0
MAP = load_map("nine_rooms")


def spawns(*points):
    return replace(MAP, entities=tuple(EntitySpec(Point(*point)) for point in points))


@pytest.fixture
def begin():
    """Begin in a paused world: gives the runner and the trips."""
    runners = []

    def begin(spec=MAP, bots=None, **options):
        scenario = Scenario(bots=bots or (BotSpec(amount=2),))
        observer = LinkObserver()
        runner = WorldRunner(World(spec, scenario, seed=1, **options), observer, paused=True)
        runners.append(runner)
        trips = Trips(runner)
        observer.on_event = trips.on_event
        runner.start()
        return runner, trips

    yield begin
    for runner in runners:
        runner.close()


def end_of(runner, trip, ticks=2000):
    runner.step(ticks).result(TIMEOUT)
    return trip.result.result(TIMEOUT)


def test_a_trip_ends_at_its_place_and_tells_how_far_it_is(begin):
    runner, trips = begin()
    steps = []
    trip = trips.begin("Bot_1", "goTo", "RoomC1", on_progress=steps.append)
    result = end_of(runner, trip)
    assert (result.end, result.stopped_by) == (TripEnd.ARRIVED, "")
    assert result.text == "Bot_1 arrived at RoomC1"
    assert (result.progress.x, result.progress.y, result.progress.zone) == (15.0, 55.0, "RoomC1")
    # From (25, 65) over the centres of FrontDropZone, FrontRoomC2?, ... each 0.25 units a tick.
    assert (steps[0].x, steps[0].y, steps[0].zone) == (25.0, 65.0, "FrontDropZone")
    left = [step.remaining for step in steps]
    assert left == sorted(left, reverse=True)
    assert left[0] > 30.0
    assert result.progress.remaining == 0.0
    assert max(a - b for a, b in pairwise(left)) == pytest.approx(1.25)


def test_the_second_into_a_room_collides_with_a_closed_door(begin):
    runner, trips = begin(spawns((15.0, 45.0), (25.0, 45.0)))
    first = trips.begin("Bot_1", "goTo", "RoomC1")
    second = trips.begin("Bot_2", "goTo", "RoomC1")
    assert end_of(runner, second).end is TripEnd.CLOSED_DOOR
    assert second.result.result().stopped_by == "RoomC1"
    assert second.result.result().text == (
        "Bot_2 collided with a closed door of RoomC1, which is occupied"
    )
    assert first.result.result(TIMEOUT).end is TripEnd.ARRIVED


def test_a_wall_stops_who_is_too_big_for_the_door(begin):
    runner, trips = begin(bots=(BotSpec(size=4, size_overload_handicap=True),))
    result = end_of(runner, trips.begin("Bot_1", "goTo", "RoomC1"))
    assert (result.end, result.stopped_by) == (TripEnd.WALL, "RoomC1")


def test_a_robot_stops_a_robot_where_they_can_collide(begin):
    runner, trips = begin(spawns((15.0, 45.0), (25.0, 45.0)), collisions=True)
    result = end_of(runner, trips.begin("Bot_1", "goTo", "FrontRoomC3"))
    assert (result.end, result.stopped_by) == (TripEnd.ROBOT, "Bot_2")
    assert result.text == "Bot_1 collided with Bot_2"
    around = trips.begin("Bot_1", "navigateObstacles")
    assert end_of(runner, around).end is TripEnd.ARRIVED


def test_an_occupied_corridor_stops_a_robot(begin):
    narrow = replace(spawns((15.0, 45.0), (25.0, 45.0)), one_bot_per_corridor_zone=True)
    runner, trips = begin(narrow)
    result = end_of(runner, trips.begin("Bot_1", "goTo", "FrontRoomC2"))
    assert (result.end, result.stopped_by) == (TripEnd.OCCUPIED_ZONE, "FrontRoomC2")


def test_an_empty_battery_ends_a_trip(begin):
    bot = BotSpec(battery_enabled=True, battery_capacity=1)
    runner, trips = begin(bots=(bot,), profile=SERVER_3_8_1)
    result = end_of(runner, trips.begin("Bot_1", "goTo", "RoomA1"))
    assert result.end is TripEnd.BATTERY_EMPTY
    assert "battery of Bot_1 is empty" in result.text


@pytest.mark.parametrize(
    "action, args, words",
    [
        (("goTo"), ("Nowhere",), "unknown place Nowhere"),
        (("goTo"), (1.0, float("nan")), "must be finite"),
        (("goToBlock"), (99,), "no block with id=99"),
        (("navigateObstacles"), (), "never told to go anywhere"),
    ],
)
def test_what_the_environment_answers_with_an_error_is_rejected(begin, action, args, words):
    _, trips = begin()
    result = trips.begin("Bot_1", action, *args).result.result(TIMEOUT)
    assert result.end is TripEnd.REJECTED
    assert words in result.text


def test_a_place_without_a_path_is_unreachable(begin):
    zones = tuple(
        replace(zone, neighbours=tuple(n for n in zone.neighbours if n != "RoomC1"))
        if zone.name != "RoomC1"
        else replace(zone, neighbours=())
        for zone in MAP.zones
    )
    _, trips = begin(replace(MAP, zones=zones))
    result = trips.begin("Bot_1", "goTo", "RoomC1").result.result(TIMEOUT)
    assert result.end is TripEnd.UNREACHABLE
    assert "no path" in result.text


def test_another_target_from_anywhere_ends_a_trip(begin):
    runner, trips = begin()
    trip = trips.begin("Bot_1", "goTo", "RoomC1")
    runner.step(50).result(TIMEOUT)
    second = trips.begin("Bot_1", "goTo", "RoomC2")
    assert trip.result.result(TIMEOUT).end is TripEnd.PREEMPTED
    runner.act("Bot_1", "goTo", "RoomC3")  # not a trip: a person at the page, for example
    assert second.result.result(TIMEOUT).end is TripEnd.PREEMPTED
    # A refused target preempts nothing.
    third = trips.begin("Bot_1", "goTo", "RoomC1")
    trips.begin("Bot_1", "goTo", "Nowhere").result.result(TIMEOUT)
    assert end_of(runner, third).end is TripEnd.ARRIVED


def test_a_cancelled_trip_leaves_the_robot_where_it_is(begin):
    runner, trips = begin()
    trip = trips.begin("Bot_1", "goTo", "RoomC1")
    runner.step(50).result(TIMEOUT)
    before = runner.snapshot.robots[0]
    assert trips.cancel(trip).result(TIMEOUT)
    result = trip.result.result(TIMEOUT)
    assert (result.end, result.progress.x, result.progress.y) == (
        TripEnd.CANCELED,
        before.x,
        before.y,
    )
    runner.step(50).result(TIMEOUT)
    assert (runner.snapshot.robots[0].x, runner.snapshot.robots[0].y) == (before.x, before.y)
    assert not trips.cancel(trip).result(TIMEOUT)


def test_trips_end_with_the_world_and_with_the_robot(begin):
    runner, trips = begin()
    one, other = (trips.begin(name, "goTo", "RoomC1") for name in ("Bot_1", "Bot_2"))
    runner.remove_player("Bot_2").result(TIMEOUT)
    assert other.result.result(TIMEOUT).text == "Bot_2 was taken out of the world"
    assert other.result.result().progress is None
    runner.reset().result(TIMEOUT)
    assert one.result.result(TIMEOUT).end is TripEnd.WORLD_RESET
    runner.close()
    late = trips.begin("Bot_1", "goTo", "RoomC1").result.result(TIMEOUT)
    assert (late.end, late.text) == (TripEnd.LINK_LOST, "the world has ended")


def test_abandoned_trips_leave_their_robots_standing(begin):
    runner, trips = begin()
    trip = trips.begin("Bot_1", "goTo", "RoomC1")
    runner.step(50).result(TIMEOUT)
    trips.abandon().result(TIMEOUT)
    before = runner.snapshot.robots[0]
    runner.step(50).result(TIMEOUT)
    after = runner.snapshot.robots[0]
    assert (after.state, after.x, after.y) == ("arrived", before.x, before.y)
    assert not trip.result.done()


def test_a_trip_that_is_not_wanted_any_more_does_not_begin(begin):
    runner, trips = begin()

    def begin_and_forget(world):
        trip = other.submit(trips.begin, "Bot_1", "goTo", "RoomC1").result(TIMEOUT)
        trip.is_wanted = False

    with ThreadPoolExecutor(1) as other:
        runner.call(begin_and_forget)
    runner.step(5).result(TIMEOUT)
    assert runner.snapshot.robots[0].state == "arrived"
