# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Where the bridge believes a robot to be that plans on tiles, and what follows from that."""

import math

import pytest
from geometry_msgs.msg import PoseWithCovarianceStamped

from legacy_robots_common.node import qos
from legacy_robots_msgs.msg import NaoLocation, NaoOutcome
from legacy_robots_msgs.srv import NaoSetLocation
from legacy_robots_testing.polling import until
from nao_goal_bridge.model.room_map import load_room_map
from nao_goal_bridge.protocol import Dialect, Profile
from nao_goal_bridge.simulator.nao_settings import NaoSettings

pytestmark = pytest.mark.node

LAST = {"dialect": Dialect(Profile.NAOVIGATE), "maze": "naovigate"}
MAZE = load_room_map("naovigate")
SLOW = NaoSettings(speed=2.0)


@pytest.fixture
def scene(bridged):
    """A bridge that believes no greeting, and a simulated Nao that claims room 16."""
    with bridged(SLOW, **LAST) as scene:
        scene.location = scene.peer.subscribe(NaoLocation, "/nao/location")
        yield scene


def refusal(goal):
    outcome = goal.result().outcome
    assert outcome.code == NaoOutcome.PLACE_UNKNOWN, outcome
    return outcome.message


def test_the_room_that_is_claimed_at_each_connection_is_not_believed(scene):
    assert "claims its start room" in scene.location.wait_for(lambda m: m.detail).detail
    assert "claims its start room" in refusal(scene.go_to(13))
    assert "claims its start room" in refusal(scene.go_to(16))  # nor is it there already
    assert scene.set_location(16).success
    assert scene.location.wait_for(lambda m: m.valid).marker_id == 16
    assert scene.go_to(13).result().outcome.code == NaoOutcome.SUCCEEDED
    scene.location.wait_for(lambda m: m.valid and m.marker_id == 13)
    scene.location.clear()
    scene.simulator.inject("cut")
    scene.wait_for_link(connections=2)
    scene.location.wait_for(lambda m: not m.valid and "claims" in m.detail)
    assert "claims its start room" in refusal(scene.go_to(6))


def test_a_claim_is_believed_where_the_parameter_says_so(bridged):
    with bridged(SLOW, **LAST, greeting_location="believed") as scene:
        assert scene.go_to(13).result().outcome.code == NaoOutcome.SUCCEEDED


@pytest.mark.parametrize("passed", [16, 5])
def test_after_a_walk_that_was_cancelled_in_any_leg_no_way_is_planned(scene, passed):
    assert scene.set_location(16).success
    world = scene.simulator.world
    walk = scene.go_to(7)  # round the corner in 5
    walk.feedback.wait_for(lambda f: f.phase == f.EXECUTING)
    assert scene.simulator.wait_for(lambda: world.room == passed)
    scene.location.clear()
    assert walk.cancel()
    assert "HALTED" in scene.location.wait_for(lambda m: not m.valid).detail
    for room in (7, 16, 12):
        assert "HALTED" in refusal(scene.go_to(room))
    assert not scene.location.last.valid
    assert scene.set_location(world.room).success
    assert scene.go_to(16).result().outcome.code == NaoOutcome.SUCCEEDED


def test_a_walk_that_goes_on_after_a_lost_link_is_halted_and_its_reply_ends_no_other_goal(scene):
    assert scene.set_location(16).success
    walk = scene.go_to(7)
    walk.feedback.wait_for(lambda f: f.phase == f.EXECUTING)
    scene.simulator.inject("cut")
    assert walk.result().outcome.code == NaoOutcome.LINK_LOST
    scene.wait_for_link(connections=2)
    request = NaoSetLocation.Request(known=True, marker_id=16)
    answer = scene.peer.call(NaoSetLocation, "/nao/set_location", request)
    assert "may still walk" in answer.message
    assert scene.put_down().result().outcome.code == NaoOutcome.FAILED  # it waits for the end
    assert scene.simulator.world.room == 5
    assert "claims its start room" in refusal(scene.go_to(7))
    assert scene.set_location(5).success
    assert scene.go_to(7).result().outcome.code == NaoOutcome.SUCCEEDED


def test_after_a_walk_that_failed_no_way_is_planned(scene):
    assert scene.set_location(12).success  # which is wrong: the robot refuses the way
    assert scene.go_to(6).result().outcome.code == NaoOutcome.FAILED
    assert "FAILED" in refusal(scene.go_to(16))


def test_a_room_is_set_and_cleared_by_the_service(scene):
    assert "marker 99" in scene.set_location(99).message
    assert scene.set_location(16).success
    walk = scene.go_to(7)
    walk.feedback.wait_for(lambda f: f.phase == f.EXECUTING)
    answer = scene.set_location(3)
    assert (answer.success, answer.message[:23]) == (False, "the robot has a command")
    assert walk.result().outcome.code == NaoOutcome.SUCCEEDED
    scene.location.wait_for(lambda m: m.valid and m.marker_id == 7)
    scene.location.clear()
    assert scene.set_location(None).success
    assert scene.location.wait_for(lambda m: not m.valid).detail == "cleared on request"
    assert "cleared on request" in refusal(scene.go_to(16))


def test_a_pose_of_rviz_sets_the_room(scene, capfd):
    poses = scene.peer.node.create_publisher(
        PoseWithCovarianceStamped, "/nao/initialpose", qos.stream(1)
    )
    until(poses.get_subscription_count, "no subscriber")
    assert scene.set_location(None).success  # once it is known that the robot stands
    pose = PoseWithCovarianceStamped()
    pose.header.frame_id = "map"
    pose.pose.pose.position.x = math.nan
    poses.publish(pose)
    logged = []

    def is_refused():
        logged.append(capfd.readouterr().err)
        return "initialpose is not taken: (nan, 0) is in no room" in "".join(logged)

    until(is_refused, "a room was made of NaN")
    pose.pose.pose.position.x, pose.pose.pose.position.y = MAZE.rooms[12].x, MAZE.rooms[12].y
    pose.pose.pose.orientation.w = 1.0
    poses.publish(pose)
    assert scene.location.wait_for(lambda m: m.valid).marker_id == 12
