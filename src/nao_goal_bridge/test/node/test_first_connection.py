# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Goals for a Nao that is started after them."""

import pytest
from action_msgs.msg import GoalStatus
from geometry_msgs.msg import PoseStamped
from nav2_msgs.action import NavigateToPose
from std_srvs.srv import Trigger

from legacy_robots_msgs.msg import NaoOutcome
from legacy_robots_msgs.srv import NaoSetLocation
from legacy_robots_testing.ros_peer import wait

pytestmark = pytest.mark.node


@pytest.fixture
def alone(bridged):
    """A bridge whose Nao has not been started."""
    with bridged(is_there=False) as scene:
        yield scene


def waits(scene, count):
    """Wait until ``link_state`` shows how many goals wait."""
    scene.link.wait_for(lambda m: m.detail.endswith(f"wait for the first connection: {count}"))


def test_a_goal_and_a_room_that_come_before_the_robot(alone):
    request = NaoSetLocation.Request(known=True, marker_id=80)
    placed = alone.peer.call_later(NaoSetLocation, "/nao/set_location", request)
    walk = alone.go_to(114)
    waits(alone, 1)
    alone.simulator.start()
    assert walk.result().outcome.code == NaoOutcome.SUCCEEDED
    answer = wait(placed, "set_location")
    assert answer.success or "has a command" in answer.message


def test_a_goal_of_nav2_that_comes_before_the_robot(alone):
    goal = NavigateToPose.Goal(pose=PoseStamped())
    goal.pose.pose.orientation.w = 1.0
    goal.pose.header.frame_id = "map"
    sent = alone.peer.send_goal(NavigateToPose, "/nao/navigate_to_pose", goal)
    waits(alone, 1)
    alone.simulator.start()
    assert sent.end().status == GoalStatus.STATUS_SUCCEEDED


def test_a_halt_ends_goals_that_wait_for_the_robot(alone):
    walk = alone.go_to(114)
    waits(alone, 1)
    alone.peer.call(Trigger, "/nao/halt")
    outcome = walk.result().outcome
    assert outcome.code == NaoOutcome.LINK_LOST
    assert outcome.message == "halted on request before the first connection"
