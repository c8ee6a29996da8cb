# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Await in a coroutine of an executor what another thread will set."""

from __future__ import annotations

import concurrent.futures
import threading
from collections.abc import Generator
from typing import Any, Generic, TypeVar, cast

from rclpy.clock import Clock
from rclpy.clock_type import ClockType
from rclpy.executors import Executor
from rclpy.node import Node
from rclpy.task import Future

T = TypeVar("T")


class ThreadsafeFuture(Generic[T]):
    """A value that any thread sets once and a coroutine of ``executor`` awaits.

    It does not depend on the order in which an executor runs its tasks, which differs between the
    versions of rclpy: the value is set at once, and then the executor is woken.
    """

    def __init__(self, executor: Executor) -> None:
        self._executor = executor
        self._future: Future = Future(executor=executor)
        self._lock = threading.Lock()
        self._is_set = False

    def set_result(self, value: T) -> bool:
        """Set the value; return False, without effect, where it has been set. Thread-safe."""
        with self._lock:
            if self._is_set:
                return False
            self._is_set = True
        self._future.set_result(value)
        self._executor.wake()  # rclpy's Future alone does not, when it is set on another thread
        return True

    def done(self) -> bool:
        """Return whether the value has been set. Thread-safe."""
        return bool(self._future.done())

    def result(self) -> T:
        """Return the value. Raises RuntimeError where it has not been set. Thread-safe."""
        if not self._future.done():
            raise RuntimeError("the value has not been set")
        return cast(T, self._future.result())

    def __await__(self) -> Generator[Any, None, T]:
        """Wait until the value has been set and return it."""
        return cast(T, (yield from self._future.__await__()))


async def pause(node: Node, seconds: float) -> None:
    """Wait for ``seconds`` of real time in a coroutine of the node's executor."""
    over: ThreadsafeFuture[None] = ThreadsafeFuture(node.executor)
    steady = Clock(clock_type=ClockType.STEADY_TIME)
    timer = node.create_timer(seconds, lambda: over.set_result(None), clock=steady)
    try:
        await over
    finally:
        node.destroy_timer(timer)


async def result_of(executor: Executor, future: concurrent.futures.Future[T]) -> T:
    """Return the result of ``future``, or raise its exception, in a coroutine of ``executor``.

    Raises concurrent.futures.CancelledError when the future was cancelled.
    """
    done: ThreadsafeFuture[None] = ThreadsafeFuture(executor)
    future.add_done_callback(lambda _: done.set_result(None))
    await done
    return future.result()
