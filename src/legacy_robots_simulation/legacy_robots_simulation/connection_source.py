# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Where a simulator's connections come from: it dials, or it listens. Nothing here waits.

Times are those of the monotonic clock, in seconds.
"""

from __future__ import annotations

import logging
import math
import select
from collections.abc import Iterator
from typing import Protocol

from legacy_robots_core.link.base import Backoff
from legacy_robots_core.link.tcp_sockets import (
    REDIAL_GRACE_S,
    Attempt,
    ConnectionFailedError,
    Listener,
    TcpStream,
    address,
)
from legacy_robots_simulation.program import SimulatorError

CONNECT_TIMEOUT_S = 1.0


class ConnectionSource(Protocol):
    """Gives one connection at a time."""

    port: int
    due: float
    """When it needs ``step`` though no socket is ready."""

    @property
    def listening(self) -> bool:
        """Whether it can be dialled."""

    def open(self, now: float, *, first: bool = False) -> None:
        """Begin; raises SimulatorError if it is the first time and cannot be."""

    def register(self, poller: select.poll) -> None:
        """Have ``poller`` watch its socket."""

    def step(self, now: float, ready: dict[int, int], *, busy: bool) -> TcpStream | None:
        """Return a new connection; while ``busy`` others are refused."""

    def lost(self, now: float, *, settled: bool) -> None:
        """Handle the end of the connection, which was ``settled`` or very short."""

    def pause(self, until: float) -> None:
        """Neither dial nor listen until that moment."""

    def close(self) -> None:
        """Stop dialling or listening."""


class Connector:
    """Dials until it is connected, with growing delays."""

    def __init__(self, host: str, port: int, log: logging.Logger) -> None:
        self.port = port
        self.due = math.inf
        self._host = host
        self._log = log
        self._attempt: Attempt | None = None
        self._attempts = 0
        self._delays: Iterator[float] = Backoff().delays()
        self._logged = ""
        self.listening = False

    def open(self, now: float, *, first: bool = False) -> None:
        """Dial at the next step."""
        self._log_once(f"dialling {address(self._host, self.port)}")
        self.due = now

    def register(self, poller: select.poll) -> None:
        """Have ``poller`` watch the attempt that is not decided."""
        if self._attempt is not None:
            poller.register(self._attempt, select.POLLOUT)

    def step(self, now: float, ready: dict[int, int], *, busy: bool) -> TcpStream | None:
        """Return the connection when an attempt has succeeded; dial when it is time."""
        if busy:
            return None
        try:
            if self._attempt is None:
                if now >= self.due:
                    self.due = now + CONNECT_TIMEOUT_S
                    self._attempts += 1
                    self._attempt = Attempt(self._host, self.port, self._attempts - 1)
            elif self._attempt.fileno() in ready:
                stream = self._attempt.finish()
                self._attempt, self.due, self._logged = None, math.inf, ""
                return stream
            elif now >= self.due:
                self._attempt.close()
                raise ConnectionFailedError(f"{address(self._host, self.port)} does not answer")
        except ConnectionFailedError as error:
            self._attempt = None
            self._log_once(f"{error}; trying again")
            self.due = now + next(self._delays)
        return None

    def lost(self, now: float, *, settled: bool) -> None:
        """Dial again after a delay, short if the connection was ``settled``."""
        if settled:
            self._delays = Backoff().delays()
        self.due = now + next(self._delays)

    def pause(self, until: float) -> None:
        """Dial at that moment."""
        self.due = until

    def close(self) -> None:
        """Stop dialling."""
        self.due = math.inf
        if self._attempt is not None:
            self._attempt.close()
            self._attempt = None

    def _log_once(self, sentence: str) -> None:
        """Log, unless it was the last sentence too."""
        if sentence != self._logged:
            self._logged = sentence
            self._log.info("%s", sentence)


class Acceptor:
    """Listens for one peer and turns others away."""

    def __init__(self, host: str, port: int, log: logging.Logger) -> None:
        self.port = port
        self.due = math.inf
        self._host = host
        self._log = log
        self._listener: Listener | None = None

    @property
    def listening(self) -> bool:
        """Whether it can be dialled."""
        return self._listener is not None

    def open(self, now: float, *, first: bool = False) -> None:
        """Listen, or try again later; raises SimulatorError if it is the first time."""
        try:
            self._listener = Listener(self._host, self.port)
        except ConnectionFailedError as error:
            if first:
                raise SimulatorError(str(error)) from error
            self._log.warning("%s; trying again", error)
            self.due = now + Backoff().longest
            return
        self.port = self._listener.port
        self.due = math.inf
        self._log.info("listening on %s", address(self._host, self.port))

    def register(self, poller: select.poll) -> None:
        """Have ``poller`` watch for connections, unless one waits to be judged."""
        if self._listener is not None and self.due == math.inf:
            poller.register(self._listener, select.POLLIN)

    def step(self, now: float, ready: dict[int, int], *, busy: bool) -> TcpStream | None:
        """Return a new connection; close it if it is still ``busy`` after REDIAL_GRACE_S."""
        if self._listener is None:
            if now >= self.due:
                self.open(now)
            return None
        if self._listener.fileno() not in ready and self.due == math.inf:
            return None
        if busy and self.due == math.inf:
            self.due = now + REDIAL_GRACE_S
        if busy and now < self.due:
            return None
        self.due = math.inf
        try:
            stream = self._listener.accept()
        except ConnectionFailedError as error:
            self._log.warning("%s; trying again", error)
            self.due = now + Backoff().longest
            return None
        if stream is not None and busy:
            self._log.warning("refusing %s: one is connected already", stream.peer)
            stream.turn_away()
            return None
        return stream

    def lost(self, now: float, *, settled: bool) -> None:
        """Go on listening."""

    def pause(self, until: float) -> None:
        """Stop listening until that moment."""
        self.close()
        self.due = until

    def close(self) -> None:
        """Stop listening."""
        self.due = math.inf
        if self._listener is not None:
            self._listener.close()
            self._listener = None
