# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The one action server of all bridges: every goal ends once, truthfully, whatever ends first."""

from __future__ import annotations

import enum
import threading
import time
import traceback
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Generic, TypeVar

from rclpy.action import CancelResponse, GoalResponse
from rclpy.action.server import ServerGoalHandle

from legacy_robots_common.goals.action_server import TruthfulActionServer
from legacy_robots_common.goals.goal import (
    Ending,
    Goal,
    GoalPolicy,
    GoalRefusedError,
    LocalGoal,
    Parallel,
)
from legacy_robots_common.goals.goal_node import RESULT_GRACE_S, GoalNode
from legacy_robots_common.node.threadsafe_future import ThreadsafeFuture
from legacy_robots_core.link.base import NotConnectedError, ProtocolError

__all__ = [
    "REQUIRED_OUTCOMES",
    "Ending",
    "Goal",
    "GoalRefusedError",
    "GoalServer",
    "LocalGoal",
    "Parallel",
]

REQUEST_GRACE_S = 2.0
"""How long after a goal's end its client may take to ask for the result: a client in Python on a
loaded machine asks late, and who asks a bridge that has gone learns nothing of its goal."""
RESULT_TIMEOUT_S = 60
"""How long a result is kept for a client that asks late."""
REQUIRED_OUTCOMES = ("SUCCEEDED", "CANCELED", "INVALID", "LINK_LOST", "SHUTDOWN")


G = TypeVar("G", bound=Goal)


