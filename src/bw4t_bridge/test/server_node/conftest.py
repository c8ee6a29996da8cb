# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Server nodes, and what users of their interface do most."""

from __future__ import annotations

import threading
from contextlib import contextmanager

import pytest
from rclpy.executors import SingleThreadedExecutor

from bw4t_bridge.bridge.node import Bw4tServer
from bw4t_world.scenarios import Scenario
from bw4t_world.scenarios.writer import write_scenario
from legacy_robots_msgs.action import Bw4tGoTo
from legacy_robots_msgs.srv import Bw4tStep
from legacy_robots_testing.ros_peer import RosPeer
from legacy_robots_testing.running_node import RunningNode


class Servers:
    """Runs servers, each with a peer."""

    def __init__(self):
        self.running = []

    def __call__(self, *, order=SingleThreadedExecutor, **parameters):
        """Run a server with parameters on an executor of a kind, beside a peer: gives both."""
        node = RunningNode(Bw4tServer, {"seed": 1, **parameters}, order)
        self.running.append(node)
        peer = RosPeer(namespace="bw4t")
        self.running.append(peer)
        return node.node, peer

    def stop(self, server):
        """Have a server end as by a signal to its program."""
        next(node for node in self.running if getattr(node, "node", None) is server).stop()


@pytest.fixture
def serve():
    servers = Servers()
    yield servers
    for item in reversed(servers.running):
        item.__exit__(None, None, None)


@pytest.fixture(scope="session")
def standstill():
    """Return a context manager that holds up the executor of a server, not its world's thread."""

    @contextmanager
    def standstill(server):
        begun, may_go_on = threading.Event(), threading.Event()

        def stand_still():
            begun.set()
            may_go_on.wait()

        server.call_soon(stand_still)
        begun.wait()
        try:
            yield
        finally:
            may_go_on.set()

    return standstill


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
