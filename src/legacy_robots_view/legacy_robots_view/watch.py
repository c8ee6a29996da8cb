# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Watches all systems, while a browser shows the page."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from diagnostic_msgs.msg import DiagnosticArray
from rclpy.node import Node

from legacy_robots_common.node import qos
from legacy_robots_view.discovery import find_systems
from legacy_robots_view.panels import Panel
from legacy_robots_view.pictures import ImagePicture
from legacy_robots_view.polling import Polled
from legacy_robots_view.systems import Kind
from legacy_robots_view.view_parameters import Parameters
from legacy_robots_web import State

DISCOVERY_PERIOD = 1.0
"""Seconds between two looks at the graph; rclpy has no event for its changes."""
REPORT_PERIOD = 1.0
"""Seconds between two looks at rates and ages."""
_DIAGNOSTICS_DEPTH = 100


class Watch:
    """Finds systems and reads them. Everything is called on the executor's thread.

    Times are those of one steady clock, in s.
    """

    def __init__(
        self, node: Node, parameters: Parameters, kinds: Sequence[Kind], now: float
    ) -> None:
        self._node = node
        self._parameters = parameters
        self._kinds = kinds
        self._panels: dict[str, Panel] = {}
        self._bridges: dict[str, str] = {}
        self._diagnostics = Polled(
            node, DiagnosticArray, "/diagnostics", qos.stream(_DIAGNOSTICS_DEPTH)
        )
        self._discover_at = self._report_at = -math.inf
        self._clock: dict[str, float] = {"now": now}

    def look(self, now: float) -> Iterator[ImagePicture]:
        """Read everything that is due; yield the new images."""
        if now >= self._discover_at:
            self._discover_at = now + DISCOVERY_PERIOD
            self._discover(now)
        for taken in self._diagnostics.take_all(now):
            for status in self._diagnostics.read(taken).status:
                namespace = self._bridges.get(f"/{status.name}")
                if namespace in self._panels:
                    self._panels[namespace].link.diagnose(status, now)
        for namespace, panel in self._panels.items():
            for topic, file in panel.poll(now):
                yield ImagePicture(f"{namespace} {topic}", file)

    def state(self, now: float) -> State:
        """Return the state of everything."""
        report = now >= self._report_at
        if report:
            self._report_at = now + REPORT_PERIOD
            self._clock = {"now": round(now, 2)}
        state: State = {"clock": self._clock}
        for panel in self._panels.values():
            state |= panel.state(now, report)
        return state

    def _discover(self, now: float) -> None:
        """Follow the graph: systems that came, and those that went."""
        node = self._node
        systems = find_systems(node.get_topic_names_and_types(), self._kinds)
        for namespace, system in systems.items():
            publishers = node.get_publishers_info_by_topic(system.link)
            panel = self._panels.get(namespace)
            if panel is None:
                if not publishers:
                    continue
                panel = self._panels[namespace] = Panel(node, system, self._parameters, now)
            panel.follow(system, len(publishers), now)
            for publisher in publishers:
                name = f"{publisher.node_namespace.rstrip('/')}/{publisher.node_name}"
                self._bridges[name] = namespace
        for namespace, panel in list(self._panels.items()):
            gone = panel.gone_at
            if gone is not None and now - gone >= self._parameters.forget_after:
                panel.close()
                del self._panels[namespace]
                self._bridges = {n: s for n, s in self._bridges.items() if s != namespace}

    def close(self) -> None:
        """Leave all topics."""
        self._diagnostics.close()
        for panel in self._panels.values():
            panel.close()
