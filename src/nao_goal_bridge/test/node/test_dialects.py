# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Goals in each dialect, and what a robot of another dialect is recognised by."""

import socket

import pytest

from legacy_robots_common.goals.goal_server import GoalRefusedError
from legacy_robots_common.node import qos
from legacy_robots_msgs.msg import LinkState, NaoObjectSighting, NaoOutcome
from legacy_robots_testing.ros_peer import wait
from nao_goal_bridge.bridge import conversions
from nao_goal_bridge.model.room_map import load_room_map
from nao_goal_bridge.protocol import (
    Agent,
    Dialect,
    Failure,
    GoTo,
    GoToTiles,
    Halt,
    Holding,
    Location,
    PickUp,
    Profile,
    State,
    Success,
    TurnAndGoTo,
    encode,
)
from nao_goal_bridge.protocol.exchange import NO_WAY
from nao_goal_bridge.simulator.nao_settings import NaoSettings

pytestmark = pytest.mark.node

LAST = Dialect(Profile.NAOVIGATE)
ORIGINAL_MAZE = load_room_map("naovigate")


def test_the_originals_maze_is_that_of_its_tiles():
    assert sorted(ORIGINAL_MAZE.rooms) == list(range(1, 18))
    assert ORIGINAL_MAZE.start == 16
    assert ORIGINAL_MAZE.rooms[16].tile == (4, 2)


def test_a_way_begins_with_the_robots_own_tile_in_every_pair_of_rooms():
    ways = [
        (start, goal, conversions.go_to_command(goal, 0, LAST, ORIGINAL_MAZE, start))
        for start in ORIGINAL_MAZE.rooms
        for goal in ORIGINAL_MAZE.rooms
        if start != goal
    ]
    assert len(ways) == 272
    for start, goal, way in ways:
        assert way.waypoints[0] == ORIGINAL_MAZE.rooms[start].tile
        assert way.waypoints[-1] == ORIGINAL_MAZE.rooms[goal].tile
        for (x, y), (next_x, next_y) in zip(way.waypoints, way.waypoints[1:], strict=False):
            assert abs(x - next_x) + abs(y - next_y) == 1


def test_a_way_ends_rooms_before_the_marker_or_is_none():
    go_to = lambda *goal: conversions.go_to_command(*goal, LAST, ORIGINAL_MAZE, 16)  # noqa: E731
    assert go_to(13, 1) == GoToTiles(((4, 2), (3, 2), (2, 2)))
    assert go_to(13, 3) is None
    assert go_to(13, 9) is None
    assert go_to(16, 0) is None


@pytest.mark.parametrize(
    "marker_id,distance,where,sentence",
    [
        (13, -1, 16, "-1 rooms is no place"),
        (13, 0, None, "has not reported its place"),
        (13, 0, 64, "no room of the map has marker 64"),
        (64, 0, 16, "no room of the map has marker 64"),
    ],
)
def test_a_way_that_is_not_known_is_refused(marker_id, distance, where, sentence):
    with pytest.raises(GoalRefusedError, match=sentence):
        conversions.go_to_command(marker_id, distance, LAST, ORIGINAL_MAZE, where)


def test_other_dialects_name_the_marker():
    for profile, command in (("spec", GoTo(114, 2)), ("may17", TurnAndGoTo(0, 114, 2))):
        dialect = Dialect(Profile(profile))
        assert conversions.go_to_command(114, 2, dialect, ORIGINAL_MAZE, None) == command
        assert conversions.pick_up_command(3, dialect) == PickUp(3)
    assert conversions.pick_up_command(3, LAST) == PickUp()


GREETING = (Agent(31), Location(16), State(0))


@pytest.mark.parametrize("other", [Profile.NAOVIGATE, Profile.JUNE7])
def test_a_robot_of_another_profile_is_a_fault_that_names_it(robot, other):
    robot.stream.sendall(b"".join(encode(event, Dialect(other)) for event in GREETING))
    fault = robot.client.wait_for_link(LinkState.FAULT)
    assert "protocol error: opcode 0x31" in fault.detail
    assert other.value in fault.detail.split("would fit profile ")[1]


def test_a_narrow_code_where_a_wide_one_is_expected_is_a_fault_that_names_the_profile(
    robot_with,
):
    with robot_with(profile="naovigate") as robot:
        narrow = Dialect(Profile.JUNE13)
        events = (*GREETING, Success(1), Agent(31))
        robot.stream.sendall(b"".join(encode(event, narrow) for event in events))
        fault = robot.client.wait_for_link(LinkState.FAULT)
        assert "is no opcode" in fault.detail
        assert "june13" in fault.detail


