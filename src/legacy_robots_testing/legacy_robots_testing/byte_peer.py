# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A client of a TCP server that knows only bytes, and no protocol. No ROS."""

from __future__ import annotations

import socket
import struct
from typing import Any

from legacy_robots_testing.recorder import TIMEOUT


class BytePeer:
    """A connection to a port of this machine; layouts are those of ``struct``, little-endian.

    With ``pieces`` each byte is sent by itself.
    """

    def __init__(self, port: int, *, pieces: bool = False) -> None:
        self.sock = socket.create_connection(("127.0.0.1", port), TIMEOUT)
        self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._pieces = pieces

    def send(self, layout: str, *values: Any) -> None:
        """Send values."""
        self.send_bytes(struct.pack("<" + layout, *values))

    def send_bytes(self, data: bytes) -> None:
        """Send bytes."""
        for piece in [data[i : i + 1] for i in range(len(data))] if self._pieces else [data]:
            self.sock.sendall(piece)

    def read(self, layout: str) -> tuple[Any, ...]:
        """Wait for values, and return them."""
        size, data = struct.calcsize("<" + layout), b""
        while len(data) < size:
            piece = self.sock.recv(size - len(data))
            assert piece, f"the connection ended after {data.hex(' ')}"
            data += piece
        return struct.unpack("<" + layout, data)

    def read_to_the_end(self) -> bytes:
        """Wait for the end of the connection; return what came before it."""
        data = b""
        try:
            while piece := self.sock.recv(65536):
                data += piece
        except ConnectionResetError:
            pass
        return data

    def __enter__(self) -> BytePeer:
        return self

    def __exit__(self, *exception: object) -> None:
        self.sock.close()
