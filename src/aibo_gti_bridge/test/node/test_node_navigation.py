# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Goals as Nav2's clients send them, to an AIBO that walks by dead reckoning."""

import math

import pytest
from action_msgs.msg import GoalStatus
from geometry_msgs.msg import PoseWithCovariance, PoseWithCovarianceStamped
from nav_msgs.msg import Odometry

from aibo_gti_bridge.simulator.world import Settings
from legacy_robots_common.node import qos
from legacy_robots_testing.navigation import ended, pose, send_through, send_to
from legacy_robots_testing.polling import until

pytestmark = pytest.mark.node

START = Settings(x=-0.3, y=-0.3, noise=0.0)
FAST = {"settings": START, "balls": []}


def test_a_dog_walks_to_a_pose(world):
    with world(**FAST) as scene:
        goal = send_to(scene.peer, "/aibo", pose(0.3, 0.3, "odom", yaw=math.pi / 2))
        assert ended(goal, GoalStatus.STATUS_SUCCEEDED) == ""
        walked = (scene.dog.x - START.x, scene.dog.y - START.y)
        assert walked == pytest.approx((0.3, 0.3), abs=0.1)
        assert math.remainder(scene.dog.yaw - math.pi / 2, math.tau) == pytest.approx(0.0, abs=0.2)
        reported = goal.feedback.items
        assert reported[0].distance_remaining == pytest.approx(math.hypot(0.3, 0.3), abs=0.01)
        assert min(f.distance_remaining for f in reported) < 0.2
        assert reported[0].current_pose.header.frame_id == "odom"


def test_walks_over_tekkotsus_ports_begin_where_the_last_one_came_to_a_stop(world):
    # Two long turns: planned while the dog still turned, eight walks were not enough.
    with world(wire="tekkotsu", profile="tekkotsu", **FAST) as scene:
        scene.release()
        odom = scene.stream(Odometry, "odom")
        goal = send_to(scene.peer, "/aibo", pose(-0.4, 0.2, "odom"))
        assert ended(goal, GoalStatus.STATUS_SUCCEEDED) == ""
        odom.clear()
        last = odom.wait_for(lambda m: m.twist.twist.angular.z == 0.0).pose
        at, heading = last.pose.position, 2.0 * math.asin(last.pose.orientation.z)
        assert (at.x, at.y) == pytest.approx((-0.4, 0.2), abs=0.06)
        assert math.remainder(heading, math.tau) == pytest.approx(0.0, abs=0.12)
        # What a busy machine adds is in the covariance.
        assert scene.simulator.wait_for(lambda: not scene.dog.walker.walking)
        turned = math.remainder(scene.dog.yaw - heading, math.tau)
        errors = (scene.dog.x - START.x - at.x, scene.dog.y - START.y - at.y, turned)
        for error, variance in zip(errors, (last.covariance[i] for i in (0, 7, 35)), strict=True):
            assert abs(error) < 3.0 * math.sqrt(variance) + 0.02


def test_the_frames_of_the_dog_itself(world):
    with world(**FAST) as scene:
        goal = send_through(
            scene.peer, "/aibo", pose(0.1, 0.0, "base_footprint"), pose(0.0, 0.0, "odom")
        )
        ended(goal, GoalStatus.STATUS_SUCCEEDED)
        assert math.hypot(scene.dog.x - START.x, scene.dog.y - START.y) < 0.1


def test_where_dead_reckoning_ends(world):
    with world(**FAST) as scene:
        goal = send_to(scene.peer, "/aibo", pose(300.0, 0.0, "odom"))
        assert "by dead reckoning" in ended(goal, GoalStatus.STATUS_ABORTED, 204)


def test_a_cancelled_dog_stands(world):
    with world(**FAST) as scene:
        goal = send_to(scene.peer, "/aibo", pose(3.0, 0.0, "odom"))
        assert scene.simulator.wait_for(lambda: scene.dog.walker.walking)
        assert goal.cancel()
        ended(goal, GoalStatus.STATUS_CANCELED)
        assert scene.simulator.wait_for(lambda: not scene.dog.walker.walking)


def test_the_walk_of_another_client_preempts_it(world):
    with world(**FAST) as scene:
        goal = send_to(scene.peer, "/aibo", pose(3.0, 0.0, "odom"))
        assert scene.simulator.wait_for(lambda: scene.dog.walker.walking)
        assert scene.steps(0.05).result().outcome.code == 0
        assert "walk_steps" in ended(goal, GoalStatus.STATUS_ABORTED, 9000)


def test_initialpose_says_where_the_dog_is(world):
    with world(**FAST) as scene:
        odom = scene.stream(Odometry, "odom")
        odom.wait_for()
        reported = pose(2.0, 1.0, "odom", yaw=math.pi / 2)
        message = PoseWithCovarianceStamped(
            header=reported.header, pose=PoseWithCovariance(pose=reported.pose)
        )
        publisher = scene.peer.node.create_publisher(
            PoseWithCovarianceStamped, "/aibo/initialpose", qos.stream(1)
        )
        until(publisher.get_subscription_count, "no subscriber")
        publisher.publish(message)
        there = odom.wait_for(lambda m: m.pose.pose.position.x > 1.0).pose.pose
        assert (there.position.x, there.position.y) == pytest.approx((2.0, 1.0))
        assert there.orientation.z == pytest.approx(math.sin(math.pi / 4))
