# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The AIBO as a user starts it: launch, goals from a second terminal, faults."""

import math
import os
import signal

import pytest
from action_msgs.msg import GoalStatus
from control_msgs.action import FollowJointTrajectory
from geometry_msgs.msg import Twist, Vector3
from sensor_msgs.msg import JointState, Range
from std_srvs.srv import SetBool, Trigger
from tf2_msgs.msg import TFMessage
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

from aibo_gti_bridge.simulator import tekkotsu
from legacy_robots_common.node import qos
from legacy_robots_msgs.action import AiboPlayMotion, AiboSearchBall, AiboWalkSteps
from legacy_robots_msgs.msg import AiboButtons, AiboOutcome, LinkState
from legacy_robots_testing.machine import free_port, launch_command
from legacy_robots_testing.process import Process
from legacy_robots_testing.ros_peer import RosPeer


@pytest.fixture
def aibo(port):
    """The launch file on a port of its own; gives the launch process."""

    def start(*arguments):
        return Process(launch_command("aibo.launch.py", f"port:={port}", *arguments))

    return start


def test_the_first_session_of_the_document(aibo, send_goal):
    with aibo() as launch, RosPeer() as peer:
        launch.wait_for_line("link connected")
        states = peer.subscribe(JointState, "/aibo/joint_states", qos.stream())
        buttons = peer.subscribe(AiboButtons, "/aibo/buttons")
        standing = buttons.wait_for(lambda m: m.valid)
        assert all((standing.lf_paw, standing.rf_paw, standing.lb_paw, standing.rb_paw))
        for action, kind, goal in (
            ("search_ball", "AiboSearchBall", "{colour: pink}"),
            ("play_motion", "AiboPlayMotion", "{name: wave}"),
            ("walk_steps", "AiboWalkSteps", "{x: 0.2}"),
            (
                "follow_joint_trajectory",
                "control_msgs/action/FollowJointTrajectory",
                "{trajectory: {joint_names: [neck_pan, neck_tilt], points: "
                "[{positions: [0.5, -0.3], time_from_start: {sec: 1}}]}}",
            ),
        ):
            output = send_goal(f"/aibo/{action}", kind, goal)
            assert "Goal finished with status: SUCCEEDED" in output, output
        head = dict(zip(states.last.name, states.last.position, strict=True))
        assert head["neck_pan"] == pytest.approx(0.5, abs=0.05)
        assert head["neck_tilt"] == pytest.approx(-0.3, abs=0.05)
        assert buttons.wait_for(lambda m: not m.lf_paw).valid  # it has waved
        output = send_goal("/aibo/search_ball", "AiboSearchBall", "{colour: red}")
        assert "Goal finished with status: ABORTED" in output
        assert "is none of pink" in output


def test_cmd_vel_walks_towards_the_wall_and_the_watchdog_stops(aibo):
    with aibo() as launch, RosPeer() as peer:
        launch.wait_for_line("link connected")
        ahead = peer.subscribe(Range, "/aibo/range/far", qos.stream())
        cmd_vel = peer.node.create_publisher(Twist, "/aibo/cmd_vel", 5)
        states = peer.subscribe(JointState, "/aibo/joint_states", qos.stream())
        states.wait_for()
        for count in range(1, 400):  # as fast as readings come: about 13 s
            cmd_vel.publish(Twist(linear=Vector3(x=0.18)))
            states.wait_for_count(count)
            if ahead.items and ahead.last.range < 1.2:
                break
        assert math.isfinite(ahead.last.range)
        launch.wait_for_line("no cmd_vel for too long: the robot is stopped")
        launch.wait_for_line(r"Walk\(dx=0.0, dy=0.0, da=0.0, n=-1\)")


def test_a_wrong_overlay_is_a_sentence(aibo):
    with aibo("wire_overlays:=tcpcomm", "simulate:=false") as launch:
        launch.wait_for_line("wire table 'tcpcomm' cannot be read")
        launch.wait_for_line("exit code 2")


