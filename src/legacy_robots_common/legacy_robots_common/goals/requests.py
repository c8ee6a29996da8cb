# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Goals and calls to other nodes: sent once the server is there, and watched to exactly one end.

Everything is called on the node's executor. A server that is missing or gone ends a request, and
so does one that does not answer whether it accepts a goal. One that is there and never answers a
call, or never ends a goal, does not.
"""

from __future__ import annotations

import math
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar
from uuid import uuid4

from action_msgs.msg import GoalStatus
from action_msgs.srv import CancelGoal
from rclpy.action import ActionClient
from rclpy.action.client import ClientGoalHandle
from rclpy.client import Client
from rclpy.clock import Clock
from rclpy.clock_type import ClockType
from rclpy.node import Node
from rclpy.task import Future
from unique_identifier_msgs.msg import UUID

ANSWER_TIMEOUT_S = 5.0
"""Time after which a goal that its server has not answered is sent again.

A server that has not discovered all of its client yet cannot answer. Ours waits, see
node/client_discovery.py; others may drop the goal, or carry it out unseen.
"""
ATTEMPTS = 3
RESULT_PERIOD_S = 2.0
"""How often a result is asked for anew: a server that was started again knows of no goal."""
LOOK_PERIOD_S = 0.1
_STATUS = {
    GoalStatus.STATUS_SUCCEEDED: "succeeded",
    GoalStatus.STATUS_CANCELED: "cancelled",
    GoalStatus.STATUS_ABORTED: "aborted",
    GoalStatus.STATUS_UNKNOWN: "unknown to its server",
}
_NOT_GOING_ON = (
    CancelGoal.Response.ERROR_GOAL_TERMINATED,
    CancelGoal.Response.ERROR_UNKNOWN_GOAL_ID,
)
E = TypeVar("E", ActionClient, Client)


@dataclass(frozen=True)
class Limits:
    """Seconds that a server may be missing, and may take to answer a cancellation."""

    discovery: float = math.inf
    """Before something is sent to it."""
    server: float = 3.0
    """After it was sent."""
    cancel: float = math.inf


@dataclass(frozen=True)
class End:
    """How a request ended."""

    name: str
    """Of the action or service."""
    succeeded: bool
    fate: str
    """``succeeded``, ``aborted``, ``rejected``, ``the server is gone``, ..."""
    result: Any = None
    """The result or response message; None without one."""
    status: int = GoalStatus.STATUS_UNKNOWN
    """Of a goal: a constant of action_msgs/GoalStatus."""

    @property
    def message(self) -> str:
        """The sentence in the result; empty where it has none."""
        inner = (getattr(self.result, name, None) for name in ("outcome", "effect"))
        for part in (self.result, *inner):
            for name in ("message", "error_msg", "error_string"):
                if text := getattr(part, name, ""):
                    return str(text)
        code = getattr(self.result, "error_code", 0)
        return f"error_code {code}" if code else ""

    @property
    def reason(self) -> str:
        """Why it did not succeed, in a sentence; empty if it did."""
        parts = filter(None, (self.name, self.fate, self.message))
        return "" if self.succeeded else ": ".join(parts)


def _ignore(*_: Any) -> None:
    """Need nothing."""


@dataclass(frozen=True)
class Observer:
    """Gets the events of one request; ``on_end`` or ``on_lost`` comes exactly once, and last."""

    on_end: Callable[[End], object]
    on_start: Callable[[], object] = _ignore
    """The server has accepted it."""
    on_feedback: Callable[[Any], object] = _ignore
    """Gets the feedback of a goal."""
    on_refused: Callable[[], object] = _ignore
    """The server does not cancel it; it goes on."""
    on_lost: Callable[[str], object] | None = None
    """The server did not answer a cancellation: what it does is unknown. None: ``on_end``."""


class Request(ABC, Generic[E]):
    """What goals and calls have in common: a server that may be missing, and one end."""

    def __init__(
        self,
        node: Node,
        client: E,
        name: str,
        message: Any,
        observer: Observer,
        limits: Limits | None = None,
    ) -> None:
        self._node = node
        self._client = client
        self._name = name
        self._message = message
        self._observer = observer
        self._limits = limits or Limits()
        self._missing_since: float | None = None
        self._sent_at: float | None = None
        self._over = False
        steady = Clock(clock_type=ClockType.STEADY_TIME)
        self._timer = node.create_timer(LOOK_PERIOD_S, self._look, clock=steady)
        self._look()

    @property
    def over(self) -> bool:
        """Whether it has ended."""
        return self._over

    @abstractmethod
    def cancel(self) -> None:
        """Ask to stop it; it ends, or ``on_refused`` or ``on_lost`` is called. Idempotent."""

    @abstractmethod
    def _is_ready(self) -> bool:
        """Return whether the server is there."""

    @abstractmethod
    def _send(self) -> None:
        """Ask the server."""

    def _watch(self, now: float) -> None:
        """Act on time limits that have passed (monotonic clock, s)."""

    def _look(self) -> None:
        if self._over:
            return
        now = time.monotonic()
        if self._is_ready():
            self._missing_since = None
            if self._sent_at is None:
                self._sent_at = now
                self._send()
            else:
                self._watch(now)
            return
        if self._missing_since is None:
            self._missing_since = now
        sent = self._sent_at is not None
        if now - self._missing_since >= (self._limits.server if sent else self._limits.discovery):
            self._end(False, "the server is gone" if sent else "there is no server")

    def _close(self) -> bool:
        """Stop watching; return False where it is over."""
        if self._over:
            return False
        self._over = True
        self._node.destroy_timer(self._timer)
        return True

    def _end(self, succeeded: bool, fate: str, *result: Any) -> None:
        if self._close():
            self._observer.on_end(End(self._name, succeeded, fate, *result))

    def _cancelled_unsent(self) -> bool:
        if self._sent_at is not None:
            return False
        self._end(False, "cancelled before it was sent", None, GoalStatus.STATUS_CANCELED)
        return True


class GoalRequest(Request[ActionClient]):
    """A goal of an action."""

    def __init__(self, *arguments: Any, **keywords: Any) -> None:
        self._goal_id = UUID()
        self._attempts = 0
        self._handle: ClientGoalHandle | None = None
        self._cancel_wanted = False
        self._cancelled_at: float | None = None  # when asked, while that is not answered
        self._cancellations = 0
        self._asked_at = 0.0  # for the result
        super().__init__(*arguments, **keywords)

    @property
    def id(self) -> bytes:
        """The goal's id, of the last attempt."""
        return bytes(self._goal_id.uuid)

    @property
    def handle(self) -> ClientGoalHandle | None:
        """The accepted goal as rclpy knows it."""
        return self._handle

    @property
    def settled(self) -> bool:
        """Whether it is over, or its cancellation has been answered."""
        return self._over or (self._cancel_wanted and self._cancelled_at is None)

    def cancel(self) -> None:
        """Ask to cancel it, also where the server may have accepted it and we do not know."""
        if self._over or self._cancelled_unsent():
            return
        self._cancel_wanted = True
        if self._cancelled_at is None:
            self._cancelled_at = time.monotonic()
            self._cancellations += 1
            number = self._cancellations
            handle = self._handle or ClientGoalHandle(self._client, self._goal_id, None)
            handle.cancel_goal_async().add_done_callback(
                lambda future: self._cancel_answered(future.result(), number)
            )

    def _is_ready(self) -> bool:
        return bool(self._client.server_is_ready())

    def _send(self) -> None:
        self._attempts += 1
        self._goal_id = goal_id = UUID(uuid=list(uuid4().bytes))
        sent = self._client.send_goal_async(
            self._message,
            feedback_callback=lambda message: self._observer.on_feedback(message.feedback),
            goal_uuid=goal_id,
        )
        sent.add_done_callback(lambda future: self._answered(future.result(), goal_id))

    def _watch(self, now: float) -> None:
        assert self._sent_at is not None
        if self._cancelled_at is not None and now - self._cancelled_at >= self._limits.cancel:
            self._lose(f"no answer to a cancellation within {self._limits.cancel:g} s")
        elif self._handle is not None and now - self._asked_at >= RESULT_PERIOD_S:
            self._ask_for_result()
        elif self._handle is None and now - self._sent_at >= ANSWER_TIMEOUT_S:
            # The server may have accepted it all the same.
            ClientGoalHandle(self._client, self._goal_id, None).cancel_goal_async()
            if self._cancel_wanted:
                self._end_unanswered()
                return
            if self._attempts == ATTEMPTS:
                self._end(False, f"not answered, though sent {ATTEMPTS} times")
                return
            self._node.get_logger().warning(f"{self._name} did not answer: the goal is sent again")
            self._sent_at = now
            self._send()

    def _end_unanswered(self) -> None:
        """End a goal to be cancelled of which it is not known whether it was accepted."""
        if self._cancelled_at is None:
            fate = "cancelled before its server answered"
            self._end(False, fate, None, GoalStatus.STATUS_CANCELED)
        else:
            self._lose("no answer to a goal and its cancellation")

    def _lose(self, text: str) -> None:
        if self._observer.on_lost is None:
            self._end(False, text)
        elif self._close():
            self._observer.on_lost(f"{self._name}: {text}")

    def _answered(self, handle: Any, goal_id: UUID) -> None:
        if self._over or goal_id != self._goal_id:
            if handle.accepted:
                handle.cancel_goal_async()  # it was given up, or sent again
            return
        if not handle.accepted:
            self._end(False, "rejected")
            return
        self._handle = handle
        self._ask_for_result()
        self._observer.on_start()
        if self._cancel_wanted:
            self._cancelled_at = None
            self.cancel()

    def _ask_for_result(self) -> None:
        assert self._handle is not None
        self._asked_at = time.monotonic()
        self._handle.get_result_async().add_done_callback(self._finished)

    def _cancel_answered(self, response: CancelGoal.Response, number: int) -> None:
        if self._over or number != self._cancellations:
            return  # only the latest counts: the goal may have been accepted in between
        self._cancelled_at = None  # if it is stopped, its result comes
        if response.goals_canceling or response.return_code in _NOT_GOING_ON:
            return
        self._cancel_wanted = False
        self._observer.on_refused()

    def _finished(self, future: Future) -> None:
        answer = future.result()
        fate = _STATUS.get(answer.status, f"ended with status {answer.status}")
        succeeded = answer.status == GoalStatus.STATUS_SUCCEEDED
        # A server that does not know the goal sends an empty result.
        result = None if answer.status == GoalStatus.STATUS_UNKNOWN else answer.result
        self._end(succeeded, fate, result, answer.status)


