# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The AIBO as a user starts it: launch, goals from a second terminal, other wires."""

import pytest
from action_msgs.msg import GoalStatus
from control_msgs.action import FollowJointTrajectory
from sensor_msgs.msg import JointState
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

from legacy_robots_common.node import qos
from legacy_robots_msgs.action import AiboSearchBall
from legacy_robots_msgs.msg import AiboButtons
from legacy_robots_testing.machine import launch_command
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