class GoalServer(ABC, Generic[G]):
    """An action server; a subclass says what a goal does and what its result message is.

    Goals are rejected while the node stops, and where ``refusal`` gives a reason. A goal ends by
    ``Goal.end``, called on any thread; the first call counts. The server itself ends goals when
    the link is lost (LINK_LOST), the node stops (SHUTDOWN), or it is retired.

    Parameters
    ----------
    node
        The node that owns the server.
    action_type, name
        The action, and its name relative to the node's namespace.
    outcomes
        How goals can end; members of REQUIRED_OUTCOMES must be among them. SUCCEEDED ends a goal
        as succeeded, CANCELED as canceled if its client asked for that, all others as aborted.
    policy
        When goals begin; default: at once.
    goal_type
        Class of the goals.
    lock
        Held while ``begin`` and ``cancel`` are called.
    needs_link
        Whether goals need the link: one that comes before the first connection waits for it, see
        ``missing``; later they end at once, with LINK_LOST, while there is no connection.

    """

    def __init__(
        self,
        node: GoalNode,
        action_type: type[Any],
        name: str,
        outcomes: type[enum.IntEnum],
        *,
        policy: GoalPolicy | None = None,
        goal_type: type[Goal] = Goal,
        lock: AbstractContextManager[Any] | None = None,
        needs_link: bool = True,
    ) -> None:
        missing = [o for o in REQUIRED_OUTCOMES if o not in outcomes.__members__]
        if missing:
            raise TypeError(f"{outcomes.__name__} has no {', '.join(missing)}")
        self.node = node
        self.action_type = action_type
        self.name = name
        self.outcomes = outcomes
        self._policy = policy or Parallel()
        self._goal_type = goal_type
        self._lock = lock or nullcontext()
        self._needs_link = needs_link
        self.was_ready = False
        """Whether ``missing`` was empty when a goal came."""
        self._goals_lock = threading.Lock()
        self._goals: dict[bytes, Goal] = {}
        self._retired: tuple[enum.IntEnum, str] | None = None
        self._last_end = 0.0
        self._asked: set[bytes] = set()  # active goals with a pending result request
        self._unasked: dict[bytes, float] = {}  # goals that ended unasked: until when to wait
        self._server = TruthfulActionServer(
            node,
            action_type,
            name,
            self._execute,
            goal_callback=self._on_goal,
            handle_accepted_callback=self._on_accepted,
            cancel_callback=self._on_cancel,
            result_timeout=RESULT_TIMEOUT_S,
            on_result_request=self._on_result_request,
        )
        node.add_goal_server(self)

    # --- what a subclass says --------------------------------------------------------------

    @abstractmethod
    def begin(self, goal: G) -> None:
        """Begin ``goal``, on the executor; may end it at once.

        May raise GoalRefusedError or ProtocolError (end it as INVALID), or NotConnectedError
        (LINK_LOST).
        """

    @abstractmethod
    def cancel(self, goal: G) -> bool | ThreadsafeFuture[bool]:
        """Stop a goal that has begun and is not over, on the executor; return whether it stops.

        True: it ends as CANCELED, now or soon. A future answers the client when it is set, at the
        latest when the goal ends.
        """

    @abstractmethod
    def result(self, goal: G, ending: Ending) -> Any:
        """Return the result message."""

    def refusal(self, request: Any) -> str | None:
        """Return why a goal is rejected before it is accepted, on the executor; None: it is not.

        Only the log gives the reason: the client of a rejected goal gets no result. Called without
        the lock.
        """
        return None

    def missing(self) -> str:
        """Return why goals wait while the robot has not been there yet; empty: they begin.

        On the executor, without the lock. For a server that does not need the link to override.
        """
        connected = not self._needs_link or self.node.connected
        return "" if connected else self.node.why_not_connected()

    def on_end(self, goal: Goal) -> None:
        """Handle the end of a goal at once, on the thread that ended it; call the base's too."""
        self._policy.ended(goal)

    def log_end(self, text: str) -> None:
        """Log how a goal ended."""
        self.node.get_logger().info(text)

    # --- for the owner ---------------------------------------------------------------------

    @property
    def goals(self) -> list[G]:
        """The goals that have not ended, in order of acceptance. Thread-safe."""
        with self._goals_lock:
            return [goal for goal in self._goals.values() if not goal.over]  # type: ignore[misc]

    @property
    def settled(self) -> bool:
        """Whether every goal's result has been given to its clients, as far as can be known."""
        now = time.monotonic()
        awaited = any(now < until for until in self._unasked.values())
        return not self._goals and not awaited and now - self._last_end >= RESULT_GRACE_S

    def guarded(self, goal: G, function: Callable[..., Any], *arguments: Any) -> None:
        """Call ``function`` for ``goal``; what it raises ends the goal. Any thread."""
        try:
            function(*arguments)
        except NotConnectedError as error:
            goal.end(self.outcomes["LINK_LOST"], str(error))
        except (GoalRefusedError, ProtocolError) as error:
            goal.end(self.outcomes["INVALID"], str(error))
        except Exception as error:
            self.node.on_exception(self.name, traceback.format_exc())
            goal.end(self.outcomes["INVALID"], f"unexpected {type(error).__name__}: {error}")

    def submit(self, goal: Goal) -> None:
        """Hand a goal to the policy, or end it. On the executor."""
        if goal.over:  # cancelled, or ended with the node, before its turn
            return
        goal.is_submitted = True
        if self._retired is not None:
            goal.end(*self._retired)
        elif self.node.stopping:
            goal.end(self.outcomes["SHUTDOWN"], "the bridge is shutting down")
        elif self._needs_link and not self.node.connected:
            goal.end(self.outcomes["LINK_LOST"], self.node.why_not_connected())
        else:
            self._policy.submit(goal)

    def start(self, goal: Goal) -> None:
        """Begin a goal whose turn has come. Called by the policy, on the executor."""
        with self._lock:
            if not goal.over:  # what ended it may have held the lock until now
                self.guarded(goal, self.begin, goal)  # type: ignore[arg-type]

    def end_goals(self, outcome: str, message: str) -> None:
        """End all goals with the member of the outcomes that is called ``outcome``. Any thread."""
        for goal in self.goals:
            goal.end(self.outcomes[outcome], message)

    async def carry_out(self, inner: LocalGoal) -> Ending:
        """Carry out a goal that does not come from a client; return how it ended.

        It is subject to the same policy, and ends for the same reasons; one that would be rejected
        ends as INVALID. It does not wait for the first connection. On the executor.
        """
        if (reason := self.refusal(inner.request)) is not None:
            return Ending(self.outcomes["INVALID"], reason)
        inner.goal = self._add(inner)
        return await self._run(inner.goal, may_wait=False)

    async def stop(self, inner: LocalGoal) -> bool:
        """Cancel a goal of ``carry_out``; return whether it stops. On the executor."""
        return await self._on_cancel(inner) is CancelResponse.ACCEPT

    def retire(
        self, outcome: str, message: str, on_retired: Callable[[], None] = lambda: None
    ) -> None:
        """End all goals, and destroy the server once their results are delivered. On the executor.

        For what disappears while the bridge goes on, such as a player that leaves the world. Then
        ``on_retired`` is called; until then there must be no new server of the same name.
        """
        self._retired = (self.outcomes[outcome], message)
        self.end_goals(outcome, message)
        timer = self.node.steady_timer(RESULT_GRACE_S, lambda: destroy_when_settled())

        def destroy_when_settled() -> None:
            if self.settled:
                self.node.destroy_timer(timer)
                self.node.remove_goal_server(self)
                self.destroy()
                on_retired()

    def destroy(self) -> None:
        """Destroy the server; called by its node."""
        self._server.destroy()

    # --- callbacks of rclpy, on the executor -----------------------------------------------

    def _on_goal(self, request: Any) -> GoalResponse:
        if self.node.stopping or self._retired is not None:
            return GoalResponse.REJECT
        if (reason := self.refusal(request)) is None:
            return GoalResponse.ACCEPT
        self.node.get_logger().warning(f"{self.name}: rejected: {reason}")
        return GoalResponse.REJECT

    def _on_accepted(self, handle: ServerGoalHandle) -> None:
        # Known at once: a cancellation, or the end of the node, may come before the execution.
        self._add(handle)
        handle.execute()

    async def _execute(self, handle: ServerGoalHandle) -> Any:
        goal = self._goals[bytes(handle.goal_id.uuid)]
        ending = await self._run(goal, may_wait=self._retired is None)
        if goal.id in self._asked:
            self._asked.remove(goal.id)
        else:
            now = self._last_end
            unasked = {id_: until for id_, until in self._unasked.items() if now < until}
            self._unasked = {**unasked, goal.id: now + REQUEST_GRACE_S}
        if ending.outcome is self.outcomes["SUCCEEDED"]:
            handle.succeed()
        elif ending.outcome is self.outcomes["CANCELED"] and handle.is_cancel_requested:
            handle.canceled()
        else:
            handle.abort()
        name = ending.outcome.name.lower().replace("_", " ")
        self.log_end(f"{self.name}: {name}: {ending.message}")
        return self.result(goal, ending)  # type: ignore[arg-type]

    def _add(self, handle: ServerGoalHandle | LocalGoal) -> Goal:
        goal = self._goal_type(self, handle)
        with self._goals_lock:
            self._goals[goal.id] = goal
        return goal

    async def _run(self, goal: Goal, *, may_wait: bool) -> Ending:
        """Submit a goal, once the robot is there if it may wait; wait until it has ended."""
        try:
            if not (may_wait and self.node.hold(goal)):
                self.submit(goal)
            ending = await goal._ended
            if goal._cancel_answered is not None:
                # The goal's state must have become CANCELING before it can become CANCELED.
                await goal._cancel_answered
        finally:
            self._last_end = time.monotonic()
            with self._goals_lock:
                del self._goals[goal.id]
        return ending

    def _on_result_request(self, handle: ServerGoalHandle) -> None:
        goal_id = bytes(handle.goal_id.uuid)
        if handle.is_active:
            self._asked.add(goal_id)
        elif self._unasked.pop(goal_id, None) is not None:
            self._last_end = time.monotonic()  # the result goes now

    async def _on_cancel(self, handle: ServerGoalHandle | LocalGoal) -> CancelResponse:
        goal = self._goals.get(bytes(handle.goal_id.uuid))
        if goal is None:
            return CancelResponse.REJECT
        if goal.over:
            canceled = goal.outcome is self.outcomes["CANCELED"]
            return CancelResponse.ACCEPT if canceled else CancelResponse.REJECT
        if not goal.is_submitted or self._policy.withdraw(goal):
            goal.end(self.outcomes["CANCELED"], "cancelled before it began")
            return CancelResponse.ACCEPT
        if goal._cancel_answer is None:
            answer: bool | ThreadsafeFuture[bool] = False
            with self._lock:
                if not goal.over:
                    answer = self._guarded_cancel(goal)
            if isinstance(answer, bool):
                return CancelResponse.ACCEPT if answer else CancelResponse.REJECT
            answered: ThreadsafeFuture[None] = ThreadsafeFuture(self.node.executor)
            goal._cancel_answer, goal._cancel_answered = answer, answered
            if goal.over:  # it ended between the call and the assignment
                answer.set_result(goal.outcome is self.outcomes["CANCELED"])
            accepted = await answer
            if not accepted:
                # It may be asked to stop again.
                goal._cancel_answer = goal._cancel_answered = None
            # rclpy changes the goal's state in the same step of the executor, before any other.
            answered.set_result(None)
        else:
            accepted = await goal._cancel_answer
        return CancelResponse.ACCEPT if accepted else CancelResponse.REJECT

    def _guarded_cancel(self, goal: Goal) -> bool | ThreadsafeFuture[bool]:
        try:
            return self.cancel(goal)  # type: ignore[arg-type]
        except NotConnectedError:
            return False  # the loss of the link ends the goal
        except Exception:
            self.node.on_exception(f"cancelling {self.name}", traceback.format_exc())
            return False
