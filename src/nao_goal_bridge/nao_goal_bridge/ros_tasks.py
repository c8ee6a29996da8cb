# SPDX-License-Identifier: Apache-2.0
"""Something asked of another node, from sending to its end: a goal of an action, or a call.

Everything is called on the node's executor; who asks calls ``look`` several times a second. A
server that is missing, or goes away, ends the task; so a task always ends.
"""

from __future__ import annotations

import importlib
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar
from uuid import uuid4

from action_msgs.msg import GoalStatus
from action_msgs.srv import CancelGoal
from rclpy.action import ActionClient
from rclpy.client import Client
from rclpy.task import Future
from unique_identifier_msgs.msg import UUID

from legacy_robots_common.program_node import ProgramNode

ANSWER_TIMEOUT_S = 5.0
"""A goal that its server has not answered for so long is sent again.

A server that has not discovered all of its client yet cannot answer; rclpy's then drops the goal.
"""
RESULT_PERIOD_S = 2.0
"""How often a result is asked for anew: a server that was started again knows of no goal."""
_STATUS = {
    GoalStatus.STATUS_SUCCEEDED: "succeeded",
    GoalStatus.STATUS_CANCELED: "cancelled",
    GoalStatus.STATUS_ABORTED: "aborted",
    GoalStatus.STATUS_UNKNOWN: "unknown to its server",
}
E = TypeVar("E", ActionClient, Client)


@dataclass(frozen=True)
class TaskLimits:
    """Seconds: how long a server may be missing, and may take to answer a cancellation."""

    server: float
    cancel: float


@dataclass(frozen=True)
class TaskObserver:
    """Is told of one task; ``on_end`` or ``on_lost`` is called exactly once, and last."""

    on_start: Callable[[], object]
    """The server has taken it up."""
    on_end: Callable[[bool, str], object]
    """Gets whether it has succeeded, and why not."""
    on_refused: Callable[[], object]
    """The server does not cancel it; it goes on."""
    on_lost: Callable[[str], object]
    """The server did not answer a cancellation: what it does is unknown."""


class Task(ABC, Generic[E]):
    """What actions and services have in common: a server that may be missing, and one end."""

    def __init__(
        self,
        node: ProgramNode,
        client: E,
        name: str,
        message: Any,
        observer: TaskObserver,
        limits: TaskLimits,
    ) -> None:
        self._node = node
        self._client = client
        self._name = name
        self._message = message
        self._observer = observer
        self._limits = limits
        self._missing_since: float | None = None
        self._sent_at: float | None = None
        self._over = False
        self.look()

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

    def look(self) -> None:
        """Send it once the server is there, and act on time limits that have passed."""
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
        elif self._missing_since is None:
            self._missing_since = now
        elif now - self._missing_since >= self._limits.server:
            state = "there is no" if self._sent_at is None else "gone is the"
            self._end(False, f"{state} server of {self._name}")

    def _close(self) -> bool:
        """Stop watching; return False where the task is over."""
        if self._over:
            return False
        self._over = True
        return True

    def _end(self, succeeded: bool, reason: str) -> None:
        if self._close():
            self._observer.on_end(succeeded, reason)


