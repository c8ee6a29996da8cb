# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A list that other threads fill and a test waits on."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

__all__ = ["Recorder"]

T = TypeVar("T")
TIMEOUT = 60.0
"""Seconds after which a test gives up; generous, as machines may be busy."""

LONGEST_REPR = 2000
"""Characters of an item in an error."""


class Recorder(Generic[T]):
    """Collects items in order. Thread-safe."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._items: list[T] = []
        self._changed = threading.Condition()

    def add(self, item: T) -> None:
        """Append ``item`` and wake who waits."""
        with self._changed:
            self._items.append(item)
            self._changed.notify_all()

    @property
    def items(self) -> list[T]:
        """A copy of what has been collected."""
        with self._changed:
            return list(self._items)

    @property
    def last(self) -> T:
        """The newest item; IndexError when there is none."""
        with self._changed:
            return self._items[-1]

    def clear(self) -> None:
        """Forget everything collected so far."""
        with self._changed:
            self._items.clear()

    def wait_for(
        self, condition: Callable[[T], bool] = lambda item: True, timeout: float = TIMEOUT
    ) -> T:
        """Return the first item that meets ``condition``, waiting for it up to ``timeout`` s.

        Raises TimeoutError that shows what was collected instead.
        """
        looked_at = 0
        deadline = time.monotonic() + timeout
        with self._changed:
            while True:
                for item in self._items[looked_at:]:
                    if condition(item):
                        return item
                looked_at = len(self._items)
                left = deadline - time.monotonic()
                if left <= 0 or not self._changed.wait(left):
                    if len(self._items) > looked_at:
                        continue
                    # Bounded: `colcon test` hangs at a line of more than 64 KiB.
                    last = [repr(item)[:LONGEST_REPR] for item in self._items[-5:]]
                    raise TimeoutError(
                        f"{self._what}: not seen within {timeout} s; collected "
                        f"{len(self._items)}, the last: {last}"
                    )

    def wait_for_count(self, count: int, timeout: float = TIMEOUT) -> list[T]:
        """Return all items once there are at least ``count``. Raises TimeoutError."""
        with self._changed:
            if not self._changed.wait_for(lambda: len(self._items) >= count, timeout):
                raise TimeoutError(f"{self._what}: {len(self._items)} of {count} in {timeout} s")
            return list(self._items)
