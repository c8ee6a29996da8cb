# SPDX-License-Identifier: Apache-2.0
"""Publishes what the camera sees of the balls, on ``ball/<colour>``."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from legacy_robots_msgs.msg import AiboBall
from std_msgs.msg import Header

from aibo_gti_bridge import conversions
from aibo_gti_bridge.sensors import BallSeen
from legacy_robots_common.lazy_publisher import LazyPublisher
from legacy_robots_common.program_node import ProgramNode


class BallTopics:
    """One topic for each colour."""

    def __init__(self, node: ProgramNode, colours: Collection[str], prefix: str) -> None:
        self._node = node
        self._frame = prefix + "camera_optical_frame"
        self._publishers = {c: LazyPublisher(node, AiboBall, f"ball/{c}") for c in colours}

    @property
    def wanted(self) -> frozenset[str]:
        """The colours whose topics have a subscriber. Thread-safe."""
        return frozenset(c for c, publisher in self._publishers.items() if publisher.wanted)

    def publish(self, seen: BallSeen, positions: Mapping[str, float]) -> AiboBall:
        """Publish what is seen; return the message. ``positions``: of the head (rad, by name)."""
        header = Header(stamp=self._node.stamp(seen.time), frame_id=self._frame)
        message = conversions.ball(seen, positions, header)
        self._publishers[seen.colour].publish(message)
        return message
