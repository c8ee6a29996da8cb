# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The node with its simulator, over the real wire."""

import pytest
from geometry_msgs.msg import Twist
from nav_msgs.msg import Odometry

from legacy_robots_common.node import qos
from legacy_robots_msgs.action import DroneLand, DroneTakeOff
from legacy_robots_msgs.msg import DroneOutcome


def test_it_takes_off_flies_and_lands(peer):
    odometry = peer.subscribe(Odometry, "/myrobot/odom", qos.stream())
    publisher = peer.node.create_publisher(Twist, "/myrobot/cmd_vel", 10)
    take_off = peer.send_goal(DroneTakeOff, "/myrobot/take_off", DroneTakeOff.Goal(altitude=0.5))
    assert take_off.end().result.outcome.code == DroneOutcome.SUCCEEDED
    odometry.wait_for(lambda m: m.pose.pose.position.z == pytest.approx(0.5, abs=0.05))
    command = Twist()
    command.linear.z = 0.4
    while not odometry.last.pose.pose.position.z > 0.6:
        publisher.publish(command)
        odometry.wait_for_count(len(odometry.items) + 1)
    land = peer.send_goal(DroneLand, "/myrobot/land", DroneLand.Goal())
    assert land.end().result.outcome.code == DroneOutcome.SUCCEEDED


# --- if tcp udp serial sdk
def test_a_take_off_is_over_at_its_own_altitude(peer, robot):
    odometry = peer.subscribe(Odometry, "/myrobot/odom", qos.stream())
    for altitude in (0.3, 1.0):
        goal = DroneTakeOff.Goal(altitude=altitude)
        take_off = peer.send_goal(DroneTakeOff, "/myrobot/take_off", goal)
        assert take_off.end().result.outcome.code == DroneOutcome.SUCCEEDED
        ended = peer.node.get_clock().now().to_msg().sec
        now = odometry.wait_for(lambda m, t=ended: m.header.stamp.sec > t)
        assert now.pose.pose.position.z == pytest.approx(altitude, abs=0.1)
        robot.inject("flood")  # readings of this altitude, while the next goal begins


# --- end
def test_an_altitude_above_the_limit_is_refused(peer):
    goal = DroneTakeOff.Goal(altitude=99.0)
    outcome = peer.send_goal(DroneTakeOff, "/myrobot/take_off", goal).end().result.outcome
    assert outcome.code == DroneOutcome.INVALID
