# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Goals as Nav2's clients send them, to a Nao that knows rooms."""

import math

import pytest
from action_msgs.msg import GoalStatus

from legacy_robots_msgs.msg import NaoLocation
from legacy_robots_testing.navigation import ended, pose, send_through, send_to
from nao_goal_bridge.simulator.nao_settings import NaoSettings

pytestmark = pytest.mark.node

SLOW = NaoSettings(speed=0.05, see_rate=5.0)


def test_a_nao_walks_to_the_room_of_a_pose(bridged):
    with bridged() as scene:
        location = scene.peer.subscribe(NaoLocation, "/nao/location")
        location.wait_for(lambda m: m.valid)  # before, feedback has no pose
        goal = send_to(scene.peer, "/nao", pose(1.1, -0.2, yaw=2.0))  # room 114 is at (1, 0)
        assert ended(goal, GoalStatus.STATUS_SUCCEEDED) == ""
        location.wait_for(lambda m: m.marker_id == 114)
        reported = goal.feedback.items[0]
        assert reported.current_pose.header.frame_id == "map"
        assert reported.distance_remaining == pytest.approx(math.hypot(1.1, 0.2))


def test_through_rooms(bridged):
    with bridged() as scene:
        location = scene.peer.subscribe(NaoLocation, "/nao/location")
        goal = send_through(scene.peer, "/nao", pose(1.0, 0.0), pose(0.5, 0.0))
        ended(goal, GoalStatus.STATUS_SUCCEEDED)
        location.wait_for(lambda m: m.marker_id == 80)
        assert goal.feedback.items[0].number_of_poses_remaining == 2


def test_goals_that_are_in_no_room(bridged):
    with bridged() as scene:
        goal = send_to(scene.peer, "/nao", pose(0.5, 0.5))
        text = ended(goal, GoalStatus.STATUS_ABORTED, 204)
        assert text == "(0.5, 0.5) is in no room of the map; the nearest is 80 at (0.5, 0)"


def test_a_room_that_the_robot_does_not_find(bridged):
    with bridged() as scene:
        goal = send_to(scene.peer, "/nao", pose(2.0, 1.5))
        assert "robot reported failure" in ended(goal, GoalStatus.STATUS_ABORTED, 9000)


def test_a_new_goal_halts_the_robot_and_is_carried_out(bridged):
    with bridged(SLOW) as scene:
        first = send_to(scene.peer, "/nao", pose(1.0, 0.0))
        first.feedback.wait_for(lambda f: f.navigation_time.nanosec > 0)
        second = send_to(scene.peer, "/nao", pose(0.0, 0.0))
        text = ended(first, GoalStatus.STATUS_ABORTED, 9000)
        assert text == "preempted by a newer goal"
        ended(second, GoalStatus.STATUS_SUCCEEDED)


def test_an_error_of_the_robot_ends_a_goal_of_nav2_with_its_reason(bridged):
    with bridged(SLOW) as scene:
        goal = send_to(scene.peer, "/nao", pose(1.0, 0.0))
        goal.feedback.wait_for(lambda f: f.navigation_time.nanosec > 0)
        assert scene.simulator.wait_for(lambda: scene.simulator.world.state == 1)
        scene.simulator.inject("error")
        text = ended(goal, GoalStatus.STATUS_ABORTED, 9000)
        assert text == "the robot reported a fatal error; its state is unknown"
        assert "exceptions" not in scene.node.counters.snapshot()


def test_a_cancelled_goal_halts_the_robot(bridged):
    with bridged(SLOW) as scene:
        goal = send_to(scene.peer, "/nao", pose(1.0, 0.0))
        goal.feedback.wait_for(lambda f: f.navigation_time.nanosec > 0)
        assert goal.cancel()
        ended(goal, GoalStatus.STATUS_CANCELED)
