# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A node as a user would write it, for tests: it subscribes, calls and sends goals, and waits."""

from __future__ import annotations

import concurrent.futures
import gc
import math
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

import rclpy
from builtin_interfaces.msg import Time
from rcl_interfaces.srv import GetParameters
from rclpy.context import Context
from rclpy.parameter import parameter_value_to_python
from rclpy.qos import QoSProfile
from rclpy.task import Future

from legacy_robots_common.goals.remote import RemoteAction
from legacy_robots_common.goals.requests import (
    ANSWER_TIMEOUT_S,
    End,
    GoalRequest,
    Limits,
    Observer,
)
from legacy_robots_common.node import qos
from legacy_robots_common.node.program_node import ProgramNode
from legacy_robots_common.node.runner import Runner
from legacy_robots_testing.polling import until
from legacy_robots_testing.recorder import TIMEOUT, Recorder

__all__ = ["RosPeer"]


def unix(stamp: Time) -> float:
    """Return a stamp in seconds."""
    return float(stamp.sec + 1e-9 * stamp.nanosec)


def wait(
    future: Future | concurrent.futures.Future[Any], what: str, timeout: float = TIMEOUT
) -> Any:
    """Return the result of ``future``, which another thread's executor completes."""
    done = threading.Event()
    future.add_done_callback(lambda _: done.set())
    if not done.wait(timeout):
        raise TimeoutError(f"{what}: no answer within {timeout} s")
    return future.result()


class Goal:
    """A goal that was accepted."""

    def __init__(
        self,
        peer: RosPeer,
        request: GoalRequest,
        ended: concurrent.futures.Future[End],
        feedback: Recorder[Any],
    ) -> None:
        self._peer = peer
        self._request = request
        self.ended = ended
        self.feedback = feedback

    @property
    def id(self) -> bytes:
        """The goal's id."""
        return self._request.id

    def result(self, timeout: float = TIMEOUT) -> Any:
        """Wait for the end; return the result message."""
        return self.end(timeout).result

    def end(self, timeout: float = TIMEOUT) -> End:
        """Wait for the end; return it, with ``status`` (GoalStatus) and ``result``."""
        end: End = wait(self.ended, "goal", timeout)
        return end

    def cancel(self, timeout: float = TIMEOUT) -> bool:
        """Ask to cancel the goal; return whether the server agreed."""
        assert self._request.handle is not None
        future = self._peer.on_executor(self._request.handle.cancel_goal_async)
        response = wait(future, "cancellation", timeout)
        return bool(response.goals_canceling)


class _PeerNode(ProgramNode):
    action_clients: Sequence[RemoteAction] = ()

    def close(self) -> None:
        for client in self.action_clients:
            client.destroy()


