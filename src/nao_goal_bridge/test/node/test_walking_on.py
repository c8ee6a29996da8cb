# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A robot that carries on over a lost link: no goal gets an end that is not the robot's."""

import pytest
from visualization_msgs.msg import MarkerArray

from legacy_robots_common.node import qos
from legacy_robots_msgs.msg import (
    NaoDropped,
    NaoHeldObject,
    NaoLocation,
    NaoOutcome,
    NaoState,
)
from legacy_robots_msgs.srv import NaoSetLocation
from legacy_robots_testing.polling import until
from nao_goal_bridge.model.room_map import load_room_map
from nao_goal_bridge.model.walks import in_sight
from nao_goal_bridge.protocol import (
    Agent,
    Dialect,
    Dropped,
    Failure,
    GoToTiles,
    Halt,
    Holding,
    Location,
    Profile,
    PutDown,
    State,
    Success,
)
from nao_goal_bridge.protocol.exchange import NO_WAY
from nao_goal_bridge.simulator.nao_settings import NaoSettings

pytestmark = pytest.mark.node

LAST = {"dialect": Dialect(Profile.NAOVIGATE), "maze": "naovigate"}
SLOW = NaoSettings(speed=2.0, grab_time=0.1, put_down_time=0.1)
TILES = [profile for profile in Profile if Dialect(profile).walks_on]


def set_location(scene, room):
    request = NaoSetLocation.Request(known=True, marker_id=room)
    return scene.peer.call(NaoSetLocation, "/nao/set_location", request)


@pytest.mark.parametrize("profile", TILES, ids=lambda profile: profile.value)
def test_after_a_blip_in_mid_walk_the_place_cannot_be_set_before_the_robot_stands(
    bridged, profile
):
    with bridged(SLOW, dialect=Dialect(profile), maze="naovigate") as scene:
        assert scene.set_location(16).success
        walk = scene.go_to(13)
        walk.feedback.wait_for(lambda f: f.phase == f.EXECUTING)
        assert scene.simulator.wait_for(lambda: scene.simulator.world.state == 1)
        scene.simulator.inject("long-leg")
        scene.simulator.inject("redial")
        assert walk.result().outcome.code == NaoOutcome.LINK_LOST
        scene.wait_for_link(connections=2)
        assert "may still walk" in set_location(scene, 15).message
        assert scene.set_location(13).success  # when the leg has ended
        world = scene.simulator.world
        assert scene.simulator.wait_for(lambda: world.room == 13 and world.state == 0, 1.0)
        assert scene.go_to(15).result().outcome.code == NaoOutcome.SUCCEEDED


def test_a_leg_longer_than_the_limit_and_a_flap_end_no_other_goal(bridged):
    with bridged(SLOW, **LAST, owed_reply_timeout=0.5) as scene:
        assert scene.set_location(16).success
        walk = scene.go_to(13)
        assert scene.simulator.wait_for(lambda: scene.simulator.world.state == 1)
        scene.simulator.inject("long-leg")
        scene.simulator.inject("flap")
        assert walk.result().outcome.code == NaoOutcome.LINK_LOST
        scene.wait_for_link(connections=4)  # two cuts, and a limit that has passed
        assert scene.put_down().end().result.outcome.code in (
            NaoOutcome.FAILED,
            NaoOutcome.LINK_LOST,
        )
        until(lambda: set_location(scene, 13).success, "the leg does not end")
        assert scene.simulator.wait_for(lambda: scene.simulator.world.room == 13, 1.0)
        assert scene.go_to(15).result().outcome.code == NaoOutcome.SUCCEEDED
        assert "stray replies" not in scene.node.counters.snapshot()


def test_a_second_reply_that_is_delayed_ends_no_other_pick_up(bridged):
    with bridged(SLOW, **LAST, fault_seconds=0.5) as scene:
        held = scene.peer.subscribe(NaoHeldObject, "/nao/held_object")
        goals = [scene.pick_up(1)]
        for _ in range(2):
            scene.simulator.inject("delay")
            goals.append(scene.pick_up(1))  # nothing lies where the robot begins
        assert [goal.result().outcome.code for goal in goals] == [NaoOutcome.FAILED] * 3
        assert not held.last.holding
        assert "stray replies" not in scene.node.counters.snapshot()


