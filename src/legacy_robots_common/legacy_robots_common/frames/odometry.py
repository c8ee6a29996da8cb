# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Odometry of a mobile robot: dead reckoning, the topic ``odom`` and its frame."""

from __future__ import annotations

import math

from builtin_interfaces.msg import Time
from geometry_msgs.msg import TransformStamped
from nav_msgs.msg import Odometry as OdometryMessage

from legacy_robots_common.frames.transform_broadcaster import TransformBroadcaster
from legacy_robots_common.frames.transforms import quaternion_message
from legacy_robots_common.node import qos
from legacy_robots_common.node.lazy_publisher import LazyPublisher
from legacy_robots_common.node.program_node import ProgramNode

__all__ = ["Odometry"]

_PER_M = 0.1**2
"""Variance of a position, m² per m driven, and of the heading, rad² per rad turned."""


class Odometry:
    """The pose since the start, in the frame ``odom``; the robot's is ``base_link``.

    ``prefix`` is put before both frames. A robot that measures distances calls ``move``; one that
    knows its pose sets ``x``, ``y`` (m) and ``yaw`` (rad), one that flies ``z`` too.
    """

    def __init__(self, node: ProgramNode, prefix: str = "", *, base: str = "base_link") -> None:
        self.x = self.y = self.z = self.yaw = 0.0
        self._driven = self._turned = 0.0
        self.frame, self._base = f"{prefix}odom", prefix + base
        self._topic = LazyPublisher(node, OdometryMessage, "odom", qos.stream())
        self._transforms = TransformBroadcaster(node)

    def move(self, forward: float, left: float = 0.0, turn: float = 0.0) -> None:
        """Add what was driven since the last call: m forward and to the left, rad turned."""
        heading = self.yaw + 0.5 * turn
        self.x += forward * math.cos(heading) - left * math.sin(heading)
        self.y += forward * math.sin(heading) + left * math.cos(heading)
        self.yaw = math.remainder(self.yaw + turn, math.tau)
        self._driven += math.hypot(forward, left)
        self._turned += abs(turn)

    def publish(
        self,
        stamp: Time,
        forward: float = 0.0,
        left: float = 0.0,
        turn: float = 0.0,
        upward: float = 0.0,
    ) -> None:
        """Publish pose, velocity (m/s, m/s, rad/s, m/s) and transform."""
        if self._topic.wanted:
            message = self._message(stamp)
            twist = message.twist.twist
            twist.linear.x, twist.linear.y, twist.linear.z = forward, left, upward
            twist.angular.z = turn
            self._topic.publish(message)
        if self._transforms.wanted:
            self._transforms.send([self._transform(stamp)])

    def _message(self, stamp: Time) -> OdometryMessage:
        message = OdometryMessage(child_frame_id=self._base)
        message.header.stamp, message.header.frame_id = stamp, self.frame
        pose = message.pose.pose
        pose.position.x, pose.position.y, pose.position.z = self.x, self.y, self.z
        pose.orientation = quaternion_message(0.0, 0.0, self.yaw)
        for at in (0, 7, 14):
            message.pose.covariance[at] = _PER_M * self._driven
        message.pose.covariance[35] = _PER_M * self._turned
        return message

    def _transform(self, stamp: Time) -> TransformStamped:
        transform = TransformStamped(child_frame_id=self._base)
        transform.header.stamp, transform.header.frame_id = stamp, self.frame
        to = transform.transform
        to.translation.x, to.translation.y, to.translation.z = self.x, self.y, self.z
        to.rotation = quaternion_message(0.0, 0.0, self.yaw)
        return transform
