# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Luar as a user starts it: ROS moves its joints until it is killed."""

import os
import signal

import pytest
from action_msgs.msg import GoalStatus
from builtin_interfaces.msg import Duration
from control_msgs.action import FollowJointTrajectory
from sensor_msgs.msg import JointState
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

from legacy_robots_common.node import qos
from legacy_robots_msgs.msg import LinkState
from legacy_robots_testing.process import Process
from legacy_robots_testing.ros_peer import RosPeer

STREAM = qos.stream(10)


@pytest.fixture
def luar(ros2, user):
    def start(*arguments):
        launch = ros2("launch", "legacy_robots_bringup", "luar.launch.py", f"user:={user}")
        return Process([*launch, *arguments])

    return start


def link_of(peer, namespace, state, connections=0):
    link = peer.subscribe(LinkState, f"/{namespace}/link_state")
    return link.wait_for(lambda m: m.state == state and m.connections >= connections)


def test_ros_moves_the_joints_until_the_robot_is_killed(luar, machine_wide):
    action = "/luar/follow_joint_trajectory"

    def head(angle, seconds):
        goal = FollowJointTrajectory.Goal()
        point = JointTrajectoryPoint(positions=[angle], time_from_start=Duration(sec=seconds))
        goal.trajectory = JointTrajectory(joint_names=["HeadYaw"], points=[point])
        return goal

    arguments = ("joint_commands:=true", "respawn:=true")
    with machine_wide("luar_joints"), luar(*arguments) as launch, RosPeer() as peer:
        link_of(peer, "luar", LinkState.CONNECTED)
        joints = peer.subscribe(JointState, "/luar/joint_states", STREAM)
        reached = peer.send_goal(FollowJointTrajectory, action, head(0.6, 1)).end()
        assert reached.status == GoalStatus.STATUS_SUCCEEDED
        joints.wait_for(lambda m: abs(m.position[0] - 0.6) < 0.1)
        goal = peer.send_goal(FollowJointTrajectory, action, head(-1.0, 60))
        goal.feedback.wait_for(lambda m: m.actual.positions[0] < 0.58)
        os.kill(launch.pid_of("simulator_1"), signal.SIGKILL)
        lost = goal.end()
        assert lost.status == GoalStatus.STATUS_ABORTED
        assert lost.result.error_code == -100
        link_of(peer, "luar", LinkState.CONNECTED, connections=2)
        again = peer.send_goal(FollowJointTrajectory, action, head(0.3, 1)).end()
        assert again.status == GoalStatus.STATUS_SUCCEEDED
        launch.interrupt_group()
        launch.wait()
