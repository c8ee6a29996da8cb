# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The bridge node: Myrobot as a drone that takes off, lands and flies by cmd_vel."""

from __future__ import annotations

import sys
from importlib.resources import files
from typing import Any

from sensor_msgs.msg import BatteryState, Range

from legacy_robots_common.bridge.bridge_node import BridgeNode
from legacy_robots_common.bridge.velocity_topic import VelocityTopic
from legacy_robots_common.frames.odometry import Odometry
from legacy_robots_common.frames.robot_description import RobotDescription
from legacy_robots_common.goals.velocity import Velocity
from legacy_robots_common.node import qos
from legacy_robots_common.node.lazy_publisher import LazyPublisher
from legacy_robots_common.node.main import run
from legacy_robots_common.node.parameters import declare_parameters

from . import conversions, protocol
from .actions import LandAction, TakeOffAction
from .link import MyrobotLink
from .parameters import Parameters


class MyrobotBridge(BridgeNode):
    """Topics and actions of one Myrobot."""

    def __init__(self, **node_arguments: Any) -> None:
        super().__init__(hardware_id="myrobot", namespace="myrobot", **node_arguments)
        self.settings = p = declare_parameters(self, Parameters)
        self.reading: protocol.Reading | None = None
        urdf = files(__package__).joinpath("urdf/myrobot.urdf").read_text()
        self._description = RobotDescription(self, urdf, p.frame_prefix)
        self._odometry = Odometry(self, p.frame_prefix)
        self._battery = LazyPublisher(self, BatteryState, "battery", qos.stream())
        self._altitude = LazyPublisher(self, Range, "altitude", qos.stream())
        self.link = MyrobotLink(p, self)
        self._velocity = Rotors(self, p.limits, stamped=p.enable_stamped_cmd_vel)
        self._actions = [TakeOffAction(self), LandAction(self)]
        for action in self._actions:
            action.others = [other for other in self._actions if other is not action]
        self.use_link(self.link, p.first_connection_timeout)

    def on_event(self, event: protocol.Reading) -> None:
        """Publish what is measured, and go on with goals. On the link's thread."""
        self.counters.add("readings")
        self.reading = event
        stamp, at = self.stamp(), self._odometry
        at.x, at.y, at.z, at.yaw = event.x, event.y, event.altitude, event.yaw
        at.publish(stamp)
        self._battery.publish(conversions.battery(event, stamp))
        self._altitude.publish(conversions.altitude(event, self.settings.frame_prefix, stamp))
        for action in self._actions:
            action.follow(event)

    def make_safe(self, reason: str) -> None:
        """Have it hover, if it can be reached."""
        self._velocity.stop()


class Rotors(VelocityTopic):
    """Flies by cmd_vel."""

    _node: MyrobotBridge

    def refusal(self, now: float) -> str:
        """Return why it may not fly now."""
        if reason := super().refusal(now):
            return reason
        reading = self._node.reading
        hovers = reading is not None and reading.state == "HOVERS"
        return "" if hovers else "it does not hover: take_off first"

    def send(self, velocity: Velocity) -> None:
        """Fly. Raises NotConnectedError."""
        forward, left, turn, upward = velocity
        self._node.link.command(protocol.fly(forward, left, turn, upward))


def main() -> None:
    """Run the bridge until SIGINT or SIGTERM."""
    sys.exit(run(MyrobotBridge, Parameters))
