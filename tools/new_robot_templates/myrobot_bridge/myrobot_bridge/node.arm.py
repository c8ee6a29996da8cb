# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The bridge node: Myrobot as an arm with follow_joint_trajectory."""

from __future__ import annotations

import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from importlib.resources import files
from typing import Any

from legacy_robots_common.bridge.bridge_node import BridgeNode
from legacy_robots_common.frames.robot_description import RobotDescription
from legacy_robots_common.node.main import run
from legacy_robots_common.node.parameters import declare_parameters
from legacy_robots_core.link.base import NotConnectedError
from legacy_robots_trajectories.position_joints import PositionJoints
from legacy_robots_trajectories.trajectory_server import DefaultTolerances, TrajectoryServer

from . import protocol
from .link import MyrobotLink
from .parameters import Parameters

TOLERANCES = DefaultTolerances(path=0.0, goal=0.05, goal_time=1.0)
"""rad (0: any) and s, of goals that give none."""


class MyrobotBridge(BridgeNode):
    """Topics and actions of one Myrobot."""

    def __init__(self, **node_arguments: Any) -> None:
        super().__init__(hardware_id="myrobot", namespace="myrobot", **node_arguments)
        self.settings = p = declare_parameters(self, Parameters)
        urdf = files(__package__).joinpath("urdf/myrobot.urdf").read_text()
        self._description = RobotDescription(self, urdf, p.frame_prefix)
        self._joints = PositionJoints(self._description.model, self._send)
        self._lock = threading.RLock()
        self._trajectories = TrajectoryServer(self, self._joints, TOLERANCES, lock=self._lock)
        self.link = MyrobotLink(p, self)
        self.use_link(self.link, p.first_connection_timeout)

    def on_event(self, event: protocol.Reading) -> None:
        """Publish where the joints are, and go on with trajectories. On the link's thread."""
        self.counters.add("readings")
        positions = dict(zip(self._joints.names, event.positions, strict=True))
        self._description.publish(positions, self.stamp())
        with self._lock:
            self._joints.seen(positions)
            self._trajectories.follow_all(self.now())

    def on_disconnected(self, reason: str) -> None:
        """Forget where the joints were."""
        with self._lock:
            self._joints.seen({})

    def make_safe(self, reason: str) -> None:
        """Stop it, if it can be reached."""
        with suppress(NotConnectedError):
            self.link.command(protocol.STOP)

    def _send(self, targets: Mapping[str, float]) -> None:
        """Send positions; joints that are not named stay. Raises NotConnectedError."""
        positions = {**self._joints.positions, **targets}
        self.link.command(protocol.move(list(positions.values())))


def main() -> None:
    """Run the bridge until SIGINT or SIGTERM."""
    sys.exit(run(MyrobotBridge, Parameters))
