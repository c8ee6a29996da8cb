# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Two computers: a robot's bridge on one, its user on the other, as docs/computers.md says."""

import os
import re
import shutil
import socket
import sys
from contextlib import contextmanager

import pytest

from legacy_robots_testing.computers import (
    SERVER,
    WAYS,
    discovery,
    two_computers,
    why_impossible,
)
from legacy_robots_testing.machine import free_port, launch_command, ros2

CUT_S = 6.0
GOALS = {
    "nao": ("/nao/go_to", "legacy_robots_msgs/action/NaoGoTo", "{marker_id: %d}"),
    "aibo": ("/aibo/walk_steps", "legacy_robots_msgs/action/AiboWalkSteps", "{x: 0.1}"),
}
SUBNET = {"ROS_AUTOMATIC_DISCOVERY_RANGE": "SUBNET"}
ROBOT_DIALS = ("nao",)
LINK_LOST = re.compile("link lost|no connection|does not answer")
LOSSES = 3
"""A robot that does not answer for 1.5 s is lost: TCP needs that where four frames are lost."""


@pytest.fixture(scope="module")
def network():
    """Two computers and the network between them."""
    if reason := why_impossible():
        pytest.skip(reason)
    with two_computers(seed=1) as network:
        yield network


@pytest.fixture
def computers(network):
    """Two computers on a good network."""
    a, b, cable = network
    yield a, b
    cable.delay = cable.loss = 0.0
    cable.plug(True)


@pytest.fixture
def poor_network(network, computers):
    """The same network with 100 ms there and back, and a loss of 5 % of the frames."""
    cable = network[2]
    cable.delay, cable.loss = 0.05, 0.05
    return cable


@contextmanager
def nao_on(computer, environment):
    """Launch the Nao on a computer, and wait until it has its simulator."""
    command = launch_command("nao.launch.py", f"port:={free_port()}")
    with computer.run(command, environment) as launch:
        launch.wait_for_line("link connected")
        yield launch


def succeed(computer, environment, marker=80, robot="nao", losses=0):
    """Have a robot do something, asked for on a computer: one end, and a good one.

    Before it, as many goals as ``losses`` may end by the loss of the link.
    """
    action, kind, goal = GOALS[robot]
    goal = goal % marker if "%" in goal else goal
    with computer.run(ros2("action", "send_goal", action, kind, goal), environment) as client:
        client.wait(90.0)
        ends = [line for line in client.lines.items if "Goal finished with status" in line]
        output = "\n".join(client.lines.items)
    if losses and ends == ["Goal finished with status: ABORTED"] and LINK_LOST.search(output):
        succeed(computer, environment, marker, robot, losses - 1)
    else:
        assert ends == ["Goal finished with status: SUCCEEDED"], output


def hears_more(echo, timeout=60.0):
    """Wait until another message has come."""
    before = len(echo.lines.items)
    echo.lines.wait_for_count(before + 20, timeout)


def test_again_after_a_cut(network, computers):
    a, b = computers
    cable = network[2]
    with nao_on(a, SUBNET), b.run(ros2("topic", "echo", "/nao/sightings"), SUBNET) as echo:
        echo.wait_for_line("marker_id")
        succeed(b, SUBNET)
        cable.plug(False)
        with pytest.raises(TimeoutError):
            echo.lines.wait_for_count(10**9, CUT_S)  # nothing new would end it earlier
        cable.plug(True)
        hears_more(echo)
        succeed(b, SUBNET, 64)


@pytest.mark.parametrize("way", WAYS)
def test_with_delay_and_loss(computers, poor_network, way):
    """DDS itself over a poor network: the goal ends once, and the link is seen on both."""
    if way == "discovery server" and shutil.which(SERVER) is None:
        pytest.skip(f"needs {SERVER} of Fast DDS on PATH")
    with (
        discovery(way, *computers) as (here, there),
        nao_on(computers[0], here),
        computers[0].run(ros2("topic", "echo", "/nao/link_state"), here) as near,
        computers[1].run(ros2("topic", "echo", "/nao/link_state"), there) as far,
    ):
        succeed(computers[1], there)
        for echo in (near, far):
            echo.wait_for_line("detail: connected")


def test_two_laboratories_on_one_network_are_apart_by_their_domains(computers):
    a, b = computers
    ours, theirs = (str((int(os.environ["ROS_DOMAIN_ID"]) + i) % 100) for i in (0, 1))
    look = ros2("topic", "list", "--include-hidden-topics")
    with nao_on(a, {**SUBNET, "ROS_DOMAIN_ID": ours}):
        for domain in (ours, theirs):
            with b.run(look, {**SUBNET, "ROS_DOMAIN_ID": domain}) as topics:
                assert topics.wait(60.0) == 0
                assert ("/nao/location" in topics.lines.items) is (domain == ours)


@pytest.mark.parametrize("robot", GOALS)
def test_the_wire_of_the_robot_over_a_poor_network(computers, poor_network, robot):
    """The robot on one computer, its bridge and its user on the other; the wire is cut, too.

    The Nao dials its bridge, the bridge dials the AIBO.
    """
    a, b = computers
    port = str(free_port())
    package = {"nao": "nao_goal_bridge", "aibo": "aibo_gti_bridge"}[robot]
    if robot in ROBOT_DIALS:
        simulator, bridge = ["--host", b.address], ["host:=0.0.0.0"]
    else:
        simulator, bridge = ["--host", a.address], [f"host:={a.address}"]
    device = ros2("run", package, "simulator", *simulator, "--port", port)
    command = launch_command(f"{robot}.launch.py", "simulate:=false", f"port:={port}", *bridge)
    with b.run(command, SUBNET) as launch, a.run(device, {}):
        launch.wait_for_line("link connected")
        succeed(b, SUBNET, robot=robot, losses=LOSSES)
        launch.lines.clear()  # losses may have cost a connection already
        poor_network.plug(False)
        launch.wait_for_line(r"link fault|\blost: ")
        launch.lines.clear()
        poor_network.plug(True)
        launch.wait_for_line("link connected")
        succeed(b, SUBNET, 64, robot=robot, losses=LOSSES)


def test_nothing_remains_of_the_computers():
    if reason := why_impossible():
        pytest.skip(reason)
    before = {name for _, name in socket.if_nameindex()}
    with two_computers() as (a, b, cable):
        connect = f"import socket; socket.create_connection(('{b.address}', 9), 30.0)"
        with a.run([sys.executable, "-c", connect], {}) as client:
            client.wait_for_line("ConnectionRefusedError")
        assert cable.passed > 0
        assert b.shared_memory.is_dir()
    assert {name for _, name in socket.if_nameindex()} == before
    assert not b.shared_memory.exists()
