# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A TCP relay in front of a server, to cut connections in the middle of an answer."""

from __future__ import annotations

import selectors
import socket
import threading

from legacy_robots_simulation.program import SimulatorError

_CHUNK = 65536
_ANSWER = 64
"""Bytes; less than this is housekeeping of HTTP/2, not the answer to a call."""


class CuttingRelay:
    """Passes bytes between clients of ``host:port`` and a server on ``target_port`` of loopback.

    ``cut`` lets a few more bytes of the next answer through on each connection and then resets it.
    """

    def __init__(self, host: str, port: int, target_port: int) -> None:
        self._host = host
        self.port = port
        self._target_port = target_port
        self._listener: socket.socket | None = None
        self._pairs: set[tuple[socket.socket, socket.socket]] = set()
        self._lock = threading.Lock()
        self._cutting: set[socket.socket] = set()

    def start(self) -> None:
        """Begin to listen. Raises SimulatorError when the port cannot be had."""
        family = socket.AF_INET6 if ":" in self._host else socket.AF_INET
        try:
            listener = socket.create_server((self._host, self.port), family=family)
        except OSError as error:
            raise SimulatorError(
                f"cannot listen on {self._host}:{self.port}: {error.strerror}"
            ) from error
        self.port = listener.getsockname()[1]
        self._listener = listener
        threading.Thread(target=self._accept, args=(listener,), daemon=True).start()

    def stop(self) -> None:
        """End, with all connections. Idempotent."""
        listener, self._listener = self._listener, None
        if listener is not None:
            _shut(listener)
            listener.close()
        with self._lock:
            for pair in self._pairs:
                for end in pair:
                    _shut(end)

    def cut(self) -> None:
        """Cut each connection that is there now in the middle of what it brings next."""
        with self._lock:
            self._cutting |= {client for client, _ in self._pairs}

    def _accept(self, listener: socket.socket) -> None:
        while True:
            try:
                client, _ = listener.accept()
                server = socket.create_connection(("127.0.0.1", self._target_port), 1.0)
            except OSError:
                if self._listener is not listener:
                    return
                continue
            for end in (client, server):
                end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                end.settimeout(None)
            threading.Thread(target=self._pump, args=(client, server), daemon=True).start()

    def _pump(self, client: socket.socket, server: socket.socket) -> None:
        pair = (client, server)
        with self._lock:
            self._pairs.add(pair)
        with client, server, selectors.DefaultSelector() as selector:
            selector.register(client, selectors.EVENT_READ, server)
            selector.register(server, selectors.EVENT_READ, client)
            try:
                while all(self._pass_on(client, key) for key, _ in selector.select()):
                    pass
            except OSError:
                pass  # either end has gone
            finally:
                with self._lock:
                    self._pairs.discard(pair)
                    self._cutting.discard(client)

    def _pass_on(self, client: socket.socket, key: selectors.SelectorKey) -> bool:
        """Move what has come on; return whether to go on."""
        source, target = key.fileobj, key.data
        assert isinstance(source, socket.socket)
        data = source.recv(_CHUNK)
        if target is client and client in self._cutting and len(data) >= _ANSWER:
            client.sendall(data[: len(data) // 2])
            return False
        target.sendall(data)
        return bool(data)


def _shut(end: socket.socket) -> None:
    try:
        end.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass  # gone already
