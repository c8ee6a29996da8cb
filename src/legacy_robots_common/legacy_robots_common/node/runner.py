# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Spin one node on an executor of its own, and end it in order."""

from __future__ import annotations

import threading
import time
import traceback
from collections.abc import Callable
from typing import Any

from rclpy.executors import (
    ExternalShutdownException,
    ShutdownException,
    SingleThreadedExecutor,
    TimeoutException,
)

from legacy_robots_common.node.program_node import ProgramNode

SETTLE_TIMEOUT_S = 2.0
"""How long a node may take to end after ``stop``."""


class Runner:
    """Runs ``node`` in the thread that calls ``run``, until ``stop`` is called on any thread.

    An exception that leaves a callback is reported by the node and ends nothing else. An executor
    of its own for each node keeps many nodes in one process as cheap as one: rclpy rebuilds its
    list of all that an executor waits for each time that it wakes.
    """

    def __init__(
        self,
        node: ProgramNode,
        executor_type: type[SingleThreadedExecutor] = SingleThreadedExecutor,
    ) -> None:
        self.node = node
        self._executor = executor_type(context=node.context)
        self._executor.add_node(node)
        self._stopping = threading.Event()
        self._is_destroyed = False

    def stop(self) -> None:
        """Have ``run`` end the node and return. Thread-safe, idempotent."""
        self._stopping.set()
        try:
            self._executor.create_task(lambda: None)  # wakes it
        except Exception:  # it has ended already, and rclpy says so in several ways
            if self._executor.context.ok() and self._executor.get_nodes():
                raise

    def run(self) -> None:
        """Start the node, spin until ``stop`` is called, end the node and destroy it."""
        try:
            self.spin()
        finally:
            self.destroy()

    def destroy(self) -> None:
        """Destroy the node after ``spin``. Idempotent."""
        if not self._is_destroyed:
            self._is_destroyed = True
            self._executor.shutdown()
            self.node.destroy_node()

    def spin(self) -> None:
        """Start the node, spin until ``stop`` is called, and end the node."""
        node = self.node
        try:
            self._guarded("start", node.start)
            while not self._stopping.is_set() and node.exit_code is None and node.context.ok():
                self._spin_once(None)
            self._guarded("stop", node.stop)
            deadline = time.monotonic() + SETTLE_TIMEOUT_S
            # At least once: what was called on the executor before must not be left undone.
            self._spin_once(0.0)
            while not node.settled and time.monotonic() < deadline and node.context.ok():
                self._spin_once(0.01)
        finally:
            self._guarded("close", node.close)

    def _spin_once(self, timeout: float | None) -> None:
        try:
            self._executor.spin_once(timeout)
        except (ExternalShutdownException, ShutdownException):
            self._stopping.set()
        except TimeoutException:
            pass
        except Exception:
            self.node.on_exception("a callback", traceback.format_exc())

    def _guarded(self, where: str, function: Callable[[], Any]) -> None:
        try:
            function()
        except Exception:
            self.node.on_exception(where, traceback.format_exc())