class ActionTask(Task[ActionClient]):
    """A goal of an action."""

    def __init__(self, *arguments: Any) -> None:
        self._goal_id = UUID()
        self._handle: Any = None
        self._cancel_wanted = False
        self._cancelled_at: float | None = None  # when asked, while that is not answered
        self._asked_at = 0.0  # for the result
        super().__init__(*arguments)

    def cancel(self) -> None:
        """Ask to cancel it, once it is accepted."""
        if self._sent_at is None:
            self._end(False, "cancelled before it was sent")
        self._cancel_wanted = True
        self._cancel_if_accepted()

    def _is_ready(self) -> bool:
        return bool(self._client.server_is_ready())

    def _send(self) -> None:
        self._goal_id = goal_id = UUID(uuid=list(uuid4().bytes))
        sent = self._client.send_goal_async(self._message, goal_uuid=goal_id)
        sent.add_done_callback(lambda future: self._answered(future.result(), goal_id))

    def _watch(self, now: float) -> None:
        if self._cancelled_at is not None and now - self._cancelled_at >= self._limits.cancel:
            text = f"{self._name} did not answer a cancellation within {self._limits.cancel:g} s"
            if self._close():
                self._observer.on_lost(text)
        if self._handle is not None and now - self._asked_at >= RESULT_PERIOD_S:
            self._ask_for_result()
        assert self._sent_at is not None
        if self._handle is None and now - self._sent_at >= ANSWER_TIMEOUT_S:
            self._node.get_logger().warning(f"{self._name} did not answer: the goal is sent again")
            self._sent_at = now
            self._send()

    def _answered(self, handle: Any, goal_id: UUID) -> None:
        if self._over or goal_id != self._goal_id:
            if handle.accepted:
                handle.cancel_goal_async()  # it was given up, or sent again
            return
        if not handle.accepted:
            self._end(False, f"{self._name} rejected the goal")
            return
        self._handle = handle
        self._ask_for_result()
        self._observer.on_start()
        self._cancel_if_accepted()

    def _ask_for_result(self) -> None:
        self._asked_at = time.monotonic()
        self._handle.get_result_async().add_done_callback(self._finished)

    def _cancel_if_accepted(self) -> None:
        if not self._cancel_wanted or self._handle is None or self._over:
            return
        if self._cancelled_at is None:
            self._cancelled_at = time.monotonic()
            self._handle.cancel_goal_async().add_done_callback(self._cancel_answered)

    def _cancel_answered(self, future: Future) -> None:
        if self._over:
            return
        response = future.result()
        ended = (
            CancelGoal.Response.ERROR_GOAL_TERMINATED,
            CancelGoal.Response.ERROR_UNKNOWN_GOAL_ID,
        )
        if response.goals_canceling or response.return_code in ended:
            self._cancelled_at = None  # its result comes
            return
        self._cancel_wanted, self._cancelled_at = False, None
        self._observer.on_refused()

    def _finished(self, future: Future) -> None:
        answer = future.result()
        text = _STATUS.get(answer.status, f"ended with status {answer.status}")
        why = _reason(answer.result)
        self._end(
            answer.status == GoalStatus.STATUS_SUCCEEDED,
            f"{self._name}: {text}{f': {why}' if why else ''}",
        )


class ServiceTask(Task[Client]):
    """A call of a service, which cannot be cancelled."""

    def cancel(self) -> None:
        """Refuse, unless it was not sent."""
        if self._sent_at is None:
            self._end(False, "cancelled before it was sent")
        elif not self._over:
            self._observer.on_refused()

    def _is_ready(self) -> bool:
        return bool(self._client.service_is_ready())

    def _send(self) -> None:
        self._client.call_async(self._message).add_done_callback(self._finished)
        self._observer.on_start()

    def _finished(self, future: Future) -> None:
        response = future.result()
        parts = [response, getattr(response, "outcome", None), getattr(response, "effect", None)]
        success = next((part.success for part in parts if hasattr(part, "success")), True)
        self._end(bool(success), f"{self._name}: {_reason(response) or 'it did not succeed'}")


def _reason(answer: Any) -> str:
    """Return the sentence in a result or a response, where it has one."""
    for part in (answer, getattr(answer, "outcome", None), getattr(answer, "effect", None)):
        for name in ("message", "error_msg"):
            if text := getattr(part, name, ""):
                return str(text)
    code = getattr(answer, "error_code", 0)
    return f"error_code {code}" if code else ""


class Server:
    """An action or a service of another node, by name and type.

    Parameters
    ----------
    node
        Asks.
    kind
        Type, such as ``nav2_msgs/action/NavigateToPose`` or ``std_srvs/srv/Trigger``. Raises
        ValueError, with a sentence, for one that is none or is not installed.
    name
        Its name, relative to the node's namespace.

    """

    def __init__(self, node: ProgramNode, kind: str, name: str, limits: TaskLimits) -> None:
        interface = _interface(kind)
        self._node = node
        self._limits = limits
        self.name = name
        self._client: Any
        if "/action/" in kind:
            self.message_type: type[Any] = interface.Goal
            self._task: type[Task[Any]] = ActionTask
            self._client = ActionClient(node, interface, name)
        else:
            self.message_type = interface.Request
            self._task = ServiceTask
            self._client = node.create_client(interface, name)

    def ask(self, message: Any, observer: TaskObserver) -> Task[Any]:
        """Send a goal or a request, as soon as the server is there."""
        return self._task(self._node, self._client, self.name, message, observer, self._limits)

    def destroy(self) -> None:
        """Destroy an action client, which rclpy's node does not know."""
        if isinstance(self._client, ActionClient):
            self._client.destroy()


def _interface(kind: str) -> Any:
    package, _, rest = kind.partition("/")
    group, _, name = rest.partition("/")
    if group not in ("action", "srv") or not name:
        raise ValueError(f"{kind!r} is no type such as nav2_msgs/action/NavigateToPose")
    try:
        return getattr(importlib.import_module(f"{package}.{group}"), name)
    except (ImportError, AttributeError) as error:
        raise ValueError(f"the type {kind} is not installed: {error}") from error
