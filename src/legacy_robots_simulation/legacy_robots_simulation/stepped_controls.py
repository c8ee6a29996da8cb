# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Controls of a simulator whose time passes on a thread of its own. No ROS."""

from __future__ import annotations

import functools
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from typing import Any, Protocol, TypeVar

from legacy_robots_simulation.controls import (
    ControlError,
    Controls,
    Entity,
    State,
    checked_seconds,
    found,
)

__all__ = ["SteppedControls"]

T = TypeVar("T")

CALL_TIMEOUT_S = 30.0


class CallQueue:
    """Calls of other threads that the simulator's own thread carries out, in order."""

    def __init__(self, wake: Callable[[], None] = lambda: None) -> None:
        self._wake = wake
        self._calls: deque[tuple[Callable[[], Any], Future[Any]]] = deque()
        self._lock = threading.Lock()
        self._closed = False

    def call(self, function: Callable[[], T]) -> T:
        """Return what ``function`` returns on the simulator's thread. Raises ControlError."""
        future: Future[T] = Future()
        with self._lock:
            if self._closed:
                raise ControlError("the simulator has ended")
            self._calls.append((function, future))
        self._wake()
        try:
            return future.result(CALL_TIMEOUT_S)
        except FutureTimeoutError as error:
            future.cancel()  # where it has not begun, it is not carried out later
            raise ControlError(f"the simulator does not answer in {CALL_TIMEOUT_S} s") from error

    def carry_out(self) -> Callable[[], None]:
        """Carry out what was asked for; return what answers the callers, to be called at the end.

        To be called on the simulator's thread.
        """
        answers: list[Callable[[], None]] = []
        while self._calls:
            function, future = self._calls.popleft()
            if not future.set_running_or_notify_cancel():
                continue
            try:
                answers.append(functools.partial(future.set_result, function()))
            except Exception as error:
                answers.append(functools.partial(future.set_exception, error))

        def tell() -> None:
            for answer in answers:
                answer()

        return tell

    def close(self) -> None:
        """Refuse what waits and what comes."""
        with self._lock:
            self._closed = True
        while self._calls:
            future = self._calls.popleft()[1]
            if future.set_running_or_notify_cancel():
                future.set_exception(ControlError("the simulator has ended"))


class Stepped(Protocol):
    """A simulator whose time passes on a thread of its own."""

    calls: CallQueue
    is_paused: bool

    def step(self, seconds: float) -> None:
        """Let time pass while it stands still; on its thread, as the next."""

    def begin_again(self) -> None:
        """Begin again, with the same seed."""


class SteppedControls(Controls):
    """Controls of a simulator whose time passes on a thread of its own.

    A subclass has the methods that begin with an underscore, called on that thread.
    """

    abilities = frozenset(("play", "reset", "place"))

    def __init__(self, simulator: Stepped) -> None:
        self._simulator = simulator
        self._stepped_s = 0.0
        self._is_stopped = False

    def _entities(self) -> list[Entity]:
        raise NotImplementedError

    def _place(self, name: str, x: float, y: float, yaw: float) -> None:
        raise NotImplementedError

    def state(self) -> State:
        """Return how time passes."""
        if not self._simulator.is_paused:
            return State.PLAYING
        return State.STOPPED if self._is_stopped else State.PAUSED

    def step(self, seconds: float = 0.0) -> float:
        """Let time pass while it stands still; return the sum of such times (s)."""
        seconds = checked_seconds(seconds, self.step_s)
        if not self._simulator.is_paused:
            raise ControlError("it is playing: pause it, then step")
        self._simulator.calls.call(lambda: self._simulator.step(seconds))
        self._is_stopped = False
        self._stepped_s += seconds
        return self._stepped_s

    def play(self) -> None:
        """Let time pass by itself."""
        self._set_paused(False)

    def pause(self) -> None:
        """Let time stand still."""
        self._set_paused(True)

    def _set_paused(self, is_paused: bool) -> None:
        def change() -> None:
            self._simulator.is_paused = is_paused

        self._simulator.calls.call(change)
        self._is_stopped = False

    def reset(self) -> None:
        """Begin again."""
        self._simulator.calls.call(self._simulator.begin_again)
        self._stepped_s = 0.0
        self._is_stopped = True

    def entities(self) -> list[Entity]:
        """Return all entities."""
        return self._simulator.calls.call(self._entities)

    def place(self, name: str, x: float, y: float, yaw: float) -> None:
        """Put an entity elsewhere."""

        def change() -> None:
            found(self._entities(), name)
            self._place(name, x, y, yaw)

        self._simulator.calls.call(change)
