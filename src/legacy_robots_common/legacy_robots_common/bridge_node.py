# SPDX-License-Identifier: Apache-2.0
"""The node of every bridge: its link, counters, diagnostics and goals, and how they end."""

from __future__ import annotations

import threading
import time
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from legacy_robots_common.diagnostics import Counters, DiagnosticsReporter
from legacy_robots_common.goals import GoalServer
from legacy_robots_common.link import Link, LinkObserver, LinkState, LinkStatus
from legacy_robots_common.link_reporter import LinkReporter
from legacy_robots_common.program_node import ProgramNode

LOG_PERIOD_S = 1.0
"""A problem is logged so often at most; between two lines it is counted."""


@dataclass
class _Throttle:
    logged_at: float
    suppressed: int = 0


class BridgeNode(ProgramNode, LinkObserver):
    """A node between ROS and one robot.

    A bridge makes its topics, services and goal servers, hands over its link with ``use_link``,
    and overrides what it needs of ``on_event``, ``demand``, ``on_connected``, ``make_safe``,
    ``on_disconnected`` and ``diagnostics``.

    When the link is lost, in this order: ``make_safe``, all goals end with LINK_LOST and the
    reason, ``on_disconnected``, then the loss is published on ``link_state``. When the program
    ends: ``make_safe``, all goals end with SHUTDOWN, their results reach their clients, then the
    link is closed. An exception in one of these steps is reported and does not stop the others.
    """

    def __init__(
        self,
        name: str = "bridge",
        *,
        hardware_id: str,
        warn_on: Mapping[str, str] | None = None,
        **node_arguments: Any,
    ) -> None:
        self._goal_servers: list[GoalServer[Any]] = []
        self._stopping = False
        self._link: Link | None = None
        super().__init__(name, **node_arguments)
        self.counters = Counters()
        self._connected = False
        self._throttles: dict[str, _Throttle] = {}
        self._throttles_lock = threading.Lock()
        self._reporter = LinkReporter(self)
        self._diagnostics = DiagnosticsReporter(
            self,
            hardware_id,
            lambda: self.link_status,
            self.counters,
            warn_on=warn_on,
            extra=self.diagnostics,
        )

    # --- what a bridge overrides -----------------------------------------------------------

    def on_connected(self) -> None:
        """Prepare for a robot that has just connected. On the link's thread."""

    def make_safe(self, reason: str) -> None:
        """Stop the robot as far as it can be reached, and forget what it was to do.

        Called on the link's thread when the link is lost, on the executor when the program ends.
        """

    def on_disconnected(self, reason: str) -> None:
        """Mark what was known of the robot as not valid any more. On the link's thread."""

    def is_usable(self, status: LinkStatus) -> bool:
        """Return whether the link can be used: a part that has a fault need not end the rest."""
        return status.state is LinkState.CONNECTED

    def diagnostics(self) -> Mapping[str, str]:
        """Return what the entry on /diagnostics has besides link and counters."""
        return {}

    # --- for a bridge ----------------------------------------------------------------------

    def use_link(self, link: Link) -> None:
        """Hand over the link; it is started with the node and closed at its end."""
        self._link = link
        if self.follows_clock:
            link.follow(self.now)
            self.on_clock(link.time_passed)

    @property
    def connected(self) -> bool:
        """Whether the link is connected, as told to the subclass. Thread-safe."""
        return self._connected

    @property
    def stopping(self) -> bool:
        """Whether the program ends: no goal begins any more."""
        return self._stopping

    @property
    def link_status(self) -> LinkStatus:
        """The link's present status. Thread-safe."""
        if self._link is None:
            return LinkStatus(LinkState.DISCONNECTED, "", "there is no link", 0)
        return self._link.status

    def why_not_connected(self) -> str:
        """Return a sentence for a goal or a service that needs the link."""
        status = self.link_status
        return f"there is no connection with {status.peer}: {status.detail}"

    def end_goals(self, outcome: str, message: str) -> None:
        """End all goals of all servers, see GoalServer.end_goals. Thread-safe."""
        for server in list(self._goal_servers):
            server.end_goals(outcome, message)

    def add_goal_server(self, server: GoalServer[Any]) -> None:
        """Own a server; called by it."""
        self._goal_servers.append(server)

    def remove_goal_server(self, server: GoalServer[Any]) -> None:
        """Own it no longer; called by a server that was retired."""
        self._goal_servers.remove(server)

    # --- LinkObserver, on the link's thread ------------------------------------------------

    def on_status(self, status: LinkStatus) -> None:
        """Do what the change of status means, in order, and then publish it."""
        if self.is_usable(status):
            if not self._connected:
                self.on_connected()
                self._connected = True
        elif self._connected:
            self._connected = False
            reason = f"the connection with {status.peer} is lost: {status.detail}"
            self._in_order(
                lambda: self.make_safe(reason),
                lambda: self.end_goals("LINK_LOST", reason),
                lambda: self.on_disconnected(reason),
            )
        self._reporter.report(status)

    def on_problem(self, counter: str, text: str) -> None:
        """Count a problem, log it at most once in LOG_PERIOD_S, warn of it on /diagnostics."""
        self.counters.add(counter)
        self._diagnostics.warn_of(counter)
        now = time.monotonic()
        with self._throttles_lock:
            throttle = self._throttles.get(counter)
            if throttle is not None and now - throttle.logged_at < LOG_PERIOD_S:
                throttle.suppressed += 1
                return
            suppressed = throttle.suppressed if throttle is not None else 0
            self._throttles[counter] = _Throttle(now)
        if suppressed:
            text += f" ({suppressed} more {counter} since the last such line)"
        if counter == "exceptions":
            self.get_logger().error(text)
        else:
            self.get_logger().warning(text)

    # --- ProgramNode -----------------------------------------------------------------------

    def start(self) -> None:
        """Start the link."""
        if self._link is not None:
            self._link.start()

    def stop(self) -> None:
        """Make the robot safe and end all goals."""
        self._stopping = True
        reason = "the bridge is shutting down"
        self._in_order(lambda: self.make_safe(reason), lambda: self.end_goals("SHUTDOWN", reason))

    @property
    def settled(self) -> bool:
        """Whether the results of all goals have reached their clients, as far as can be known."""
        return all(server.settled for server in self._goal_servers)

    def close(self) -> None:
        """Close the link. Idempotent."""
        if self._link is not None:
            self._link.close()

    def destroy_node(self) -> None:
        """Destroy the goal servers too, of which rclpy's node does not know."""
        for server in self._goal_servers:
            server.destroy()
        self._goal_servers = []
        super().destroy_node()

    def on_exception(self, where: str, text: str) -> None:
        """Report an exception that left a callback, as a problem."""
        self.on_problem("exceptions", f"{where} failed:\n{text}")

    def _in_order(self, *steps: Callable[[], None]) -> None:
        for step in steps:
            try:
                step()
            except Exception:
                self.on_exception("ending the work", traceback.format_exc())
