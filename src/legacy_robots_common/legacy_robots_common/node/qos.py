# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Quality of service of the bridges' topics; each can be overridden per topic by parameters.

The override parameters are ROS's own: ``qos_overrides./<topic>.publisher.reliability`` and so on,
or ``.subscription.``.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from rcl_interfaces.msg import SetParametersResult
from rclpy.event_handler import PublisherEventCallbacks, SubscriptionEventCallbacks
from rclpy.exceptions import InvalidParameterTypeException
from rclpy.node import Node
from rclpy.publisher import Publisher
from rclpy.qos import (
    DurabilityPolicy,
    HistoryPolicy,
    QoSPolicyKind,
    QoSProfile,
    ReliabilityPolicy,
)
from rclpy.qos_overriding_options import InvalidQosOverridesError, QoSOverridingOptions
from rclpy.subscription import Subscription

from legacy_robots_common.node.parameters import ParameterError

__all__ = ["LATCHED", "LATCHED_BY_MANY", "publisher", "stream"]

LATCHED = QoSProfile(
    history=HistoryPolicy.KEEP_LAST,
    depth=1,
    reliability=ReliabilityPolicy.RELIABLE,
    durability=DurabilityPolicy.TRANSIENT_LOCAL,
)
"""For state that a late joiner needs: the last message is kept and sent to each new subscriber."""

LATCHED_BY_MANY = QoSProfile(
    history=HistoryPolicy.KEEP_LAST,
    depth=100,
    reliability=ReliabilityPolicy.RELIABLE,
    durability=DurabilityPolicy.TRANSIENT_LOCAL,
)
"""For subscriptions to a latched topic of several publishers, as tf2's: the depth of a
subscription is that of all publishers together, and those of which it has no room are lost."""


def _check(profile: QoSProfile) -> SetParametersResult:
    return SetParametersResult(successful=profile.depth > 0, reason="depth must be at least 1")


_OVERRIDABLE = QoSOverridingOptions(
    policy_kinds=(
        QoSPolicyKind.RELIABILITY,
        QoSPolicyKind.DURABILITY,  # rclpy's default policies leave this one out
        QoSPolicyKind.HISTORY,
        QoSPolicyKind.DEPTH,
    ),
    callback=_check,
)


@contextmanager
def _refusing(node: Node, topic: str) -> Iterator[None]:
    """Turn what rclpy raises for an override that makes no sense into a ParameterError."""
    try:
        yield
    except (RuntimeError, InvalidParameterTypeException, InvalidQosOverridesError) as error:
        name = node.resolve_topic_name(topic)
        raise ParameterError(f"qos_overrides of {name}: {error}") from error


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
    """Create a publisher whose reliability, durability, history and depth users can override.

    Without ``event_callbacks`` it has none, those of rclpy left out: an executor goes through all
    of them each time that it wakes, for 36 publishers 1.4 of 2 ms. What they log, that a
    subscription asks for another quality of service, the subscriber logs, too.
    Raises ParameterError for an override that makes no sense.
    """
    with _refusing(node, topic):
        return node.create_publisher(
            message_type,
            topic,
            copy.copy(profile),  # rclpy writes the overrides into what it is given
            qos_overriding_options=_OVERRIDABLE,
            event_callbacks=event_callbacks
            or PublisherEventCallbacks(use_default_callbacks=False),
        )


def subscription(
    node: Node,
    message_type: type[Any],
    topic: str,
    callback: Callable[[Any], None],
    profile: QoSProfile,
) -> Subscription:
    """Create a subscription whose reliability, durability, history and depth can be overridden.

    It has none of rclpy's event handlers, as publishers: what they log, that a publisher offers
    another quality of service, the publisher logs, too.
    Raises ParameterError for an override that makes no sense.
    """
    with _refusing(node, topic):
        return node.create_subscription(
            message_type,
            topic,
            callback,
            copy.copy(profile),  # rclpy writes the overrides into what it is given
            qos_overriding_options=_OVERRIDABLE,
            event_callbacks=SubscriptionEventCallbacks(use_default_callbacks=False),
        )
