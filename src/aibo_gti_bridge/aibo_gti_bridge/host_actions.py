# SPDX-License-Identifier: Apache-2.0
"""Action goals sent from any thread, whose failures are reported and that can be cancelled."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from action_msgs.msg import GoalStatus
from rclpy.action import ActionClient

from legacy_robots_common.bridge_node import BridgeNode

FAILED = "goals of the robot that failed"
"""The counter on /diagnostics."""
SERVER_TIMEOUT_S = 2.0
"""So long a server may be missing: one that is started together with the host is not found yet."""
SERVER_PERIOD_S = 0.1
ANSWER_TIMEOUT_S = 5.0
"""A goal that its server has not answered for so long is sent again.

A server that has not discovered all of its client yet cannot answer; rclpy's then drops the goal.
"""


def _ignore(result: Any) -> None:
    """Need no result."""


class Caller:
    """One action of the robot. GTI waits for nothing, so a goal that fails is only reported.

    A goal that a newer one replaces may fail silently.
    """

    def __init__(self, node: BridgeNode, action_type: type[Any], name: str) -> None:
        self._node = node
        self._name = name
        self._client = ActionClient(node, action_type, name)
        self._number = 0
        self._running: dict[int, Any] = {}
        self._ended_before = 0

    def send(self, goal: Any, on_end: Callable[[Any], None] = _ignore) -> None:
        """Send a goal; ``on_end`` gets its result, None without one. Thread-safe."""
        self._node.call_soon(self._send, goal, on_end)

    def cancel(self) -> None:
        """Cancel every goal, also those that are not yet accepted. Thread-safe."""
        self._node.call_soon(self._cancel)

    # --- on the executor -------------------------------------------------------------------

    def _send(self, goal: Any, on_end: Callable[[Any], None]) -> None:
        if self._client.server_is_ready():
            self._send_now(goal, on_end)
            return
        deadline, ended_before = time.monotonic() + SERVER_TIMEOUT_S, self._ended_before

        def look() -> None:
            if not self._client.server_is_ready() and time.monotonic() < deadline:
                return
            self._node.destroy_timer(timer)
            if self._ended_before == ended_before:
                self._send_now(goal, on_end)
            else:
                on_end(None)  # cancelled before it was sent

        timer = self._node.steady_timer(SERVER_PERIOD_S, look)

    def _send_now(self, goal: Any, on_end: Callable[[Any], None]) -> None:
        self._number += 1
        number = self._number
        attempt = 0

        def ask() -> None:
            nonlocal attempt
            attempt += 1
            this = attempt
            if self._client.server_is_ready():
                sent = self._client.send_goal_async(goal)
                sent.add_done_callback(lambda future: answered(future, this))
                return
            self._node.destroy_timer(timer)
            self._node.on_problem(FAILED, f"{self._name}: there is no such action server")
            on_end(None)

        def answered(future: Any, this: int) -> None:
            handle = future.result()
            if this != attempt:  # it was sent again
                if handle is not None and handle.accepted:
                    handle.cancel_goal_async()
                return
            self._node.destroy_timer(timer)
            if handle is None or not handle.accepted:
                self._node.on_problem(FAILED, f"{self._name}: the goal is rejected")
                on_end(None)
                return
            self._running[number] = handle
            if number <= self._ended_before:
                handle.cancel_goal_async()
            handle.get_result_async().add_done_callback(ended)

        def ended(future: Any) -> None:
            self._running.pop(number, None)
            answer = future.result()
            failed = answer is None or answer.status == GoalStatus.STATUS_ABORTED
            if failed and number == self._number and number > self._ended_before:
                result = getattr(answer, "result", None)
                outcome = getattr(result, "outcome", None)
                why = getattr(result, "error_string", "") or getattr(outcome, "message", "")
                self._node.on_problem(FAILED, f"{self._name}: {why or 'the goal was aborted'}")
            on_end(None if answer is None else answer.result)

        timer = self._node.steady_timer(ANSWER_TIMEOUT_S, ask)
        ask()

    def _cancel(self) -> None:
        self._ended_before = self._number = self._number + 1
        for handle in list(self._running.values()):
            handle.cancel_goal_async()
