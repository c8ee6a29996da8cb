# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A bridge's entry on ``/diagnostics``: link, rates, ages, and what was dropped or wrong."""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Callable, Mapping

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue

from legacy_robots_common.node import qos
from legacy_robots_common.node.program_node import ProgramNode
from legacy_robots_core.link.base import LinkState, LinkStatus

PERIOD_S = 1.0
"""Seconds between two reports."""
HOST, PROCESS_ID = "host", "process id"
"""Keys of the values that say where a bridge runs."""
_PROCESS = {HOST: socket.gethostname(), PROCESS_ID: str(os.getpid())}


class Counters:
    """Counts of what happened, by name, and when each happened last. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: dict[str, int] = {}
        self._last: dict[str, float] = {}

    def add(self, name: str, number: int = 1) -> None:
        """Count ``number`` more of ``name``."""
        with self._lock:
            self._counts[name] = self._counts.get(name, 0) + number
            self._last[name] = time.monotonic()

    def snapshot(self) -> dict[str, tuple[int, float]]:
        """Return for each name its count and its age in seconds."""
        now = time.monotonic()
        with self._lock:
            return {n: (c, now - self._last[n]) for n, c in self._counts.items()}


class DiagnosticsReporter:
    """Publishes one DiagnosticStatus a second while there is a subscriber.

    The level is ERROR while the link is in FAULT; WARN while it is not connected, or when since
    the last report it was lost and came back, or one of the ``warn_on`` counters grew; else OK.
    Every counter appears with its count, rate (1/s) and age (s).

    The status has the name of ``node``. ``link_status`` returns the link's present status,
    ``extra`` further key–value pairs; ``warn_on`` has the counters whose growth is a warning, each
    with the words that the summary uses for it.
    """

    def __init__(
        self,
        node: ProgramNode,
        hardware_id: str,
        link_status: Callable[[], LinkStatus],
        counters: Counters,
        *,
        warn_on: Mapping[str, str] | None = None,
        extra: Callable[[], Mapping[str, str]] = dict,
    ) -> None:
        self._node = node
        self._hardware_id = hardware_id
        self._link_status = link_status
        self._counters = counters
        self._warn_on = dict(warn_on or {})
        self._extra = extra
        self._before: dict[str, int] = {}
        self._connections_before = 0
        self._publisher = qos.publisher(node, DiagnosticArray, "/diagnostics", qos.stream())
        # Steady time: simulated time may stand still, a report must not.
        self._timer = node.steady_timer(PERIOD_S, self.report)

    def warn_of(self, counter: str) -> None:
        """Have the growth of ``counter``, whose name says what it counts, be a warning."""
        self._warn_on.setdefault(counter, counter)

    def report(self) -> None:
        """Publish the present status if there is a subscriber. Called by the timer."""
        link = self._link_status()
        counts = self._counters.snapshot()
        if self._publisher.get_subscription_count():
            self._publisher.publish(self._message(link, counts))
        self._connections_before = link.connections
        self._before = {name: count for name, (count, _) in counts.items()}

    def _message(
        self, link: LinkStatus, counts: Mapping[str, tuple[int, float]]
    ) -> DiagnosticArray:
        grown = [
            f"{count - self._before.get(name, 0)} {self._warn_on[name]}"
            for name, (count, _) in counts.items()
            if name in self._warn_on and count > self._before.get(name, 0)
        ]
        level, summary = DiagnosticStatus.OK, link.detail
        if link.state is LinkState.FAULT:
            level = DiagnosticStatus.ERROR
        elif link.state is not LinkState.CONNECTED:
            level = DiagnosticStatus.WARN
        elif grown:
            level, summary = DiagnosticStatus.WARN, ", ".join(grown) + " since the last report"
        elif link.connections > max(1, self._connections_before):
            level = DiagnosticStatus.WARN
        values = {
            "link": link.state.name,
            "peer": link.peer,
            "connections": str(link.connections),
            **_PROCESS,
            **self._extra(),
        }
        for name, (count, age) in counts.items():
            rate = (count - self._before.get(name, 0)) / PERIOD_S
            values[name] = str(count)
            values[f"{name}: rate (1/s)"] = f"{rate:.1f}"
            values[f"{name}: age (s)"] = f"{age:.1f}"
        message = DiagnosticArray()
        message.header.stamp = self._node.stamp()
        message.status.append(
            DiagnosticStatus(
                level=level,
                name=self._node.get_fully_qualified_name().lstrip("/"),
                message=summary,
                hardware_id=self._hardware_id,
                values=[KeyValue(key=k, value=v) for k, v in values.items()],
            )
        )
        return message
