# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""One goal from its acceptance to its end, and the policy by which it begins."""

from __future__ import annotations

import enum
import uuid
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from rclpy.action.server import ServerGoalHandle
from unique_identifier_msgs.msg import UUID

from legacy_robots_common.goals.goal_node import GoalNode
from legacy_robots_common.node.threadsafe_future import ThreadsafeFuture


class GoalRefusedError(Exception):
    """Raised by GoalServer.begin for a goal that cannot be carried out; the message says why."""


@dataclass(frozen=True)
class Ending:
    """How a goal ended: a member of the server's outcomes, and the same in a sentence."""

    outcome: enum.IntEnum
    message: str


class OwningServer(Protocol):
    """A GoalServer as its goals know it: ``goal_server`` imports this module, not the reverse."""

    node: GoalNode
    name: str
    outcomes: type[enum.IntEnum]
    was_ready: bool
    """Whether it has missed nothing before."""

    def missing(self) -> str:
        """Return why no goal can begin now; empty: one can. On the executor."""

    def submit(self, goal: Goal) -> None:
        """Hand a goal to the policy, or end it. On the executor."""

    def guarded(self, goal: Any, function: Callable[..., Any], *arguments: Any) -> None:
        """Call ``function`` for ``goal``; what it raises ends the goal. Any thread."""

    def start(self, goal: Goal) -> None:
        """Begin a goal whose turn has come. On the executor."""

    def on_end(self, goal: Goal) -> None:
        """Handle the end of a goal at once, on the thread that ended it."""


class Goal:
    """One goal from its acceptance to its result. A subclass may keep what its server needs."""

    def __init__(self, server: OwningServer, handle: ServerGoalHandle | LocalGoal) -> None:
        self.server = server
        self.request: Any = handle.request
        self.began = server.node.now()
        """When it was accepted; where it had to wait for the first connection, when that came."""
        self.is_submitted = False  # to the policy
        self._handle = handle
        self._ended: ThreadsafeFuture[Ending] = ThreadsafeFuture(server.node.executor)
        self._cancel_answer: ThreadsafeFuture[bool] | None = None
        self._cancel_answered: ThreadsafeFuture[None] | None = None

    @property
    def id(self) -> bytes:
        """The goal's id."""
        return bytes(self._handle.goal_id.uuid)

    @property
    def over(self) -> bool:
        """Whether it has ended. Thread-safe."""
        return self._ended.done()

    @property
    def outcome(self) -> enum.IntEnum | None:
        """How it ended; None while it has not. Thread-safe."""
        return self._ended.result().outcome if self._ended.done() else None

    @property
    def elapsed(self) -> float:
        """Seconds since ``began``."""
        return self.server.node.now() - self.began

    def end(self, outcome: enum.IntEnum, message: str) -> bool:
        """End it; return False, without effect, where it has ended before. Thread-safe."""
        if not self._ended.set_result(Ending(outcome, message)):
            return False
        if self._cancel_answer is not None:
            self._cancel_answer.set_result(outcome is self.server.outcomes["CANCELED"])
        self.server.on_end(self)
        return True

    def publish_feedback(self, feedback: Any) -> None:
        """Send feedback to the clients, unless it has ended. Thread-safe."""
        if not self.over:
            self._handle.publish_feedback(feedback)


class LocalGoal:
    """A goal that one server of a node passes on to another, see GoalServer.carry_out.

    ``on_feedback`` gets its feedback messages, on any thread.
    """

    goal: Goal | None = None
    """Set once it is accepted."""

    def __init__(self, request: Any, on_feedback: Callable[[Any], None]) -> None:
        self.request = request
        self.goal_id = UUID(uuid=list(uuid.uuid4().bytes))
        self.publish_feedback = on_feedback

    @property
    def over(self) -> bool:
        """Whether it was accepted and has ended. Thread-safe."""
        return self.goal is not None and self.goal.over


class GoalPolicy(ABC):
    """Decides when a goal begins; one policy may serve several servers of one node."""

    @abstractmethod
    def submit(self, goal: Goal) -> None:
        """Begin a new goal with ``goal.server.start``, at once or later. On the executor."""

    def withdraw(self, goal: Goal) -> bool:
        """Take back a goal that has not begun; return whether it had not. On the executor."""
        return False

    def ended(self, goal: Goal) -> None:  # noqa: B027 - optional
        """Handle the end of a goal, begun or not. Called on any thread."""


class Parallel(GoalPolicy):
    """Every goal begins at once."""

    def submit(self, goal: Goal) -> None:
        """Begin the goal."""
        goal.server.start(goal)