def test_the_last_version_is_driven_over_its_own_maze(bridged):
    with bridged(dialect=LAST, maze="naovigate", greeting_location="believed") as scene:
        objects = scene.peer.subscribe(NaoObjectSighting, "/nao/object_sightings", qos.stream())
        for room in (1, 2, 3, 17, 4, 16):
            end = scene.go_to(room).end()
            assert end.result.outcome.code == 0, end.result.outcome
        seen = objects.wait_for()
        assert (seen.object_id, seen.tile_id) == (0, NaoObjectSighting.TILE_UNKNOWN)
        end = scene.go_to(16).result()
        assert (end.outcome.code, end.outcome.message[:23]) == (0, "the robot is there alre")


def test_a_way_after_a_walk_begins_where_the_robot_then_says_it_is(robot_with):
    with robot_with(profile="may24") as robot:
        robot.dialect = Dialect(Profile.MAY24)
        robot.expect(Halt())
        robot.send(Agent(31), Location(64), State(0), Success(4))
        robot.expect(NO_WAY)
        robot.send(Failure(1))
        first, second = robot.client.go_to(80), robot.client.go_to(64)

        def expect(*tiles):
            expected = encode(GoToTiles(tiles), Dialect(Profile.MAY24))
            assert robot.stream.recv(len(expected), socket.MSG_WAITALL) == expected

        expect((0, 0), (1, 0))
        robot.send(Success(1))
        assert first.result().outcome.code == NaoOutcome.SUCCEEDED
        robot.send(Location(80))
        expect((1, 0), (0, 0))
        robot.send(Success(1), Location(64))
        assert second.result().outcome.message == "the robot reported success"


def test_the_next_pick_up_begins_when_no_second_reply_can_be_on_its_way(robot_with):
    with robot_with(profile="naovigate") as robot:
        robot.dialect = LAST
        robot.send(Agent(31), Location(16))
        robot.expect(Halt())
        robot.send(Success(4))
        robot.expect(NO_WAY)
        robot.send(Failure(1))
        first, second = robot.client.pick_up(1), robot.client.pick_up(2)
        robot.expect(PickUp())
        robot.send(Failure(2))  # as the last version, where nothing is
        assert first.result().outcome.code == NaoOutcome.FAILED
        robot.expect(NO_WAY)
        robot.expect_nothing()
        robot.send(Success(2), Holding(0), Failure(1))
        robot.expect(PickUp())
        robot.send(Failure(2))
        assert second.result().outcome.code == NaoOutcome.FAILED


def test_the_next_walk_begins_when_the_halted_one_has_been_replied_to(robot):
    first, second = robot.client.go_to(80), robot.client.go_to(85)
    robot.expect(GoTo(80, 0))
    asked = robot.client.peer.on_executor(first._request.handle.cancel_goal_async)
    robot.expect(Halt())
    robot.send(Success(4))  # the last version's order; the turn goes on
    assert wait(asked, "cancellation").goals_canceling
    robot.expect_nothing()
    robot.send(Failure(1))
    robot.expect(GoTo(85, 0))
    robot.send(Success(1))
    assert second.result().outcome.code == NaoOutcome.SUCCEEDED


def test_the_link_is_begun_anew_where_a_reply_is_owed_for_too_long(robot_with):
    with robot_with(owed_reply_timeout=0.3) as robot:
        first = robot.client.go_to(80)
        robot.expect(GoTo(80, 0))
        asked = robot.client.peer.on_executor(first._request.handle.cancel_goal_async)
        robot.expect(Halt())
        robot.send(Success(4))
        assert wait(asked, "cancellation").goals_canceling
        fault = robot.client.wait_for_link(LinkState.FAULT)
        assert "did not report how GoTo(marker_id=80, distance=0) ended" in fault.detail


def test_the_second_replies_of_a_simulated_last_version_end_nothing(bridged):
    settings = {"dialect": LAST, "maze": "naovigate", "greeting_location": "believed"}
    with bridged(NaoSettings(speed=4.0), **settings) as scene:
        walk = scene.go_to(4)
        walk.feedback.wait_for(lambda f: f.phase == f.EXECUTING)
        assert walk.cancel()
        # It waits for the reply that is owed, and finds the place unknown.
        assert scene.go_to(3).result().outcome.code == NaoOutcome.PLACE_UNKNOWN
        assert scene.set_location(12).success
        goals = [scene.go_to(3), scene.pick_up(3), scene.pick_up(3), scene.put_down()]
        codes = [goal.result().outcome.code for goal in goals]
        assert codes == [0, 0, NaoOutcome.FAILED, 0]
