# SPDX-License-Identifier: Apache-2.0
"""Drawings that never change, for rviz: latched, and repeated while there is a subscriber."""

from __future__ import annotations

from visualization_msgs.msg import MarkerArray

from legacy_robots_common import qos
from legacy_robots_common.program_node import ProgramNode

REPEAT_S = 5.0
"""rviz shows the error of a marker that came before its transform until the next one comes."""


class FixedDrawing:
    """Publishes ``markers`` on a latched topic, and again every REPEAT_S with the same stamp."""

    def __init__(self, node: ProgramNode, topic: str, markers: MarkerArray) -> None:
        self._markers = markers
        self._publisher = qos.publisher(node, MarkerArray, topic, qos.LATCHED)
        self._publisher.publish(markers)
        self._timer = node.timer(REPEAT_S, self._repeat)

    def _repeat(self) -> None:
        if self._publisher.get_subscription_count():
            self._publisher.publish(self._markers)
