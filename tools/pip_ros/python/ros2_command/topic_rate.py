# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""``ros2 topic hz``, ``bw`` and ``delay``: statistics over the last messages."""

from __future__ import annotations

import argparse
import itertools
import statistics
import time
from collections import deque
from collections.abc import Callable
from typing import Any

from ros2_command.graph import add_graph_arguments, open_graph, spin
from ros2_command.messages import load_interface
from ros2_command.ros import ros
from ros2_command.topic_echo import find_type, message_filter
from ros2_command.topic_pub import positive_int
from ros2_command.verb import CommandError, Result, Verb

_PRINT_SECONDS = 1.0


def _arguments(window: int) -> Callable[[argparse.ArgumentParser], None]:
    def add(parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "topic_name", help="Name of the ROS topic to listen to (e.g. '/chatter')"
        )
        parser.add_argument(
            "--window",
            "-w",
            type=positive_int,
            default=window,
            help=f"window size, in # of messages, for calculating rate (default: {window})",
        )
        parser.add_argument(
            "--filter",
            metavar="EXPR",
            help="only measure messages matching the specified Python expression",
        )
        parser.add_argument(
            "--wall-time",
            action="store_true",
            help="accepted for compatibility; rates always use the wall time",
        )
        add_graph_arguments(parser)

    return add


def _run(
    args: argparse.Namespace,
    *,
    raw: bool,
    on_message: Callable[[Any, Any], None],
    report: Callable[[], None],
    begin: Callable[[str], None] = lambda topic: None,
) -> Result:
    """Subscribe as soon as the topic appears, and report once in a second."""
    profile = ros("rclpy.qos").qos_profile_sensor_data
    wanted = message_filter(args.filter)
    graph = open_graph(args)
    topic = graph.full_name(args.topic_name)
    type_name = find_type(graph, topic, what="measure")
    if type_name is None:
        print(f"WARNING: topic [{topic}] does not appear to be published yet")
        while type_name is None:
            type_name = find_type(graph, topic, what="measure")
    type_ = load_interface(type_name, "msg")

    def receive(message: Any) -> None:
        if raw or wanted(message):
            on_message(message, graph.node)

    graph.node.create_subscription(type_, topic, receive, profile, raw=raw)
    begin(topic)
    while True:
        spin(graph.node, timeout=_PRINT_SECONDS)
        report()


def _spread(values: list[float]) -> str:
    return (
        f"min: {min(values):.3f}s max: {max(values):.3f}s "
        f"std dev: {statistics.pstdev(values):.5f}s"
    )


def _hz(args: argparse.Namespace) -> Result:
    arrivals: deque[float] = deque(maxlen=args.window + 1)
    reported = 0.0

    def report() -> None:
        nonlocal reported
        if len(arrivals) < 2 or arrivals[-1] == reported:
            return
        reported = arrivals[-1]
        times = list(arrivals)
        gaps = [after - before for before, after in itertools.pairwise(times)]
        mean = statistics.fmean(gaps)
        rate = 1.0 / mean if mean > 0 else 0.0
        print(f"average rate: {rate:.3f}\n\t{_spread(gaps)} window: {len(gaps)}")

    return _run(
        args,
        # Without a filter the message is not decoded: the bytes are enough.
        raw=args.filter is None,
        on_message=lambda message, node: arrivals.append(time.monotonic()),
        report=report,
    )


def _size(value: float) -> str:
    for unit, scale in (("MB", 1000000.0), ("KB", 1000.0)):
        if value >= scale:
            return f"{value / scale:.2f} {unit}"
    return f"{value:.0f} B"


def _bw(args: argparse.Namespace) -> Result:
    arrivals: deque[tuple[float, int]] = deque(maxlen=args.window)

    def report() -> None:
        if len(arrivals) < 2:
            return
        sizes = [size for _, size in arrivals]
        seconds = time.monotonic() - arrivals[0][0]
        print(
            f"{_size(sum(sizes) / seconds)}/s from {len(sizes)} messages\n"
            f"\tMessage size mean: {_size(statistics.fmean(sizes))} min: {_size(min(sizes))} "
            f"max: {_size(max(sizes))}"
        )

    return _run(
        args,
        raw=True,
        on_message=lambda message, node: arrivals.append((time.monotonic(), len(message))),
        report=report,
        begin=lambda topic: print(f"Subscribed to [{topic}]"),
    )


def _delay(args: argparse.Namespace) -> Result:
    delays: deque[float] = deque(maxlen=args.window)

    def on_message(message: Any, node: Any) -> None:
        if not hasattr(message, "header"):
            raise CommandError("msg does not have header")
        stamp = message.header.stamp
        now = node.get_clock().now().nanoseconds
        delays.append((now - stamp.sec * 1_000_000_000 - stamp.nanosec) * 1e-9)

    def report() -> None:
        if delays:
            mean = statistics.fmean(delays)
            values = list(delays)
            print(f"average delay: {mean:.3f}\n\t{_spread(values)} window: {len(values)}")

    return _run(args, raw=False, on_message=on_message, report=report)


HZ = Verb("Print the average publishing rate to screen", _arguments(10000), _hz)
BW = Verb("Display bandwidth used by topic", _arguments(100), _bw)
DELAY = Verb("Display delay of topic from timestamp in header", _arguments(10000), _delay)
