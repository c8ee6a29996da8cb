# SPDX-License-Identifier: Apache-2.0
"""Await, in a coroutine of the executor, what the host's thread will do."""

from __future__ import annotations

from concurrent.futures import Future
from typing import TypeVar

from rclpy.node import Node

from bw4t_world import WorldError
from legacy_robots_common.completion import Completion

T = TypeVar("T")


async def done(node: Node, future: Future[T]) -> T:
    """Return the result of a future of the host, or raise its exception.

    Raises WorldError when the host has ended before.
    """
    completion: Completion[None] = Completion(node)
    future.add_done_callback(lambda _: completion.set(None))
    await completion.wait()
    if future.cancelled():
        raise WorldError("the world has ended")
    return future.result()
