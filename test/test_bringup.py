# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Each launch file brings up what it is for: a goal succeeds, a client is served."""

import os
import re
import shlex
import socket
import struct
import urllib.request
from pathlib import Path

import pytest
from control_msgs.action import FollowJointTrajectory
from nav_msgs.msg import Odometry
from sensor_msgs.msg import Image
from std_srvs.srv import Trigger
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

from legacy_robots_common.node import qos
from legacy_robots_msgs.action import AiboPlayMotion, Bw4tGoTo, NaoGoTo
from legacy_robots_msgs.msg import LinkState, LuarGameState
from legacy_robots_testing.machine import (
    free_port,
    free_port_range,
    launch_command,
    machine_wide,
    ros2,
)
from legacy_robots_testing.process import Process
from legacy_robots_testing.ros_peer import RosPeer
from nao_goal_bridge.goal_client.client import GoalClient

pytestmark = pytest.mark.bringup

ROOT = Path(__file__).parents[1]
OWN = f"bringup{os.getpid()}"
"""User at the end of the names of segments."""


WALK = struct.pack("<ii3dii", 6, 32, 120.0, 0.0, 0.0, -1, 0)
"""120 mm/s forward, as the original's client packs it."""


def nao(launch, peer, port):
    goal = NaoGoTo.Goal(marker_id=114)
    assert peer.send_goal(NaoGoTo, "/nao/go_to", goal).result().outcome.code == 0


def aibo(launch, peer, port):
    goal = AiboPlayMotion.Goal(name="sit")
    result = peer.send_goal(AiboPlayMotion, "/aibo/play_motion", goal).result()
    assert result.outcome.code == 0


def roboskate(launch, peer, port):
    peer.subscribe(Image, "/roboskate/camera/image_raw", qos.stream(5)).wait_for()
    assert peer.call(Trigger, "/roboskate/reset").success


def luar(launch, peer, port):
    point = JointTrajectoryPoint(positions=[0.3])
    point.time_from_start.sec = 1
    goal = FollowJointTrajectory.Goal()
    goal.trajectory = JointTrajectory(joint_names=["HeadYaw"], points=[point])
    sent = peer.send_goal(FollowJointTrajectory, "/luar/follow_joint_trajectory", goal)
    assert sent.result().error_code == FollowJointTrajectory.Result.SUCCESSFUL


def luar_match(launch, peer, port):
    for robot in ("blue/player_1", "red/player_1"):
        topic = f"/luar_match/{robot}/game_state"
        peer.subscribe(LuarGameState, topic).wait_for(lambda m: m.valid and m.state > 0)


def luar_host(launch, peer, port):
    """Without Lua nothing drives the robot: it is there, and the host waits."""
    link = peer.subscribe(LinkState, "/luar_host/link_state").wait_for()
    assert link.state != LinkState.CONNECTED
    peer.subscribe(Image, "/luar_host/field_robot/image", qos.stream(5)).wait_for()


def bw4t(launch, peer, port):
    goal = Bw4tGoTo.Goal(place="RoomA1")
    assert peer.send_goal(Bw4tGoTo, "/bw4t/Bot_1/go_to", goal).result().outcome.code == 0


def fleet(launch, peer, port):
    goals = [
        peer.send_goal(NaoGoTo, f"/nao_{number}/go_to", NaoGoTo.Goal(marker_id=80))
        for number in (1, 2)
    ]
    assert [goal.result().outcome.code for goal in goals] == [0, 0]


def nao_host(launch, peer, port):
    with GoalClient(port=port) as agent:
        assert agent.wait_for(lambda: agent.location is not None)
        assert agent.go_to(114).succeeded


def gti_host(launch, peer, port):
    launch.wait_for_line("waiting for a connection")
    odometry = peer.subscribe(Odometry, "/aibo/odom", qos.stream(100))
    begin = odometry.wait_for().pose.pose.position.x
    with socket.create_connection(("127.0.0.1", port)) as client:
        client.sendall(WALK)
        odometry.wait_for(lambda m: m.pose.pose.position.x > begin + 0.05)


def view(launch, peer, port):
    launch.wait_for_line(f"http://127.0.0.1:{port}/")
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=30) as page:
        assert b"<html" in page.read()


BRINGUPS = {
    nao: "port:={0}",
    aibo: "port:={0}",
    roboskate: "port:={0} http_port:={1}",
    luar: f"joint_commands:=true user:={OWN}",
    luar_match: f"user:={OWN} players:=1 port:={{0}} ball_port:={{1}} initial:=1",
    luar_host: f"user:={OWN}",
    bw4t: "team:=none seed:=1 speed:=5.0",
    fleet: "kind:=nao first_port:={0}",
    nao_host: "toy:=true port:={0}",
    gti_host: "port:={0} robot_port:={1}",
    view: "port:={0}",
}


@pytest.mark.parametrize("use", BRINGUPS, ids=lambda use: use.__name__)
def test_it_does_what_it_is_for_and_ends_with_ctrl_c(use):
    ports = free_port_range(2)
    arguments = BRINGUPS[use].format(ports, ports + 1).split()
    # Luar's joints have one segment on a machine, with any user.
    with (
        machine_wide("luar_joints" if use is luar else ""),
        Process(launch_command(f"{use.__name__}.launch.py", *arguments)) as launch,
    ):
        with RosPeer() as peer:
            use(launch, peer, ports)
        launch.interrupt_group()
        assert launch.wait() == 0, launch.lines.items
        assert launch.session() == []
        assert not [line for line in launch.lines.items if "Traceback" in line]


def test_the_two_commands_of_the_readme_pasted_at_once():
    """Nothing is there yet when the goal is sent."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    given = [shlex.split(line) for line in re.findall(r"^tools/ros2 (.*)$", text, re.MULTILINE)]
    (start,) = (words for words in given if words[-1] == "nao.launch.py")
    (send,) = (words for words in given if words[:3] == ["action", "send_goal", "/nao/go_to"])
    launch = Process(ros2(*start, f"port:={free_port()}"))
    with launch, Process(ros2(*send)) as client:
        assert client.wait(60.0) == 0, client.lines.items
        assert client.lines.last == "Goal finished with status: SUCCEEDED", launch.lines.items


@pytest.mark.parametrize("robot, task, action", [
    ("nao", "errand", "go_to"), ("aibo", "ball_game", "search_ball"),
])  # fmt: skip
def test_an_example_task_waits_for_its_robot(robot, task, action):
    arguments = (f"{task}:=true", f"port:={free_port()}")
    with Process(launch_command(f"{robot}.launch.py", *arguments)) as launch:
        first = launch.wait_for_line(rf"\b{action}: (succeeded|aborted|link lost)")
        assert f"{action}: succeeded" in first


def test_every_launch_file_is_brought_up():
    """The demonstration, which starts the five systems at once, has its own tests."""
    files = {path.name.split(".")[0] for path in ROOT.glob("launch/*.launch.py")}
    assert {use.__name__ for use in BRINGUPS} == files - {"demo"}
