# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""``ros2 topic echo``, and how commands find the type of a topic."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from ros2_command.graph import Graph, add_graph_arguments, open_graph, spin
from ros2_command.messages import is_message, load_interface, to_csv, to_yaml
from ros2_command.qos import add_qos_arguments, chosen_qos, follow_publishers
from ros2_command.ros import ros
from ros2_command.verb import CommandError, Result, Verb


def find_type(graph: Graph, topic: str, *, what: str = "echo") -> str | None:
    """Return the type of a topic once it appears; None if it does not."""
    graph.wait_for_discovery(lambda: topic in dict(graph.topics()))
    types = dict(graph.topics()).get(topic, [])
    if len(types) > 1:
        raise CommandError(
            f"Cannot {what} topic '{topic}', as it contains more than one type: "
            f"[{', '.join(types)}]"
        )
    return types[0] if types else None


def message_filter(expression: str | None) -> Callable[[Any], bool]:
    """Return the predicate of a Python expression over the message `m`."""
    if expression is None:
        return lambda message: True
    try:
        code = compile(expression, "<filter>", "eval")
    except SyntaxError as error:
        raise CommandError(f"Invalid filter expression: {error}") from None
    return lambda message: bool(eval(code, {"m": message}))


def _arguments(parser: argparse.ArgumentParser) -> None:
    add_graph_arguments(parser)
    parser.add_argument("topic_name", help="Name of the ROS topic to listen to (e.g. '/chatter')")
    parser.add_argument(
        "message_type", nargs="?", help="Type of the ROS message (e.g. 'std_msgs/msg/String')"
    )
    add_qos_arguments(parser, "sensor_data")
    parser.add_argument(
        "--csv",
        action="store_true",
        help="Output all recursive fields separated by commas (e.g. for plotting)",
    )
    parser.add_argument(
        "--field",
        help="Echo a selected field of a message. Use '.' to select sub-fields. For example, to "
        "echo the position field of a nav_msgs/msg/Odometry message: "
        "'ros2 topic echo /odom --field pose.pose.position'",
    )
    parser.add_argument(
        "--full-length",
        "-f",
        action="store_true",
        help="Output all elements for arrays, bytes, and string with a length > "
        "'--truncate-length', by default they are truncated after '--truncate-length' elements "
        "with '...'",
    )
    parser.add_argument(
        "--truncate-length",
        "-l",
        type=int,
        default=128,
        help="The length to truncate arrays, bytes, and string to (default: 128)",
    )
    parser.add_argument("--no-arr", action="store_true", help="Don't print array fields")
    parser.add_argument("--no-str", action="store_true", help="Don't print string fields")
    parser.add_argument(
        "--flow-style",
        action="store_true",
        help="Print innermost collections in one line (not available with csv format)",
    )
    parser.add_argument(
        "--no-lost-messages", action="store_true", help="Don't report when a message is lost"
    )
    parser.add_argument("--raw", action="store_true", help="Echo the raw binary representation")
    parser.add_argument(
        "--filter",
        metavar="FILTER_EXPR",
        help="Python expression to filter messages that are printed. Expression can use Python "
        "builtins as well as m (the message).",
    )
    parser.add_argument(
        "--once", action="store_true", help="Print the first message received and then exit."
    )
    parser.add_argument(
        "--timeout", metavar="N", type=float, help="Set a timeout in seconds for waiting"
    )


def _main(args: argparse.Namespace) -> Result:
    wanted = message_filter(args.filter)
    fields = args.field.split(".") if args.field else []
    if args.message_type is not None:
        load_interface(args.message_type, "msg")
    graph = open_graph(args)
    topic = graph.full_name(args.topic_name)
    type_name = args.message_type or find_type(graph, topic)
    if type_name is None:
        print(f"WARNING: topic [{topic}] does not appear to be published yet")
        raise CommandError("Could not determine the type for the passed topic")
    type_ = load_interface(type_name, "msg")
    _check_fields(type_, fields)
    qos, chosen = chosen_qos(args, "sensor_data")
    if not {"reliability", "durability"} <= chosen:
        # The topic may be known from another subscription before its publisher is.
        graph.wait_for_discovery(lambda: graph.node.count_publishers(topic) > 0)
    follow_publishers(qos, chosen, graph.node.get_publishers_info_by_topic(topic))
    printed = 0

    def on_message(message: Any) -> None:
        nonlocal printed
        if (args.once and printed) or not (args.raw or wanted(message)):
            return
        printed += 1
        _print(args, message, fields)

    graph.node.create_subscription(
        type_,
        topic,
        on_message,
        qos,
        raw=args.raw,
        event_callbacks=_event_callbacks(args),
    )
    spin(graph.node, lambda: bool(args.once and printed), args.timeout)
    return 0


def _event_callbacks(args: argparse.Namespace) -> Any:
    def on_lost(info: Any) -> None:
        print(
            "A message was lost!!!\n\t"
            f"total count change:{info.total_count_change}\n\t"
            f"total count: {info.total_count}",
            end="---\n",
        )

    callbacks = ros("rclpy.event_handler").SubscriptionEventCallbacks
    return callbacks(message_lost=None if args.no_lost_messages else on_lost)


def _check_fields(type_: Any, fields: list[str]) -> None:
    value = type_()
    for name in fields:
        try:
            value = getattr(value, name)
        except AttributeError as error:
            raise CommandError(f"Invalid field '{'.'.join(fields)}': {error}") from None


def _print(args: argparse.Namespace, message: Any, fields: list[str]) -> None:
    value = message
    if not args.raw:
        for name in fields:
            value = getattr(value, name)
    length = None if args.full_length else args.truncate_length
    options = {"length": length, "no_arr": args.no_arr, "no_str": args.no_str}
    if not is_message(value):
        print(value, end="\n---\n")
    elif args.csv:
        print(to_csv(value, **options))
    else:
        print(to_yaml(value, flow_style=args.flow_style, **options), end="---\n")


ECHO = Verb("Output messages from a topic", _arguments, _main)