@pytest.fixture
def robot(robot_with):
    """Bytes in place of the last original, which has connected and stands."""
    with robot_with(profile="naovigate", room_map="naovigate") as robot:
        robot.dialect = LAST["dialect"]
        robot.send(Agent(31), Location(16))
        robot.expect(Halt())
        robot.send(Success(4))
        robot.expect(NO_WAY)
        robot.send(Failure(1))
        yield robot


def test_nothing_is_known_of_the_hands_before_they_are_reported(robot):
    peer = robot.client.peer
    held = peer.subscribe(NaoHeldObject, "/nao/held_object")
    assert not held.wait_for().valid
    robot.send(Holding(7))
    assert held.wait_for(lambda m: m.valid).object_id == 7
    dropped = peer.subscribe(NaoDropped, "/nao/dropped", qos.stream())
    robot.connect_anew()
    robot.send(Agent(31), Location(16))
    robot.expect(Halt())
    assert not held.wait_for(lambda m: not m.valid).valid
    robot.send(Success(4))
    robot.expect(NO_WAY)
    robot.send(Failure(1))
    put_down = robot.client.put_down()
    robot.expect(PutDown())
    held.clear()
    robot.send(Success(3), Dropped())
    assert put_down.result().outcome.code == NaoOutcome.SUCCEEDED
    assert dropped.wait_for().object_id == 7, "the same robot has held it all the time"
    assert held.wait_for(lambda m: m.valid).holding is False


@pytest.mark.parametrize("profile", Profile, ids=lambda profile: profile.value)
def test_empty_hands_are_only_known_where_the_greeting_would_name_an_object(robot_with, profile):
    with robot_with(profile=profile.value) as robot:
        robot.dialect = Dialect(profile)
        held = robot.client.peer.subscribe(NaoHeldObject, "/nao/held_object")
        state = robot.client.peer.subscribe(NaoState, "/nao/state")
        robot.send(State(0))
        state.wait_for(lambda m: m.valid)
        if profile is Profile.SPEC:
            assert not held.wait_for(lambda m: m.valid).holding
        else:
            assert not held.wait_for().valid
        robot.send(Holding(7))
        assert held.wait_for(lambda m: m.valid and m.holding).object_id == 7


def test_a_greeting_may_take_its_time(robot_with):
    with robot_with(
        profile="naovigate", room_map="naovigate", greeting_location="believed"
    ) as robot:
        robot.dialect = LAST["dialect"]
        walk = robot.client.go_to(15)
        robot.expect_nothing()  # for a second
        robot.send(Agent(31))
        robot.expect(Halt())
        robot.expect_nothing()
        robot.send(Location(16), Success(4))
        robot.expect(NO_WAY)
        robot.send(Failure(1))
        robot.expect(GoToTiles(((4, 2), (3, 2))))
        robot.send(Success(1), Location(15))
        assert walk.result().outcome.code == NaoOutcome.SUCCEEDED


def test_what_was_seen_from_another_room_is_not_drawn(bridged):
    maze = load_room_map()
    wrong = []

    def look(message):
        drawn = [marker.id for marker in message.markers if marker.ns == "sightings"]
        robots = [marker for marker in message.markers if marker.ns == "robot"]
        for robot in robots:
            at = robot.pose.position
            here = min(maze.rooms.values(), key=lambda r: (r.x - at.x) ** 2 + (r.y - at.y) ** 2)
            wrong.extend(
                {(here.marker_id, seen) for seen in drawn}
                - {(here.marker_id, seen) for seen in in_sight(maze, here.marker_id)}
            )

    with bridged(NaoSettings(speed=5.0, see_rate=20.0)) as scene:
        location = scene.peer.subscribe(NaoLocation, "/nao/location")
        scene.peer.subscribe_with(MarkerArray, "/nao/markers", look, qos.stream(100))
        for room in (146, 148, 146, 64):
            assert scene.go_to(room).result().outcome.code == NaoOutcome.SUCCEEDED
            location.wait_for(lambda m, room=room: m.marker_id == room)
    assert wrong == []
