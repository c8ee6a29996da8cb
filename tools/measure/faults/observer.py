# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What can be seen of a system from outside: link state, diagnostics, streams, ends of goals."""

from __future__ import annotations

import threading
import time
from collections import defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from action_msgs.msg import GoalStatus, GoalStatusArray
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from rclpy.qos import DurabilityPolicy, HistoryPolicy, QoSProfile, ReliabilityPolicy

from legacy_robots_common.node import qos
from legacy_robots_msgs.msg import LinkState
from legacy_robots_testing.ros_peer import RosPeer

TERMINAL = {
    GoalStatus.STATUS_SUCCEEDED,
    GoalStatus.STATUS_CANCELED,
    GoalStatus.STATUS_ABORTED,
}
EVERY_STATE = QoSProfile(
    history=HistoryPolicy.KEEP_LAST,
    depth=100,
    reliability=ReliabilityPolicy.RELIABLE,
    durability=DurabilityPolicy.TRANSIENT_LOCAL,
)
"""A latched topic's states in a row, even when they come faster than they can be looked at."""
KEPT = 50_000
"""Arrivals of a stream that are remembered."""


@dataclass(frozen=True)
class Seen:
    """A report that was received.

    ``at`` is when it arrived, on the monotonic clock (s), ``stamp`` when it was so, by the clock
    of its sender (ns).
    """

    at: float
    bad: bool
    text: str
    stamp: int = 0


def nanoseconds_of(stamp: Any) -> int:
    """Return the time of a builtin_interfaces/Time."""
    return int(stamp.sec) * 10**9 + int(stamp.nanosec)


class Stream:
    """Arrivals of topics about one thing, and the stamps of the messages. Thread-safe.

    What is marked as not valid is no data.
    """

    def __init__(self, peer: RosPeer, *topics: tuple[type[Any], str], topic: str = "") -> None:
        self.topic = topic or topics[0][1]
        self._changed = threading.Condition()
        self._arrivals: deque[float] = deque(maxlen=KEPT)
        self._stamps: deque[int] = deque(maxlen=KEPT)
        self._newest: dict[str, int] = {}
        self._backwards = 0
        for kind, topic in topics:
            peer.subscribe_with(kind, topic, partial(self._on_message, topic), qos.stream(100))

    def _on_message(self, topic: str, message: Any) -> None:
        if not getattr(message, "valid", True):
            return
        now, nanoseconds = time.monotonic(), nanoseconds_of(message.header.stamp)
        with self._changed:
            self._arrivals.append(now)
            self._stamps.append(nanoseconds)
            self._backwards += nanoseconds < self._newest.get(topic, 0)
            self._newest[topic] = nanoseconds
            self._changed.notify_all()

    def take_backwards(self) -> int:
        """Return how many messages went back in time since this was last asked."""
        with self._changed:
            count, self._backwards = self._backwards, 0
            return count

    def after(self, moment: float) -> list[float]:
        """Return the times of arrival after ``moment``."""
        with self._changed:
            arrivals = list(self._arrivals)
        return [at for at in arrivals if at > moment]

    def stamped(self, begin: int, end: int) -> int:
        """Return how many messages are stamped between two moments (ns)."""
        with self._changed:
            return sum(begin < stamp < end for stamp in self._stamps)

    def wait_for(self, after: float, count: int, timeout: float) -> bool:
        """Wait until ``count`` messages have come after a moment; return whether they have."""
        with self._changed:
            return self._changed.wait_for(
                lambda: len(self._arrivals) >= count and self._arrivals[-count] > after,
                timeout,
            )

    def longest_silence(self, begin: float, end: float) -> tuple[float, float]:
        """Return the longest time without a message between two moments, and when it ended."""
        longest, ended = 0.0, begin
        before = begin
        for at in [*(a for a in self.after(begin) if a < end), end]:
            if at - before > longest:
                longest, ended = at - before, at
            before = at
        return longest, ended


class Observer:
    """Watches one bridge.

    Parameters
    ----------
    peer
        The node that watches.
    namespace, node
        The bridge's, as in ``/nao`` and ``bridge``.

    """

    def __init__(self, peer: RosPeer, namespace: str, node: str) -> None:
        self._peer = peer
        self._name = f"{namespace}/{node}".lstrip("/")
        self._changed = threading.Condition()
        self._links: list[Seen] = []
        self._diagnostics: list[Seen] = []
        self._statuses: dict[bytes, list[int]] = defaultdict(list)
        peer.subscribe_with(LinkState, f"{namespace}/link_state", self._on_link, EVERY_STATE)
        peer.subscribe_with(DiagnosticArray, "/diagnostics", self._on_diagnostics, qos.stream(100))

    def watch_action(self, name: str) -> None:
        """Follow the goals of an action by its status topic."""
        self._peer.subscribe_with(
            GoalStatusArray, f"{name}/_action/status", self._on_status, qos.LATCHED
        )

    # --- on the peer's thread ----------------------------------------------------------------

    def _on_link(self, message: LinkState) -> None:
        up = message.state == LinkState.CONNECTED
        names = {LinkState.FAULT: "fault", LinkState.CONNECTING: "connecting"}
        state = "connected" if up else names.get(message.state, "disconnected")
        stamp = nanoseconds_of(message.header.stamp)
        self._note(
            self._links, Seen(time.monotonic(), not up, f"{state}: {message.detail}", stamp)
        )

    def _on_diagnostics(self, message: DiagnosticArray) -> None:
        for status in message.status:
            if status.name == self._name:
                bad = status.level != DiagnosticStatus.OK
                self._note(self._diagnostics, Seen(time.monotonic(), bad, status.message))

    def _on_status(self, message: GoalStatusArray) -> None:
        with self._changed:
            for status in message.status_list:
                before = self._statuses[bytes(status.goal_info.goal_id.uuid)]
                if before[-1:] != [status.status]:
                    before.append(status.status)

    def _note(self, where: list[Seen], seen: Seen) -> None:
        with self._changed:
            where.append(seen)
            self._changed.notify_all()

    # --- for the campaign --------------------------------------------------------------------

    def links(self, after: float) -> list[Seen]:
        """Return what the link state reported after a moment."""
        with self._changed:
            return [seen for seen in self._links if seen.at > after]

    def diagnostics(self, after: float) -> list[Seen]:
        """Return what diagnostics reported after a moment."""
        with self._changed:
            return [seen for seen in self._diagnostics if seen.at > after]

    def is_up(self) -> bool:
        """Return whether the link was connected by the last report."""
        with self._changed:
            return bool(self._links) and not self._links[-1].bad

    def wait_until(self, condition: Callable[[], bool], timeout: float) -> bool:
        """Wait until ``condition`` holds, asked at each report."""
        deadline = time.monotonic() + timeout
        while not condition():
            with self._changed:
                left = deadline - time.monotonic()
                if left <= 0.0:
                    return condition()
                self._changed.wait(min(left, 0.1))
        return True

    def ends_of(self, goal: bytes) -> int:
        """Return in how many different ways a goal was said to have ended."""
        with self._changed:
            return sum(status in TERMINAL for status in self._statuses[goal])
