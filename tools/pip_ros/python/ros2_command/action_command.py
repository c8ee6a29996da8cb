# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""``ros2 action``."""

from __future__ import annotations

import argparse
import sys
import time
import uuid
from typing import Any

from ros2_command.graph import Graph, open_graph, spin
from ros2_command.kind import Kind, print_names
from ros2_command.messages import fill, load_interface, read_yaml, to_yaml
from ros2_command.ros import ros
from ros2_command.verb import CommandError, Result, Verb

_ACTION = Kind("action", "/fibonacci", Graph.actions)
_ANSWER_SECONDS = 10.0
"""How long a server may think about a goal."""
_RESULT_SECONDS = 2.0
"""After how long the result is asked for anew."""
_GONE_SECONDS = 3.0
"""How long a server may be away from the graph."""
_CANCEL_SECONDS = 3.0
"""How long a Ctrl-C waits for the server's answer to the cancellation."""


# list, info -----------------------------------------------------------------------------------
def _list(args: argparse.Namespace) -> Result:
    graph = open_graph(args)
    graph.wait_for_discovery()
    return print_names(graph.actions(), args)


def _info_arguments(parser: argparse.ArgumentParser) -> None:
    _ACTION.add_name(parser)
    parser.add_argument(
        "-t", "--show-types", action="store_true", help="Additionally show the action type"
    )
    parser.add_argument(
        "-c",
        "--count",
        action="store_true",
        help="Only display the number of action clients and action servers",
    )


def _info(args: argparse.Namespace) -> Result:
    action = ros("rclpy.action")
    graph, wanted, _ = _ACTION.find(args, whole=True)
    print(f"Action: {wanted}")
    for title, look in (
        ("Action clients", action.get_action_client_names_and_types_by_node),
        ("Action servers", action.get_action_server_names_and_types_by_node),
    ):
        found = _nodes_with(graph, wanted, look)
        print(f"{title}: {len(found)}")
        if not args.count:
            for node, types in found:
                print(f"    {node} [{', '.join(types)}]" if args.show_types else f"    {node}")
    return 0


def _nodes_with(graph: Graph, action: str, look: Any) -> list[tuple[str, list[str]]]:
    found = []
    for node in graph.nodes():
        namespace, _, name = node.rpartition("/")
        try:
            names_and_types = dict(look(graph.node, name, namespace or "/"))
        except Exception as error:  # the node has gone meanwhile; rclpy has several names for it
            if "node" not in str(error).lower():
                raise
            continue
        if action in names_and_types:
            found.append((node, names_and_types[action]))
    return found


# send_goal ------------------------------------------------------------------------------------
def _send_goal_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("action_name", help="Name of the ROS action (e.g. '/fibonacci')")
    parser.add_argument(
        "action_type", help="Type of the ROS action (e.g. 'example_interfaces/action/Fibonacci')"
    )
    values = parser.add_mutually_exclusive_group()
    values.add_argument(
        "goal",
        nargs="?",
        default="{}",
        help="Goal request values in YAML format (e.g. '{order: 10}')",
    )
    values.add_argument("--stdin", action="store_true", help="Read goal from standard input")
    parser.add_argument(
        "-f", "--feedback", action="store_true", help="Echo feedback messages for the goal"
    )


def _send_goal(args: argparse.Namespace) -> Result:
    type_ = load_interface(args.action_type, "action")
    goal = type_.Goal()
    values = read_yaml(sys.stdin.read() if args.stdin else args.goal)
    now = fill(goal, {} if values is None else values)
    graph = open_graph(args)
    for stamp in now:
        present = graph.node.get_clock().now().to_msg()
        stamp.sec, stamp.nanosec = present.sec, present.nanosec
    return _Sender(graph, type_, args).send(goal)


