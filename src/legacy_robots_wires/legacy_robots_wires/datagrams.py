# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""UDP for a simulator: each datagram as it is, from and to the latest sender."""

from __future__ import annotations

import errno
import logging
import math
import select
import socket
from contextlib import suppress
from typing import Any

from legacy_robots_core.link.tcp_sockets import RECEIVE_BYTES, TcpStream, address
from legacy_robots_simulation.program import SimulatorError


class Datagrams(bytearray):
    """Datagrams that wait to be sent; its length is that of all, in bytes."""

    def __init__(self) -> None:
        super().__init__()
        self.waiting: list[bytes] = []

    def __iadd__(self, data: Any) -> Datagrams:  # type: ignore[misc]  # no sum of two
        if data:
            self.waiting.append(bytes(data))
            self.extend(data)
        return self

    def clear(self) -> None:
        """Forget all."""
        super().clear()
        self.waiting.clear()


class UdpPort:
    """A socket on which one client at a time is talked to: the latest sender.

    ``port`` 0 takes a free one. With ``calls`` the client is at that address, and hears first.
    Raises SimulatorError.
    """

    def __init__(self, host: str, port: int, *, calls: bool = False) -> None:
        try:
            found = socket.getaddrinfo(host, int(port), type=socket.SOCK_DGRAM)
            family, kind, *_, place = found[0]
            self._socket = socket.socket(family, kind)
            (self._socket.connect if calls else self._socket.bind)(place)
        except OSError as error:
            raise SimulatorError(f"cannot use {address(host, port)}: {error.strerror}") from error
        self._socket.setblocking(False)
        self.port: int = port if calls else self._socket.getsockname()[1]
        self.client: Any = place if calls else None
        """The address of the latest sender."""

    def fileno(self) -> int:
        """Return the descriptor to poll."""
        return self._socket.fileno()

    def next_sender(self) -> Any:
        """Return who has sent the next datagram; None where there is none."""
        with suppress(BlockingIOError, ConnectionError):
            return self._socket.recvfrom(1, socket.MSG_PEEK)[1]
        return None

    def receive(self) -> bytes | None:
        """Return the next datagram; None for nothing."""
        with suppress(BlockingIOError, ConnectionError):
            data, self.client = self._socket.recvfrom(RECEIVE_BYTES)
            return data
        return None

    def send(self, data: bytes) -> None:
        """Send a datagram to the client, if there is one; what cannot be sent is lost."""
        if self.client is not None:
            with suppress(OSError):
                self._socket.sendto(data, self.client)

    def close(self) -> None:
        """Close the socket."""
        self._socket.close()


RECALL_S = 0.1
"""Seconds from the end of a connection until a robot that sends first sends again."""


class UdpClient(TcpStream):
    """The latest sender as the stream of a simulator: a datagram at a time."""

    def __init__(self, port: UdpPort, client: Any) -> None:
        self.unsent: Datagrams = Datagrams()
        self._port, self._client, port.client = port, client, client
        self.peer = address(*client[:2])

    def fileno(self) -> int:
        """Return the descriptor to poll."""
        return self._port.fileno()

    def has_ended(self) -> bool:
        """Return that nothing says so in UDP."""
        return False

    def receive(self) -> bytes | None:
        """Return the next datagram; None for nothing. Raises OSError for another client's."""
        sender = self._port.next_sender()
        if sender is None:
            return None
        if sender != self._client:
            raise ConnectionResetError(errno.ECONNRESET, "there is another client")
        return self._port.receive() or None

    def flush(self) -> None:
        """Send all."""
        for data in self.unsent.waiting:
            self._port.send(data)
        self.unsent.clear()

    def close_gracefully(self) -> None:
        """Send all, and forget the client."""
        self.flush()
        self.close()

    def close(self) -> None:
        """Forget the client."""
        self._port.client = None


class UdpSource:
    """Where a simulator's clients come from: who sends a datagram to its port."""

    def __init__(self, host: str, port: int, log: logging.Logger) -> None:
        self.port, self.due = port, math.inf
        self._host, self._log = host, log
        self._udp: UdpPort | None = None

    @property
    def listening(self) -> bool:
        """Whether datagrams are received."""
        return self._udp is not None

    def open(self, now: float, *, first: bool = False) -> None:
        """Open the port; raises SimulatorError."""
        self._udp = UdpPort(self._host, self.port)
        self.port, self.due = self._udp.port, math.inf
        self._log.info("listening on %s, UDP", address(self._host, self.port))

    def register(self, poller: select.poll) -> None:
        """Have ``poller`` watch for a first datagram."""
        if self._udp is not None:
            poller.register(self._udp, select.POLLIN)

    def step(self, now: float, ready: dict[int, int], *, busy: bool) -> UdpClient | None:
        """Return the client that has sent a first datagram."""
        if self._udp is None:
            if now >= self.due:
                self.open(now)
        elif not busy and self._udp.fileno() in ready:
            client = self._udp.next_sender()
            if client is not None:
                return UdpClient(self._udp, client)
        return None

    def lost(self, now: float, *, settled: bool) -> None:
        """Go on receiving."""

    def pause(self, until: float) -> None:
        """Receive nothing until that moment: the machine refuses datagrams."""
        self.close()
        self.due = until

    def close(self) -> None:
        """Close the port."""
        self.due = math.inf
        if self._udp is not None:
            self._udp.close()
            self._udp = None


class UdpCaller(UdpSource):
    """Where a robot sends that sends first: its client is at that address, heard or not."""

    def open(self, now: float, *, first: bool = False) -> None:
        """Open a port, from which the next step sends."""
        self._udp = UdpPort(self._host, self.port, calls=True)
        self.due = now
        self._log.info("sending to %s, UDP", address(self._host, self.port))

    def register(self, poller: select.poll) -> None:
        """Watch nothing: it does not wait for a datagram."""

    def step(self, now: float, ready: dict[int, int], *, busy: bool) -> UdpClient | None:
        """Return the client when it is time."""
        if busy or now < self.due:
            return None
        if self._udp is None:
            self.open(now)
        assert self._udp is not None
        self.due = math.inf
        return UdpClient(self._udp, self._udp.client)

    def lost(self, now: float, *, settled: bool) -> None:
        """Send again soon, from another port."""
        self.pause(now + RECALL_S)
