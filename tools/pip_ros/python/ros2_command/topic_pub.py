# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""``ros2 topic pub``."""

from __future__ import annotations

import argparse
import sys
import time
from typing import Any

from ros2_command.graph import Graph, add_graph_arguments, open_graph
from ros2_command.messages import fill, load_interface, read_dictionary
from ros2_command.qos import add_qos_arguments, chosen_qos
from ros2_command.ros import ros
from ros2_command.verb import CommandError, Result, Verb


def positive(text: str) -> float:
    """Return a number greater than zero, for argparse."""
    value = float(text)
    if not value > 0:
        raise argparse.ArgumentTypeError("value must be > 0")
    return value


def positive_int(text: str) -> int:
    """Return a whole number greater than zero, for argparse."""
    value = int(text)
    if value <= 0:
        raise argparse.ArgumentTypeError("value must be > 0")
    return value


def _not_negative(text: str) -> int:
    value = int(text)
    if value < 0:
        raise argparse.ArgumentTypeError("value must be >= 0")
    return value


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("topic_name", help="Name of the ROS topic to publish to (e.g. '/chatter')")
    parser.add_argument("message_type", help="Type of the ROS message (e.g. 'std_msgs/String')")
    values = parser.add_mutually_exclusive_group()
    values.add_argument(
        "values",
        nargs="?",
        default="",
        help="Values to fill the message with in YAML format (e.g. 'data: Hello World'), "
        "otherwise the message will be published with default values",
    )
    values.add_argument("--stdin", action="store_true", help="Read values from standard input")
    parser.add_argument(
        "-r",
        "--rate",
        metavar="N",
        type=positive,
        default=1.0,
        help="Publishing rate in Hz (default: 1)",
    )
    parser.add_argument(
        "-p",
        "--print",
        metavar="N",
        type=positive_int,
        default=1,
        help="Only print every N-th published message (default: 1)",
    )
    count = parser.add_mutually_exclusive_group()
    count.add_argument("-1", "--once", action="store_true", help="Publish one message and exit")
    count.add_argument(
        "-t",
        "--times",
        type=_not_negative,
        default=0,
        help="Publish this number of times and then exit",
    )
    parser.add_argument(
        "-w",
        "--wait-matching-subscriptions",
        type=_not_negative,
        default=None,
        help="Wait until finding the specified number of matching subscriptions. Defaults to 1 "
        'when using "-1"/"--once"/"--times", otherwise defaults to 0.',
    )
    parser.add_argument(
        "--max-wait-time-secs",
        type=positive,
        default=None,
        help="This sets the maximum wait time in seconds for matching subscriptions. By default "
        "the publisher will wait endlessly.",
    )
    parser.add_argument(
        "--keep-alive",
        metavar="N",
        type=positive,
        default=0.1,
        help="Keep publishing node alive for N seconds after the last msg (default: 0.1)",
    )
    parser.add_argument("-n", "--node-name", help="Name of the created publishing node")
    add_qos_arguments(parser, "default")
    add_graph_arguments(parser)


def _main(args: argparse.Namespace) -> Result:
    type_ = load_interface(args.message_type, "msg")
    message = type_()
    stamps = fill(message, read_dictionary(sys.stdin.read() if args.stdin else args.values))
    times = 1 if args.once else args.times
    graph = open_graph(args, args.node_name)
    topic = graph.full_name(args.topic_name)
    qos, _ = chosen_qos(args, "default")
    publisher = graph.node.create_publisher(type_, topic, qos)
    wait = args.wait_matching_subscriptions
    _wait_for_subscriptions(graph, publisher, int(times > 0) if wait is None else wait, args)
    print("publisher: beginning loop")
    count = 0
    due = time.monotonic()
    while True:
        for stamp in stamps:
            now = graph.node.get_clock().now().to_msg()
            stamp.sec, stamp.nanosec = now.sec, now.nanosec
        count += 1
        if count % args.print == 0:
            print(f"publishing #{count}: {message!r}\n")
        publisher.publish(message)
        if count == times:
            break
        due += 1.0 / args.rate
        time.sleep(max(0.0, due - time.monotonic()))
    # A reliable message is still on its way; leave when it has arrived.
    _wait_until_acknowledged(publisher, args.keep_alive)
    return 0


def _wait_for_subscriptions(
    graph: Graph, publisher: Any, number: int, args: argparse.Namespace
) -> None:
    start = time.monotonic()
    while publisher.get_subscription_count() < number:
        print(f"Waiting for at least {number} matching subscription(s)...")
        if graph.wait_for(lambda: publisher.get_subscription_count() >= number, 1.0):
            return
        limit = args.max_wait_time_secs
        if limit is not None and time.monotonic() - start >= limit:
            count = publisher.get_subscription_count()
            raise CommandError(
                f"Timed out waiting for subscribers: Expected {number} subscribers but only got "
                f"{count} subscribers"
            )


def _wait_until_acknowledged(publisher: Any, seconds: float) -> None:
    start = time.monotonic()
    publisher.wait_for_all_acked(ros("rclpy.duration").Duration(seconds=max(seconds, 1.0)))
    time.sleep(max(0.0, seconds - (time.monotonic() - start)))


PUB = Verb("Publish a message to a topic", _arguments, _main)
