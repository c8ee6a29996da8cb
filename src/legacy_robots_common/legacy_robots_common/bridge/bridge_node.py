# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The node of every bridge: its link, counters, diagnostics and goals, and how they end."""

from __future__ import annotations

import threading
import time
import traceback
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from builtin_interfaces.msg import Time
from lifecycle_msgs.msg import State
from lifecycle_msgs.srv import GetState
from std_msgs.msg import Header

from legacy_robots_common.bridge.diagnostics import Counters, DiagnosticsReporter
from legacy_robots_common.bridge.first_connection import FirstConnection
from legacy_robots_common.goals.goal_node import GoalNode
from legacy_robots_common.node import qos
from legacy_robots_common.node.printable_logger import Lines
from legacy_robots_core.link.base import Link, LinkObserver, LinkState, LinkStatus
from legacy_robots_msgs.msg import LinkState as LinkStateMessage

if TYPE_CHECKING:  # a bridge without actions loads none
    from legacy_robots_common.goals.goal import Goal

__all__ = ["BridgeNode"]

LOG_PERIOD_S = 1.0
"""Shortest time between two lines of the same problem; it is counted in between."""


class BridgeNode(GoalNode, LinkObserver):
    """A node between ROS and one robot.

    A bridge makes its topics, services and goal servers, hands over its link with ``use_link``,
    and overrides what it needs of ``on_event``, ``demand``, ``on_connected``, ``make_safe``,
    ``on_disconnected`` and ``diagnostics``.

    A goal that comes before the first connection waits for it (:class:`FirstConnection`). When the
    link is lost, in this order: ``make_safe``, all goals end with LINK_LOST and the
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
        self._stopping = False
        self._link: Link | None = None
        super().__init__(name, **node_arguments)
        self.counters = Counters()
        self._connected = False
        self._throttles: dict[str, tuple[float, int]] = {}
        """When each counter's problem was last logged, and how often it was counted since."""
        self._throttles_lock = threading.Lock()
        self.first_connection = FirstConnection(self, self._publish_link_state)
        self._shown: tuple[LinkStatus, Time] | None = None
        """The status that ``link_state`` shows, and since when."""
        self._link_state_lock = threading.Lock()
        self._link_state = qos.publisher(self, LinkStateMessage, "link_state", qos.LATCHED)
        # For programs that wait for lifecycle nodes, as waitUntilNav2Active of Nav2's commander.
        self.create_service(GetState, "~/get_state", self._get_state)
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
        """Stop the robot if it can be reached, and forget its commands.

        Called on the link's thread when the link is lost, on the executor when the program ends.
        """

    def on_disconnected(self, reason: str) -> None:
        """Mark the robot's known values as no longer valid. On the link's thread."""

    def is_usable(self, status: LinkStatus) -> bool:
        """Return whether the link can be used: a part that has a fault need not end the rest."""
        return status.state is LinkState.CONNECTED

    def diagnostics(self) -> Mapping[str, str]:
        """Return what the entry on /diagnostics has besides link and counters."""
        return {}

    # --- for a bridge ----------------------------------------------------------------------

    def use_link(self, link: Link, first_connection_timeout: float = 0.0) -> None:
        """Hand over the link; the node starts and closes it.

        Goals wait ``first_connection_timeout`` seconds for it to connect, see BridgeParameters.
        """
        self._link = link
        self.first_connection.timeout = first_connection_timeout
        if self.follows_clock:
            link.follow(self.now)
            self.on_clock(link.time_passed)

    @property
    def connected(self) -> bool:
        """Whether the link is connected, as reported to the subclass. Thread-safe."""
        return self._connected

    @property
    def stopping(self) -> bool:
        """Whether the program is ending; new goals are refused."""
        return self._stopping

    @property
    def link_status(self) -> LinkStatus:
        """The link's present status. Thread-safe."""
        if self._link is None:
            return LinkStatus(LinkState.DISCONNECTED, "", "there is no link", 0)
        return self._link.status

    def hold(self, goal: Goal) -> bool:
        """Keep a goal until the first connection; return whether it has to wait for that."""
        return self.first_connection.hold(goal)

    def why_not_connected(self) -> str:
        """Return a sentence for a goal or a service that needs the link."""
        status = self.link_status
        return f"there is no connection with {status.peer}: {status.detail}"

    # --- LinkObserver, on the link's thread ------------------------------------------------

    def on_status(self, status: LinkStatus) -> None:
        """Handle a change of status in order, and then publish it."""
        if self.is_usable(status):
            if not self._connected:
                self.on_connected()
                self._connected = True
        elif self._connected:
            self.first_connection.is_over = True
            self._connected = False
            reason = f"the connection with {status.peer} is lost: {status.detail}"
            self._in_order(
                lambda: self.make_safe(reason),
                lambda: self.end_goals("LINK_LOST", reason),
                lambda: self.on_disconnected(reason),
            )
        with self._link_state_lock:
            self._shown = (status, self.stamp())
        self._publish_link_state()
        text = f"link {status.state.name.lower()} ({status.peer}): {status.detail}"
        if status.state is LinkState.FAULT:
            self.get_logger().error(text)
        else:
            self.get_logger().info(text)

    def on_problem(self, counter: str, text: str) -> None:
        """Count a problem, log it at most once in LOG_PERIOD_S, warn of it on /diagnostics."""
        self.counters.add(counter)
        self._diagnostics.warn_of(counter)
        now = time.monotonic()
        with self._throttles_lock:
            logged_at, suppressed = self._throttles.get(counter, (-LOG_PERIOD_S, 0))
            if now - logged_at < LOG_PERIOD_S:
                self._throttles[counter] = (logged_at, suppressed + 1)
                return
            self._throttles[counter] = (now, 0)
        if suppressed:
            text += f" ({suppressed} more {counter} since the last such line)"
        if counter == "exceptions":
            title, _, lines = text.partition("\n")
            self.get_logger().error(Lines(title, lines))
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
        """Whether the services that wait for the first connection have been answered too."""
        return super().settled and not self.first_connection.calls

    def close(self) -> None:
        """Close the link. Idempotent."""
        if self._link is not None:
            self._link.close()

    def on_exception(self, where: str, text: str) -> None:
        """Report an exception that left a callback, as a problem."""
        self.on_problem("exceptions", f"{where} failed:\n{text}")

    def _get_state(self, _: GetState.Request, response: GetState.Response) -> GetState.Response:
        """Answer as a lifecycle node: active while the link can be used, else inactive."""
        response.current_state = (
            State(id=State.PRIMARY_STATE_ACTIVE, label="active")
            if self._connected
            else State(id=State.PRIMARY_STATE_INACTIVE, label="inactive")
        )
        return response

    def _publish_link_state(self) -> None:
        """Publish the status that was reported last, and how many goals wait. Thread-safe."""
        with self._link_state_lock:
            if self._shown is None:
                return
            status, entered = self._shown
            waiting = self.first_connection.waiting
            waits = f"; goals that wait for the first connection: {waiting}" if waiting else ""
            self._link_state.publish(
                LinkStateMessage(
                    header=Header(stamp=entered),
                    state=int(status.state),
                    peer=status.peer,
                    detail=status.detail + waits,
                    connections=status.connections,
                )
            )

    def _in_order(self, *steps: Callable[[], None]) -> None:
        for step in steps:
            try:
                step()
            except Exception:
                self.on_exception("ending the work", traceback.format_exc())
