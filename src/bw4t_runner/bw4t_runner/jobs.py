# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Work that other threads hand to the one thread that owns a thing. ROS-free."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

from bw4t_world import WorldError

T = TypeVar("T")

_Job = tuple[Callable[[], None], "Future[Any]"]


class WorldEndedError(WorldError):
    """Raised for work that was not begun when the owner of the world ended."""


class Jobs:
    """A queue of jobs. Everything but ``take`` and ``close`` may be called from any thread.

    Parameters
    ----------
    owner
        The thread that works on the jobs. What it submits itself is done at once.

    """

    def __init__(self, owner: threading.Thread) -> None:
        self._owner = owner
        self._changed = threading.Condition()
        self._waiting: deque[_Job] = deque()
        self._ending = False

    def submit(self, job: Callable[[], T]) -> Future[T]:
        """Have ``job`` called by the owner; its result or exception is the future's.

        Where the queue ends first, it is WorldEndedError.
        """
        future: Future[T] = Future()

        def carry_out() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                result = job()
            except BaseException as error:
                future.set_exception(error)
            else:
                future.set_result(result)

        if threading.current_thread() is self._owner:
            carry_out()
            return future
        with self._changed:
            if not self._ending:
                self._waiting.append((carry_out, future))
                self._changed.notify_all()
                return future
        _refuse(future)
        return future

    def end(self) -> None:
        """Take no more jobs, and have ``take`` return None. Idempotent."""
        with self._changed:
            self._ending = True
            self._changed.notify_all()

    def take(
        self, is_due: Callable[[], bool], timeout: Callable[[], float | None]
    ) -> list[Callable[[], None]] | None:
        """Wait for jobs, until ``is_due``, or for ``timeout()`` seconds; return the jobs.

        None when the owner is to end.
        """
        with self._changed:
            self._changed.wait_for(
                lambda: bool(self._waiting) or self._ending or is_due(), timeout()
            )
            if self._ending:
                return None
            jobs = [job for job, _ in self._waiting]
            self._waiting.clear()
        return jobs

    def close(self) -> None:
        """Refuse the jobs that wait. Idempotent."""
        with self._changed:
            self._ending = True
            futures = [future for _, future in self._waiting]
            self._waiting.clear()
        for future in futures:
            _refuse(future)


def _refuse(future: Future[Any]) -> None:
    if future.set_running_or_notify_cancel():
        future.set_exception(WorldEndedError("the world has ended"))
