# SPDX-License-Identifier: Apache-2.0
"""The latched ``link_state`` topic of a bridge."""

from __future__ import annotations

from legacy_robots_msgs.msg import LinkState as LinkStateMessage
from rclpy.node import Node
from std_msgs.msg import Header

from legacy_robots_common import qos
from legacy_robots_common.link import LinkState, LinkStatus


class LinkReporter:
    """Publishes each status of a link on ``link_state`` and logs it once. Thread-safe."""

    def __init__(self, node: Node) -> None:
        self._node = node
        self._publisher = qos.publisher(node, LinkStateMessage, "link_state", qos.LATCHED)

    def report(self, status: LinkStatus) -> None:
        """Publish ``status``, stamped with the present time."""
        self._publisher.publish(
            LinkStateMessage(
                header=Header(stamp=self._node.get_clock().now().to_msg()),
                state=int(status.state),
                peer=status.peer,
                detail=status.detail,
                connections=status.connections,
            )
        )
        text = f"link {status.state.name.lower()} ({status.peer}): {status.detail}"
        if status.state is LinkState.FAULT:
            self._node.get_logger().error(text)
        else:
            self._node.get_logger().info(text)
