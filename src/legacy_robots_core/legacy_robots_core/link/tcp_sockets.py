# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Non-blocking TCP for links and simulators: a stream, an attempt to connect, a listener.

Nothing here waits, but ``TcpStream.close_gracefully`` shortly. The owner polls ``fileno()``.
"""

from __future__ import annotations

import errno
import os
import select
import socket
import time
from typing import Any

RECEIVE_BYTES = 65536
SILENT_PEER_TIMEOUT_S = 5
"""Time without an acknowledgement after which a peer is lost (power cut, pulled cable)."""
FLUSH_TIMEOUT_S = 0.5
BACKLOG = 128
"""Connections that may wait for a server that is busy or stopped."""
UNREAD_PIECES = 4
"""Of RECEIVE_BYTES, that are passed over where a peer is turned away."""
REDIAL_GRACE_S = 0.25
"""How long a further connection waits for the end of the one before, which may come after it."""
CLOSE_TIMEOUT_S = 0.25
"""How long a graceful close waits for the peer to end its own half."""


class ConnectionFailedError(Exception):
    """Raised when there is no connection; the message says why.

    ``misconfigured``: trying again alone does not help (unknown host, port in use).
    """

    def __init__(self, reason: str, *, misconfigured: bool = False) -> None:
        super().__init__(reason)
        self.misconfigured = misconfigured


def address(host: str, port: int) -> str:
    """Return ``host:port`` as people write it."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _addresses(host: str, port: int, flags: int = 0) -> list[Any]:
    """Return the addresses of a host as socket.getaddrinfo does. Raises ConnectionFailedError."""
    try:
        # getaddrinfo takes no member of an IntEnum.
        return socket.getaddrinfo(host, int(port), type=socket.SOCK_STREAM, flags=flags)
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or "no such host"
        text = f"unknown host {host!r}: {reason}"
        raise ConnectionFailedError(text, misconfigured=True) from error


class TcpStream:
    """One connection. Its methods raise OSError when it is over; not thread-safe."""

    def __init__(self, sock: socket.socket, peer: str) -> None:
        self.peer = peer
        self.unsent = bytearray()
        self._socket = sock
        sock.setblocking(False)
        # Small messages go at once, and a peer that has vanished is noticed.
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, SILENT_PEER_TIMEOUT_S - 3)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPINTVL, 1)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPCNT, 3)
        timeout_ms = SILENT_PEER_TIMEOUT_S * 1000
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, timeout_ms)

    def fileno(self) -> int:
        """Return the descriptor to poll; -1 when closed."""
        return self._socket.fileno()

    def has_ended(self) -> bool:
        """Return whether the peer has ended the connection, although bytes may be unread."""
        poller = select.poll()
        poller.register(self._socket, select.POLLRDHUP)
        return bool(poller.poll(0))  # or POLLHUP and POLLERR, which need no registration

    def receive(self) -> bytes | None:
        """Return what has arrived, b"" at the end of the stream, None for nothing."""
        try:
            return self._socket.recv(RECEIVE_BYTES)
        except BlockingIOError:
            return None

    def send(self, data: bytes) -> None:
        """Send ``data`` after what is unsent; what cannot be sent now is added to ``unsent``."""
        if self.unsent:
            self.unsent += data
            return
        try:
            sent = self._socket.send(data)
        except BlockingIOError:
            sent = 0
        self.unsent += data[sent:]

    def flush(self) -> None:
        """Send what can be sent of ``unsent`` now."""
        while self.unsent:
            try:
                sent = self._socket.send(self.unsent)
            except BlockingIOError:
                return
            del self.unsent[:sent]

    def close_gracefully(self) -> None:
        """Send the rest, end our half, wait up to CLOSE_TIMEOUT_S for the peer's end, and close.

        Closing with bytes unread would reset the connection and could discard the last ones sent.
        """
        try:
            self._socket.settimeout(FLUSH_TIMEOUT_S)
            self._socket.sendall(self.unsent)
            self._socket.shutdown(socket.SHUT_WR)
            deadline = time.monotonic() + CLOSE_TIMEOUT_S
            while (left := deadline - time.monotonic()) > 0.0:
                self._socket.settimeout(left)
                if not self._socket.recv(RECEIVE_BYTES):
                    break
        except OSError:
            pass  # the peer has gone, or does not read
        self.close()

    def turn_away(self) -> None:
        """End the connection at once; a peer that has greeted sees its end, not a reset."""
        try:
            for _ in range(UNREAD_PIECES):
                if not self.receive():
                    break
        except OSError:
            pass  # it has gone
        self.close()

    def close(self) -> None:
        """End the connection at once."""
        self._socket.close()


class Attempt:
    """One attempt to connect. It is decided when its descriptor becomes writable.

    ``number`` chooses among the addresses of the host. The constructor raises
    ConnectionFailedError.
    """

    def __init__(self, host: str, port: int, number: int = 0) -> None:
        self._target = address(host, port)
        found = _addresses(host, port)
        family, kind, protocol, _, target = found[number % len(found)]
        self._socket = socket.socket(family, kind, protocol)
        self._socket.setblocking(False)
        self._check(self._socket.connect_ex(target))

    def fileno(self) -> int:
        """Return the descriptor to poll for POLLOUT."""
        return self._socket.fileno()

    def finish(self) -> TcpStream:
        """Return the stream of a decided attempt. Raises ConnectionFailedError."""
        self._check(self._socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR))
        if self._socket.getsockname() == self._socket.getpeername():
            # The kernel may connect a free port of this machine with itself.
            self._fail(f"no program listens on {self._target}")
        return TcpStream(self._socket, self._target)

    def close(self) -> None:
        """Give the attempt up."""
        self._socket.close()

    def _check(self, number: int) -> None:
        if number not in (0, errno.EINPROGRESS):
            self._fail(f"cannot connect to {self._target}: {os.strerror(number)}")

    def _fail(self, reason: str) -> None:
        self._socket.close()
        raise ConnectionFailedError(reason)


class Listener:
    """A listening socket; port 0 takes a free one. Raises ConnectionFailedError."""

    def __init__(self, host: str, port: int) -> None:
        family, *_, where = _addresses(host, port, socket.AI_PASSIVE)[0]
        try:
            self._socket = socket.create_server(where[:2], family=family, backlog=BACKLOG)
        except OSError as error:
            reason = f"cannot listen on {address(host, port)}: {error.strerror}"
            if error.errno == errno.EADDRINUSE:
                reason = f"port {port} of {host} is in use by another program"
            raise ConnectionFailedError(reason, misconfigured=True) from error
        self._socket.setblocking(False)
        self.port: int = self._socket.getsockname()[1]

    def fileno(self) -> int:
        """Return the descriptor to poll for POLLIN."""
        return self._socket.fileno()

    def accept(self) -> TcpStream | None:
        """Return the next connection; None where none waits, or it was given up before.

        One that its peer has ended is passed over if another waits: the peer has dialled again.
        Raises ConnectionFailedError where none can be taken, such as without free descriptors.
        """
        found: TcpStream | None = None
        while found is None or found.has_ended():
            try:
                sock, peer = self._socket.accept()
            except (BlockingIOError, ConnectionError):
                break
            except OSError as error:
                if found is not None:
                    break
                reason = f"cannot take a connection: {error.strerror}"
                raise ConnectionFailedError(reason, misconfigured=True) from error
            if found is not None:
                found.close()
            found = TcpStream(sock, address(*peer[:2]))
        return found

    def close(self) -> None:
        """Stop listening."""
        self._socket.close()
