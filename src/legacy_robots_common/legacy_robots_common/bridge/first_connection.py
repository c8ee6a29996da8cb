# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Goals and calls that come before a bridge's first connection wait for it, for a while."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rclpy.timer import Timer

from legacy_robots_common.goals.goal_node import GoalNode
from legacy_robots_common.node.parameters import parameter
from legacy_robots_common.node.threadsafe_future import pause

if TYPE_CHECKING:
    from legacy_robots_common.goals.goal import Goal

__all__ = ["BridgeParameters", "FirstConnection"]

LOOK_PERIOD_S = 0.1


@dataclass(frozen=True)
class BridgeParameters:
    """The parameters of every bridge whose robot may be started after it."""

    first_connection_timeout: float = parameter(
        30.0,
        "seconds that a goal or a service that comes before the first connection waits for it; "
        "0: it ends at once",
        minimum=0.0,
        maximum=86400.0,
        group="Before the robot is there.",
    )


class FirstConnection:
    """Keeps goals of all servers of one node, in the order in which they came.

    A goal begins as soon as its server misses nothing, and ends with LINK_LOST after ``timeout``
    seconds of real time. Used on the executor. ``on_change`` is called when the number of goals
    that wait has changed.
    """

    def __init__(self, node: GoalNode, on_change: Callable[[], None]) -> None:
        self.timeout = 0.0
        self.is_over = False
        """Whether the first connection has come and was lost. Set on any thread."""
        self.calls = 0
        """How many services wait."""
        self._node = node
        self._on_change = on_change
        self._goals: list[tuple[Goal, float]] = []  # with the time of its end, monotonic
        self._timer: Timer | None = None

    @property
    def waiting(self) -> int:
        """How many goals wait. Thread-safe."""
        return len(self._goals)

    def hold(self, goal: Goal) -> bool:
        """Keep a goal whose server misses the robot; return False where it may begin or end."""
        server = goal.server
        if goal.over:
            return False
        reason = server.missing()
        if not reason:
            server.was_ready = True
            self._look()  # those that came before it begin before it
            return False
        if server.was_ready or self.is_over or self._node.stopping or not self.timeout:
            return False
        self._node.get_logger().info(
            f"{server.name}: a goal waits for the first connection, "
            f"for {self.timeout:g} s at most: {reason}"
        )
        self._goals.append((goal, time.monotonic() + self.timeout))
        if self._timer is None:
            self._timer = self._node.steady_timer(LOOK_PERIOD_S, self._look)
        self._on_change()
        return True

    def drop(self, reason: str) -> None:
        """End all goals that wait: the robot is to stand, for ``reason``, when it comes."""
        for goal, _ in self._goals:
            text = f"{reason} before the first connection"
            goal.end(goal.server.outcomes["LINK_LOST"], text)
        self._look()

    async def wait(self) -> None:
        """Wait, for a service, until the node is connected or stops, or ``timeout`` is over."""
        deadline = time.monotonic() + self.timeout
        node = self._node
        self.calls += 1
        try:
            while not (node.connected or self.is_over or node.stopping):
                if time.monotonic() >= deadline:
                    break
                await pause(node, LOOK_PERIOD_S)
        finally:
            self.calls -= 1

    def _look(self) -> None:
        """Begin and end what need not wait any longer."""
        waiting = self._goals
        if not waiting:
            return
        # The latest is asked about first: where the robot comes meanwhile, those before it go on.
        reasons = [goal.over or goal.server.missing() for goal, _ in reversed(waiting)][::-1]
        self._goals = []
        for (goal, deadline), reason in zip(waiting, reasons, strict=True):
            if goal.over:
                continue
            if not reason:
                goal.server.was_ready = True
                goal.began = self._node.now()
                goal.server.guarded(goal, goal.server.submit, goal)
            elif time.monotonic() < deadline:
                self._goals.append((goal, deadline))
            else:
                text = f"{reason}; the goal has waited for {self.timeout:g} s"
                goal.end(goal.server.outcomes["LINK_LOST"], text)
        if not self._goals and self._timer is not None:
            self._node.destroy_timer(self._timer)
            self._timer = None
        if len(self._goals) != len(waiting):
            self._on_change()
