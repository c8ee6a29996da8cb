# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The simulated Nao against the rules of the document and of docs/originals/nao.md.

Here it is left to finish what it does. What comes in between is in test_world_interruptions.py.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nao_goal_bridge.model.room_map import load_room_map
from nao_goal_bridge.protocol import (
    Agent,
    Command,
    Dialect,
    Dropped,
    Event,
    Failure,
    GoTo,
    GoToTiles,
    Halt,
    Holding,
    Location,
    PickUp,
    Profile,
    PutDown,
    See,
    SeeObject,
    State,
    Success,
    TurnAndGoTo,
)
from nao_goal_bridge.simulator.nao_settings import NaoSettings
from nao_goal_bridge.simulator.world import NaoWorld

MAZE = load_room_map()

# --- greeting and sightings ----------------------------------------------------------------


def test_the_greeting(world: Any) -> None:
    nao = world(agent_id=31)
    assert nao.connect() == [
        Agent(31), Location(64), State(0),
        See(64, 0), See(80, 1), See(114, 2), See(85, 3), See(146, 4),
    ]  # fmt: skip


def test_the_greeting_tells_what_is_held(connected: Any, unseen: Any, run: Any) -> None:
    nao = connected()
    run(nao, GoTo(114, 0), PickUp(1))
    nao.disconnect()
    assert unseen(nao.connect()) == [Agent(1), Location(114), Holding(1), State(0)]


def test_markers_beyond_the_range_are_not_seen(connected: Any) -> None:
    assert dict(connected(sight_range=2.5).markers_in_sight()) == {64: 0, 80: 1, 114: 2}
    assert dict(connected(sight_range=2.4).markers_in_sight()) == {64: 0, 80: 1}


def test_markers_in_sight_are_repeated_at_the_rate_asked_for(connected: Any) -> None:
    nao = connected(see_rate=4.0)
    assert nao.next_due() == pytest.approx(0.25)
    assert nao.step(0.2499) == []
    assert len(nao.step(0.0002)) == 5
    assert len(nao.step(10.0)) == 40 * 5


def test_nothing_is_due_while_a_nao_without_repetition_stands(world: Any, connected: Any) -> None:
    assert connected().next_due() is None
    assert world(see_rate=5.0).next_due() is None, "it reports without a link"


def test_sightings_follow_the_nao(connected: Any) -> None:
    nao = connected()
    assert nao.command(GoTo(80, 0)) == [State(1)]
    assert nao.step(1.0) == [
        State(0), Success(1), Location(80),
        See(80, 0), See(64, 1), See(114, 1), See(85, 2), See(146, 3),
    ]  # fmt: skip


# --- walking -------------------------------------------------------------------------------


def test_a_walk_enters_room_after_room_and_success_precedes_the_last_location(
    connected: Any, unseen: Any
) -> None:
    nao = connected()
    assert nao.command(GoTo(114, 0)) == [State(1)]
    assert unseen(nao.step(0.49)) == []
    assert unseen(nao.step(0.02)) == [Location(80)]
    assert nao.state == 1
    assert unseen(nao.step(0.5)) == [State(0), Success(1), Location(114)]
    assert nao.room == 114


def test_a_walk_takes_the_same_events_however_time_is_cut(connected: Any) -> None:
    one, many = connected(see_rate=3.0), connected(see_rate=3.0)
    commands: list[Command] = [GoTo(146, 1), PickUp(1), GoTo(64, 0), PutDown()]
    for nao in (one, many):
        for command in commands:
            nao.command(command)
    finely: list[Event] = []
    for _ in range(3000):
        finely += many.step(0.004)
    assert one.step(12.0) == finely
    assert Dropped(1) in finely


@pytest.mark.parametrize("distance,room", [(0, 146), (1, 85), (3, 80), (4, 64)])
def test_the_nao_stops_the_distance_before_the_marker(
    distance: int, room: int, connected: Any, run: Any
) -> None:
    nao = connected()
    assert Success(1) in run(nao, GoTo(146, distance))
    assert nao.room == room


def test_a_nao_that_is_near_enough_does_not_walk(connected: Any) -> None:
    nao = connected()
    assert nao.command(GoTo(80, 1)) == [Success(1)]
    assert nao.command(GoTo(80, 9)) == [Success(1)]
    assert nao.command(GoTo(64, 0)) == [Success(1)]
    assert nao.room == 64


@pytest.mark.parametrize("command", [GoTo(112, 0), GoTo(-5, 0), GoTo(80, -1)])
def test_a_walk_that_cannot_be(command: GoTo, connected: Any) -> None:
    """Round the corner, not in the maze, and a distance that means nothing."""
    nao = connected()
    assert nao.command(command) == [Failure(1)]
    assert nao.next_due() is None


