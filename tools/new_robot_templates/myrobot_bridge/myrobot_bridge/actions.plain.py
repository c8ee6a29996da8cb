# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The action ``move``: go to a position, one goal after the other."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Any

from control_msgs.action import GripperCommand

from legacy_robots_common.goals.goal_server import Ending, Goal, GoalRefusedError, GoalServer
from legacy_robots_common.goals.policies import GoalQueue

from . import protocol

if TYPE_CHECKING:
    from .node import MyrobotBridge

LIMIT_S = 20.0
"""Seconds that a motion may take: a DONE can be lost on the way."""


class Outcome(enum.IntEnum):
    """How a goal can end; those up to SHUTDOWN must be there."""

    SUCCEEDED = 0
    CANCELED = 1
    LINK_LOST = 2
    INVALID = 3
    SHUTDOWN = 4
    QUEUE_FULL = 5
    BLOCKED = 6
    TIMED_OUT = 7


class MoveAction(GoalServer[Goal]):
    """Sends a MOVE for each goal; Myrobot says when it is over."""

    node: MyrobotBridge

    def __init__(self, node: MyrobotBridge) -> None:
        super().__init__(node, GripperCommand, "move", Outcome, policy=GoalQueue(limit=4))
        self._under_way: Goal | None = None
        self._due = 0.0

    def begin(self, goal: Goal) -> None:
        """Send the goal. Raises GoalRefusedError."""
        position = goal.request.command.position
        if not 0.0 <= position <= self.node.settings.longest:
            raise GoalRefusedError(f"cannot go to {position} m")
        self.node.link.command(protocol.move(position))
        self._due, self._under_way = self.node.now() + LIMIT_S, goal

    def check_time(self) -> None:
        """End the goal that takes too long. On the link's thread."""
        if self._under_way and self.node.now() > self._due:
            self._under_way.end(Outcome.TIMED_OUT, f"no end after {LIMIT_S} s")

    def on_done(self, event: protocol.Done) -> None:
        """End the goal that is under way. On the link's thread."""
        for goal in self.goals[:1]:
            if event.reached:
                goal.end(Outcome.SUCCEEDED, "the position is reached")
            else:
                goal.end(Outcome.BLOCKED, "something is in the way")

    def cancel(self, goal: Goal) -> bool:
        """Stop where it is."""
        self.node.link.command(protocol.STOP)
        return goal.end(Outcome.CANCELED, "stopped")

    def result(self, goal: Goal, ending: Ending) -> Any:
        """Return the position now (m)."""
        return GripperCommand.Result(
            position=self.node.reading.position,
            stalled=ending.outcome is Outcome.BLOCKED,
            reached_goal=ending.outcome is Outcome.SUCCEEDED,
        )
