# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A bridge node that runs in the test's own process, in a context and a thread of its own."""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar

import rclpy
from rclpy.context import Context
from rclpy.executors import SingleThreadedExecutor
from rclpy.parameter import Parameter

from legacy_robots_common.node.program_node import ProgramNode
from legacy_robots_common.node.runner import Runner

__all__ = ["RunningNode"]

N = TypeVar("N", bound=ProgramNode)


class RunningNode(Generic[N]):
    """Makes the node with ``parameters`` and spins it. Use it as a context manager.

    ``make`` is the node's class or whatever takes rclpy's node arguments.
    """

    def __init__(
        self,
        make: Callable[..., N],
        parameters: Mapping[str, Any],
        executor_type: type[SingleThreadedExecutor] = SingleThreadedExecutor,
    ) -> None:
        self._context = Context()
        rclpy.init(context=self._context)
        try:
            self.node = make(
                context=self._context,
                parameter_overrides=[Parameter(n, value=v) for n, v in parameters.items()],
            )
        except BaseException:
            rclpy.shutdown(context=self._context)
            raise
        self._runner = Runner(self.node, executor_type)
        self._thread = threading.Thread(target=self._runner.run, name="bridge")
        self._thread.start()

    def __enter__(self) -> N:
        """Return the node."""
        return self.node

    def stop(self) -> None:
        """Have the node end as by a signal to its program. Returns at once."""
        self._runner.stop()

    def __exit__(self, *exception: object) -> None:
        """End the node as the program does."""
        self.stop()
        self._thread.join()
        rclpy.shutdown(context=self._context)
        # What is only garbage still answers on the graph, and half of it confuses the next test.
        gc.collect()
