# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A node that looks at the ROS graph without a daemon, and what it sees.

Discovery takes a moment and has no event for its end. `Graph.wait_for_discovery` therefore waits
until the graph has not changed for a while.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ros2_command.discovery import is_alone, probe
from ros2_command.leaving import at_end
from ros2_command.ros import ros
from ros2_command.verb import CommandError

QUIET_SECONDS = 0.5
"""The graph counts as complete once it has not changed for this time ..."""
LEAST_SECONDS = 0.75
"""... but not before this one ..."""
EMPTY_SECONDS = 2.4
"""... or this one as long as no node is seen but those of other commands, and another process has
a port of the domain, ..."""
MOST_SECONDS = 3.5
"""... and is taken as it is after this one, longer than the period of announcements. A name that
was asked for is searched so long after the last change, and twice as long at most."""
_PROBES = (0.0, 0.1, 0.25, 0.5, 1.0, 2.0)
"""When to ask for announcements (see `discovery`), in seconds after the start."""
_POLL_SECONDS = 0.02
_LATE_SECONDS = 0.1
"""A poll that comes later than this was held up."""
_UNKNOWN = "_NODE_NAME_UNKNOWN_"
_OF_NODES = ("rt/", "rq/", "rr/")  # topics, requests and responses, as DDS has them

NamesAndTypes = list[tuple[str, list[str]]]


def add_graph_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of commands that look at the graph."""
    parser.add_argument(
        "--spin-time",
        type=float,
        default=None,
        help="Spin time in seconds to wait for discovery (default: until nothing new appears)",
    )
    parser.add_argument(
        "-s", "--use-sim-time", action="store_true", help="Enable ROS simulation time"
    )
    parser.add_argument(
        "--no-daemon", action="store_true", help="Accepted and without effect: there is no daemon"
    )


class Graph:
    """A hidden node and what can be seen from it."""

    def __init__(self, node: Any, spin_time: float | None) -> None:
        self.node = node
        self._spin_time = spin_time
        self._start = time.monotonic()
        self._probes = list(_PROBES)
        self._domain = node.context.get_domain_id()

    def _tick(self) -> None:
        if self._probes and time.monotonic() - self._start >= self._probes[0]:
            self._probes.pop(0)
            probe(self._domain)

    def wait_for_discovery(self, done: Callable[[], bool] | None = None) -> None:
        """Wait until the graph is complete, or until `done` finds what it is looking for.

        Time in which this process was held up does not count, unless the user gave the time.
        """
        start = changed = looked = time.monotonic()

        def sees_no_node() -> bool:
            return all(map(is_hidden, self.nodes()))

        def least() -> float:
            if self._spin_time is not None:
                return self._spin_time
            return EMPTY_SECONDS if sees_no_node() else LEAST_SECONDS

        def is_over() -> bool:
            if self._spin_time is not None:
                return now - start >= self._spin_time
            if done is None:
                return now - start >= MOST_SECONDS
            if now - start >= 2 * MOST_SECONDS:
                return True
            hidden = sees_no_node() and not is_alone(self._domain)  # not seen yet
            return now - changed >= MOST_SECONDS and not hidden

        seen = None
        while True:
            self._tick()
            if done is not None and done():
                return
            now = time.monotonic()
            if self._spin_time is None:
                held_up = max(0.0, now - looked - _LATE_SECONDS)
                start, changed, looked = start + held_up, changed + held_up, now
                picture = self._picture()
                if picture != seen:
                    seen, changed = picture, now
            if is_over():
                if done is None and self._spin_time is None:
                    print("the graph still changes: this may be incomplete", file=sys.stderr)
                return
            if done is None and self._spin_time is None and is_alone(self._domain):
                return
            quiet = now - changed >= QUIET_SECONDS and now - start >= least()
            if done is None and quiet and self._is_named():
                return
            time.sleep(_POLL_SECONDS)

    def _picture(self) -> Any:
        topics = self.node.get_topic_names_and_types(no_demangle=True)
        counts = [
            (self.node.count_publishers(name), self.node.count_subscribers(name))
            for name, _ in topics
        ]
        return topics, counts, self.node.get_node_names_and_namespaces()

    def _is_named(self) -> bool:
        """Tell whether every endpoint's node is known: nodes are announced apart from those."""
        looks = (self.node.get_publishers_info_by_topic, self.node.get_subscriptions_info_by_topic)
        return not any(
            end.node_name == _UNKNOWN
            for name, _ in self.node.get_topic_names_and_types(no_demangle=True)
            if name.startswith(_OF_NODES)
            for look in looks
            for end in look(name, True)
        )

    def wait_for(self, found: Callable[[], bool], timeout: float | None) -> bool:
        """Wait until `found`; return False after `timeout` seconds (None: wait for ever)."""
        deadline = None if timeout is None else time.monotonic() + timeout
        while not found():
            self._tick()
            if deadline is not None and time.monotonic() >= deadline:
                return False
            time.sleep(_POLL_SECONDS)
        return True

    # What is there -----------------------------------------------------------------------------
    def nodes(self) -> list[str]:
        """Return the full names of all nodes, hidden ones and duplicates included, sorted."""
        return sorted(
            f"{namespace.rstrip('/')}/{name}"
            for name, namespace in self.node.get_node_names_and_namespaces()
            if name != self.node.get_name()
        )

    def topics(self, *, hidden: bool = True) -> NamesAndTypes:
        """Return topics with their types."""
        return [
            (name, types)
            for name, types in self.node.get_topic_names_and_types()
            if hidden or not is_hidden(name)
        ]

    def services(self, *, hidden: bool = True) -> NamesAndTypes:
        """Return services with their types."""
        return [
            (name, types)
            for name, types in sorted(self.node.get_service_names_and_types())
            if hidden or not is_hidden(name)
        ]

    def actions(self) -> NamesAndTypes:
        """Return actions with their types."""
        return sorted(ros("rclpy.action").get_action_names_and_types(self.node))

    def full_name(self, name: str) -> str:
        """Return a topic or service name as the graph has it; CommandError if it is invalid."""
        full = name if name.startswith("/") else f"/{name}"
        try:
            ros("rclpy.validate_full_topic_name").validate_full_topic_name(full)
        except ros("rclpy.exceptions").InvalidTopicNameException as error:
            raise CommandError(str(error)) from None
        return full


