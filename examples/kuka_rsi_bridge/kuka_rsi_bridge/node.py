# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The bridge node: a KUKA arm with follow_joint_trajectory."""

from __future__ import annotations

import sys
import threading
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from legacy_robots_common.bridge.bridge_node import BridgeNode
from legacy_robots_common.frames.robot_description import RobotDescription
from legacy_robots_common.node.main import run
from legacy_robots_common.node.parameters import declare_parameters
from legacy_robots_trajectories.position_joints import PositionJoints
from legacy_robots_trajectories.trajectory_server import DefaultTolerances, TrajectoryServer

from . import protocol
from .link import KukaRsiLink
from .parameters import Parameters

TOLERANCES = DefaultTolerances(path=0.0, goal=0.05, goal_time=1.0)
"""rad (0: any) and s, of goals that give none."""


class KukaRsiBridge(BridgeNode):
    """Topics and actions of one arm."""

    def __init__(self, **node_arguments: Any) -> None:
        super().__init__(hardware_id="kuka_rsi", namespace="kuka_rsi", **node_arguments)
        self.settings = p = declare_parameters(self, Parameters)
        urdf = files(__package__).joinpath("urdf/kuka_rsi.urdf").read_text()
        self._description = RobotDescription(self, urdf, p.frame_prefix)
        self._joints = PositionJoints(self._description.model, self._send)
        self._lock = threading.RLock()
        self._trajectories = TrajectoryServer(self, self._joints, TOLERANCES, lock=self._lock)
        self._late = 0
        self.link = KukaRsiLink(p, self)
        self.use_link(self.link, p.first_connection_timeout)

    def on_event(self, event: protocol.State) -> None:
        """Publish where the joints are, and go on with trajectories. On the link's thread."""
        self.counters.add("cycles")
        positions = dict(zip(self._joints.names, event.positions, strict=True))
        self._description.publish(positions, self.stamp())
        if event.late > self._late:
            self.on_problem("late answers", "the controller had no answer within its cycle")
        self._late = event.late
        with self._lock:
            self._joints.seen(positions)
            self._trajectories.follow_all(self.now())

    def on_disconnected(self, reason: str) -> None:
        """Forget where the joints were."""
        with self._lock:
            self._joints.seen({})

    def make_safe(self, reason: str) -> None:
        """Have it stay where it is."""
        self.link.targets = None

    def _send(self, targets: Mapping[str, float]) -> None:
        """Go to positions; joints that are not named stay."""
        self.link.targets = tuple({**self._joints.positions, **targets}.values())


def main() -> None:
    """Run the bridge until SIGINT or SIGTERM."""
    sys.exit(run(KukaRsiBridge, Parameters))