def test_a_marker_out_of_range_cannot_be_spotted(connected: Any) -> None:
    assert connected(sight_range=3.4).command(GoTo(85, 0)) == [Failure(1)]
    assert connected(sight_range=3.5).command(GoTo(85, 0)) == [State(1)]


def test_whether_a_marker_is_seen_is_asked_when_the_walk_begins(
    connected: Any, unseen: Any
) -> None:
    nao = connected()
    nao.command(GoTo(114, 0))
    assert nao.command(GoTo(112, 0)) == []
    assert unseen(nao.step(60.0)) == [
        Location(80), State(0), Success(1), Location(114),
        State(1), Location(108), State(0), Success(1), Location(112),
    ]  # fmt: skip


# --- objects -------------------------------------------------------------------------------


def test_an_object_is_carried_to_another_room(connected: Any, run: Any) -> None:
    nao = connected()
    assert run(nao, GoTo(114, 0), PickUp(1)) == [
        State(1), Location(80), State(0), Success(1), Location(114), Success(2), Holding(1),
    ]  # fmt: skip
    assert nao.held_object == 1
    assert nao.objects_in(114) == frozenset()
    assert run(nao, GoTo(108, 0), PutDown())[-2:] == [Success(3), Dropped(1)]
    assert nao.held_object is None
    assert nao.objects_in(108) == {1}
    assert run(nao, PickUp(1))[-2:] == [Success(2), Holding(1)]


def test_the_nao_walks_up_to_an_object_and_its_state_is_halted_while_it_grabs(
    connected: Any, unseen: Any
) -> None:
    nao = connected()
    assert nao.command(PickUp(1)) == [State(1)]
    assert unseen(nao.step(1.1)) == [Location(80), State(0), Location(114)]
    assert nao.step(1.0) == [Success(2), Holding(1)]


@pytest.mark.parametrize("object_id", [2, 77])
def test_an_object_that_cannot_be_spotted(object_id: int, connected: Any) -> None:
    assert connected().command(PickUp(object_id)) == [Failure(2)]


def test_an_object_out_of_reach_fails_in_front_of_it(connected: Any, run: Any) -> None:
    nao = connected()
    run(nao, GoTo(146, 0), GoTo(148, 0))
    assert nao.room == 148
    assert run(nao, PickUp(4)) == [State(1), State(0), Location(171), Failure(2)]
    assert nao.objects_in(171) == {4}


def test_full_hands_and_empty_hands(connected: Any, run: Any) -> None:
    nao = connected()
    assert nao.command(PutDown()) == [Failure(3)]
    run(nao, PickUp(1))
    assert nao.command(PickUp(2)) == [Failure(2)]
    assert nao.held_object == 1


def test_put_down_takes_its_time(connected: Any, run: Any) -> None:
    nao = connected()
    run(nao, PickUp(1))
    assert nao.command(PutDown()) == []
    assert nao.step(0.9) == []
    assert nao.step(0.2) == [Success(3), Dropped(1)]


# --- the late dialect ----------------------------------------------------------------------


def test_tiles_are_walked_along_round_corners(connected: Any, run: Any) -> None:
    nao = connected()
    tiles = GoToTiles(((0, 0), (1, 0), (2, 0), (2, 2), (3, 2)))
    assert run(nao, tiles) == [
        State(1), Location(80), Location(114), Location(108), Location(112),
        State(0), Success(1), Location(130),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "waypoints",
    [
        ((0, 0), (1, 1)),
        ((0, 0), (2, 2)),
        ((0, 0), (1, 0), (0, 1)),
        ((0, 0), (99, 0)),
        (),
        ((0, 0),),
        ((1, 0),),
        ((1, 0), (2, 0)),
    ],
)
def test_tiles_that_cannot_be_walked(
    waypoints: tuple[tuple[int, int], ...], connected: Any
) -> None:
    assert connected().command(GoToTiles(waypoints)) == [Failure(1)]


def test_a_turn_changes_nothing(connected: Any, run: Any) -> None:
    assert run(connected(), TurnAndGoTo(1, 80, 0)) == run(connected(), GoTo(80, 0))


# --- the last original ---------------------------------------------------------------------


@pytest.fixture
def late() -> NaoWorld:
    settings = NaoSettings(speed=2.0, see_rate=1.0, grab_time=1.0, put_down_time=1.0)
    nao = NaoWorld(MAZE, settings=settings, dialect=Dialect(Profile.NAOVIGATE))
    assert nao.connect() == [Agent(1), Location(64)]
    return nao


WAY_TO_114 = GoToTiles(((0, 0), (1, 0), (2, 0)))


