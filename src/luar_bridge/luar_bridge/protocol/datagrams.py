# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Sockets of UDP that never wait."""

from __future__ import annotations

import socket
from collections.abc import Iterator

_MOST = 64
"""Datagrams that are taken at once."""


def udp_socket(address: str = "", port: int = 0) -> socket.socket:
    """Return a socket that may broadcast, bound to ``port`` if there is one. Raises OSError."""
    sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    try:
        sock.setblocking(False)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
        if port:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            sock.bind((address, port))
    except OSError:
        sock.close()
        raise
    return sock


def datagrams(sock: socket.socket, longest: int) -> Iterator[tuple[bytes, tuple[str, int]]]:
    """Yield what has arrived, cut to ``longest`` bytes, and from whom; not more than some at once.

    The sender is its IPv4 address and port.
    """
    for _ in range(_MOST):
        try:
            data, sender = sock.recvfrom(longest)
        except OSError:  # nothing more, or a report that what was sent was not received
            return
        yield data, sender
