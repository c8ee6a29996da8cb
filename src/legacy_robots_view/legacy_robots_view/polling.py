# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Topics that are polled, instead of read whenever a message comes.

An executor in Python spends most of its time on messages that the page would drop. These
subscriptions never wake it: they keep the newest message in the middleware, in bytes, until it is
taken. The rate is known all the same, as every message carries its publisher's count.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator
from typing import Any, NamedTuple

from rclpy.callback_groups import CallbackGroup
from rclpy.node import Node
from rclpy.qos import HistoryPolicy, QoSProfile, ReliabilityPolicy
from rclpy.serialization import deserialize_message

from legacy_robots_common.node import qos

WINDOW = 3.0
"""Seconds over which a rate is measured."""

_NEWEST = QoSProfile(
    history=HistoryPolicy.KEEP_LAST, depth=1, reliability=ReliabilityPolicy.BEST_EFFORT
)


class NeverExecuted(CallbackGroup):
    """A group whose entities no executor waits for."""

    def can_execute(self, entity: object) -> bool:
        """Return False."""
        return False

    def beginning_execution(self, entity: object) -> bool:
        """Return False."""
        return False

    def ending_execution(self, entity: object) -> None:
        """Do nothing."""


class RateMeter:
    """How often something is published, from the counts of the messages that were seen."""

    def __init__(self, window: float = WINDOW) -> None:
        self._window = window
        self._seen: deque[tuple[float, float, int]] = deque()

    def see(self, now: float, published: float, count: int) -> None:
        """Record at ``now`` message number ``count``, published at ``published`` (s)."""
        if self._seen and (count <= self._seen[-1][2] or now - self._seen[-1][0] > self._window):
            self._seen.clear()  # another publisher, or the same begun anew, or after a pause
        self._seen.append((now, published, count))

    def rate(self, now: float) -> float:
        """Return messages a second; 0 when none was seen within the window."""
        seen = self._seen
        while len(seen) > 1 and seen[1][0] < now - self._window:
            seen.popleft()
        if len(seen) < 2 or seen[-1][0] < now - self._window:
            return 0.0
        (_, start, first), (_, end, last) = seen[0], seen[-1]
        return (last - first) / (end - start) if end > start else 0.0


class Taken(NamedTuple):
    """A message in bytes, and its age in s when it was taken: how long ago it was published."""

    data: bytes
    age: float


class Polled:
    """A subscription that is read by :meth:`take`. Not thread-safe.

    One that is ``latched`` gets the last message that was published before; of any other a message
    may be lost, when the next one comes first.
    """

    def __init__(
        self, node: Node, message_type: type[Any], topic: str, profile: QoSProfile = _NEWEST
    ) -> None:
        self.topic = topic
        self.message_type = message_type
        self._node = node
        self._meter = RateMeter()
        self._taken = 0
        self._subscription = node.create_subscription(
            message_type, topic, lambda _: None, profile, callback_group=NeverExecuted(), raw=True
        )

    @classmethod
    def latched(cls, node: Node, message_type: type[Any], topic: str) -> Polled:
        """Return a subscription to a latched topic."""
        return cls(node, message_type, topic, qos.LATCHED)

    def take(self, now: float) -> Taken | None:
        """Return the newest message, or None when there is none since the last time."""
        taken = list(self.take_all(now))
        return taken[-1] if taken else None

    def take_all(self, now: float) -> Iterator[Taken]:
        """Yield every message that waits, at most as many as the profile keeps."""
        for _ in range(max(1, self._subscription.qos_profile.depth)):
            handle = self._subscription.handle
            with handle:
                taken = handle.take_message(self.message_type, True)
            if taken is None:
                return
            data, info = taken
            self._taken += 1
            published = info["source_timestamp"]
            count = info.get("publication_sequence_number") or self._taken
            self._meter.see(now, published * 1e-9, count)
            yield Taken(data, max(0.0, (time.time_ns() - published) * 1e-9))

    def read(self, taken: Taken) -> Any:
        """Return the message that was taken."""
        return deserialize_message(taken.data, self.message_type)

    def rate(self, now: float) -> float:
        """Return messages that are published a second."""
        return self._meter.rate(now)

    def close(self) -> None:
        """Leave the topic."""
        self._node.destroy_subscription(self._subscription)
