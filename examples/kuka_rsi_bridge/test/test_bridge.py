# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The node with its simulator, over the real wire."""

import pytest
from control_msgs.action import FollowJointTrajectory
from sensor_msgs.msg import JointState
from trajectory_msgs.msg import JointTrajectoryPoint

from legacy_robots_common.node import qos

ACTION = "/kuka_rsi/follow_joint_trajectory"


def goal(*positions):
    made = FollowJointTrajectory.Goal()
    made.trajectory.joint_names = ["A1", "A2", "A3"]
    point = JointTrajectoryPoint(positions=positions)
    point.time_from_start.sec = 1
    made.trajectory.points = [point]
    return made


def test_a_trajectory_is_followed(peer):
    joints = peer.subscribe(JointState, "/kuka_rsi/joint_states", qos.stream())
    joints.wait_for()
    end = peer.send_goal(FollowJointTrajectory, ACTION, goal(0.3, -1.3, 1.2)).end()
    assert end.result.error_code == 0, end.result.error_string
    joints.wait_for(lambda state: state.position[2] == pytest.approx(1.2, abs=0.02))


def test_a_trajectory_beyond_the_limits_of_the_urdf_is_refused(peer):
    with pytest.raises(AssertionError, match="rejected"):
        peer.send_goal(FollowJointTrajectory, ACTION, goal(3.0, -1.3, 1.2))