def test_a_late_nao_sees_objects_and_no_markers(late: NaoWorld) -> None:
    events = late.command(WAY_TO_114) + late.step(10.0)
    assert events == [
        State(1), State(0), Success(1), Location(114), SeeObject(0, 114),
    ]  # fmt: skip


def test_a_late_nao_replies_twice_to_pick_up(late: NaoWorld) -> None:
    late.command(WAY_TO_114)
    late.step(10.0)
    late.command(PickUp())
    assert late.step(10.0) == [Success(2), Holding(1), Success(2)]
    assert late.command(PickUp()) == [Failure(2), Success(2)]


def test_a_halted_late_nao_walks_to_the_end_of_its_leg_and_reports_no_room(late: NaoWorld) -> None:
    late.command(GoToTiles(((0, 0), (2, 0), (2, 2))))
    late.command(PickUp())
    late.step(0.1)
    assert late.command(Halt()) == [Failure(2), Success(4)]
    assert late.command(Halt()) == [Success(4)]
    assert late.command(GoToTiles(((2, 0), (2, 2)))) == [], "it waits for the end of the leg"
    assert late.step(0.8) == []
    assert late.step(0.2) == [State(0), Failure(1), State(1)]
    assert late.room == 114
    assert late.step(10.0)[:3] == [State(0), Success(1), Location(112)]


def test_a_late_nao_reports_a_halted_grab_after_the_halt(late: NaoWorld) -> None:
    late.command(WAY_TO_114)
    late.step(10.0)
    late.command(PickUp())
    assert late.command(Halt()) == [Success(4), Success(2)]
    assert late.step(10.0) == []
    assert late.held_object is None


def test_a_lost_link_does_not_stop_a_late_nao(late: NaoWorld) -> None:
    late.command(WAY_TO_114)
    late.step(0.1)
    late.disconnect()
    assert late.connect() == [Agent(1), Location(64)]
    assert late.step(10.0)[:3] == [State(0), Success(1), Location(114)]


def test_a_late_nao_claims_its_start_room_wherever_it_is(late: NaoWorld) -> None:
    late.command(WAY_TO_114)
    late.step(10.0)
    late.disconnect()
    assert late.connect()[:2] == [Agent(1), Location(64)]
    assert late.room == 114


def test_pick_up_without_an_id_takes_the_nearest_object(connected: Any, run: Any) -> None:
    nao = connected()
    assert run(nao, PickUp())[-1] == Holding(1)
    run(nao, GoTo(112, 0), PutDown())
    assert run(nao, PickUp())[-1] == Holding(1), "1 and 2 are equally near"
    assert connected(sight_range=1.0).command(PickUp()) == [Failure(2)]


# --- what holds for any session ------------------------------------------------------------

ids = st.sampled_from(sorted(MAZE.rooms))
tiles = st.sampled_from([room.tile for room in MAZE.rooms.values()])
any_command = st.one_of(
    st.builds(GoTo, ids, st.integers(0, 2)),
    st.builds(PickUp, st.integers(1, 4) | st.none()),
    st.builds(GoToTiles, st.lists(tiles, max_size=2).map(tuple)),
    st.sampled_from([PutDown(), Halt()]),
)


@given(session=st.lists(st.tuples(any_command, st.floats(0, 2)), max_size=40))
def test_every_command_is_answered_once_and_the_reports_agree_with_the_world(
    session: list[tuple[Command, float]], world: Any
) -> None:
    nao = world(7, grab_failure=0.2, drop=0.1, queue_limit=3)
    events = nao.connect()
    for command, pause in session:
        events += nao.command(command)
        events += nao.step(pause)
    events += nao.step(1000.0)

    answers = [event.code for event in events if isinstance(event, Success | Failure)]
    assert sorted(answers) == sorted(command.opcode for command, _ in session)
    states = [event.state for event in events if isinstance(event, State)]
    assert states == [index % 2 for index in range(len(states))], "sent on change only"
    assert states[-1] == 0
    rooms = [event.marker_id for event in events if isinstance(event, Location)]
    assert rooms[-1] == nao.room
    for one, other in pairwise(rooms):
        assert other in MAZE.rooms[one].neighbours
    hands = [event for event in events if isinstance(event, Holding | Dropped)]
    for index, event in enumerate(hands):
        assert isinstance(event, Holding if index % 2 == 0 else Dropped)
        assert index % 2 == 0 or event.object_id == hands[index - 1].object_id
    assert nao.held_object == (hands[-1].object_id if len(hands) % 2 else None)
    lying = [number for room in MAZE.rooms for number in nao.objects_in(room)]
    assert sorted([*lying, *([nao.held_object] if nao.held_object else [])]) == [1, 2, 3, 4]