class _Sender:
    """Send one goal and follow it to its end."""

    def __init__(self, graph: Graph, type_: Any, args: argparse.Namespace) -> None:
        self._node = graph.node
        self._graph = graph
        self._feedback = args.feedback
        self._client = ros("rclpy.action").ActionClient(
            graph.node, type_, graph.full_name(args.action_name)
        )
        self._handle: Any = None
        self._asked: Any = None
        self._early: list[Any] = []

    def send(self, goal: Any) -> Result:
        goal_status = ros("action_msgs.msg").GoalStatus
        print("Waiting for an action server to become available...")
        self._graph.wait_for(self._client.server_is_ready, None)
        print(f"Sending goal:\n     {to_yaml(goal)}")
        answer = self._ask(goal)
        try:
            while not spin(self._node, answer.done, _ANSWER_SECONDS):
                answer = self._ask_again(goal)
            self._handle = answer.result()
            if not self._handle.accepted:
                print("Goal was rejected.")
                return 0
            identity = bytes(self._handle.goal_id.uuid).hex()
            print(f"Goal accepted with ID: {identity}\n")
            for message in self._early:
                self._on_feedback(message)
            response = self._await_result()
        except KeyboardInterrupt:
            self._cancel(answer)
            raise
        status = {
            getattr(goal_status, name): name.removeprefix("STATUS_")
            for name in ("STATUS_SUCCEEDED", "STATUS_CANCELED", "STATUS_ABORTED")
        }
        if response.status == goal_status.STATUS_UNKNOWN:
            raise CommandError(
                "The action server does not know the goal: it was started anew meanwhile"
            )
        print(f"Result:\n    {to_yaml(response.result)}")
        print(f"Goal finished with status: {status.get(response.status, 'UNKNOWN')}")
        return 0

    def _await_result(self) -> Any:
        """Return the response to the question for the result, which is asked again and again.

        A server that was killed answers never, and one in its place only what is asked of it.
        """
        asked, seen = [self._handle.get_result_async()], time.monotonic()

        def is_answered() -> bool:
            return any(future.done() for future in asked)

        while not spin(self._node, is_answered, _RESULT_SECONDS):
            if self._client.server_is_ready():
                seen = time.monotonic()
                asked.append(self._handle.get_result_async())
            elif time.monotonic() - seen >= _GONE_SECONDS:
                raise CommandError("The action server is gone; how the goal ended is not known")
        return next(future.result() for future in asked if future.done())

    def _ask(self, goal: Any) -> Any:
        identity = ros("unique_identifier_msgs.msg").UUID(uuid=list(uuid.uuid4().bytes))
        self._asked = ros("rclpy.action.client").ClientGoalHandle(self._client, identity, None)
        return self._client.send_goal_async(
            goal,
            feedback_callback=self._on_feedback if self._feedback else None,
            goal_uuid=identity,
        )

    def _ask_again(self, goal: Any) -> Any:
        """Send another goal: a server that had not discovered us whole has dropped the first."""
        print("The goal was not answered; it is cancelled and sent again.", file=sys.stderr)
        self._asked.cancel_goal_async()
        return self._ask(goal)

    def _on_feedback(self, message: Any) -> None:
        if self._handle is None:
            # It has overtaken the news that the goal is accepted.
            self._early.append(message)
            return
        print(f"Feedback:\n    {to_yaml(message.feedback)}")

    def _cancel(self, answer: Any) -> None:
        """After Ctrl-C: cancel the goal, also one whose acceptance is not known."""
        deadline = time.monotonic() + _CANCEL_SECONDS
        if self._handle is None:
            spin(self._node, answer.done, _CANCEL_SECONDS / 2)
            self._handle = answer.result() if answer.done() else None
        if self._handle is not None and not self._handle.accepted:
            return
        print("Canceling goal...")
        cancel = (self._handle or self._asked).cancel_goal_async()
        if not spin(self._node, cancel.done, max(0.1, deadline - time.monotonic())):
            raise CommandError("The action server did not answer to the cancellation")
        if not cancel.result().goals_canceling:
            raise CommandError("Failed to cancel goal")
        print("Goal canceled.")


VERBS = {
    "info": Verb("Print information about an action", _info_arguments, _info),
    "list": Verb("Output a list of action names", _ACTION.add_list_arguments, _list),
    "send_goal": Verb("Send an action goal", _send_goal_arguments, _send_goal),
    "type": _ACTION.type_verb("Print a action's type"),
}
