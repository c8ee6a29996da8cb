# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Action goals sent from any thread, whose failures are reported and that can be cancelled."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

from action_msgs.msg import GoalStatus

from legacy_robots_common.bridge.bridge_node import BridgeNode
from legacy_robots_common.goals.remote import RemoteAction
from legacy_robots_common.goals.requests import End, GoalRequest, Limits, Observer

FAILED = "goals of the robot that failed"
"""The counter on /diagnostics."""
LIMITS = Limits(discovery=2.0)
"""A server that is started together with the host is not found at once."""


def _ignore(result: Any) -> None:
    """Need no result."""


class CallsInOrder:
    """Calls on the executor, in the order of their requests; its own tasks have another order."""

    def __init__(self, node: BridgeNode) -> None:
        self._node = node
        self._waiting: deque[tuple[Callable[..., object], tuple[Any, ...]]] = deque()

    def call(self, function: Callable[..., object], *arguments: Any) -> None:
        """Have ``function`` called after all that was requested before. Thread-safe."""
        self._waiting.append((function, arguments))
        self._node.call_soon(self._call_oldest)

    def _call_oldest(self) -> None:
        function, arguments = self._waiting.popleft()
        function(*arguments)


class Caller:
    """One action of the robot. GTI waits for nothing, so a goal that fails is only reported.

    A goal that a newer one replaces may fail silently.
    """

    def __init__(
        self, node: BridgeNode, calls: CallsInOrder, action_type: type[Any], name: str
    ) -> None:
        self._node = node
        self._calls = calls
        self._action = RemoteAction(node, action_type, name)
        self._running: list[GoalRequest] = []

    def send(self, goal: Any, on_end: Callable[[Any], None] = _ignore) -> None:
        """Send a goal; ``on_end`` gets its result, None without one. Thread-safe."""
        self._calls.call(self._send, goal, on_end)

    def cancel(self) -> None:
        """Cancel every goal of before, also those that are not yet accepted. Thread-safe."""
        self._calls.call(self._cancel)

    # --- on the executor -------------------------------------------------------------------

    def _send(self, goal: Any, on_end: Callable[[Any], None]) -> None:
        def ended(end: End) -> None:
            is_newest = self._running[-1:] == [request]
            if request in self._running:
                self._running.remove(request)
            stopped = end.status == GoalStatus.STATUS_CANCELED
            if not end.succeeded and not stopped and (is_newest or end.result is None):
                self._node.on_problem(FAILED, end.reason)
            on_end(end.result)

        request = self._action.send(goal, Observer(ended), LIMITS)
        self._running.append(request)

    def _cancel(self) -> None:
        cancelled, self._running = self._running, []
        for request in cancelled:
            request.cancel()
