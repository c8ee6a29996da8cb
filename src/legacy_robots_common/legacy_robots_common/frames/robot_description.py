# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A robot's URDF for rviz: ``robot_description``, ``joint_states`` and the frames of its links."""

from __future__ import annotations

from collections.abc import Mapping

from builtin_interfaces.msg import Time
from sensor_msgs.msg import JointState
from std_msgs.msg import Header, String

from legacy_robots_common.frames.link_transforms import LinkTransforms
from legacy_robots_common.frames.transform_broadcaster import TransformBroadcaster
from legacy_robots_common.node import qos
from legacy_robots_common.node.lazy_publisher import LazyPublisher
from legacy_robots_common.node.program_node import ProgramNode
from legacy_robots_geometry.robot_model import RobotModel

__all__ = ["RobotDescription"]


class RobotDescription:
    """Publishes a URDF, latched, and what moves in it. ``prefix`` is put before every frame.

    No robot_state_publisher is needed. Raises RobotModelError where ``urdf`` is none.
    """

    def __init__(self, node: ProgramNode, urdf: str, prefix: str = "") -> None:
        self.model = RobotModel(urdf)
        self._links = LinkTransforms(self.model, prefix)
        self.transforms = TransformBroadcaster(node)
        self.transforms.send_static(self._links.fixed(node.stamp()))
        self._joint_states = LazyPublisher(node, JointState, "joint_states", qos.stream())
        self._description = qos.publisher(node, String, "robot_description", qos.LATCHED)
        self._description.publish(String(data=urdf))

    def publish(self, positions: Mapping[str, float], stamp: Time) -> None:
        """Publish the positions of joints (rad or m, by name), and the frames that they move."""
        if self._joint_states.wanted:
            self._joint_states.publish(
                JointState(
                    header=Header(stamp=stamp),
                    name=list(positions),
                    position=list(positions.values()),
                )
            )
        if self.transforms.wanted:
            self.transforms.send(self._links.moving(positions, stamp))
