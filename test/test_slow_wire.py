# SPDX-License-Identifier: Apache-2.0
"""Robots over a poor network: 100 ms there and back, 5 % loss, and a cut of the wire."""

import pytest
from legacy_robots_msgs.action import AiboWalkSteps, NaoGoTo
from legacy_robots_msgs.msg import LinkState

from legacy_robots_common.node import qos
from legacy_robots_common.testing.machine import free_ports, launch_command, ros2
from legacy_robots_common.testing.process import Process
from legacy_robots_common.testing.ros_peer import RosPeer
from legacy_robots_common.testing.slow_wire import SlowWire

NETWORK = {"delay": 0.05, "loss": 0.05, "seed": 1}
# For each: action, goal, and whether the robot dials its bridge, or the bridge the robot.
SYSTEMS = {
    "nao": ("nao_goal_bridge", NaoGoTo, "go_to", NaoGoTo.Goal(marker_id=80), True),
    "aibo": ("aibo_gti_bridge", AiboWalkSteps, "walk_steps", AiboWalkSteps.Goal(x=0.1), False),
}


@pytest.mark.parametrize("name", SYSTEMS)
def test_goals_succeed_and_the_link_comes_back(name):
    package, kind, action, goal, robot_dials = SYSTEMS[name]
    near, far = free_ports(2)
    bridge_port, robot_port = (far, near) if robot_dials else (near, far)
    launch = launch_command(f"{name}.launch.py", "simulate:=false", f"port:={bridge_port}")
    robot = ros2("run", package, "simulator", "--port", robot_port)
    with (
        SlowWire(near, far, **NETWORK) as wire,
        Process(launch),
        Process(robot),
        RosPeer() as peer,
    ):
        link = peer.subscribe(LinkState, f"/{name}/link_state", qos.LATCHED)
        for connections in (1, 2):
            link.wait_for(
                lambda m, n=connections: m.state == LinkState.CONNECTED and m.connections >= n,
                60.0,
            )
            result = peer.send_goal(kind, f"/{name}/{action}", goal).result(60.0)
            assert result.outcome.code == 0, result.outcome.message
            assert link.last.state == LinkState.CONNECTED
            wire.cut()
        link.wait_for(lambda m: m.state != LinkState.CONNECTED and m.connections >= 2)