@pytest.mark.parametrize("overlays", ["ball-int-first-32", "acknowledged"])
def test_other_wires(aibo, overlays):
    with aibo(f"wire_overlays:={overlays}", "search_mode:=native") as launch, RosPeer() as peer:
        launch.wait_for_line("link connected")
        goal = AiboSearchBall.Goal(colour="pink")
        result = peer.send_goal(AiboSearchBall, "/aibo/search_ball", goal).result(30)
        assert result.found, result.outcome
        trajectory = JointTrajectory(
            joint_names=["neck_pan"], points=[JointTrajectoryPoint(positions=[0.3])]
        )
        trajectory.points[0].time_from_start.sec = 1
        goal = FollowJointTrajectory.Goal(trajectory=trajectory)
        end = peer.send_goal(FollowJointTrajectory, "/aibo/follow_joint_trajectory", goal).end()
        assert end.status == GoalStatus.STATUS_SUCCEEDED, end.result.error_string


def test_tekkotsu(aibo):
    port = tekkotsu.free_port("127.0.0.1")
    with aibo("wire:=tekkotsu", f"port:={port}") as launch, RosPeer() as peer:
        launch.wait_for_line("link connected")
        request = SetBool.Request(data=False)
        assert peer.call(SetBool, "/aibo/emergency_stop", request).success
        goal = AiboWalkSteps.Goal(x=0.1)
        outcome = peer.send_goal(AiboWalkSteps, "/aibo/walk_steps", goal).result().outcome
        assert outcome.code == AiboOutcome.SUCCEEDED, outcome
        launch.wait_for_line("<- walk 0.1 m/s")
        assert peer.call(Trigger, "/aibo/stop").success


def test_two_robots_side_by_side(aibo):
    other = ("namespace:=aibo_2", "frame_prefix:=aibo_2/", f"port:={free_port()}")
    with aibo() as launch, aibo(*other) as second, RosPeer() as peer:
        launch.wait_for_line("link connected")
        second.wait_for_line("link connected")
        tf = peer.subscribe(TFMessage, "/tf", qos.stream(100))
        for prefix in ("", "aibo_2/"):
            tf.wait_for(lambda m, p=prefix: m.transforms[0].child_frame_id == f"{p}lf_shoulder")
        motion = AiboPlayMotion.Goal(name="look")
        assert (
            peer.send_goal(AiboPlayMotion, "/aibo_2/play_motion", motion).result().outcome.code
            == 0
        )
        first = peer.subscribe(JointState, "/aibo/joint_states", qos.stream()).wait_for()
        assert dict(zip(first.name, first.position, strict=True))["neck_pan"] == (
            pytest.approx(0.0, abs=0.01)
        )


@pytest.mark.parametrize("victim", ["simulator", "bridge"])
def test_a_killed_process_is_started_again_and_the_link_is_back(aibo, victim):
    with aibo("respawn:=true") as launch:
        launch.wait_for_line("link connected")
        pid = launch.pid_of(victim)
        with RosPeer() as peer:
            link = peer.subscribe(LinkState, "/aibo/link_state")
            link.wait_for(lambda m: m.state == LinkState.CONNECTED)
            walk = AiboWalkSteps.Goal(x=1.0)
            goal = peer.send_goal(AiboWalkSteps, "/aibo/walk_steps", walk)
            goal.feedback.wait_for()
            link.clear()
            os.kill(pid, signal.SIGKILL)
            launch.wait_for_line(f"process has died \\[pid {pid}, exit code -9")
            if victim == "simulator":
                assert goal.result().outcome.code == AiboOutcome.LINK_LOST
            else:
                launch.wait_for_line("the client has gone")  # the robot has seen it too
            link.wait_for(lambda m: m.state == LinkState.CONNECTED)
            states = peer.subscribe(JointState, "/aibo/joint_states", qos.stream())
            states.wait_for()
        launch.interrupt_group()
        launch.wait()
        assert launch.session() == []
