# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Stands for the library that the vendor of Myrobot ships: replace it with the real one."""

from __future__ import annotations

import select
import socket

from legacy_robots_core.link.framing import Lines

from . import protocol

TIMEOUT_S = 1.0


class Connection:
    """A session with Myrobot. All methods raise OSError when it is over; not thread-safe."""

    def __init__(self, host: str, port: int) -> None:
        self._socket = socket.create_connection((host, port), TIMEOUT_S)
        self._lines = Lines(protocol.LONGEST)

    def news(self) -> list[object]:
        """Return what has happened since the last call. Raises ProtocolError."""
        if not select.select([self._socket], [], [], 0.0)[0]:
            return []
        data = self._socket.recv(65536)
        if not data:
            raise ConnectionResetError("Myrobot has closed the connection")
        return [protocol.parse(line) for line in self._lines.feed(data)]

    def command(self, message: bytes) -> None:
        """Send a command."""
        self._socket.sendall(message + b"\n")

    def close(self) -> None:
        """End the session."""
        self._socket.close()
