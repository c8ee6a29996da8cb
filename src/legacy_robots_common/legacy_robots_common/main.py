# SPDX-License-Identifier: Apache-2.0
"""Run one bridge node as a program: start, spin, stop on SIGINT or SIGTERM."""

from __future__ import annotations

import signal
import sys
import threading
from abc import abstractmethod
from collections.abc import Callable, Sequence

import rclpy
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from rclpy.signals import SignalHandlerOptions
from rclpy.task import Future

from legacy_robots_common.parameters import ParameterError

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class StartupError(Exception):
    """A bridge cannot start with what it was given; the message says what to change."""


class BridgeNode(Node):
    """A node that stops its robot and closes its link in ``close``, while it can still publish."""

    @abstractmethod
    def close(self) -> None:
        """Stop the robot and the link. Idempotent."""


def run(make_node: Callable[[], BridgeNode], arguments: Sequence[str] | None = None) -> int:
    """Make the node, spin it until SIGINT or SIGTERM, close it; return the exit code.

    The node's ``close`` is called while it can still publish. A ParameterError or a StartupError
    raised by ``make_node`` is printed as one sentence, with exit code 2.
    """
    # The signals are taken by a thread that waits for them: they neither interrupt a callback
    # half-way nor shut the context down before the robot has been stopped.
    signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)
    rclpy.init(args=arguments, signal_handler_options=SignalHandlerOptions.NO)
    executor = SingleThreadedExecutor()
    stopped: Future = Future(executor=executor)

    def wait_for_signal() -> None:
        signal.sigwait(STOP_SIGNALS)
        stopped.set_result(None)

    try:
        try:
            node = make_node()
        except (ParameterError, StartupError) as error:
            sys.stderr.write(f"{sys.argv[0].rsplit('/', 1)[-1]}: {error}\n")
            return 2
        threading.Thread(target=wait_for_signal, name="signals", daemon=True).start()
        executor.add_node(node)
        try:
            executor.spin_until_future_complete(stopped)
        finally:
            node.close()
            executor.shutdown()
            node.destroy_node()
        return 0
    finally:
        rclpy.try_shutdown()
