# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A peer that closes its connection and dials again at once is served, by every server of ours."""

import os
import signal
import socket

import pytest

from legacy_robots_msgs.msg import LinkState
from legacy_robots_testing.machine import free_port, ros2
from legacy_robots_testing.process import Process
from legacy_robots_testing.ros_peer import RosPeer
from nao_goal_bridge.protocol import Agent, Location, encode
from nao_goal_bridge.protocol.dialects import Dialect

REDIALS = 100
GREETING = b"".join(encode(event, Dialect()) for event in (Agent(31), Location(64)))
NODES = {
    "nao_goal_bridge/bridge": ("/nao", GREETING),
    "nao_goal_bridge/host": ("/nao_host", b""),
    "aibo_gti_bridge/gti_host": ("/gti_host", b""),
}
SIMULATORS = ("nao_goal_bridge", "aibo_gti_bridge")


def redial(process, port, is_served, greeting=b""):
    """Dial again and again; every second time while the process is stopped."""

    def dial():
        stream = socket.create_connection(("127.0.0.1", port), 40)
        stream.sendall(greeting)
        return stream

    stream = dial()
    is_served(1)
    for number in range(REDIALS):
        stopped = number % 2 == 1
        if stopped:
            os.killpg(process.pid, signal.SIGSTOP)
        stream.close()
        stream = dial()
        if stopped:
            os.killpg(process.pid, signal.SIGCONT)
        is_served(number + 2)
    stream.close()
    refused = [line for line in process.lines.items if "turned away" in line or "refusing" in line]
    assert not refused


@pytest.mark.parametrize("program", NODES)
def test_a_node_serves_each_of_them(program):
    port, (namespace, greeting) = free_port(), NODES[program]
    given = ["--ros-args", "-p", f"port:={port}", "-p", "role:=listen"]
    with Process(ros2("run", *program.split("/"), *given)) as node, RosPeer() as peer:
        link = peer.subscribe(LinkState, f"{namespace}/link_state")
        link.wait_for(lambda m: "waiting for a connection" in m.detail)

        def is_served(connections):
            link.wait_for(
                lambda m: m.state == LinkState.CONNECTED and m.connections == connections
            )

        redial(node, port, is_served, greeting)


@pytest.mark.parametrize("package", SIMULATORS)
def test_a_simulator_serves_each_of_them(package):
    port = free_port()
    role = ["--role", "listen"] if package == "nao_goal_bridge" else []
    with Process(ros2("run", package, "simulator", "--port", port, *role)) as simulator:
        simulator.wait_for_line("listening on")

        def is_served(connections):
            simulator.lines.wait_for(
                lambda _: (
                    sum("connected with" in line for line in simulator.lines.items) == connections
                )
            )

        redial(simulator, port, is_served)
