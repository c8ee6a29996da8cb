# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Transforms on /tf and /tf_static as tf2 listeners expect them."""

from __future__ import annotations

from collections.abc import Iterable

from geometry_msgs.msg import TransformStamped
from rclpy.node import Node
from rclpy.publisher import Publisher
from tf2_msgs.msg import TFMessage

from legacy_robots_common.node import qos
from legacy_robots_common.node.lazy_publisher import LazyPublisher

__all__ = ["TransformBroadcaster"]


class TransformBroadcaster:
    """Publishes moving transforms on ``/tf`` and fixed ones, all in one latched message."""

    def __init__(self, node: Node) -> None:
        self._node = node
        self._moving: LazyPublisher | None = None
        self._fixed: Publisher | None = None
        self._fixed_transforms: dict[str, TransformStamped] = {}

    @property
    def wanted(self) -> bool:
        """True while ``/tf`` has a subscriber; else nothing moving need be computed."""
        return self._publisher_of_moving().wanted

    def send(self, transforms: Iterable[TransformStamped]) -> None:
        """Publish ``transforms`` with the stamps they carry."""
        self._publisher_of_moving().publish(TFMessage(transforms=list(transforms)))

    def _publisher_of_moving(self) -> LazyPublisher:
        if self._moving is None:
            self._moving = LazyPublisher(self._node, TFMessage, "/tf", qos.stream(100))
        return self._moving

    def send_static(self, transforms: Iterable[TransformStamped]) -> None:
        """Publish fixed ``transforms`` beside earlier ones; a child frame's last one counts."""
        if self._fixed is None:
            self._fixed = qos.publisher(self._node, TFMessage, "/tf_static", qos.LATCHED)
        self._fixed_transforms.update({t.child_frame_id: t for t in transforms})
        self._fixed.publish(TFMessage(transforms=list(self._fixed_transforms.values())))
