# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A connection that owns one thread and reconnects by itself: the base of every bridge's link."""

from __future__ import annotations

import enum
import logging
import random
import threading
import time
import traceback
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

__all__ = [
    "Backoff",
    "Link",
    "LinkFault",
    "LinkLost",
    "LinkObserver",
    "LinkState",
    "LinkStatus",
    "NotConnectedError",
    "ProtocolError",
]

_LOGGER = logging.getLogger(__name__)


class LinkState(enum.IntEnum):
    """State of a link; the numbers are those of legacy_robots_msgs/LinkState."""

    DISCONNECTED = 0
    CONNECTING = 1
    CONNECTED = 2
    FAULT = 3


@dataclass(frozen=True)
class LinkStatus:
    """What is known of a link at one moment.

    ``peer`` names the other end, ``detail`` says in a sentence why the link is in this state, and
    ``connections`` counts how often it has come up.
    """

    state: LinkState
    peer: str
    detail: str
    connections: int


class LinkLost(Exception):  # noqa: N818 - an event of a link, not a programming error
    """Raised when the connection has ended or could not be made; the link tries again."""


class LinkFault(LinkLost):
    """Raised instead when something is wrong: a protocol error, a port in use, a silent peer."""


class ProtocolError(Exception):
    """Raised for what does not fit a protocol, read or to be sent; the base of each bridge's own.

    The message names what is wrong. One that leaves ``serve`` ends the connection as a fault, and
    one that leaves GoalServer.begin ends the goal as INVALID.
    """


class NotConnectedError(Exception):
    """Raised when something is to be sent while there is no connection."""


class LinkObserver:
    """Receives what a link reports: the one interface between a link and its owner.

    Called on a thread of the link, so it must not block. An exception that leaves ``on_event``,
    ``demand`` or, for CONNECTED, ``on_status`` ends the connection as a fault.
    """

    def on_status(self, status: LinkStatus) -> None:
        """Handle a change of the link's status."""

    def on_event(self, event: Any) -> None:
        """Handle one event of the robot; each bridge lists its types in its ``link`` module."""

    def on_problem(self, counter: str, text: str) -> None:
        """Count and log a problem after which the link continues; ``counter`` is a plural noun.

        ``text`` is one sentence, or a traceback.
        """

    def demand(self) -> Any:
        """Return what the owner has subscribers for, in the terms of the bridge's link."""
        return None


@dataclass(frozen=True)
class Backoff:
    """Delays between attempts, in seconds: ``first``, then ``factor`` times more, to ``longest``.

    Each is shortened at random by up to ``jitter`` (a fraction), so that several bridges do not
    try at the same moments.
    """

    first: float = 0.05
    longest: float = 0.5
    factor: float = 2.0
    jitter: float = 0.2

    def delays(self) -> Iterator[float]:
        """Yield the delays, in seconds, without end."""
        delay = self.first
        while True:
            yield delay * (1.0 - self.jitter * random.random())
            delay = min(delay * self.factor, self.longest)