class RosPeer:
    """A node in a context and a thread of its own. Use it as a context manager."""

    def __init__(self, name: str = "peer", namespace: str = "") -> None:
        self._context = Context()
        rclpy.init(context=self._context)
        self.node = _PeerNode(name, namespace=namespace, context=self._context)
        self._runner = Runner(self.node)
        self._thread = threading.Thread(target=self._runner.run, name=f"spin {name}")
        self._clients: dict[str, Any] = {}
        self._thread.start()

    def __enter__(self) -> RosPeer:
        """Return itself."""
        return self

    def __exit__(self, *exception: object) -> None:
        """Leave the graph."""
        self.node.action_clients = [
            client for client in self._clients.values() if isinstance(client, RemoteAction)
        ]
        self._runner.stop()
        self._thread.join()
        rclpy.shutdown(context=self._context)
        self._clients.clear()
        gc.collect()  # see RunningNode

    def on_executor(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call ``function`` on the executor's thread and return what it returns.

        Action clients are not thread-safe: a response that comes before the call has returned
        would be lost.
        """
        result: concurrent.futures.Future[Any] = concurrent.futures.Future()
        self.node.call_soon(lambda: result.set_result(function(*arguments)))
        return result.result(TIMEOUT)

    def wait_for_publishers(self, *topics: str, timeout: float = TIMEOUT) -> None:
        """Wait until each of ``topics`` has a publisher on the graph. Raises TimeoutError."""
        until(
            lambda: all(self.node.count_publishers(t) for t in topics),
            f"one of these has no publisher: {', '.join(topics)}",
            timeout,
        )

    def wait_for_no_publisher(self, topic: str, timeout: float = TIMEOUT) -> None:
        """Wait until ``topic`` has no publisher on the graph. Raises TimeoutError."""
        until(lambda: not self.node.count_publishers(topic), f"{topic} has a publisher", timeout)

    def wait_for_node(self, namespace: str, timeout: float = TIMEOUT, count: int = 1) -> None:
        """Wait until ``count`` nodes other than this are in ``namespace``. Raises TimeoutError."""
        own = (self.node.get_name(), self.node.get_namespace())
        until(
            lambda: (
                sum(
                    name[1] == namespace and name != own
                    for name in self.node.get_node_names_and_namespaces()
                )
                >= count
            ),
            f"fewer than {count} nodes in {namespace}",
            timeout,
        )

    def subscribe(
        self, message_type: type[Any], topic: str, profile: QoSProfile | None = None
    ) -> Recorder[Any]:
        """Subscribe to ``topic``, latched unless ``profile`` is given; return its messages."""
        recorder: Recorder[Any] = Recorder(topic)
        self.node.create_subscription(message_type, topic, recorder.add, profile or qos.LATCHED)
        return recorder

    def subscribe_with(
        self,
        message_type: type[Any],
        topic: str,
        callback: Callable[[Any], None],
        profile: QoSProfile,
    ) -> None:
        """Have ``callback`` called with each message of ``topic``, on the peer's thread."""
        self.on_executor(self.node.create_subscription, message_type, topic, callback, profile)

    def call(
        self,
        service_type: type[Any],
        name: str,
        request: Any | None = None,
        timeout: float = TIMEOUT,
    ) -> Any:
        """Call a service and return its response. Raises TimeoutError when it is not there."""
        return wait(self.call_later(service_type, name, request, timeout), name, timeout)

    def call_later(
        self,
        service_type: type[Any],
        name: str,
        request: Any | None = None,
        timeout: float = TIMEOUT,
    ) -> Future:
        """Call a service; return the future of its response. Raises TimeoutError as ``call``."""
        if name not in self._clients:
            self._clients[name] = self.node.create_client(service_type, name)
        client = self._clients[name]
        if not client.wait_for_service(timeout):
            raise TimeoutError(f"service {name} is not there")
        future: Future = client.call_async(request or service_type.Request())
        return future

    def parameters(self, node: str, *names: str, timeout: float = TIMEOUT) -> list[Any]:
        """Return the values of parameters of a node, asking again if it is not answered.

        rmw_fastrtps drops an answer where the server has not discovered its client yet. Raises
        TimeoutError.
        """
        request = GetParameters.Request(names=list(names))
        deadline = time.monotonic() + timeout
        while True:
            rest = deadline - time.monotonic()
            try:
                answer = self.call(
                    GetParameters, f"{node}/get_parameters", request, min(rest, ANSWER_TIMEOUT_S)
                )
            except TimeoutError:
                if rest <= ANSWER_TIMEOUT_S:
                    raise
                continue
            return [parameter_value_to_python(value) for value in answer.values]

    def send_goal(
        self, action_type: type[Any], name: str, goal: Any, timeout: float = TIMEOUT
    ) -> Goal:
        """Send a goal, again if it is not answered; it is to be accepted.

        Raises TimeoutError, and AssertionError if it is rejected.
        """
        if name not in self._clients:
            self._clients[name] = RemoteAction(self.node, action_type, name)
        answered: concurrent.futures.Future[None] = concurrent.futures.Future()
        ended: concurrent.futures.Future[End] = concurrent.futures.Future()
        feedback: Recorder[Any] = Recorder(f"feedback of {name}")
        observer = Observer(
            on_end=ended.set_result,
            on_start=lambda: answered.set_result(None),
            on_feedback=feedback.add,
        )
        limits = Limits(discovery=timeout, server=math.inf)
        request = self.on_executor(self._clients[name].send, goal, observer, limits)
        either: tuple[concurrent.futures.Future[Any], ...] = (answered, ended)
        done, _ = concurrent.futures.wait(either, timeout, concurrent.futures.FIRST_COMPLETED)
        if not done:
            raise TimeoutError(f"{name}: no answer within {timeout} s")
        if not answered.done():
            assert ended.result().fate != "rejected", f"{name} rejected {goal}"
            raise TimeoutError(ended.result().reason)
        return Goal(self, request, ended, feedback)