class CallRequest(Request[Client]):
    """A call of a service, which cannot be cancelled.

    It ends, too, when the server that it was sent to has left the graph and another one has its
    place; that is noticed where the middleware names what answers as Fast DDS and Cyclone DDS do.
    """

    _servers: frozenset[bytes] = frozenset()

    def cancel(self) -> None:
        """Refuse, unless it was not sent."""
        if not self._over and not self._cancelled_unsent():
            self._observer.on_refused()

    def _is_ready(self) -> bool:
        return bool(self._client.service_is_ready())

    def _send(self) -> None:
        self._servers = self._present()
        self._client.call_async(self._message).add_done_callback(self._finished)
        self._observer.on_start()

    def _watch(self, now: float) -> None:
        if self._servers and not self._servers & self._present():
            self._end(False, "the server is gone")

    def _present(self) -> frozenset[bytes]:
        """Return the ids of the writers of answers in the graph."""
        topic = f"rr{self._client.service_name}Reply"
        found = self._node.get_publishers_info_by_topic(topic, no_mangle=True)
        return frozenset(bytes(info.endpoint_gid) for info in found)

    def _finished(self, future: Future) -> None:
        response = future.result()
        parts = [response, getattr(response, "outcome", None), getattr(response, "effect", None)]
        success = next((part.success for part in parts if hasattr(part, "success")), True)
        self._end(bool(success), "succeeded" if success else "failed", response)
