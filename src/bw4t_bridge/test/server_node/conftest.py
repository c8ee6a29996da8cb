# SPDX-License-Identifier: Apache-2.0
"""Server nodes, and what users of their interface do most."""

from __future__ import annotations

import pytest
from legacy_robots_msgs.action import Bw4tGoTo
from legacy_robots_msgs.srv import Bw4tStep

from bw4t_bridge.node import Bw4tServer
from bw4t_world.scenarios import Scenario, write_scenario
from legacy_robots_common.testing.ros_peer import RosPeer
from legacy_robots_common.testing.running_node import RunningNode


@pytest.fixture
def serve():
    """Run a server with parameters, beside a peer: gives both."""
    running = []

    def serve(**parameters):
        node = RunningNode(Bw4tServer, {"seed": 1, **parameters})
        running.append(node)
        server = node.__enter__()
        peer = RosPeer(namespace="bw4t")
        running.append(peer)
        return server, peer.__enter__()

    yield serve
    for item in reversed(running):
        item.__exit__(None, None, None)


@pytest.fixture(scope="session")
def step():
    """Return a function that lets a world make ticks, and returns the last."""

    def step(peer, ticks):
        response = peer.call(Bw4tStep, "step", Bw4tStep.Request(ticks=ticks))
        assert response.success, response.message
        return response.tick

    return step


@pytest.fixture(scope="session")
def go():
    """Return a function that sends a player to a place, and returns the goal."""

    def go(peer, player, place):
        return peer.send_goal(Bw4tGoTo, f"{player}/go_to", Bw4tGoTo.Goal(place=place))

    return go


@pytest.fixture
def scenario_file(tmp_path):
    """Return a function that writes a scenario, and returns the name of the file."""

    def scenario_file(*bots, epartners=()):
        path = tmp_path / "scenario.xml"
        write_scenario(Scenario(bots=bots, epartners=epartners), path)
        return str(path)

    return scenario_file
