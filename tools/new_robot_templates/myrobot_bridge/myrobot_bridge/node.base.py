# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The bridge node: Myrobot as a mobile base with cmd_vel, odometry and sensors."""

from __future__ import annotations

import sys
from importlib.resources import files
from typing import Any

from sensor_msgs.msg import BatteryState, Range
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
# --- if action
from legacy_robots_navigation.drive_to_pose import DriveToPose
# --- end

from . import conversions, protocol
from .link import MyrobotLink
from .parameters import Parameters


class MyrobotBridge(BridgeNode):
    """Topics and actions of one Myrobot."""

    def __init__(self, **node_arguments: Any) -> None:
        super().__init__(hardware_id="myrobot", namespace="myrobot", **node_arguments)
        self.settings = p = declare_parameters(self, Parameters)
        urdf = files(__package__).joinpath("urdf/myrobot.urdf").read_text()
        self._description = RobotDescription(self, urdf, p.frame_prefix)
        self._odometry = Odometry(self, p.frame_prefix)
        self._battery = LazyPublisher(self, BatteryState, "battery", qos.stream())
        self._range = LazyPublisher(self, Range, "range", qos.stream())
        self._bumper = LazyPublisher(self, Bool, "bumper", qos.stream())
        self._last: protocol.Reading | None = None
        self.link = MyrobotLink(p, self)
        self._velocity = Wheels(self, p.limits, stamped=p.enable_stamped_cmd_vel)
        # --- if action
        self._drive_to = DriveToPose(self, self._odometry, p.limits, self._velocity.send)
        # --- end
        self.use_link(self.link, p.first_connection_timeout)

    def on_event(self, event: protocol.Reading) -> None:
        """Publish what is measured. On the link's thread."""
        self.counters.add("readings")
        stamp, prefix = self.stamp(), self.settings.frame_prefix
        last, self._last = self._last or event, event
        self._odometry.move(event.driven - last.driven, turn=event.turned - last.turned)
        self._odometry.publish(stamp)
        self._battery.publish(conversions.battery(event, stamp))
        self._range.publish(conversions.away(event, prefix, stamp))
        self._bumper.publish(Bool(data=event.bumper))
        # --- if action
        if event.bumper:
            self._drive_to.blocked("the bumper is pressed")
        self._drive_to.follow()
        # --- end

    def on_disconnected(self, reason: str) -> None:
        """Forget the last reading: how far it goes meanwhile is not known."""
        self._last = None

    def make_safe(self, reason: str) -> None:
        """Stop it, if it can be reached."""
        self._velocity.stop()


class Wheels(VelocityTopic):
    """Drives by cmd_vel."""

    _node: MyrobotBridge

    def send(self, velocity: Velocity) -> None:
        """Drive. Raises NotConnectedError."""
        forward, _, turn = velocity
        self._node.link.command(protocol.drive(forward, turn))


def main() -> None:
    """Run the bridge until SIGINT or SIGTERM."""
    sys.exit(run(MyrobotBridge, Parameters))
