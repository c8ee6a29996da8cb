# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Publishes what the camera sees of the balls, on ``ball/<colour>``, and draws it for rviz."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from builtin_interfaces.msg import Duration
from geometry_msgs.msg import Point, Vector3
from std_msgs.msg import Header
from visualization_msgs.msg import Marker, MarkerArray

from aibo_gti_bridge.bridge import conversions
from aibo_gti_bridge.protocol.sensors import BallSeen
from legacy_robots_common.drawing.markers import deletion, new_marker, paint
from legacy_robots_common.node.lazy_publisher import LazyPublisher
from legacy_robots_common.node.program_node import ProgramNode
from legacy_robots_core.palette import PALETTE
from legacy_robots_msgs.msg import AiboBall

RAY_M = 0.6
"""Length of the ray at whose end a ball is drawn: GTI does not report its distance."""
BALL_SIZE_M = 0.08
DRAWN_FOR = Duration(sec=2)


class BallTopics:
    """One topic for each colour, and one with a drawing of all."""

    def __init__(self, node: ProgramNode, colours: Collection[str], prefix: str) -> None:
        self._node = node
        self._frame = prefix + "camera_optical_frame"
        self._publishers = {c: LazyPublisher(node, AiboBall, f"ball/{c}") for c in colours}
        self._drawing = LazyPublisher(node, MarkerArray, "ball_markers")

    @property
    def wanted(self) -> frozenset[str]:
        """The colours whose topics have a subscriber; all while they are drawn. Thread-safe."""
        if self._drawing.wanted:
            return frozenset(self._publishers)
        return frozenset(c for c, publisher in self._publishers.items() if publisher.wanted)

    def publish(self, seen: BallSeen, positions: Mapping[str, float]) -> AiboBall:
        """Publish what is seen; return the message. ``positions``: of the head (rad, by name)."""
        header = Header(stamp=self._node.stamp(seen.time), frame_id=self._frame)
        message = conversions.ball(seen, positions, header)
        self._publishers[seen.colour].publish(message)
        if self._drawing.wanted:
            self._drawing.publish(ball_markers(seen.colour, message))
        return message


def ball_markers(colour: str, ball: AiboBall) -> MarkerArray:
    """Return the ray on which a ball is seen, and the ball at its end; or that there is none."""
    name = f"ball-{colour}"
    look = paint(name if name in PALETTE else "thing")
    if not ball.visible:
        gone = [deletion(ball.header, colour, number) for number in range(2)]
        return MarkerArray(markers=gone)
    end = Point(x=RAY_M * ball.direction.x, y=RAY_M * ball.direction.y, z=RAY_M * ball.direction.z)
    ray = new_marker(ball.header, colour, 0, Marker.ARROW, look)
    ray.points = [Point(), end]
    ray.scale = Vector3(x=0.004, y=0.012, z=0.02)
    sphere = new_marker(ball.header, colour, 1, Marker.SPHERE, look)
    sphere.pose.position = end
    sphere.scale = Vector3(x=BALL_SIZE_M, y=BALL_SIZE_M, z=BALL_SIZE_M)
    ray.lifetime = sphere.lifetime = DRAWN_FOR
    return MarkerArray(markers=[ray, sphere])
