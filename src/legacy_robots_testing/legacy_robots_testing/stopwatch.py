# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Time as a busy machine grants it: what a limit in seconds can be held against in a test."""

from __future__ import annotations

import threading
import time

TICK = 0.005
"""Seconds between two looks at the clock."""


class Stopwatch:
    """Measures how long something takes, less what the machine itself was late by.

    A thread that only sleeps wakes late where processors are taken. What it lost since the
    start, or since ``restart``, is what everything else in this process lost at least once,
    so it does not count. Use it as a context manager.
    """

    def __init__(self) -> None:
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._tick, name="stopwatch", daemon=True)
        self.restart()

    def restart(self) -> None:
        """Begin at zero."""
        with self._lock:
            self._begun = time.monotonic()
            self._late = 0.0

    @property
    def wall(self) -> float:
        """Seconds since the start, all of them."""
        return time.monotonic() - self._begun

    @property
    def late(self) -> float:
        """Seconds since the start that the machine was late by."""
        with self._lock:
            return self._late

    @property
    def seconds(self) -> float:
        """Seconds since the start, less those that the machine was late by."""
        return self.wall - self.late

    def _tick(self) -> None:
        while True:
            slept = time.monotonic()
            if self._stop.wait(TICK):
                return
            now = time.monotonic()
            with self._lock:
                self._late += max(0.0, now - max(slept, self._begun) - TICK)

    def __enter__(self) -> Stopwatch:
        """Start to measure."""
        self.restart()
        self._thread.start()
        return self

    def __exit__(self, *exception: object) -> None:
        """Stop; the measures are no longer meant to be read."""
        self._stop.set()
        self._thread.join()
