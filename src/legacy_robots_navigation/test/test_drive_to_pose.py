# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""``navigate_to_pose`` by odometry: it arrives, gives up where nothing moves, and always stops."""

import pytest
from action_msgs.msg import GoalStatus
from nav2_msgs.action import NavigateToPose

from legacy_robots_common.bridge.bridge_node import BridgeNode
from legacy_robots_common.frames.odometry import Odometry
from legacy_robots_common.goals.velocity import STILL, VelocityLimits
from legacy_robots_core.link.base import LinkState, LinkStatus
from legacy_robots_navigation.drive_to_pose import DriveToPose
from legacy_robots_testing.polling import until
from legacy_robots_testing.ros_peer import RosPeer
from legacy_robots_testing.running_node import RunningNode

pytestmark = pytest.mark.node

STEP_S = 0.015
LOST = LinkStatus(LinkState.FAULT, "the robot", "it is silent", 1)


class Robot(BridgeNode):
    """Moves only where the test says so."""

    def __init__(self, **arguments):
        super().__init__(hardware_id="robot", namespace="robot", **arguments)
        self.at, self.sent = Odometry(self), []
        limits = VelocityLimits(forward=0.5, sideways=0.0, turn=1.5)
        self.drive = DriveToPose(self, self.at, limits, self.sent.append, patience=0.5)
        self.on_status(LinkStatus(LinkState.CONNECTED, "the robot", "connected", 1))


@pytest.fixture
def robot():
    with RunningNode(Robot, {}) as node:
        yield node


@pytest.fixture
def goal(robot):
    """A goal that is under way to the place where the robot has begun."""
    with RosPeer() as peer:
        sent = peer.send_goal(NavigateToPose, "/robot/navigate_to_pose", NavigateToPose.Goal())
        until(lambda: robot.drive.goals)
        yield sent


def test_what_slips_at_the_edge_of_the_goal_does_not_send_it_there_for_ever(robot, goal):
    at = robot.at
    at.y, at.yaw = 0.028, -1.247  # seen with the Roomba: it turns, and is to turn back
    for step in range(1000):
        at.x = 0.0414 + 0.0005 * (step % 2)  # 0.04998 or 0.0504 m from the goal
        robot.drive.follow()
        if not robot.drive.goals:
            break
        ahead, _, turn = robot.sent[-1]
        assert ahead < 0.01
        at.yaw += turn * STEP_S
    assert goal.end().status == GoalStatus.STATUS_SUCCEEDED
    assert abs(at.yaw) < 0.1
    assert robot.sent[-1] == STILL


def test_a_robot_that_does_not_move_is_not_waited_for(robot, goal):
    robot.at.x = 3.0

    def ended():
        robot.drive.follow()
        return not robot.drive.goals

    until(ended)
    assert goal.end().status == GoalStatus.STATUS_ABORTED
    assert robot.sent[-1] == STILL


@pytest.mark.parametrize("why", ["cancelled", "shut down", "lost"])
def test_it_stands_however_the_goal_ends(robot, goal, why):
    robot.at.x = 3.0
    robot.drive.follow()
    assert robot.sent[-1] != STILL
    if why == "cancelled":
        goal.cancel()
    elif why == "shut down":
        robot.end_goals("SHUTDOWN", "the bridge is shutting down")
    else:
        robot.on_status(LOST)
    assert goal.end().status != GoalStatus.STATUS_SUCCEEDED
    assert robot.sent[-1] == STILL
    count = len(robot.sent)
    robot.drive.follow()
    assert len(robot.sent) == count