class Link(ABC):
    """Connects, serves and reconnects, on one thread of its own, until it is closed.

    A subclass makes and serves one connection in ``serve``. An unexpected exception there is a
    fault like any other: it is logged with its traceback, and the link connects again.

    ``peer`` names the other end, ``name`` the thread. ``observer`` gets every change of status and
    what the subclass reports; ``backoff`` has the delays between attempts.
    """

    def __init__(
        self,
        peer: str,
        observer: LinkObserver,
        *,
        backoff: Backoff | None = None,
        name: str = "link",
    ) -> None:
        self._peer = peer
        self.observer = observer
        self.now: Callable[[], float] = time.monotonic
        """Returns the seconds in which requests and replies are timed."""
        self._follows = False
        """Whether that time stands still between calls of ``time_passed``."""
        self._backoff = backoff or Backoff()
        self.closing = threading.Event()
        self._is_dialled = False
        """Whether the other end dials: it may do so again at once, so no long delay is needed."""
        self._connections = 0
        self._loss = ""
        self._status = LinkStatus(LinkState.DISCONNECTED, peer, "not started", 0)
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    @property
    def status(self) -> LinkStatus:
        """The present status."""
        return self._status

    def start(self) -> None:
        """Begin to connect. Returns at once."""
        self._thread.start()

    def close(self, timeout: float = 5.0) -> None:
        """End the connection and the thread; wait for it up to ``timeout`` seconds. Idempotent.

        Raises TimeoutError when the thread is still busy in a callback of its owner.
        """
        self.closing.set()
        self.interrupt()
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join(timeout)
            if self._thread.is_alive():
                raise TimeoutError(f"the link to {self._peer} did not close within {timeout} s")

    def follow(self, now: Callable[[], float]) -> None:
        """Use the clock ``now``, which stands still between calls of :meth:`time_passed`.

        To be called before ``start``.
        """
        self.now = now
        self._follows = True

    def time_passed(self) -> None:
        """Check what is due at the new time. Thread-safe."""
        self.interrupt()

    @abstractmethod
    def serve(self) -> None:
        """Make one connection, call ``connected`` and serve it until it ends.

        Returns or raises LinkLost when it has ended, LinkFault or ProtocolError when something was
        wrong; a ProtocolError is also reported as a problem of the counter "protocol errors".
        """

    def interrupt(self) -> None:  # noqa: B027 - optional
        """Wake ``serve``: the link is closing, or time has passed. Called on any thread."""

    def release(self) -> None:  # noqa: B027 - optional
        """Give back what outlives a connection, such as a listening socket. Called at the end."""

    def connected(self, peer: str) -> None:
        """Report from ``serve`` that the connection is up with ``peer``."""
        self._peer = peer
        self._connections += 1
        detail = "connected"
        if self._loss:
            detail = f"connected again, the last connection ended: {self._loss}"
        self._set_status(LinkState.CONNECTED, detail)

    def _set_status(self, state: LinkState, detail: str) -> None:
        status = LinkStatus(state, self._peer, detail, self._connections)
        if status == self._status:
            return
        self._status = status
        try:
            self.observer.on_status(status)
        except Exception:
            if state is LinkState.CONNECTED:
                raise  # a connection that the owner rejected
            _LOGGER.exception("the owner of the link to %s failed at %s", self._peer, status)

    def report_problem(self, counter: str, text: str) -> None:
        """Report a problem to the owner; raises nothing where the owner fails at that."""
        try:
            self.observer.on_problem(counter, text)
        except Exception:
            _LOGGER.exception("the owner of the link to %s failed at: %s", self._peer, text)

    def _run(self) -> None:
        delays = self._backoff.delays()
        self._set_status(LinkState.CONNECTING, "connecting")
        while not self.closing.is_set():
            begun, before = time.monotonic(), self._connections
            problem = self._serve_once()
            if self.closing.is_set():
                break  # the end was asked for
            if isinstance(problem, LinkFault):
                self._set_status(LinkState.FAULT, str(problem))
            elif self._connections > before or self._status.state is not LinkState.FAULT:
                # A fault is shown until the link is up again, not hidden by the attempts after it.
                self._set_status(LinkState.CONNECTING, str(problem))
            if self._connections > before:
                self._loss = str(problem)
                lasted = time.monotonic() - begun >= self._backoff.longest
                if lasted or (self._is_dialled and not isinstance(problem, LinkFault)):
                    delays = self._backoff.delays()
            self.closing.wait(next(delays))
        try:
            self.release()
        except Exception:
            _LOGGER.exception("the link to %s could not release everything", self._peer)
        self._set_status(LinkState.DISCONNECTED, "closed")

    def _serve_once(self) -> LinkLost:
        """Serve one connection; return why it ended."""
        try:
            self.serve()
        except LinkLost as lost:
            return lost
        except ProtocolError as error:
            text = f"protocol error: {error}"
            self.report_problem("protocol errors", text)
            return LinkFault(text)
        except Exception as error:
            self.report_problem("exceptions", traceback.format_exc())
            return LinkFault(f"unexpected {type(error).__name__}: {error}")
        return LinkLost("the connection has ended")