def is_hidden(name: str) -> bool:
    """Return whether a part of the name begins with an underscore."""
    return any(part.startswith("_") for part in name.split("/"))


def open_graph(args: argparse.Namespace, name: str | None = None) -> Graph:
    """Make a hidden node, which the end of the command destroys."""
    rclpy = ros("rclpy")
    # Ctrl-C stays a KeyboardInterrupt, which every command can follow.
    rclpy.init(args=[], signal_handler_options=ros("rclpy.signals").SignalHandlerOptions.NO)
    at_end(rclpy.try_shutdown)
    sim_time = ros("rclpy.parameter").Parameter(
        "use_sim_time", value=bool(getattr(args, "use_sim_time", False))
    )
    node = rclpy.create_node(
        name or f"_ros2cli_{os.getpid()}",
        start_parameter_services=False,
        parameter_overrides=[sim_time],
    )
    at_end(node.destroy_node)
    return Graph(node, getattr(args, "spin_time", None))


def spin(
    node: Any, until: Callable[[], bool] = lambda: False, timeout: float | None = None
) -> bool:
    """Serve the callbacks of `node` until `until`; return False after `timeout` seconds.

    Raises KeyboardInterrupt after Ctrl-C.
    """
    deadline = None if timeout is None else time.monotonic() + timeout
    with _noted_interrupts() as interrupts:
        executor = ros("rclpy.executors").SingleThreadedExecutor()
        executor.add_node(node)
        try:
            while not interrupts and not until():
                rest = 0.2
                if deadline is not None:
                    rest = min(rest, deadline - time.monotonic())
                    if rest <= 0:
                        return False
                executor.spin_once(timeout_sec=rest)
        finally:
            executor.remove_node(node)
            executor.shutdown()
    return True


@contextmanager
def _noted_interrupts() -> Iterator[list[int]]:
    """Collect SIGINT and raise KeyboardInterrupt at the end; the second time at once.

    Python loses an exception that is raised in a destructor, such as that of rclpy's futures, and
    rclpy's executor fails to end where its constructor was left.
    """
    noted: list[int] = []

    def note(number: int, frame: Any) -> None:
        noted.append(number)
        if len(noted) > 1:
            raise KeyboardInterrupt

    before = signal.getsignal(signal.SIGINT)
    if before is signal.default_int_handler:
        signal.signal(signal.SIGINT, note)
    try:
        yield noted
    finally:
        signal.signal(signal.SIGINT, before)
    if noted:
        raise KeyboardInterrupt
