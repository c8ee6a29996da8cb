# SPDX-License-Identifier: Apache-2.0
"""The newest transforms of /tf and /tf_static, for nodes that ask where a frame is now.

tf2 is C++ and has no wheel on PyPI. This listener keeps no history: it answers for the present.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

from geometry_msgs.msg import TransformStamped
from rclpy.node import Node
from tf2_msgs.msg import TFMessage

from legacy_robots_common import qos

Vector = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]


@dataclass(frozen=True)
class Placement:
    """Where a frame is in another one: translation (m) and rotation (quaternion x, y, z, w)."""

    translation: Vector = (0.0, 0.0, 0.0)
    rotation: Quaternion = (0.0, 0.0, 0.0, 1.0)
    heard: float = math.inf
    """When the oldest moving transform of the chain was received, monotonic clock (s).

    inf where none of them moves.
    """

    @property
    def yaw(self) -> float:
        """Heading about the z axis, rad."""
        x, y, z, w = self.rotation
        return math.atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))

    def apply(self, point: Vector) -> Vector:
        """Return a ``point`` (m) of the frame in the coordinates of the other one."""
        turned = _rotated(self.rotation, point)
        x, y, z = (a + b for a, b in zip(self.translation, turned, strict=True))
        return x, y, z

    def then(self, inner: Placement) -> Placement:
        """Return where a frame is in the outer one that is at ``inner`` in this one."""
        return Placement(
            self.apply(inner.translation),
            _product(self.rotation, inner.rotation),
            min(self.heard, inner.heard),
        )

    def inverse(self) -> Placement:
        """Return where the other frame is in this one."""
        x, y, z, w = self.rotation
        back = (-x, -y, -z, w)
        a, b, c = _rotated(back, self.translation)
        return Placement((-a, -b, -c), back, self.heard)


class TransformListener:
    """Keeps the newest transform of each frame to its parent. Used on the node's executor."""

    def __init__(self, node: Node) -> None:
        self._frames: dict[str, tuple[str, Placement]] = {}
        qos.subscription(node, TFMessage, "/tf", self._on_moving, qos.stream(100))
        qos.subscription(node, TFMessage, "/tf_static", self._on_fixed, qos.LATCHED)

    def placement(self, frame: str, parent: str) -> Placement | None:
        """Return where ``frame`` is in ``parent``, which may be any frame of the same tree.

        None while no transforms connect the two.
        """
        if frame == parent:
            return Placement()
        above, of_parent = self._way_up(frame), self._way_up(parent)
        common = next((name for name in above if name in of_parent), None)
        if common is None:
            return None
        return of_parent[common].inverse().then(above[common])

    def _way_up(self, frame: str) -> dict[str, Placement]:
        """Return where ``frame`` is in itself and in each frame above it."""
        found, here = {frame: Placement()}, frame
        while here in self._frames:
            above, step = self._frames[here]
            if above in found:
                break  # a tree that two broadcasters have closed to a ring
            found[above] = step.then(found[here])
            here = above
        return found

    def _on_moving(self, message: TFMessage) -> None:
        now = time.monotonic()
        for transform in message.transforms:
            self._keep(transform, now)

    def _on_fixed(self, message: TFMessage) -> None:
        for transform in message.transforms:
            self._keep(transform, math.inf)

    def _keep(self, stamped: TransformStamped, heard: float) -> None:
        at, turn = stamped.transform.translation, stamped.transform.rotation
        length = math.hypot(turn.x, turn.y, turn.z, turn.w)
        values = (at.x, at.y, at.z, length)
        if length == 0.0 or not all(math.isfinite(value) for value in values):
            return  # tf2 drops such transforms, too
        rotation = (turn.x / length, turn.y / length, turn.z / length, turn.w / length)
        self._frames[stamped.child_frame_id] = (
            stamped.header.frame_id,
            Placement((at.x, at.y, at.z), rotation, heard),
        )


def _product(a: Quaternion, b: Quaternion) -> Quaternion:
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return (
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    )


def _rotated(rotation: Quaternion, point: Vector) -> Vector:
    x, y, z, w = rotation
    turned = _product(_product(rotation, (*point, 0.0)), (-x, -y, -z, w))
    return turned[:3]
