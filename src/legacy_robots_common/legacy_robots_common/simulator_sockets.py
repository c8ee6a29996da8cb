# SPDX-License-Identifier: Apache-2.0
"""The sockets of a simulator on TCP: one connection, and the two ways to come by one.

Nothing here blocks but a farewell, shortly; times are those of the monotonic clock.
"""

from __future__ import annotations

import errno
import logging
import math
import os
import select
import socket
import time
from collections.abc import Iterator
from typing import Protocol

from legacy_robots_common.link import Backoff
from legacy_robots_common.simulator import SimulatorError
from legacy_robots_common.tcp_link import address

RECEIVE_BYTES = 65536
CONNECT_SECONDS = 1.0
FLUSH_SECONDS = 0.5
FAREWELL_SECONDS = 0.25
"""How long, in a hang-up, the last bytes and then the peer's own end are waited for."""


class Stream:
    """One connection. Its methods raise OSError when it is over."""

    def __init__(self, sock: socket.socket, peer: str) -> None:
        sock.setblocking(False)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        self._socket = sock
        self.peer = peer
        self.since = time.monotonic()
        self.unsent = bytearray()

    def fileno(self) -> int:
        """Give the descriptor to poll; -1 when closed."""
        return self._socket.fileno()

    def receive(self) -> bytes | None:
        """Give what has come, b"" at the end; None for nothing. Raises OSError."""
        try:
            return self._socket.recv(RECEIVE_BYTES)
        except BlockingIOError:
            return None

    def flush(self) -> None:
        """Send what can be sent; raises OSError."""
        while self.unsent:
            try:
                sent = self._socket.send(self.unsent)
            except BlockingIOError:
                return
            del self.unsent[:sent]

    def say_farewell(self) -> None:
        """Send the rest, end our half, and wait shortly for the peer to end its own.

        Closing with bytes unread would reset the connection and could take the last ones sent
        away from the peer.
        """
        try:
            self._socket.settimeout(FLUSH_SECONDS)
            self._socket.sendall(self.unsent)
            self._socket.shutdown(socket.SHUT_WR)
            deadline = time.monotonic() + FAREWELL_SECONDS
            while (left := deadline - time.monotonic()) > 0:
                self._socket.settimeout(left)
                if not self._socket.recv(RECEIVE_BYTES):
                    return
        except OSError:
            pass  # gone already, or it does not read: there is nobody to say farewell to

    def close(self) -> None:
        """End the connection at once."""
        self._socket.close()


class Door(Protocol):
    """Where connections come from."""

    port: int
    due: float
    """When it needs ``step`` though no socket is ready, on the monotonic clock."""

    @property
    def listening(self) -> bool:
        """Whether it can be dialled."""

    def open(self, now: float, *, first: bool = False) -> None:
        """Begin; raises SimulatorError if it is the first time and cannot be."""

    def register(self, poller: select.poll) -> None:
        """Have the poller watch the sockets of the door."""

    def step(self, now: float, ready: dict[int, int], *, busy: bool) -> Stream | None:
        """Give a new connection; while ``busy`` none is wanted and others are refused."""

    def lost(self, now: float, *, settled: bool) -> None:
        """Take note that the connection has ended, which was ``settled`` or very short."""

    def pause(self, until: float) -> None:
        """Be away until that moment."""

    def close(self) -> None:
        """Be away for good."""


