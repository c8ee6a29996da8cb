# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The node with its simulator, over the real wire."""

import pytest
from geometry_msgs.msg import Twist
# --- if action
from nav2_msgs.action import NavigateToPose
# --- end
from nav_msgs.msg import Odometry

from legacy_robots_common.node import qos


def stands(odometry):
    """Wait until two readings in a row have one place; return how far forward it is."""

    def is_still(_: Odometry) -> bool:
        places = [message.pose.pose.position.x for message in odometry.items[-2:]]
        return len(places) == 2 and places[0] == places[1]

    return odometry.wait_for(is_still).pose.pose.position.x


@pytest.fixture
def driving(peer):
    """Have it drive by one cmd_vel; return its odometry."""
    odometry = peer.subscribe(Odometry, "/myrobot/odom", qos.stream())
    publisher = peer.node.create_publisher(Twist, "/myrobot/cmd_vel", 10)
    # Commands before the bridge is discovered are lost.
    while not publisher.get_subscription_count():
        odometry.wait_for_count(len(odometry.items) + 1)
    command = Twist()
    command.linear.x = 0.4
    publisher.publish(command)
    odometry.wait_for(lambda message: message.pose.pose.position.x > 0.05)
    odometry.clear()
    return odometry


def test_it_drives_by_cmd_vel_and_stops_without(driving):
    stands(driving)  # cmd_vel_timeout later


def test_readings_that_come_again_do_not_move_it(driving, robot):
    robot.inject("flood")  # the last one, many times
    assert stands(driving) < 1.0


# --- if action
@pytest.mark.parametrize("x,reached", [(0.3, True), (9.0, False)])
def test_a_goal_is_reached_or_the_wall_is(peer, x, reached):
    goal = NavigateToPose.Goal()
    goal.pose.pose.position.x = x
    result = peer.send_goal(NavigateToPose, "/myrobot/navigate_to_pose", goal).end().result
    assert (result.error_code == 0) == reached


# --- end
