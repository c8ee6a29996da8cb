# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Helpers to publish no more than subscribers need."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rclpy.event_handler import PublisherEventCallbacks
from rclpy.node import Node
from rclpy.publisher import Publisher
from rclpy.qos import QoSProfile

from legacy_robots_common.node import qos

PERCEPT_DEPTH = 500
"""Percept messages that are kept for a subscriber that does not keep up: 10 s at full rate."""

MESSAGE_DEPTH = 100


class Publishers:
    """The publishers of one part of the interface, to be destroyed together."""

    def __init__(self, node: Node) -> None:
        self._node = node
        self._publishers: list[Publisher] = []

    def latched(self, message_type: type[Any], topic: str) -> Publisher:
        """Return a publisher whose last message is kept for late joiners."""
        return self._add(message_type, topic, qos.LATCHED)

    def stream(
        self,
        message_type: type[Any],
        topic: str,
        depth: int = 10,
        on_joined: Callable[[], None] | None = None,
        on_left: Callable[[], None] = lambda: None,
    ) -> Publisher:
        """Return a reliable publisher.

        ``on_joined`` is called for each new subscriber, ``on_left`` when there is none any more.
        """
        if on_joined is None:
            return self._add(message_type, topic, qos.stream(depth))
        joined = on_joined

        def on_matched(info: Any) -> None:
            # Not the change of the present count: one may come while another goes. And one
            # event may tell of both a subscriber that came and that it left.
            if info.current_count == 0:
                on_left()
            elif info.total_count_change > 0:
                joined()

        return self._add(message_type, topic, qos.stream(depth), on_matched)

    def _add(
        self,
        message_type: type[Any],
        topic: str,
        profile: QoSProfile,
        on_matched: Callable[[Any], None] | None = None,
    ) -> Publisher:
        # Without those of rclpy, see qos.publisher: 50 players would have 800 of them.
        callbacks = PublisherEventCallbacks(matched=on_matched, use_default_callbacks=False)
        publisher = qos.publisher(self._node, message_type, topic, profile, callbacks)
        self._publishers.append(publisher)
        return publisher

    def destroy(self) -> None:
        """Destroy all publishers."""
        for publisher in self._publishers:
            self._node.destroy_publisher(publisher)
        self._publishers.clear()


class RateLimit:
    """Says when something may be published again. ``clock`` gives seconds."""

    def __init__(self, rate: float, clock: Callable[[], float]) -> None:
        self._period = 1.0 / rate
        self._clock = clock
        self._next = 0.0
        self._moment, self._due = -1, False

    def is_due_at(self, moment: int) -> bool:
        """Whether it is due, with one answer for all that ask about one cycle's ``moment``."""
        if moment != self._moment:
            self._moment, self._due = moment, self.is_due()
        return self._due

    def is_due(self) -> bool:
        """Whether it may be published now; if so it is taken for published."""
        now = self._clock()
        if now < self._next:
            return False
        # A little early is on time, or 25 Hz of 50 Hz would become 16.7 Hz.
        self._next = now + 0.9 * self._period
        return True

    def skip(self) -> None:
        """Count something that was published without asking."""
        self._next = self._clock() + 0.9 * self._period


def wanted(publisher: Publisher) -> bool:
    """Whether a publisher has a subscriber (costs below 1 µs)."""
    return bool(publisher.get_subscription_count())
