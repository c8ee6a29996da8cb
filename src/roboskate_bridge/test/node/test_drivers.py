# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What the nodes that drive the board do when the bridge does not answer, and when they end."""

from __future__ import annotations

import threading

import pytest
from geometry_msgs.msg import Point, Pose, PoseWithCovariance, Quaternion
from nav_msgs.msg import Odometry
from rclpy.task import Future
from sensor_msgs.msg import JointState

from legacy_robots_common.node import qos
from legacy_robots_msgs.msg import RoboSkateKeys
from legacy_robots_msgs.srv import RoboSkateInitialize
from legacy_robots_testing.recorder import Recorder
from legacy_robots_testing.ros_peer import RosPeer
from legacy_robots_testing.running_node import RunningNode
from roboskate_bridge.drivers.autopilot import Autopilot

pytestmark = pytest.mark.node

NAMES = ["joint_1", "joint_2", "joint_3"]


def board(height):
    pose = Pose(position=Point(z=height), orientation=Quaternion(w=1.0))
    message = Odometry(pose=PoseWithCovariance(pose=pose))
    message.header.stamp.sec = 5
    return message


class Game:
    """What a driver needs of the bridge's topics, by hand: the board stands at ``height``."""

    def __init__(self, peer):
        self.height = 0.1
        self._odometry = peer.node.create_publisher(Odometry, "/roboskate/odom", 10)
        self._joints = peer.node.create_publisher(JointState, "/roboskate/joint_states", 10)
        self.keys = peer.subscribe(RoboSkateKeys, "/roboskate/command", qos.stream(100))
        peer.on_executor(peer.node.create_timer, 0.02, self._publish)

    def _publish(self):
        message = board(self.height)
        self._joints.publish(
            JointState(header=message.header, name=NAMES, position=[0.0] * 3, velocity=[0.0] * 3)
        )
        self._odometry.publish(message)


@pytest.fixture
def game():
    with RosPeer("game") as peer:
        yield Game(peer)


def test_a_driver_asks_again_where_its_bridge_has_gone_without_an_answer(game):
    asked = threading.Event()

    async def never(request, response):
        asked.set()
        await Future()

    again = Recorder("request")

    def answer(request, response):
        again.add(request)
        response.success = True
        return response

    game.height = -8.0
    with RunningNode(Autopilot, {"level": 1}), RosPeer("second") as second:
        with RosPeer("first") as first:
            first.on_executor(
                first.node.create_service, RoboSkateInitialize, "/roboskate/initialize", never
            )
            assert asked.wait(40.0)
        second.on_executor(
            second.node.create_service, RoboSkateInitialize, "/roboskate/initialize", answer
        )
        assert again.wait_for().level == 1


def test_the_last_keys_of_a_driver_are_none(game):
    for _ in range(5):
        with RunningNode(Autopilot, {}):
            game.keys.wait_for(lambda m: (m.right_left, m.a_d, m.w_e) != (0.0, 0.0, 0.0))
        last = game.keys.wait_for(lambda m: (m.right_left, m.a_d, m.w_e) == (0.0, 0.0, 0.0))
        assert game.keys.last == last
        game.keys.clear()
