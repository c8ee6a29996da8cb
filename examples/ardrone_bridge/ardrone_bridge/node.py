# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The bridge node: AR.Drone as a drone that takes off, lands and flies by cmd_vel."""

from __future__ import annotations

import math
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
from .link import ArdroneLink
from .parameters import Parameters


class ArdroneBridge(BridgeNode):
    """Topics and actions of one AR.Drone."""

    def __init__(self, **node_arguments: Any) -> None:
        super().__init__(hardware_id="ardrone", namespace="ardrone", **node_arguments)
        self.settings = p = declare_parameters(self, Parameters)
        self.reading: protocol.Reading | None = None
        self._moved_at: float | None = None
        urdf = files(__package__).joinpath("urdf/ardrone.urdf").read_text()
        self._description = RobotDescription(self, urdf, p.frame_prefix)
        self._odometry = Odometry(self, p.frame_prefix)
        self._battery = LazyPublisher(self, BatteryState, "battery", qos.stream())
        self._altitude = LazyPublisher(self, Range, "altitude", qos.stream())
        self.link = ArdroneLink(p, self)
        self._velocity = Rotors(self, p.limits, stamped=p.enable_stamped_cmd_vel)
        self._actions = [TakeOffAction(self), LandAction(self)]
        for action in self._actions:
            action.others = [other for other in self._actions if other is not action]
        self.use_link(self.link, p.first_connection_timeout)

    def on_event(self, event: protocol.Navdata) -> None:
        """Publish what is measured, and go on with goals. On the link's thread."""
        reading = self.reading = event.reading
        if reading is None:
            return  # it has not been configured yet
        self.counters.add("readings")
        now, at = self.now(), self._odometry
        passed, self._moved_at = now - (self._moved_at or now), now
        forward, right = reading.velocity
        turned = math.remainder(-reading.yaw - at.yaw, math.tau)
        at.move(forward * passed, -right * passed, turned)
        at.z = reading.altitude
        stamp = self.stamp()
        at.publish(stamp, forward, -right)
        self._battery.publish(conversions.battery(reading, stamp))
        self._altitude.publish(conversions.altitude(reading, self.settings.frame_prefix, stamp))
        for action in self._actions:
            action.follow(reading, bool(event.state & protocol.EMERGENCY))

    def on_disconnected(self, reason: str) -> None:
        """Forget when it was last seen: how it moves meanwhile is not known."""
        self._moved_at = None

    def make_safe(self, reason: str) -> None:
        """Have it hover, if it can be reached."""
        self._velocity.stop()


class Rotors(VelocityTopic):
    """Flies by cmd_vel."""

    _node: ArdroneBridge

    def refusal(self, now: float) -> str:
        """Return why it may not fly now."""
        if reason := super().refusal(now):
            return reason
        reading = self._node.reading
        flies = reading and reading.mode in (protocol.HOVERING, protocol.FLYING)
        return "" if flies else "it does not fly: take_off first"

    def send(self, velocity: Velocity) -> None:
        """Fly. Raises NotConnectedError."""
        self._node.link.fly(*velocity)


def main() -> None:
    """Run the bridge until SIGINT or SIGTERM."""
    sys.exit(run(ArdroneBridge, Parameters))
