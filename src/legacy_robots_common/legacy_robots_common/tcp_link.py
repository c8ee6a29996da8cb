# SPDX-License-Identifier: Apache-2.0
"""A link over one TCP stream, dialling or listening, for protocols of bytes."""

from __future__ import annotations

import enum
import errno
import math
import os
import select
import socket
import threading
import time
from abc import abstractmethod

from legacy_robots_common.link import (
    Backoff,
    Link,
    LinkFault,
    LinkLost,
    LinkObserver,
    LinkState,
    NotConnectedError,
)

RECEIVE_BYTES = 65536
UNSENT_LIMIT = 65536
"""Bytes that may wait for a peer that does not read; more is a fault."""
CONNECT_TIMEOUT = 2.0
SILENT_PEER_SECONDS = 5
"""A peer that acknowledges nothing for so long is gone (power cut, pulled cable)."""


class Role(str, enum.Enum):
    """Who opens the connection: we (DIAL), or the other side (LISTEN)."""

    DIAL = "dial"
    LISTEN = "listen"


def address(host: str, port: int) -> str:
    """Return ``host:port`` as people write it."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


class TcpLink(Link):
    """Serves one TCP connection at a time; subclasses get its bytes on the link's thread.

    Parameters
    ----------
    role, host, port
        Where to connect to, or what to listen on. Port 0 listens on a free port, see ``port``.
    observer
        Gets every change of status; a further peer that was turned away is a problem of the
        counter "refused connections".

    """

    def __init__(
        self,
        role: Role,
        host: str,
        port: int,
        observer: LinkObserver,
        *,
        backoff: Backoff | None = None,
    ) -> None:
        super().__init__(address(host, port), observer, backoff=backoff, name="tcp-link")
        self._role = role
        self._host = host
        self._port = port
        self._listener: socket.socket | None = None
        self._stream: socket.socket | None = None
        self._send_lock = threading.Lock()
        self._unsent = bytearray()
        self._drop_reason: str | None = None
        self._wake_fd = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)

    @property
    def port(self) -> int:
        """The port: the one listened on where port 0 asked for a free one."""
        return self._port

    @abstractmethod
    def _opened(self) -> None:
        """Prepare for a new connection; ``send`` works from here on."""

    @abstractmethod
    def _received(self, data: bytes) -> None:
        """Take ``data``, in order, in pieces of any size. May raise LinkFault."""

    @abstractmethod
    def _ended(self) -> None:
        """Check what the stream left when the peer closed it. May raise LinkFault."""

    def _next_due(self) -> float | None:
        """Return when ``_tick`` is to be called, on the monotonic clock (s); None: not at all.

        Asked after all that happens on the link's thread; ``_interrupt`` has it asked again.
        """
        return None

    def _tick(self) -> None:
        """Do what is due. Called on the link's thread. May raise LinkFault."""

    def send(self, data: bytes) -> None:
        """Send ``data``, without ever blocking. Thread-safe; one call's bytes stay together.

        Raises NotConnectedError when there is no connection, or the peer has stopped reading.
        """
        with self._send_lock:
            stream = self._stream
            if stream is None:
                raise NotConnectedError(f"not connected to {self._peer}")
            sent = 0
            if not self._unsent:
                try:
                    sent = stream.send(data)
                except BlockingIOError:
                    pass
                except OSError as error:
                    # The link's thread sees the same and ends the connection.
                    raise NotConnectedError(f"{self._peer}: {error.strerror}") from error
            if sent < len(data):
                if len(self._unsent) + len(data) > UNSENT_LIMIT:
                    self._drop_reason = f"{self._peer} has stopped reading"
                    self._wake()
                    raise NotConnectedError(self._drop_reason)
                self._unsent += data[sent:]
                self._wake()

    def drop(self, reason: str) -> None:
        """End the connection as a fault, for ``reason``, and connect again. Thread-safe."""
        with self._send_lock:
            if self._stream is not None:
                self._drop_reason = reason
                self._wake()

    def _wake(self) -> None:
        """Make the link's thread look at what changed. The send lock is held."""
        if self._wake_fd >= 0:
            os.eventfd_write(self._wake_fd, 1)

    def _interrupt(self) -> None:
        with self._send_lock:
            self._wake()

    def _release(self) -> None:
        if self._listener is not None:
            self._listener.close()
            self._listener = None
        with self._send_lock:
            os.close(self._wake_fd)
            self._wake_fd = -1

    def _serve(self) -> None:
        stream, peer = self._dial() if self._role is Role.DIAL else self._accept()
        with stream:
            _tune(stream)
            with self._send_lock:
                self._drop_reason = None
                self._unsent.clear()
                self._stream = stream
            try:
                self._opened()
                self._connected(peer)
                self._pump(stream)
            except LinkFault:
                raise
            except (OSError, LinkLost) as error:
                if self._drop_reason is not None:
                    # We gave the connection up, before the peer did in answer.
                    raise LinkFault(self._drop_reason) from error
                if isinstance(error, OSError):
                    raise LinkLost(f"connection with {peer} lost: {error.strerror}") from error
                raise
            finally:
                with self._send_lock:
                    self._stream = None

    def _dial(self) -> tuple[socket.socket, str]:
        target = address(self._host, self._port)
        try:
            stream = socket.create_connection((self._host, self._port), CONNECT_TIMEOUT)
        except socket.gaierror as error:
            raise LinkFault(f"unknown host {self._host!r}: {error.strerror}") from error
        except TimeoutError as error:
            raise LinkLost(f"{target} does not answer") from error
        except OSError as error:
            raise LinkLost(f"cannot connect to {target}: {error.strerror}") from error
        if stream.getsockname() == stream.getpeername():
            # The kernel may join a free port of this machine to itself: nobody is there.
            stream.close()
            raise LinkLost(f"nobody listens on {target}")
        return stream, target

    def _accept(self) -> tuple[socket.socket, str]:
        listener = self._listener or self._listen()
        self._peer = address(self._host, self._port)
        if self.status.state is not LinkState.FAULT:
            self._set_status(LinkState.CONNECTING, f"waiting for a connection on {self._peer}")
        poller = select.poll()
        poller.register(listener, select.POLLIN)
        poller.register(self._wake_fd, select.POLLIN)
        while not self._closing.is_set():
            ready = {fd for fd, _ in poller.poll()}
            if self._wake_fd in ready:
                self._clear_wake()
            if listener.fileno() in ready:
                try:
                    stream, peer = listener.accept()
                except OSError:
                    continue  # it hung up before we answered
                return stream, address(*peer[:2])
        raise LinkLost("closed")

    def _listen(self) -> socket.socket:
        where = address(self._host, self._port)
        try:
            family = socket.AF_INET6 if ":" in self._host else socket.AF_INET
            listener = socket.create_server((self._host, self._port), family=family, backlog=8)
        except socket.gaierror as error:
            raise LinkFault(f"unknown host {self._host!r}: {error.strerror}") from error
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                raise LinkFault(
                    f"port {self._port} of {self._host} is in use by another program"
                ) from error
            raise LinkFault(f"cannot listen on {where}: {error.strerror}") from error
        listener.setblocking(False)
        self._listener = listener
        self._port = listener.getsockname()[1]
        return listener

    def _pump(self, stream: socket.socket) -> None:
        """Move bytes both ways until the connection ends."""
        poller = select.poll()
        poller.register(self._wake_fd, select.POLLIN)
        if self._listener is not None:
            poller.register(self._listener, select.POLLIN)
        listener_fd = self._listener.fileno() if self._listener is not None else -1
        stream_fd, wake_fd = stream.fileno(), self._wake_fd
        poller.register(stream_fd, select.POLLIN)
        poll, receive, received = poller.poll, stream.recv, self._received
        while not self._closing.is_set():
            due = self._next_due()
            timeout = None
            if due is not None:
                timeout = max(0, math.ceil((due - time.monotonic()) * 1000.0))
            for fd, event in poll(timeout):
                if fd == stream_fd:
                    if event & (select.POLLIN | select.POLLHUP | select.POLLERR):
                        try:
                            data = receive(RECEIVE_BYTES)
                        except BlockingIOError:
                            data = None
                        if data:
                            received(data)
                        elif data is not None:
                            self._ended()
                            raise LinkLost(f"{self._peer} has closed the connection")
                    if event & select.POLLOUT:
                        self._flush(stream)
                elif fd == wake_fd:
                    self._clear_wake()
                elif fd == listener_fd:
                    self._refuse()
            if due is not None and time.monotonic() >= due:
                self._tick()
            with self._send_lock:
                if self._drop_reason is not None:
                    raise LinkFault(self._drop_reason)
                wanted = select.POLLIN | (select.POLLOUT if self._unsent else 0)
            poller.modify(stream_fd, wanted)

    def _flush(self, stream: socket.socket) -> None:
        with self._send_lock:
            try:
                sent = stream.send(self._unsent)
            except BlockingIOError:
                return
            del self._unsent[:sent]

    def _refuse(self) -> None:
        assert self._listener is not None
        try:
            other, peer = self._listener.accept()
        except OSError:
            return
        other.close()
        self._observer.on_problem(
            "refused connections",
            f"a further peer at {address(*peer[:2])} was turned away: this bridge serves one; "
            "start another bridge with another port and namespace for it",
        )

    def _clear_wake(self) -> None:
        try:
            os.eventfd_read(self._wake_fd)
        except BlockingIOError:
            pass


def _tune(stream: socket.socket) -> None:
    """No delay for small messages, no blocking, and a peer that vanished is noticed."""
    stream.setblocking(False)
    stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    stream.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, SILENT_PEER_SECONDS - 3)
    stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPINTVL, 1)
    stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPCNT, 3)
    stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, SILENT_PEER_SECONDS * 1000)
