# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A link to a device behind a library (SDK): one that calls back, must be polled, or both."""

from __future__ import annotations

import math
import threading
import time
import traceback
from abc import abstractmethod
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, Generic, TypeVar

from legacy_robots_core.link.base import (
    Backoff,
    Link,
    LinkFault,
    LinkLost,
    LinkObserver,
    NotConnectedError,
)

__all__ = ["DeviceLink"]

D = TypeVar("D")
T = TypeVar("T")
MOST_WAITING = 10_000
"""Events and commands that may wait; more is a fault."""


class DeviceLink(Link, Generic[D]):
    """Owns the thread on which all calls of the library are made, as most of them ask for.

    What the library calls back on threads of its own it hands over with ``notify``. Commands are
    made with ``call``. An exception of ``lost_on`` from the library ends the connection as a loss,
    any other as a fault.

    Parameters
    ----------
    peer
        Names the device.
    period
        Seconds between two calls of ``poll_device``; None: it is not called.
    silence
        Seconds without a ``notify`` after which the connection ends as a fault.
    lost_on
        Exceptions of the library that say that the device has gone.

    """

    def __init__(
        self,
        peer: str,
        observer: LinkObserver,
        *,
        period: float | None = None,
        silence: float = math.inf,
        lost_on: tuple[type[Exception], ...] = (OSError,),
        backoff: Backoff | None = None,
    ) -> None:
        super().__init__(peer, observer, backoff=backoff, name="device-link")
        self._period = period
        self._silence = silence
        self._lost_on = lost_on
        self._condition = threading.Condition()
        self._jobs: deque[Callable[[], None]] = deque()
        self._device: D | None = None
        self._heard = 0.0
        self._drop_reason = ""
        self._is_silent = False

    @abstractmethod
    def open_device(self) -> D:
        """Connect, and return what the library has for a connection. On the link's thread.

        It has to have a time-out of its own. May raise LinkLost or LinkFault.
        """

    @abstractmethod
    def close_device(self, device: D) -> None:
        """Give the connection back. On the link's thread."""

    def poll_device(self, device: D) -> None:
        """Ask the device, and ``notify`` what it answers. On the link's thread."""

    def opened(self, device: D) -> None:
        """Prepare for a new connection; ``call`` works from here on."""

    def notify(self, event: Any) -> None:
        """Hand an event to the observer, on the link's thread. Thread-safe, never blocks."""
        with self._condition:
            self._heard = time.monotonic()
            if self._device is not None:
                self._push(lambda: self._report(event))

    def call(self, function: Callable[[D], T]) -> Future[T]:
        """Have ``function(device)`` called on the link's thread. Thread-safe, never blocks.

        Raises NotConnectedError when there is no connection, or too much waits already. The
        future has the result or the exception, which ends the connection too; NotConnectedError
        where the connection ends before its turn.
        """
        future: Future[T] = Future()
        with self._condition:
            device = self._device
            if device is None:
                raise NotConnectedError(f"not connected to {self._peer}")
            if not self._push(lambda: self._call(function, device, future)):
                raise NotConnectedError(self._drop_reason)
        return future

    def drop(self, reason: str) -> None:
        """End the connection as a fault, for ``reason``, and connect again. Thread-safe."""
        with self._condition:
            self._drop_reason = reason
            self._condition.notify_all()

    def interrupt(self) -> None:
        """Wake the link's thread."""
        with self._condition:
            self._condition.notify_all()

    def serve(self) -> None:
        """Open the device, and call and poll it until the connection ends."""
        try:
            device = self.open_device()
        except self._lost_on as error:
            raise LinkLost(f"cannot connect to {self._peer}: {error}") from error
        try:
            with self._condition:
                self._device, self._drop_reason, self._heard = device, "", time.monotonic()
                self._is_silent = False
            self.opened(device)
            self.connected(self._peer)
            self._work(device)
        except self._lost_on as error:
            raise LinkLost(f"{self._peer}: {error}") from error
        finally:
            try:
                self._end_jobs()
            finally:
                self.close_device(device)

    def _push(self, job: Callable[[], None]) -> bool:
        """Have a job done; return False where too many wait. The condition is held."""
        has_room = len(self._jobs) < MOST_WAITING
        if has_room:
            self._jobs.append(job)
        else:
            self._drop_reason = f"more than {MOST_WAITING} events and commands wait"
        self._condition.notify_all()
        return has_room

    def _end_jobs(self) -> None:
        """Do what waits; what came by ``call`` fails, as there is no connection."""
        with self._condition:
            self._device = None
            jobs, self._jobs = self._jobs, deque()
        for job in jobs:
            try:
                job()
            except Exception:
                self.report_problem("exceptions", traceback.format_exc())

    def _report(self, event: Any) -> None:
        if not self._is_silent:  # else it is old
            self.observer.on_event(event)

    def _call(self, function: Callable[[D], T], device: D, future: Future[T]) -> None:
        if not future.set_running_or_notify_cancel():
            return
        if self._device is None:
            future.set_exception(NotConnectedError(f"{self._peer} has gone"))
            return
        try:
            future.set_result(function(device))
        except BaseException as error:
            future.set_exception(error)
            raise

    def _work(self, device: D) -> None:
        due = time.monotonic() if self._period is not None else math.inf
        while not self.closing.is_set():
            with self._condition:
                wake = min(due, self._heard + self._silence)
                left = wake - time.monotonic()
                if not (self._jobs or self._drop_reason) and left > 0.0:
                    self._condition.wait(None if left == math.inf else left)
                job = self._jobs.popleft() if self._jobs else None
                silent = time.monotonic() - self._heard >= self._silence
            if job is not None:
                job()
            if self._drop_reason:
                raise LinkFault(self._drop_reason)
            if silent:
                self._is_silent = True
                raise LinkFault(f"{self._peer} has been silent for {self._silence:g} s")
            if time.monotonic() >= due:
                due = max(due + (self._period or 0.0), time.monotonic())
                self.poll_device(device)
