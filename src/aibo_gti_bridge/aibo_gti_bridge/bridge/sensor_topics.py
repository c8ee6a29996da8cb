# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Publishes what the robot measures: joints, acceleration, distances, power, buttons."""

from __future__ import annotations

import math
from collections.abc import Sequence

from builtin_interfaces.msg import Time
from sensor_msgs.msg import BatteryState, Imu, JointState, Range
from std_msgs.msg import Header, String

from aibo_gti_bridge.bridge import conversions
from aibo_gti_bridge.bridge.odometry_topics import OdometryTopics
from aibo_gti_bridge.bridge.parameters import Parameters
from aibo_gti_bridge.protocol.sensors import DISTANCE_SENSORS, Reading
from legacy_robots_common.frames.link_transforms import LinkTransforms
from legacy_robots_common.frames.transform_broadcaster import TransformBroadcaster
from legacy_robots_common.node import qos
from legacy_robots_common.node.lazy_publisher import LazyPublisher
from legacy_robots_common.node.program_node import ProgramNode
from legacy_robots_description import urdf
from legacy_robots_geometry.robot_model import RobotModel
from legacy_robots_msgs.msg import AiboButtons

BATTERY_PERIOD_S = 1.0
"""Time between two messages about the battery."""


class SensorTopics:
    """Publishes each reading. Called on the link's thread."""

    def __init__(
        self, node: ProgramNode, parameters: Parameters, odometry: OdometryTopics
    ) -> None:
        self._node = node
        self._odometry = odometry
        self._parameters = parameters
        self._joint_states = LazyPublisher(node, JointState, "joint_states")
        self._imu = LazyPublisher(node, Imu, "imu")
        self._ranges = [LazyPublisher(node, Range, sensor.topic) for sensor in DISTANCE_SENSORS]
        self._battery = qos.publisher(node, BatteryState, "battery", qos.stream())
        self._buttons = qos.publisher(node, AiboButtons, "buttons", qos.LATCHED)
        self._known_buttons = AiboButtons()
        self._known_button_values: Sequence[float] = ()
        self._battery_due = 0.0
        text = urdf("ers7")
        prefix = parameters.frame_prefix
        self._frames = {
            name: prefix + name
            for name in ("base_link", "imu", *(sensor.part for sensor in DISTANCE_SENSORS))
        }
        self._transforms = TransformBroadcaster(node)
        self._links = LinkTransforms(RobotModel(text), prefix)
        if parameters.publish_tf:
            self._transforms.send_static(self._links.fixed(node.stamp()))
        if parameters.publish_tf or parameters.enable_odom_tf:
            self._transforms.send([])  # makes the topic known before the first reading
        if parameters.publish_description:
            self._description = qos.publisher(node, String, "robot_description", qos.LATCHED)
            self._description.publish(String(data=text))
        self._buttons.publish(self._known_buttons)

    def publish(self, reading: Reading) -> None:
        """Publish all values of a reading; the joints first."""
        stamp = self._node.stamp(reading.time)
        base = Header(stamp=stamp, frame_id=self._frames["base_link"])
        if self._joint_states.wanted:
            self._joint_states.publish(conversions.joint_state(reading, base))
        self._odometry.publish(reading)
        self._send_transforms(reading, stamp)
        if self._imu.wanted:
            header = Header(stamp=stamp, frame_id=self._frames["imu"])
            signs = self._parameters.accelerometer_signs
            self._imu.publish(conversions.imu(reading, header, signs))
        for publisher, sensor in zip(self._ranges, DISTANCE_SENSORS, strict=True):
            if publisher.wanted:
                header = Header(stamp=stamp, frame_id=self._frames[sensor.part])
                value = reading.sensor(sensor.name)
                publisher.publish(
                    conversions.distance(value, sensor, self._parameters.ir_field_of_view, header)
                )
        if reading.time >= self._battery_due:
            self._battery_due = reading.time + BATTERY_PERIOD_S
            self._battery.publish(conversions.battery(reading, base))
        if not self._known_buttons.valid or reading.buttons != self._known_button_values:
            self._known_button_values = reading.buttons
            self._publish_buttons(conversions.buttons(reading, base))

    def _send_transforms(self, reading: Reading, stamp: Time) -> None:
        p = self._parameters
        if not (p.publish_tf or p.enable_odom_tf) or not self._transforms.wanted:
            return
        links = self._links.moving(reading.positions, stamp) if p.publish_tf else []
        place = self._odometry.transforms(reading, stamp) if p.enable_odom_tf else []
        self._transforms.send(links + place)

    def _publish_buttons(self, buttons: AiboButtons) -> None:
        if _differs(buttons, self._known_buttons):
            self._known_buttons = buttons
            self._buttons.publish(buttons)

    def invalidate(self) -> None:
        """Mark the last readings as not valid, with their stamps."""
        if self._known_buttons.valid:
            self._known_buttons.valid = False
            self._buttons.publish(self._known_buttons)
        self._battery_due = 0.0


def _differs(new: AiboButtons, old: AiboButtons) -> bool:
    """Return whether anything but the stamp has changed; an unknown pressure equals another."""
    for field in new.get_fields_and_field_types():
        if field == "header":
            continue
        a, b = getattr(new, field), getattr(old, field)
        if a != b and not (isinstance(a, float) and math.isnan(a) and math.isnan(b)):
            return True
    return False
