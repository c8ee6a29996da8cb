# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Waiting on an event loop for what another thread does."""

from __future__ import annotations

import asyncio
from concurrent.futures import Future
from typing import TypeVar

T = TypeVar("T")


async def result_of(work: Future[T]) -> T:
    """Return the result of a future of another thread, or raise its exception."""
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[T] = loop.create_future()

    def hand_over(future: Future[T]) -> None:
        if answer.done():
            return
        if (error := future.exception()) is not None:
            answer.set_exception(error)
        else:
            answer.set_result(future.result())

    def on_done(future: Future[T]) -> None:
        try:
            loop.call_soon_threadsafe(hand_over, future)
        except RuntimeError:
            pass  # the loop has ended first

    work.add_done_callback(on_done)
    return await answer
