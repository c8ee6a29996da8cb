# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Luar as a user starts it: launch with one robot and several, monitor, Ctrl-C, crashes."""

import os
import signal
import subprocess

import pytest
from action_msgs.msg import GoalStatus
from builtin_interfaces.msg import Duration
from control_msgs.action import FollowJointTrajectory
from sensor_msgs.msg import Image, JointState
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

from legacy_robots_common.node import qos
from legacy_robots_msgs.msg import LinkState
from legacy_robots_testing.process import Process
from legacy_robots_testing.ros_peer import RosPeer
from legacy_robots_testing.stopwatch import Stopwatch

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


def test_one_robot_with_joints_and_ctrl_c(luar, machine_wide):
    with machine_wide("luar_joints"), luar() as launch, RosPeer() as peer:
        link_of(peer, "luar", LinkState.CONNECTED)
        joints = peer.subscribe(JointState, "/luar/joint_states", STREAM)
        assert len(joints.wait_for().name) == 22
        with Stopwatch() as watch:
            joints.clear()
            joints.wait_for_count(200)
            assert 200 / watch.wall < 150
            assert 200 / watch.seconds > 50
        launch.interrupt_group()
        assert launch.wait() == 0
        assert launch.session() == []


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


def test_two_robots_side_by_side(luar):
    with luar("players:=1,2", "profile:=webots", "abi:=2") as launch, RosPeer() as peer:
        for player in (1, 2):
            link_of(peer, f"luar/player_{player}", LinkState.CONNECTED)
            image = peer.subscribe(Image, f"/luar/player_{player}/image", STREAM).wait_for()
            assert image.header.frame_id.startswith(f"player_{player}/Camera")
        launch.interrupt_group()
        assert launch.wait() == 0


def test_the_monitor_shows_the_segments(luar, ros2, user):
    with luar("profile:=webots") as launch:
        launch.wait_for_line("link connected")
        shown = subprocess.run(
            ros2("run", "luar_bridge", "monitor", "--user", user, "--once"),
            capture_output=True,
            text=True,
            timeout=60,
        ).stdout
        for segment in ("vcmImage", "wcmRobot", "gcmGame"):
            assert f"\n{segment}  " in shown
        assert "38400 bytes" in shown
        with Process(ros2("run", "luar_bridge", "monitor", "--user", user)) as live:
            live.wait_for_line(r"vcmImage  \d+ changes/s, last \d")
            live.interrupt_group()
            assert live.wait() == 0
        launch.interrupt_group()
        launch.wait()


@pytest.mark.parametrize("players", [",", "1,1", "one"])
def test_wrong_players_are_named(luar, players):
    with luar(f"players:={players}") as launch:
        launch.wait_for_line("'?players'? must be (different numbers|a list)")
        assert launch.wait() != 0
