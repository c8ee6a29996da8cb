# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Goals as blocking calls, for programs that do one thing after the other. Ctrl-C cancels."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NoReturn

import rclpy
from rclpy.exceptions import NameValidationException
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from rclpy.task import Future

from legacy_robots_common.goals.remote import RemoteAction
from legacy_robots_common.goals.requests import End, Limits, Observer
from legacy_robots_common.node.fast_dds import choose_profile
from legacy_robots_common.node.main import FAILED, parse_command_line, refuse, start_node
from legacy_robots_common.node.parameters import declare_parameters
from legacy_robots_common.node.program_node import ProgramNode
from legacy_robots_common.node.ros_arguments import initialize

SERVER_SECONDS = 10.0
LIMITS = Limits(discovery=SERVER_SECONDS, cancel=SERVER_SECONDS)


class MissionFailed(Exception):  # noqa: N818 - it is how a mission ends, not an error in it
    """A step of the mission did not succeed; the message says which and why."""


SAME_INTERRUPT_S = 1.0
"""Longest time between the SIGINT of a terminal and that of a launch in it: one Ctrl-C."""
_interrupted = threading.Event()
_interrupted_at = -SAME_INTERRUPT_S


def _on_interrupt(number: int, frame: Any) -> None:
    global _interrupted_at
    if time.monotonic() - _interrupted_at < SAME_INTERRUPT_S:
        return
    if _interrupted.is_set():
        raise KeyboardInterrupt  # the first one was not handled
    _interrupted_at = time.monotonic()
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
    node.executor.spin_once(min(seconds, 0.1))
    stop_if_interrupted()


def wait_for(node: Node, future: Future) -> Any:
    """Spin ``node`` until ``future``, the answer of a service, is done, and return its result.

    Raises MissionFailed after SERVER_SECONDS: a server that was killed never answers.
    """
    end = time.monotonic() + SERVER_SECONDS
    while not future.done():
        if time.monotonic() > end:
            raise MissionFailed(f"a service did not answer within {SERVER_SECONDS:g} s")
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
        self._action = RemoteAction(node, action_type, name)

    def carry_out(self, goal: Any, on_feedback: Callable[[Any], object] = lambda _: None) -> Any:
        """Send ``goal``, wait until it has ended, and return its result message.

        On Ctrl-C the goal is cancelled first, so that no robot walks on without its program.
        Raises MissionFailed when there is no server, or it rejects or never answers the goal.
        """
        ends: list[End] = []
        observer = Observer(ends.append, on_feedback=on_feedback)
        request = self._action.send(goal, observer, LIMITS)
        try:
            while not ends:
                spin_once(self._action.node)
        except KeyboardInterrupt:
            request.cancel()
            while not ends:
                spin_once(self._action.node)
            raise
        if ends[0].result is None:
            raise MissionFailed(ends[0].reason)
        return ends[0].result


def check(outcome: Any, step: str) -> None:
    """Raise MissionFailed unless ``outcome`` says that ``step`` succeeded.

    ``outcome`` is a NaoOutcome, AiboOutcome or Bw4tGoing: 0 is success in all of them.
    """
    if outcome.code != 0:
        raise MissionFailed(f"{step}: {outcome.message}")


@dataclass(frozen=True)
class NoParameters:
    """Those of a program that has none."""


def run(
    name: str,
    mission: Callable[[Node, Any], None],
    parameters: type[Any] = NoParameters,
    largest_message: int = 0,
) -> NoReturn:
    """Run ``mission`` with a node of that name and the values of its ``parameters``, a dataclass.

    Exits with 0, with 1 if it failed, 2 for wrong arguments, 130 on SIGINT or SIGTERM.
    ``largest_message`` is the size (bytes) of the largest message that it publishes.
    """
    description = (mission.__doc__ or "").partition("\n\n")[0]
    parse_command_line([name, *sys.argv[1:]], description, parameters)
    choose_profile(name, largest_message)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _on_interrupt)
    # Without rclpy's own handler: it would end ROS before a goal can be cancelled.
    initialize(sys.argv)
    values: Any = None

    def make_node() -> ProgramNode:
        nonlocal values
        node = ProgramNode(name)  # whose logger escapes texts from outside
        values = declare_parameters(node, parameters)
        return node

    node = start_node(make_node, name)
    if node is None:
        sys.exit(FAILED)
    # rclpy.spin_once would add the node to the executor, and take it out, for each message.
    executor = SingleThreadedExecutor()
    executor.add_node(node)
    code = 0
    try:
        mission(node, values)
    except NameValidationException as error:  # of a topic or an action
        code = refuse(name, ValueError(str(error).replace("\n", " ")))
    except MissionFailed as failure:
        node.get_logger().error(str(failure))
        code = 1
    except KeyboardInterrupt:
        code = 130
    executor.shutdown()
    node.destroy_node()
    rclpy.try_shutdown()
    sys.exit(code)
