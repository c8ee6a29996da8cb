# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The bridge node: Roomba as a mobile base with cmd_vel, odometry and sensors."""

from __future__ import annotations

import sys
from importlib.resources import files
from typing import Any

from sensor_msgs.msg import BatteryState
from std_msgs.msg import Bool

from legacy_robots_common.bridge.bridge_node import BridgeNode
from legacy_robots_common.bridge.velocity_topic import VelocityTopic
from legacy_robots_common.frames.odometry import Odometry
from legacy_robots_common.frames.robot_description import RobotDescription
from legacy_robots_common.goals.velocity import Velocity
from legacy_robots_common.node import qos
from legacy_robots_common.node.lazy_publisher import LazyPublisher
from legacy_robots_common.node.main import run
from legacy_robots_common.node.parameters import declare_parameters
from legacy_robots_navigation.drive_to_pose import DriveToPose

from . import conversions, protocol
from .link import RoombaLink
from .parameters import Parameters


class RoombaBridge(BridgeNode):
    """Topics and actions of one Roomba."""

    def __init__(self, **node_arguments: Any) -> None:
        super().__init__(hardware_id="roomba", namespace="roomba", **node_arguments)
        self.settings = p = declare_parameters(self, Parameters)
        urdf = files(__package__).joinpath("urdf/roomba.urdf").read_text()
        self._description = RobotDescription(self, urdf, p.frame_prefix)
        self._odometry = Odometry(self, p.frame_prefix)
        self._battery = LazyPublisher(self, BatteryState, "battery", qos.stream())
        self._bumper = LazyPublisher(self, Bool, "bumper", qos.stream())
        self._last: protocol.Reading | None = None
        self.link = RoombaLink(p, self)
        self._velocity = Wheels(self, p.limits, stamped=p.enable_stamped_cmd_vel)
        self._drive_to = DriveToPose(self, self._odometry, p.limits, self._velocity.send)
        self.use_link(self.link, p.first_connection_timeout)

    def on_event(self, event: protocol.Reading) -> None:
        """Publish what is measured. On the link's thread."""
        self.counters.add("readings")
        last, self._last = self._last or event, event
        left = protocol.turned(last.left, event.left)
        right = protocol.turned(last.right, event.right)
        self._odometry.move(0.5 * (left + right), turn=(right - left) / protocol.WHEEL_BASE_M)
        stamp = self.stamp()
        self._odometry.publish(stamp)
        self._battery.publish(conversions.battery(event, stamp))
        self._bumper.publish(Bool(data=event.bumper))
        if event.bumper:
            self._drive_to.blocked("the bumper is pressed")
        self._drive_to.follow()

    def on_disconnected(self, reason: str) -> None:
        """Forget the counts: the wheels may turn meanwhile, and begin again from 0."""
        self._last = None

    def make_safe(self, reason: str) -> None:
        """Stop it, if it can be reached."""
        self._velocity.stop()


class Wheels(VelocityTopic):
    """Drives by cmd_vel."""

    _node: RoombaBridge

    def send(self, velocity: Velocity) -> None:
        """Drive. Raises NotConnectedError."""
        forward, _, turn = velocity
        self._node.link.command(protocol.drive(forward, turn))


def main() -> None:
    """Run the bridge until SIGINT or SIGTERM."""
    sys.exit(run(RoombaBridge, Parameters))
