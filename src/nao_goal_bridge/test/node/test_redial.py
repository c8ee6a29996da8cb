# SPDX-License-Identifier: Apache-2.0
"""A robot that closes its connection with the bridge's program and dials again at once."""

import os
import signal
import socket

from legacy_robots_msgs.msg import LinkState
from std_srvs.srv import Trigger

from legacy_robots_common.testing.machine import free_port, ros2
from legacy_robots_common.testing.process import Process
from legacy_robots_common.testing.ros_peer import RosPeer, wait
from nao_goal_bridge.protocol import Agent, Halt, Location, Success, encode
from nao_goal_bridge.protocol.dialects import Dialect

SPEC = Dialect()
GREETING = b"".join(encode(event, SPEC) for event in (Agent(31), Location(64)))
REDIALS = 100


def test_each_redial_is_served_also_while_the_program_is_stopped_and_continued():
    port = free_port()
    command = ros2("run", "nao_goal_bridge", "bridge", "--ros-args", "-p", f"port:={port}")
    with Process(command) as bridge, RosPeer() as peer:
        link = peer.subscribe(LinkState, "/nao/link_state")
        link.wait_for(lambda m: "waiting for a connection" in m.detail)

        def dial():
            stream = socket.create_connection(("127.0.0.1", port), 40)
            stream.sendall(GREETING)
            return stream

        stream = dial()
        link.wait_for(lambda m: m.state == LinkState.CONNECTED)
        for number in range(REDIALS):
            stopped = number % 2 == 1
            if stopped:
                os.killpg(bridge.pid, signal.SIGSTOP)
            stream.close()
            stream = dial()
            if stopped:
                os.killpg(bridge.pid, signal.SIGCONT)
            link.wait_for(
                lambda m, n=number: m.state == LinkState.CONNECTED and m.connections == n + 2
            )
        halted = peer.call_later(Trigger, "/nao/halt")
        assert stream.recv(1) == encode(Halt(), SPEC)
        stream.sendall(encode(Success(Halt.opcode), SPEC))
        assert wait(halted, "halt").success
        assert not [line for line in bridge.lines.items if "turned away" in line]
        stream.close()
