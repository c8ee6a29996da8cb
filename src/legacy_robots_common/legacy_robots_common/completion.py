# SPDX-License-Identifier: Apache-2.0
"""Wait in a coroutine of the executor for something that another thread will tell."""

from __future__ import annotations

from typing import Generic, TypeVar, cast

from rclpy.node import Node
from rclpy.task import Future

T = TypeVar("T")


class Completion(Generic[T]):
    """A value that is set once, from any thread, and awaited by an ``async`` callback."""

    def __init__(self, node: Node) -> None:
        self._executor = node.executor
        self._future: Future = Future(executor=self._executor)

    def set(self, value: T) -> None:
        """Give ``value`` to whoever awaits it; a second value is ignored. Thread-safe."""
        # Setting the future here would not wake the executor: it has to do that itself.
        self._executor.create_task(self._set, value)

    def _set(self, value: T) -> None:
        if not self._future.done():
            self._future.set_result(value)

    async def wait(self) -> T:
        """Return the value when it is there."""
        return cast(T, await self._future)
