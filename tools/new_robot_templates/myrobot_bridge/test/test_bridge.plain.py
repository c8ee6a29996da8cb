# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The node with its simulator, over the real wire."""

import pytest
# --- if action
from control_msgs.action import GripperCommand
# --- end
from sensor_msgs.msg import JointState
# --- if no-action
from std_msgs.msg import Float64
# --- end

from legacy_robots_common.node import qos
# --- if action
from myrobot_bridge import actions
# --- end


def test_it_measures(peer):
    joints = peer.subscribe(JointState, "/myrobot/joint_states", qos.stream())
    message = joints.wait_for()
    assert list(message.name) == ["myrobot"]
    assert message.position[0] == pytest.approx(0.05)


# --- if action
def move(peer, position):
    goal = GripperCommand.Goal()
    goal.command.position = position
    return peer.send_goal(GripperCommand, "/myrobot/move", goal).end().result


def test_goals_succeed_are_blocked_and_are_refused(peer):
    reached = move(peer, 0.06)
    assert reached.reached_goal
    assert reached.position == pytest.approx(0.06, abs=1e-4)
    assert move(peer, 0.0).stalled
    assert not move(peer, 7.0).reached_goal


def test_a_goal_that_takes_too_long_ends(peer, monkeypatch):
    monkeypatch.setattr(actions, "LIMIT_S", 0.2)
    assert not move(peer, 0.09).reached_goal


# --- end
# --- if no-action
def test_a_command_moves_it(peer):
    joints = peer.subscribe(JointState, "/myrobot/joint_states", qos.stream())
    publisher = peer.node.create_publisher(Float64, "/myrobot/command", 10)
    # Commands before the bridge is discovered are lost.
    while not publisher.get_subscription_count():
        joints.wait_for_count(len(joints.items) + 1)
    publisher.publish(Float64(data=0.06))
    joints.wait_for(lambda message: message.position[0] > 0.059)


# --- end
