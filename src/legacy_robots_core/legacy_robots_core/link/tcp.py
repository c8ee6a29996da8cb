# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A link over one TCP stream, dialling or listening, for protocols of bytes."""

from __future__ import annotations

import enum
import select
from typing import Any

from legacy_robots_core.link.base import LinkFault, LinkLost, LinkObserver, LinkState
from legacy_robots_core.link.stream import UNSENT_LIMIT as UNSENT_LIMIT
from legacy_robots_core.link.stream import StreamLink
from legacy_robots_core.link.tcp_sockets import (
    REDIAL_GRACE_S,
    Attempt,
    ConnectionFailedError,
    Listener,
    TcpStream,
    address,
)

__all__ = ["Role", "TcpLink"]

CONNECT_TIMEOUT_S = 2.0


class Role(str, enum.Enum):
    """Who opens the connection: we (DIAL), or the other side (LISTEN)."""

    DIAL = "dial"
    LISTEN = "listen"


class TcpLink(StreamLink):
    """Serves one TCP connection at a time; subclasses get its bytes on the link's thread.

    ``host`` and ``port`` are connected to or listened on, by ``role``; port 0 listens on a free
    port, see ``port``. A further peer that is turned away is a problem of the counter "refused
    connections". ``options`` are those of StreamLink.
    """

    extra_fd_grace = REDIAL_GRACE_S

    def __init__(
        self, role: Role, host: str, port: int, observer: LinkObserver, **options: Any
    ) -> None:
        super().__init__(address(host, port), observer, name="tcp-link", **options)
        self._role = role
        self._is_dialled = role is Role.LISTEN
        self._host = host
        self._port = port
        self._listener: Listener | None = None
        self._attempts = 0

    @property
    def port(self) -> int:
        """The port: the one listened on where port 0 asked for a free one."""
        return self._port

    def open_stream(self) -> TcpStream:
        """Return the next connection. Raises LinkLost or LinkFault."""
        try:
            return self.dial(self._port) if self._role is Role.DIAL else self._accept()
        except ConnectionFailedError as error:
            failure = LinkFault if error.misconfigured else LinkLost
            raise failure(str(error)) from error

    def release(self) -> None:
        """Stop listening."""
        if self._listener is not None:
            self._listener.close()
            self._listener = None
        super().release()

    def extra_fd(self) -> int:
        """Watch for further peers."""
        return -1 if self._listener is None else self._listener.fileno()

    def dial(self, port: int) -> TcpStream:
        """Return a connection with a port of the host, from ``open_stream``.

        Raises LinkLost or ConnectionFailedError.
        """
        attempt = Attempt(self._host, port, self._attempts)
        self._attempts += 1
        try:
            if not self.wait_for(attempt.fileno(), select.POLLOUT, CONNECT_TIMEOUT_S):
                raise LinkLost(f"{address(self._host, port)} does not answer")
            return attempt.finish()
        except LinkLost:
            attempt.close()
            raise

    def _accept(self) -> TcpStream:
        if self._listener is None:
            self._listener = Listener(self._host, self._port)
            self._port = self._listener.port
        self._peer = address(self._host, self._port)
        if self.status.state is not LinkState.FAULT:
            self._set_status(LinkState.CONNECTING, f"waiting for a connection on {self._peer}")
        while True:
            self.wait_for(self._listener.fileno(), select.POLLIN)
            stream = self._listener.accept()
            if stream is not None:
                return stream

    def extra_fd_ready(self) -> None:
        """Turn a further peer away, unless it takes the place of one that has gone."""
        if isinstance(self._stream, TcpStream) and self._stream.has_ended():
            return  # it waits until that end has been read
        assert self._listener is not None
        try:
            other = self._listener.accept()
        except ConnectionFailedError:
            return  # it waits
        if other is None:
            return
        other.turn_away()
        self.observer.on_problem(
            "refused connections",
            f"a further peer at {other.peer} was turned away: this bridge serves one; "
            "start another bridge with another port and namespace for it",
        )
