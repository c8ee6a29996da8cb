# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The real node beside a simulated robot, and a user's node."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Any

import pytest

from legacy_robots_msgs.msg import LinkState
from legacy_robots_testing.ros_peer import RosPeer
from legacy_robots_testing.running_node import RunningNode
from luar_bridge.bridge.node import LuarBridge
from luar_bridge.simulator.arguments import argument_parser
from luar_bridge.simulator.program import LuarSimulator


@dataclass
class World:
    """A bridge, its simulated robot and a user's node."""

    robot: LuarSimulator
    peer: RosPeer
    link: Any

    def wait_for_link(self, state: int, detail: str = "") -> LinkState:
        return self.link.wait_for(lambda m: m.state == state and detail in m.detail)

    def call(self, service_type: type[Any], service: str, **request: Any) -> Any:
        return self.peer.call(service_type, f"/luar/{service}", service_type.Request(**request))


@pytest.fixture
def make_world(user: str) -> Callable[..., AbstractContextManager[World]]:
    """Run a bridge beside a robot without joints (their segments would be everybody's).

    The robot is to be started unless it ``is_there``.
    """

    @contextmanager
    def make(*arguments: str, is_there: bool = True, **parameters: Any) -> Iterator[World]:
        given = ["--profile", "webots", "--user", user, "--fault-seconds", "2.5", *arguments]
        options: argparse.Namespace = argument_parser().parse_args(given)
        robot = LuarSimulator(options)
        if is_there:
            robot.start()
        parameters = {"user": user, "joints": False, "stale_after": 1.5, **parameters}
        try:
            with RosPeer() as peer, RunningNode(LuarBridge, parameters):
                yield World(robot, peer, peer.subscribe(LinkState, "/luar/link_state"))
        finally:
            robot.close()

    return make
