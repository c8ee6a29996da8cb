# SPDX-License-Identifier: Apache-2.0
"""Goals as blocking calls, for programs that do one thing after the other. Ctrl-C cancels."""

from __future__ import annotations

import sys
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


def wait_for(node: Node, future: Future) -> Any:
    """Spin ``node`` until ``future`` is done, and return its result."""
    while not future.done():
        rclpy.spin_once(node, timeout_sec=0.1)  # returns now and then: Ctrl-C is noticed
    return future.result()


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
        if not self._client.wait_for_server(SERVER_SECONDS):
            raise MissionFailed(f"there is no action {self._name}")
        sent = self._client.send_goal_async(goal, lambda message: on_feedback(message.feedback))
        handle = wait_for(self._node, sent)
        if not handle.accepted:
            raise MissionFailed(f"{self._name} has rejected the goal")
        ended = handle.get_result_async()
        try:
            return wait_for(self._node, ended).result
        except KeyboardInterrupt:
            wait_for(self._node, handle.cancel_goal_async())
            wait_for(self._node, ended)
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
