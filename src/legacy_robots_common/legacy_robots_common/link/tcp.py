# SPDX-License-Identifier: Apache-2.0
"""A link over one TCP stream, dialling or listening, for protocols of bytes."""

from __future__ import annotations

import enum
import math
import os
import select
import threading
import time
from abc import abstractmethod

from legacy_robots_common.link.base import (
    Backoff,
    Link,
    LinkFault,
    LinkLost,
    LinkObserver,
    LinkState,
    NotConnectedError,
)
from legacy_robots_common.link.tcp_sockets import (
    REDIAL_GRACE_S,
    Attempt,
    ConnectionFailedError,
    Listener,
    TcpStream,
    address,
)

UNSENT_LIMIT = 65536
"""Bytes that may wait for a peer that does not read; more is a fault."""
CONNECT_TIMEOUT_S = 2.0


class Role(str, enum.Enum):
    """Who opens the connection: we (DIAL), or the other side (LISTEN)."""

    DIAL = "dial"
    LISTEN = "listen"


class TcpLink(Link):
    """Serves one TCP connection at a time; subclasses get its bytes on the link's thread.

    ``host`` and ``port`` are connected to or listened on, by ``role``; port 0 listens on a free
    port, see ``port``. A further peer that is turned away is a problem of the counter "refused
    connections".
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
        self._is_dialled = role is Role.LISTEN
        self._host = host
        self._port = port
        self._listener: Listener | None = None
        self._stream: TcpStream | None = None
        self._send_lock = threading.Lock()
        self._attempts = 0
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
        """Return when ``_tick`` is to be called, in seconds of ``now``; None: not at all.

        Asked after all that happens on the link's thread; ``_interrupt`` has it asked again.
        """
        return None

    def _tick(self) -> None:
        """Run what ``_next_due`` announced. On the link's thread. May raise LinkFault."""

    def send(self, data: bytes) -> None:
        """Send ``data``, without ever blocking. Thread-safe; one call's bytes stay together.

        Raises NotConnectedError when there is no connection, or the peer has stopped reading.
        """
        with self._send_lock:
            stream = self._stream
            if stream is None:
                raise NotConnectedError(f"not connected to {self._peer}")
            if len(stream.unsent) + len(data) > UNSENT_LIMIT and stream.unsent:
                self._drop_reason = f"{self._peer} has stopped reading"
                self._wake()
                raise NotConnectedError(self._drop_reason)
            try:
                stream.send(data)
            except OSError as error:
                # The link's thread sees the same and ends the connection.
                raise NotConnectedError(f"{self._peer}: {error.strerror}") from error
            if stream.unsent:
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
        try:
            stream = self._dial() if self._role is Role.DIAL else self._accept()
        except ConnectionFailedError as error:
            failure = LinkFault if error.misconfigured else LinkLost
            raise failure(str(error)) from error
        try:
            with self._send_lock:
                self._drop_reason = None
                self._stream = stream
            self._opened()
            self._connected(stream.peer)
            self._pump(stream)
        except LinkFault:
            raise
        except (OSError, LinkLost) as error:
            if self._drop_reason is not None:
                # We gave the connection up, before the peer did in answer.
                raise LinkFault(self._drop_reason) from error
            if isinstance(error, OSError):
                reason = f"connection with {stream.peer} lost: {error.strerror}"
                raise LinkLost(reason) from error
            raise
        finally:
            with self._send_lock:
                self._stream = None
            stream.close()

    def _dial(self) -> TcpStream:
        attempt = Attempt(self._host, self._port, self._attempts)
        self._attempts += 1
        try:
            if not self._wait_for(attempt.fileno(), select.POLLOUT, CONNECT_TIMEOUT_S):
                raise LinkLost(f"{address(self._host, self._port)} does not answer")
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
            self._wait_for(self._listener.fileno(), select.POLLIN)
            stream = self._listener.accept()
            if stream is not None:
                return stream

    def _wait_for(self, descriptor: int, event: int, timeout: float = math.inf) -> bool:
        """Return whether ``event`` happens within ``timeout`` s. LinkLost when the link closes."""
        poller = select.poll()
        poller.register(descriptor, event)
        poller.register(self._wake_fd, select.POLLIN)
        deadline = time.monotonic() + timeout
        while not self._closing.is_set():
            left = deadline - time.monotonic()
            ready = dict(poller.poll(None if left == math.inf else max(0, math.ceil(left * 1e3))))
            if self._wake_fd in ready:
                self._clear_wake()
            if descriptor in ready:
                return True
            if left <= 0:
                return False
        raise LinkLost("closed")

    def _pump(self, stream: TcpStream) -> None:
        """Move bytes both ways until the connection ends."""
        poller = select.poll()
        poller.register(self._wake_fd, select.POLLIN)
        if self._listener is not None:
            poller.register(self._listener, select.POLLIN)
        listener_fd = self._listener.fileno() if self._listener is not None else -1
        stream_fd, wake_fd = stream.fileno(), self._wake_fd
        poller.register(stream_fd, select.POLLIN)
        poll, receive, received = poller.poll, stream.receive, self._received
        now = self.now
        judged_at = math.inf  # when a peer that waits is turned away, unless this one has gone
        while not self._closing.is_set():
            due = self._next_due()
            timeout = None
            if due is not None:
                left = due - now()
                if left <= 0.0 or not self._follows:
                    timeout = max(0, math.ceil(left * 1000.0))
            if judged_at < math.inf:
                left_ms = max(0, math.ceil((judged_at - time.monotonic()) * 1000.0))
                timeout = left_ms if timeout is None else min(timeout, left_ms)
            for fd, event in poll(timeout):
                if fd == stream_fd:
                    if event & (select.POLLIN | select.POLLHUP | select.POLLERR):
                        data = receive()
                        if data:
                            received(data)
                        elif data is not None:
                            self._ended()
                            raise LinkLost(f"{self._peer} has closed the connection")
                    if event & select.POLLOUT:
                        with self._send_lock:
                            stream.flush()
                elif fd == wake_fd:
                    self._clear_wake()
                elif fd == listener_fd:
                    judged_at = time.monotonic() + REDIAL_GRACE_S
                    poller.unregister(listener_fd)
            if time.monotonic() >= judged_at:
                judged_at = math.inf
                poller.register(listener_fd, select.POLLIN)
                if not stream.has_ended():
                    self._refuse()
            if due is not None and now() >= due:
                self._tick()
            with self._send_lock:
                if self._drop_reason is not None:
                    raise LinkFault(self._drop_reason)
                wanted = select.POLLIN | (select.POLLOUT if stream.unsent else 0)
            poller.modify(stream_fd, wanted)

    def _refuse(self) -> None:
        assert self._listener is not None
        other = self._listener.accept()
        if other is None:
            return
        other.close()
        self._observer.on_problem(
            "refused connections",
            f"a further peer at {other.peer} was turned away: this bridge serves one; "
            "start another bridge with another port and namespace for it",
        )

    def _clear_wake(self) -> None:
        try:
            os.eventfd_read(self._wake_fd)
        except BlockingIOError:
            pass
