# SPDX-License-Identifier: Apache-2.0
"""Quality of service of the bridges' topics; each can be overridden per topic by parameters.

The override parameters are ROS's own: ``qos_overrides./<topic>.publisher.reliability`` and so on.
"""

from __future__ import annotations

from typing import Any

from rclpy.event_handler import PublisherEventCallbacks
from rclpy.node import Node
from rclpy.publisher import Publisher
from rclpy.qos import (
    DurabilityPolicy,
    HistoryPolicy,
    QoSProfile,
    ReliabilityPolicy,
)
from rclpy.qos_overriding_options import QoSOverridingOptions

LATCHED = QoSProfile(
    history=HistoryPolicy.KEEP_LAST,
    depth=1,
    reliability=ReliabilityPolicy.RELIABLE,
    durability=DurabilityPolicy.TRANSIENT_LOCAL,
)
"""For state that a late joiner needs: the last message is kept and sent to whoever subscribes."""


def stream(depth: int = 10) -> QoSProfile:
    """Return the profile of a stream: reliable, volatile, the last ``depth`` messages."""
    return QoSProfile(
        history=HistoryPolicy.KEEP_LAST, depth=depth, reliability=ReliabilityPolicy.RELIABLE
    )


def publisher(
    node: Node,
    message_type: type[Any],
    topic: str,
    profile: QoSProfile,
    event_callbacks: PublisherEventCallbacks | None = None,
) -> Publisher:
    """Create a publisher whose reliability, durability, history and depth users can override."""
    return node.create_publisher(
        message_type,
        topic,
        profile,
        qos_overriding_options=QoSOverridingOptions.with_default_policies(),
        event_callbacks=event_callbacks,
    )
