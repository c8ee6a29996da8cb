# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Publish only while there is a subscriber."""

from __future__ import annotations

import time
from typing import Any

from rclpy.node import Node

from legacy_robots_common.node import qos

__all__ = ["LazyPublisher"]

CHECK_PERIOD_S = 0.1
"""Age of the answer of ``wanted`` at most: counting takes as long as making a small message."""


class LazyPublisher:
    """A publisher that knows whether it has a subscriber. Thread-safe."""

    def __init__(
        self, node: Node, message_type: type[Any], topic: str, profile: Any | None = None
    ) -> None:
        self._publisher = qos.publisher(node, message_type, topic, profile or qos.stream(5))
        self._checked_at = -CHECK_PERIOD_S
        self._wanted = False

    @property
    def wanted(self) -> bool:
        """True while there is at least one subscriber; up to CHECK_PERIOD_S old."""
        now = time.monotonic()
        if now - self._checked_at >= CHECK_PERIOD_S:
            self._checked_at = now
            self._wanted = bool(self._publisher.get_subscription_count())
        return self._wanted

    def publish(self, message: Any) -> None:
        """Publish ``message``."""
        self._publisher.publish(message)
