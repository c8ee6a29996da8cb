# SPDX-License-Identifier: Apache-2.0
"""Goals as blocking calls, for programs that do one thing after the other. Ctrl-C cancels."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Callable
from typing import Any, NoReturn

import rclpy
from rclpy.action import ActionClient
from rclpy.node import Node
from rclpy.signals import SignalHandlerOptions
from rclpy.task import Future

SERVER_SECONDS = 10.0


class MissionFailed(Exception):  # noqa: N818 - it is how a mission ends, not an error in it
    """A step of the mission did not succeed; the message says which and why."""


_interrupted = threading.Event()


def _on_interrupt(number: int, frame: Any) -> None:
    if _interrupted.is_set():
        raise KeyboardInterrupt  # the first one was not handled
    _interrupted.set()


def stop_if_interrupted() -> None:
    """Raise KeyboardInterrupt after Ctrl-C."""
    if _interrupted.is_set():
        _interrupted.clear()
        raise KeyboardInterrupt


def spin_once(node: Node, seconds: float = 0.1) -> None:
    """Do what has come for ``node``, or wait up to ``seconds`` for something.

    Raises KeyboardInterrupt after Ctrl-C: here, and not in the middle of a callback, a message
    or a file.
    """
    rclpy.spin_once(node, timeout_sec=min(seconds, 0.1))
    stop_if_interrupted()


def wait_for(node: Node, future: Future) -> Any:
    """Spin ``node`` until ``future`` is done, and return its result."""
    while not future.done():
        spin_once(node)
    return future.result()


def wait_for_server(node: Node, is_there: Callable[[], bool], what: str) -> None:
    """Spin ``node`` until a client's server is there. Raises MissionFailed."""
    end = time.monotonic() + SERVER_SECONDS
    while not is_there():
        if time.monotonic() > end:
            raise MissionFailed(f"there is no {what}")
        spin_once(node)


class Action:
    """An action of a robot as a blocking call."""

    def __init__(self, node: Node, action_type: type[Any], name: str) -> None:
        self._node = node
        self._name = name
        self._client = ActionClient(node, action_type, name)

    def carry_out(
        self, goal: Any, on_feedback: Callable[[Any], None] = lambda feedback: None
    ) -> Any:
        """Send ``goal``, wait until it has ended, and return its result message.

        On Ctrl-C the goal is cancelled first, so that no robot walks on without its program.
        Raises MissionFailed when there is no server or it rejects the goal.
        """
        wait_for_server(self._node, self._client.server_is_ready, f"action {self._name}")
        sent = self._client.send_goal_async(goal, lambda message: on_feedback(message.feedback))
        try:
            handle = wait_for(self._node, sent)
            if not handle.accepted:
                raise MissionFailed(f"{self._name} has rejected the goal")
            return wait_for(self._node, handle.get_result_async()).result
        except KeyboardInterrupt:
            handle = wait_for(self._node, sent)
            if handle.accepted:
                wait_for(self._node, handle.cancel_goal_async())
                wait_for(self._node, handle.get_result_async())
            raise


def check(outcome: Any, step: str) -> None:
    """Raise MissionFailed unless ``outcome`` says that ``step`` succeeded.

    ``outcome`` is a NaoOutcome, AiboOutcome or Bw4tGoing: 0 is success in all of them.
    """
    if outcome.code != 0:
        raise MissionFailed(f"{step}: {outcome.message}")


def run(name: str, mission: Callable[[Node], None]) -> NoReturn:
    """Run ``mission`` with a node of that name; exit with 0, 1 if it failed, 130 on Ctrl-C."""
    # Without rclpy's own handler: it would end ROS before a goal can be cancelled.
    rclpy.init(signal_handler_options=SignalHandlerOptions.NO)
    signal.signal(signal.SIGINT, _on_interrupt)
    node = Node(name)
    code = 0
    try:
        mission(node)
    except MissionFailed as failure:
        node.get_logger().error(str(failure))
        code = 1
    except KeyboardInterrupt:
        code = 130
    node.destroy_node()
    rclpy.try_shutdown()
    sys.exit(code)
