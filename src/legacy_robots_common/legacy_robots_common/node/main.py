# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Run nodes as a program: command line, signals, exit code."""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import gc
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import rclpy

from legacy_robots_common.node.fast_dds import choose_profile, end_turn
from legacy_robots_common.node.parameters import ParameterError, constraint, default_of
from legacy_robots_common.node.program_node import ProgramNode, StartupError
from legacy_robots_common.node.ros_arguments import initialize, mended, without_ros_arguments
from legacy_robots_common.node.runner import Runner
from legacy_robots_core.printable import printable, set_up_logging

__all__ = ["run"]

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM)
FAILED = 2
"""Exit code of a program that cannot start."""


def run(
    make_node: Callable[..., ProgramNode],
    parameters: type[Any] | None = None,
    arguments: Sequence[str] | None = None,
) -> int:
    """Run one node until SIGINT or SIGTERM; return the exit code.

    ``make_node`` is the node's class, see ProgramNode.largest_message; ``parameters`` is the
    dataclass of its parameters, which ``--help`` lists. A ParameterError, a StartupError or an
    unknown option is printed as one sentence, with exit code 2. The program is expected to end
    afterwards: the signals are ignored from then on.
    """
    given = list(sys.argv if arguments is None else arguments)
    parse_command_line(given, (make_node.__doc__ or "").partition("\n\n")[0], parameters)
    largest_message = getattr(make_node, "largest_message", None)
    choose_profile(program_name(given), largest_message(given) if largest_message else 0)
    with stop_signals() as stopped:
        initialize(given)
        try:
            node = start_node(make_node, program_name(given))
            if node is None:
                return FAILED
            runner = Runner(node)

            def stop_when_signalled() -> None:
                stopped.wait()
                runner.stop()

            threading.Thread(target=stop_when_signalled, name="stop", daemon=True).start()
            runner.run()
            return node.exit_code or 0
        finally:
            rclpy.try_shutdown()


def start_node(
    make_node: Callable[..., ProgramNode], label: str, arguments: Sequence[str] = ()
) -> ProgramNode | None:
    """Make a node with ROS arguments of its own, or print why it cannot start."""
    set_up_logging("warning", force=False)
    try:
        prepare = getattr(make_node, "prepare_process", None)
        if prepare is not None:
            prepare()
        with mended(arguments) as given:
            node = make_node(cli_args=given) if given else make_node()
    except (ParameterError, StartupError) as error:
        refuse(label, error)
        return None
    finally:
        end_turn()
    node.warn_of_undeclared_parameters()
    gc.freeze()  # what is there now stays: looking through it again and again takes time
    return node


def refuse(label: str, error: Exception) -> int:
    """Print why a program or a node does not start; return the exit code."""
    sys.stderr.write(f"{label}: {printable(str(error))}\n")
    return FAILED


def program_name(arguments: Sequence[str]) -> str:
    """Return the name of the program, as messages begin with it."""
    return arguments[0].rsplit("/", 1)[-1] if arguments else "node"


def parse_command_line(
    arguments: Sequence[str], description: str, parameters: type[Any] | None = None
) -> None:
    """Answer --help, and refuse what is no ROS argument; exits the program in both cases."""
    parser = argparse.ArgumentParser(
        prog=program_name(arguments),
        usage="%(prog)s [--help] [--ros-args -p NAME:=VALUE ... --params-file FILE ...]",
        description=description,
        epilog=describe_parameters(parameters) if parameters is not None else None,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    try:
        _, *rest = without_ros_arguments(arguments) or [""]
    except StartupError as error:
        parser.exit(refuse(parser.prog, error))
    unknown = parser.parse_known_args(rest)[1]
    if unknown:
        hint = "; parameters are given as --ros-args -p NAME:=VALUE"
        parser.exit(FAILED, f"{parser.prog}: unknown argument {unknown[0]!r}{hint}\n")


def describe_parameters(parameters: type[Any]) -> str:
    """Return a table of a dataclass's parameters: name, default, description and range."""
    lines = ["parameters:"]
    for field in dataclasses.fields(parameters):
        if "description" not in field.metadata:
            continue
        allowed = constraint(field)
        lines.append(f"  {field.name} (default {default_of(field)!r})")
        lines.append(f"      {field.metadata['description']}{f'; {allowed}' if allowed else ''}")
    return "\n".join(lines)


@contextlib.contextmanager
def stop_signals() -> Iterator[threading.Event]:
    """Yield an event that is set by SIGINT and SIGTERM; afterwards both are ignored.

    A signal then neither interrupts a callback half-way nor shuts the context down before the
    robots have been stopped; and it is noticed while an executor waits in C. To be used on the
    main thread.
    """
    reader, writer = socket.socketpair()
    writer.setblocking(False)
    signal.set_wakeup_fd(writer.fileno(), warn_on_full_buffer=False)
    for number in STOP_SIGNALS:
        signal.signal(number, lambda number, frame: None)
    stopped = threading.Event()

    def wait() -> None:
        if reader.recv(1):
            stopped.set()

    threading.Thread(target=wait, name="signal receiver", daemon=True).start()
    try:
        yield stopped
    finally:
        # An interrupted launch sends a second signal after the terminal's: on its way out Python
        # would let that one kill the process.
        for number in STOP_SIGNALS:
            signal.signal(number, signal.SIG_IGN)
        signal.set_wakeup_fd(-1)
        writer.close()
