# SPDX-License-Identifier: Apache-2.0
"""A connection that owns one thread and comes back by itself: the base of every bridge's link."""

from __future__ import annotations

import enum
import random
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass


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


class LinkLost(Exception):  # noqa: N818 - an event in the life of a link, not a programming error
    """The connection is over, or could not be made; the link tries again."""


class LinkFault(LinkLost):
    """The same, because something is wrong: a protocol error, a port in use, a silent peer."""


class NotConnectedError(Exception):
    """Something was to be sent while nobody is there to receive it."""


@dataclass(frozen=True)
class Backoff:
    """Delays between attempts, in seconds: ``first``, then ``factor`` times more, to ``longest``.

    Each is shortened at random by up to ``jitter`` (a fraction), so that several bridges do not
    knock at one door in step.
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
    """Connects, serves and connects again, on one thread of its own, until it is closed.

    A subclass says in ``_serve`` how one connection is made and served. ``on_status`` is called on
    the link's thread at every change; it must not block.
    """

    def __init__(
        self,
        peer: str,
        on_status: Callable[[LinkStatus], None],
        *,
        backoff: Backoff | None = None,
        name: str = "link",
    ) -> None:
        self._peer = peer
        self._on_status = on_status
        self._backoff = backoff or Backoff()
        self._closing = threading.Event()
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
        self._closing.set()
        self._interrupt()
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join(timeout)
            if self._thread.is_alive():
                raise TimeoutError(f"the link to {self._peer} did not close within {timeout} s")

    @abstractmethod
    def _serve(self) -> None:
        """Make one connection, call ``_connected`` and serve it until it ends.

        Returns or raises LinkLost when it has ended, LinkFault when something was wrong.
        """

    def _interrupt(self) -> None:  # noqa: B027 - optional
        """Wake ``_serve`` because the link is closing. Called on any thread."""

    def _release(self) -> None:  # noqa: B027 - optional
        """Give back what outlives a connection, such as a listening socket. Called at the end."""

    def _connected(self, peer: str) -> None:
        """Report from ``_serve`` that the connection is up with ``peer``."""
        self._peer = peer
        self._connections += 1
        detail = "connected"
        if self._loss:
            detail = f"connected again, the last connection ended: {self._loss}"
        self._set_status(LinkState.CONNECTED, detail)

    def _set_status(self, state: LinkState, detail: str) -> None:
        status = LinkStatus(state, self._peer, detail, self._connections)
        if status != self._status:
            self._status = status
            self._on_status(status)

    def _run(self) -> None:
        delays = self._backoff.delays()
        self._set_status(LinkState.CONNECTING, "connecting")
        while not self._closing.is_set():
            begun, before = time.monotonic(), self._connections
            problem = LinkLost("the connection has ended")
            try:
                self._serve()
            except LinkLost as lost:
                problem = lost
            if self._closing.is_set():
                break  # its end was wanted, and is no news
            if isinstance(problem, LinkFault):
                self._set_status(LinkState.FAULT, str(problem))
            elif self._connections > before or self._status.state is not LinkState.FAULT:
                # A fault is shown until the link is up again, not hidden by the attempts after it.
                self._set_status(LinkState.CONNECTING, str(problem))
            if self._connections > before:
                self._loss = str(problem)
                if time.monotonic() - begun >= self._backoff.longest:
                    delays = self._backoff.delays()
            self._closing.wait(next(delays))
        self._release()
        self._set_status(LinkState.DISCONNECTED, "closed")
