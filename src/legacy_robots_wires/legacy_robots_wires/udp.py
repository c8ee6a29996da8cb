# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A link over UDP: one peer, one datagram a message."""

from __future__ import annotations

import select
import socket
from typing import Any

from legacy_robots_core.link.base import LinkFault, LinkLost, LinkObserver
from legacy_robots_core.link.stream import Liveness, StreamLink
from legacy_robots_core.link.tcp import Role
from legacy_robots_core.link.tcp_sockets import RECEIVE_BYTES, address

__all__ = ["UdpLink"]

ANSWER_TIMEOUT_S = 1.0
"""Seconds in which a peer has to send something valid, before the link begins again."""


class UdpStream:
    """A socket that sends to and receives from one peer. What cannot be sent at once is lost."""

    def __init__(self, sock: socket.socket, peer: str) -> None:
        self.peer = peer
        self.unsent = bytearray()
        self._socket = sock

    def fileno(self) -> int:
        """Return the descriptor to poll; -1 when closed."""
        return self._socket.fileno()

    def receive(self) -> bytes | None:
        """Return the next datagram; None for nothing, or an empty one."""
        try:
            return self._socket.recv(RECEIVE_BYTES) or None
        except BlockingIOError:
            return None

    def send(self, data: bytes) -> None:
        """Send a datagram."""
        try:
            self._socket.send(data)
        except BlockingIOError:
            pass  # as lost as one that the network loses

    def flush(self) -> None:
        """Do nothing: nothing waits."""

    def close(self) -> None:
        """Close the socket."""
        self._socket.close()


class UdpLink(StreamLink):
    """Exchanges datagrams with one peer; ``received`` gets one at a time.

    There is no connection in UDP: the link is up once a valid datagram has come, and is lost when
    the peer's machine refuses one or the peer is silent (``liveness``, by default for 2 s).

    Parameters
    ----------
    role, host, port
        DIAL sends to this address and takes answers from it alone. LISTEN waits there; the first
        sender is the peer until it is silent.
    options
        Those of StreamLink. The ``greeting`` is the datagram that has a peer answer; it is sent
        again every second until it does.

    """

    patience = ANSWER_TIMEOUT_S

    def __init__(
        self,
        role: Role,
        host: str,
        port: int,
        observer: LinkObserver,
        *,
        liveness: Liveness | None = None,
        **options: Any,
    ) -> None:
        super().__init__(
            address(host, port),
            observer,
            liveness=liveness or Liveness(silence=2.0),
            name="udp-link",
            **options,
        )
        self._role = role
        self._where = (host, port)

    def open_stream(self) -> UdpStream:
        """Return the socket, of LISTEN once there is a peer. Raises LinkLost or LinkFault."""
        host, port = self._where
        try:
            found = socket.getaddrinfo(host, int(port), type=socket.SOCK_DGRAM)
            family, kind, *_, place = found[0]
        except (OSError, UnicodeError) as error:
            raise LinkFault(f"unknown host {host!r}") from error
        sock = socket.socket(family, kind)
        try:
            sock.setblocking(False)
            if self._role is Role.LISTEN:
                return self._first_sender(sock, place)
            sock.connect(place)
            return UdpStream(sock, address(host, port))
        except OSError as error:
            sock.close()
            raise LinkLost(f"{address(host, port)}: {error.strerror}") from error
        except BaseException:
            sock.close()
            raise

    def _first_sender(self, sock: socket.socket, place: Any) -> UdpStream:
        try:
            sock.bind(place)
        except OSError as error:
            raise LinkFault(
                f"cannot listen on {address(*self._where)}: {error.strerror}"
            ) from error
        self.wait_for(sock.fileno(), select.POLLIN)
        sender = sock.recvfrom(1, socket.MSG_PEEK)[1]
        sock.connect(sender)
        return UdpStream(sock, address(*sender[:2]))
