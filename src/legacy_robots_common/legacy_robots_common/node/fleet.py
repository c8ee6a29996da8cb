# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The executable ``fleet``: any number of bridges, of any kinds, in one process.

One parameters file says which nodes run, and what each one's parameters are::

    /fleet:
      ros__parameters:
        nodes: ["nao /nao_1", "nao /nao_2", "nao/errand /nao_1", "bw4t/agent /bw4t agent_Bot_1"]
    /nao_1/bridge:
      ros__parameters:
        port: 6474
    /nao_2/bridge:
      ros__parameters:
        port: 6475

An entry is SYSTEM[/EXECUTABLE] NAMESPACE [NODE NAME] [ROS ARGUMENT...], with arguments such as
``--params-file FILE`` for this node alone. Every node has a thread, an executor and a
link of its own; they share the interpreter and the DDS participant.
"""

from __future__ import annotations

import shlex
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass

import rclpy
from rclpy.node import Node

from legacy_robots_common.node.fast_dds import choose_profile
from legacy_robots_common.node.given_parameters import given_values
from legacy_robots_common.node.main import (
    FAILED,
    parse_command_line,
    program_name,
    refuse,
    start_node,
    stop_signals,
)
from legacy_robots_common.node.parameters import ParameterError, declare_parameters, parameter
from legacy_robots_common.node.program_node import ProgramNode, StartupError
from legacy_robots_common.node.ros_arguments import initialize
from legacy_robots_common.node.runner import Runner
from legacy_robots_common.system import UnknownSystemError, load, system

NAME = "fleet"


@dataclass(frozen=True)
class Parameters:
    """The fleet's own parameters."""

    nodes: list[str] = parameter(
        [""],
        "what runs: entries SYSTEM[/EXECUTABLE] /NAMESPACE [NODE NAME] [ROS ARGUMENT...], such as "
        "nao/errand /nao_1",
    )


@dataclass(frozen=True)
class Entry:
    """One node of the fleet. ``arguments`` are ROS arguments of its own."""

    system: str
    executable: str
    namespace: str
    arguments: tuple[str, ...]

    @classmethod
    def parse(cls, text: str) -> Entry:
        """Read an entry. Raises ParameterError."""
        words = shlex.split(text)
        arguments = words[2:]
        if arguments and not arguments[0].startswith("-"):
            arguments[:1] = ["-r", f"__node:={arguments[0]}"]
        if len(words) < 2 or not words[1].startswith("/") or len(arguments) % 2:
            raise ParameterError(
                "parameter 'nodes': an entry is SYSTEM[/EXECUTABLE] /NAMESPACE [NODE NAME] "
                f"[ROS ARGUMENT...], not {text!r}"
            )
        kind, _, executable = words[0].partition("/")
        try:
            found = system(kind)
        except UnknownSystemError as error:
            raise ParameterError(f"parameter 'nodes': {error}") from error
        executable = executable or found.bridge
        if executable not in found.nodes:
            known = ", ".join(found.nodes)
            raise ParameterError(
                f"parameter 'nodes': {kind} has no node {executable!r}; it has {known}"
            )
        return cls(kind, executable, words[1], tuple(arguments))

    @property
    def node_class(self) -> type[ProgramNode]:
        """The class of the node."""
        found: type[ProgramNode] = load(system(self.system).nodes[self.executable])
        return found

    def start(self) -> ProgramNode | None:
        """Make the node; print why, and return None, where it cannot start."""
        # Arguments of the node go before those of the process, such as a __ns of its launch.
        arguments = ["--ros-args", "-r", f"__ns:={self.namespace}", *self.arguments]
        return start_node(self.node_class, f"{self.system} {self.namespace}", arguments)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the fleet until SIGINT or SIGTERM; a node that cannot start does not stop the others."""
    given = list(sys.argv if arguments is None else arguments)
    parse_command_line(given, "Runs many bridges in one process.", Parameters)
    choose_profile(program_name(given), _largest_message(given))
    with stop_signals() as stopped:
        initialize(given)
        try:
            sys.exit(_run(program_name(given), stopped))
        finally:
            rclpy.try_shutdown()


def _largest_message(arguments: Sequence[str]) -> int:
    """Return the size (bytes) of the largest message that a member publishes."""
    largest = 0
    for texts in given_values(arguments, "nodes"):
        for text in texts if isinstance(texts, list) else ():
            try:
                member = Entry.parse(str(text))
            except ParameterError:
                continue  # reported when it is started
            own_arguments = [*arguments, *member.arguments]
            largest = max(largest, member.node_class.largest_message(own_arguments))
    return largest


def _run(label: str, stopped: threading.Event) -> int:
    try:
        entries = _entries()
    except (ParameterError, StartupError) as error:
        return refuse(label, error)
    runners = []
    for entry in entries:
        node = entry.start()
        if node is not None:
            runner = Runner(node)
            thread = threading.Thread(
                target=_run_one, args=(runner, stopped), name=f"spin {entry.namespace}"
            )
            thread.start()
            runners.append((runner, thread))
    if runners:
        stopped.wait()
    for runner, _ in runners:
        runner.stop()
    for _, thread in runners:
        thread.join()
    # rclpy holds the interpreter while it destroys something: not before all have delivered their
    # results and stopped their robots.
    for runner, _ in runners:
        runner.destroy()
    return 0 if len(runners) == len(entries) else FAILED


def _run_one(runner: Runner, stopped: threading.Event) -> None:
    runner.spin()
    if not stopped.is_set():  # it has ended by itself, and the others go on
        runner.destroy()


def _entries() -> list[Entry]:
    """Return what the parameters say. Raises ParameterError."""
    node = Node(NAME)
    try:
        texts = [text for text in declare_parameters(node, Parameters).nodes if text]
    finally:
        node.destroy_node()
    if not texts:
        raise ParameterError("parameter 'nodes' is empty: nothing to run")
    return [Entry.parse(text) for text in texts]
