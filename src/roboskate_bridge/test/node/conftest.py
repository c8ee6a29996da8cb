# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The real node beside a simulated game over the real wire, and a user's node."""

from __future__ import annotations

from contextlib import contextmanager

import pytest
from rclpy.executors import SingleThreadedExecutor
from std_srvs.srv import Trigger

from legacy_robots_common.node import qos
from legacy_robots_msgs.msg import LinkState
from legacy_robots_msgs.srv import RoboSkateInitialize, RoboSkateRunGame
from legacy_robots_testing.ros_peer import RosPeer
from legacy_robots_testing.running_node import RunningNode
from roboskate_bridge.bridge.node import RoboSkateBridge
from roboskate_bridge.drivers.messages import keys_message

STREAM = qos.stream(500)


class World:
    """A bridge, its game and a user's node."""

    def __init__(self, game, running, peer):
        self.game, self.node, self.peer = game, running.node, peer
        self.stop = running.stop
        self.link = peer.subscribe(LinkState, "/roboskate/link_state")

    def wait_for_link(self, connections=1):
        return self.link.wait_for(
            lambda m: m.state == LinkState.CONNECTED and m.connections >= connections
        )

    def stream(self, kind, topic):
        return self.peer.subscribe(kind, topic, STREAM)

    def call_later(self, name):
        """Call one of the services; return the future of its response."""
        kind = {"run_game": RoboSkateRunGame, "initialize": RoboSkateInitialize}.get(name, Trigger)
        request = RoboSkateRunGame.Request(seconds=0.05) if name == "run_game" else None
        return self.peer.call_later(kind, f"/roboskate/{name}", request)

    def run_game(self, seconds, keys=None):
        request = RoboSkateRunGame.Request(seconds=seconds)
        if keys is not None:
            request.hold_keys, request.keys = True, keys_message(keys)
        return self.peer.call(RoboSkateRunGame, "/roboskate/run_game", request)

    def initialize(self, level):
        request = RoboSkateInitialize.Request(level=level)
        return self.peer.call(RoboSkateInitialize, "/roboskate/initialize", request)

    def trigger(self, name):
        return self.peer.call(Trigger, f"/roboskate/{name}")


@pytest.fixture
def make_world(make_game):
    @contextmanager
    def make(
        profile="spec", transport="grpc", size=(64, 36), fault_seconds=1.0,
        executor_type=SingleThreadedExecutor, faults=(), **parameters,
    ):  # fmt: skip
        game = make_game(
            profile,
            size=size,
            faults=faults,
            fault_after=3600.0,
            fault_seconds=fault_seconds,
            image_format="jpeg",
        )
        port = game.port if transport == "grpc" else game.http_port
        parameters = {
            "profile": profile, "transport": transport, "port": port,
            "image_width": size[0], "image_height": size[1],
            # Longer than a busy machine stands still.
            "call_timeout": 2.0, "camera_timeout": 3.0, **parameters,
        }  # fmt: skip
        running = RunningNode(RoboSkateBridge, parameters, executor_type)
        with running, RosPeer() as peer:
            yield World(game, running, peer)

    return make
