# SPDX-License-Identifier: Apache-2.0
"""Run one bridge node as a program: start, spin, stop on SIGINT or SIGTERM."""

from __future__ import annotations

import signal
import socket
import sys
import threading
from abc import abstractmethod
from collections.abc import Callable, Sequence

import rclpy
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from rclpy.signals import SignalHandlerOptions

from legacy_robots_common.parameters import ParameterError
from legacy_robots_common.spinner import Spinner

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class StartupError(Exception):
    """A bridge cannot start with what it was given; the message says what to change."""


class BridgeNode(Node):
    """A node that stops its robot and closes its link in ``close``, while it can still publish."""

    @abstractmethod
    def close(self) -> None:
        """Stop the robot and the link. Idempotent."""


def _catch_signals() -> socket.socket:
    """Return a socket that becomes readable when a stop signal comes.

    A signal then neither interrupts a callback half-way nor shuts the context down before the
    robot has been stopped; and it is noticed while the executor waits in C.
    """
    reader, writer = socket.socketpair()
    writer.setblocking(False)
    signal.set_wakeup_fd(writer.detach(), warn_on_full_buffer=False)
    for number in STOP_SIGNALS:
        signal.signal(number, lambda number, frame: None)
    return reader


def run(make_node: Callable[[], BridgeNode], arguments: Sequence[str] | None = None) -> int:
    """Make the node, spin it until SIGINT or SIGTERM, close it; return the exit code.

    The program ends afterwards: the signals are ignored from then on. The node's ``close`` is
    called while it can still publish. A ParameterError or a StartupError raised by ``make_node``
    is printed as one sentence, with exit code 2.
    """
    signalled = _catch_signals()
    rclpy.init(args=arguments, signal_handler_options=SignalHandlerOptions.NO)
    executor = SingleThreadedExecutor()
    spinner = Spinner(executor)

    def wait_for_signal() -> None:
        signalled.recv(1)
        spinner.stop()

    try:
        try:
            node = make_node()
        except (ParameterError, StartupError) as error:
            sys.stderr.write(f"{sys.argv[0].rsplit('/', 1)[-1]}: {error}\n")
            return 2
        waiter = threading.Thread(target=wait_for_signal, name="signals", daemon=True)
        waiter.start()
        executor.add_node(node)
        try:
            spinner.spin()
        finally:
            if spinner.stopped:
                waiter.join()  # it is in the code of the executor, which must not go away
            node.close()
            executor.shutdown()
            node.destroy_node()
        return 0
    finally:
        rclpy.try_shutdown()
        # An interrupted launch sends a second signal after the terminal's: on its way out Python
        # would let that one kill the process.
        for number in STOP_SIGNALS:
            signal.signal(number, signal.SIG_IGN)