class Dialler:
    """Calls until it is answered, with growing delays."""

    def __init__(self, host: str, port: int, log: logging.Logger) -> None:
        self.port = port
        self.due = math.inf
        self._host = host
        self._log = log
        self._socket: socket.socket | None = None
        self._attempts = 0
        self._delays: Iterator[float] = Backoff().delays()
        self._said = ""
        self.listening = False

    def open(self, now: float, *, first: bool = False) -> None:
        """Dial at the next step."""
        self._say(f"dialling {address(self._host, self.port)}")
        self.due = now

    def register(self, poller: select.poll) -> None:
        """Have the poller watch the call that is not answered."""
        if self._socket is not None:
            poller.register(self._socket, select.POLLOUT)

    def step(self, now: float, ready: dict[int, int], *, busy: bool) -> Stream | None:
        """Give the connection when a call was answered; dial when it is time."""
        if busy:
            return None
        if self._socket is not None:
            if self._socket.fileno() in ready:
                return self._answered(now)
            if now >= self.due:
                self._failed(now, "no answer")
        elif now >= self.due:
            self._dial(now)
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
        """Dial no more."""
        self.due = math.inf
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _dial(self, now: float) -> None:
        try:
            found = socket.getaddrinfo(self._host, self.port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError) as error:
            self._failed(now, getattr(error, "strerror", None) or "no such host")
            return
        family, kind, protocol, _, target = found[self._attempts % len(found)]
        self._attempts += 1
        self._socket = socket.socket(family, kind, protocol)
        self._socket.setblocking(False)
        self.due = now + CONNECT_SECONDS
        number = self._socket.connect_ex(target)
        if number not in (0, errno.EINPROGRESS):
            self._failed(now, os.strerror(number))

    def _answered(self, now: float) -> Stream | None:
        assert self._socket is not None
        number = self._socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
        if number:
            self._failed(now, os.strerror(number))
            return None
        peer = self._socket.getpeername()
        if peer == self._socket.getsockname():
            # The kernel may join a free port of this machine to itself.
            self._failed(now, "nobody listens there")
            return None
        stream, self._socket = Stream(self._socket, address(*peer[:2])), None
        self.due = math.inf
        self._said = ""
        return stream

    def _failed(self, now: float, reason: str) -> None:
        if self._socket is not None:
            self._socket.close()
            self._socket = None
        self._say(f"cannot reach {address(self._host, self.port)}: {reason}; trying again")
        self.due = now + next(self._delays)

    def _say(self, sentence: str) -> None:
        """Log, but not the same over and over."""
        if sentence != self._said:
            self._said = sentence
            self._log.info("%s", sentence)


class Listener:
    """Waits for one peer and turns others away."""

    def __init__(self, host: str, port: int, log: logging.Logger) -> None:
        self.port = port
        self.due = math.inf
        self._host = host
        self._log = log
        self._socket: socket.socket | None = None

    @property
    def listening(self) -> bool:
        """Whether it can be dialled."""
        return self._socket is not None

    def open(self, now: float, *, first: bool = False) -> None:
        """Listen, or try again later; raises SimulatorError if it is the first time."""
        try:
            family, *_, where = socket.getaddrinfo(
                self._host, self.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
            )[0]
            self._socket = socket.create_server(where[:2], family=family, backlog=8)
        except (OSError, UnicodeError) as error:
            reason = getattr(error, "strerror", None) or "no such address"
            if getattr(error, "errno", None) == errno.EADDRINUSE:
                reason = "it is in use"
            sentence = f"cannot listen on {address(self._host, self.port)}: {reason}"
            if first:
                raise SimulatorError(sentence) from error
            self._log.warning("%s; trying again", sentence)
            self.due = now + Backoff().longest
            return
        self._socket.setblocking(False)
        self.port = self._socket.getsockname()[1]
        self.due = math.inf
        self._log.info("listening on %s", address(self._host, self.port))

    def register(self, poller: select.poll) -> None:
        """Have the poller watch for callers."""
        if self._socket is not None:
            poller.register(self._socket, select.POLLIN)

    def step(self, now: float, ready: dict[int, int], *, busy: bool) -> Stream | None:
        """Give the connection of a caller; turn it away while ``busy``."""
        if self._socket is None:
            if now >= self.due:
                self.open(now)
            return None
        if self._socket.fileno() not in ready:
            return None
        try:
            sock, peer = self._socket.accept()
        except OSError:
            return None  # it hung up before it was answered
        if busy:
            self._log.warning("refusing %s: one is connected already", address(*peer[:2]))
            sock.close()
            return None
        return Stream(sock, address(*peer[:2]))

    def lost(self, now: float, *, settled: bool) -> None:
        """Go on listening."""

    def pause(self, until: float) -> None:
        """Listen no more until that moment."""
        self.close()
        self.due = until

    def close(self) -> None:
        """Listen no more."""
        self.due = math.inf
        if self._socket is not None:
            self._socket.close()
            self._socket = None
