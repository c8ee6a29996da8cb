# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Where frames are now, for nodes that ask again and again; see frames for a single pose."""

from __future__ import annotations

import math
import time

from rclpy.node import Node
from tf2_msgs.msg import TFMessage

from legacy_robots_common.frames.transform_tree import TransformTree
from legacy_robots_common.node import qos
from legacy_robots_geometry.rotations import Pose

HERE = Pose((0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0))


class TransformListener:
    """Keeps the newest transforms of /tf and /tf_static. Used on the node's executor."""

    def __init__(self, node: Node) -> None:
        self._tree = TransformTree()
        self._heard: dict[str, float] = {}
        self._stamps: dict[str, tuple[int, int]] = {}
        qos.subscription(node, TFMessage, "/tf", self._on_moving, qos.stream(100))
        qos.subscription(node, TFMessage, "/tf_static", self._on_fixed, qos.LATCHED_BY_MANY)

    def pose(self, frame: str, parent: str) -> Pose | None:
        """Return where ``frame`` is in ``parent``, any frame of its tree; None: not connected."""
        return self._tree.transform(HERE, frame, parent)

    def age(self, frame: str, parent: str) -> float:
        """Return how long ago the oldest moving transform between a frame and one above it came.

        In s; 0 where none of them moves. One that repeats its stamp is not new; stamps of 0 are
        none.
        """
        now, oldest = time.monotonic(), math.inf
        for name in self._tree.above(frame):
            if name == parent:
                break
            oldest = min(oldest, self._heard.get(name, math.inf))
        return max(0.0, now - oldest)

    def _on_moving(self, message: TFMessage) -> None:
        now = time.monotonic()
        for transform in self._tree.update(message.transforms):
            frame = transform.child_frame_id.removeprefix("/")
            stamp = (transform.header.stamp.sec, transform.header.stamp.nanosec)
            if stamp == (0, 0) or stamp != self._stamps.get(frame):
                self._heard[frame], self._stamps[frame] = now, stamp

    def _on_fixed(self, message: TFMessage) -> None:
        self._tree.update(message.transforms)
