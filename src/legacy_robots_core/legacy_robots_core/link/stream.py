# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A link over one stream or socket that can be polled: the base of TCP, UDP and serial links."""

from __future__ import annotations

import math
import os
import select
import threading
import time
from abc import abstractmethod
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from legacy_robots_core.link.base import (
    Backoff,
    Link,
    LinkFault,
    LinkLost,
    LinkObserver,
    NotConnectedError,
)
from legacy_robots_core.link.first_message import FirstMessage

if TYPE_CHECKING:
    from legacy_robots_core.link.framing import Framing

__all__ = ["Liveness", "Stream", "StreamLink"]

UNSENT_LIMIT = 65536
"""Bytes that may wait for a peer that does not read; more is a fault."""
MOST_PIECES = 16
"""What is read at once, before it is handled, in pieces as they come."""
FRAMED_BYTES = 4096
"""Of what was read, that are handled before it is seen again whether more has come."""


class Stream(Protocol):
    """A connection that is polled and never blocks; its methods raise OSError when it is over."""

    peer: str
    unsent: bytearray

    def fileno(self) -> int:
        """Return the descriptor to poll; -1 when closed."""

    def receive(self) -> bytes | None:
        """Return what has arrived, b"" at the end of the stream, None for nothing."""

    def send(self, data: bytes) -> None:
        """Send ``data`` after what is unsent; what cannot be sent now is added to ``unsent``."""

    def flush(self) -> None:
        """Send what can be sent of ``unsent`` now."""

    def close(self) -> None:
        """Close the connection."""


@dataclass(frozen=True)
class Liveness:
    """How a peer that has gone is noticed, and how it notices us.

    Without a byte for ``silence`` seconds the connection ends as a fault. ``heartbeat`` is sent
    every ``period`` seconds; empty: nothing.
    """

    silence: float = math.inf
    heartbeat: bytes = b""
    period: float = 1.0


class StreamLink(Link):
    """Serves one stream at a time; subclasses get its bytes on the link's thread.

    Parameters
    ----------
    framing
        Makes the framing of a new connection: ``received`` gets whole messages, and ``send``
        takes bytes as they are. None: ``received`` gets pieces of any size.
    liveness
        Silence and heartbeat; None: neither.
    greeting
        Bytes that are sent when the stream is open, before ``opened`` is called.

    """

    extra_fd_grace = 0.0
    patience: float | None = None
    """Seconds from opening within which a valid message has to come, with which the link is up;
    what is invalid before it is passed over. None: it is up when the stream is open."""

    def __init__(
        self,
        peer: str,
        observer: LinkObserver,
        *,
        framing: Callable[[], Framing] | None = None,
        liveness: Liveness | None = None,
        greeting: bytes = b"",
        backoff: Backoff | None = None,
        name: str = "stream-link",
    ) -> None:
        super().__init__(peer, observer, backoff=backoff, name=name)
        self._make_framing = framing
        self._framing: Framing | None = None
        self._liveness = liveness or Liveness()
        self._greeting = greeting
        self._first: FirstMessage | None = None
        self._heard = self._beat = math.inf
        self._stream: Stream | None = None
        self._send_lock = threading.Lock()
        self._drop_reason: str | None = None
        self._wake_fd = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)

    @abstractmethod
    def open_stream(self) -> Stream:
        """Return the stream of a new connection. Raises LinkLost or LinkFault.

        It may wait with ``wait_for``, which ends when the link closes.
        """

    def opened(self) -> None:
        """Prepare for a new connection; ``send`` works from here on."""

    def garbled(self, detail: str) -> str:
        """Return what to say where bytes come but no valid message: ``detail`` says how many."""
        return f"{self._peer} sends no valid message: {detail}"

    @abstractmethod
    def received(self, data: bytes) -> None:
        """Take ``data``, in order: a message with a framing, else pieces of any size.

        May raise LinkFault, ProtocolError or, from ``send``, NotConnectedError, which end the
        connection.
        """

    def ended(self) -> None:
        """Check what the stream left when the peer closed it. May raise LinkFault."""

    def next_due(self) -> float | None:
        """Return when ``tick`` is to be called, in seconds of ``now``; None: not at all.

        Asked after all that happens on the link's thread; ``interrupt`` has it asked again.
        """
        return None

    def tick(self) -> None:
        """Run what ``next_due`` announced. On the link's thread. May raise as ``received``."""

    def extra_fd(self) -> int:
        """Return a descriptor to watch beside the stream, -1 for none; see ``extra_fd_ready``."""
        return -1

    def extra_fd_ready(self) -> None:
        """Handle what there is to read at the descriptor of ``extra_fd``.

        Called ``extra_fd_grace`` seconds after it came, if the stream has not ended until then.
        """

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

    def interrupt(self) -> None:
        """Wake the link's thread."""
        with self._send_lock:
            self._wake()

    def release(self) -> None:
        """Release what outlives a connection."""
        with self._send_lock:
            os.close(self._wake_fd)
            self._wake_fd = -1

    def serve(self) -> None:
        """Serve one connection."""
        stream = self.open_stream()
        try:
            with self._send_lock:
                self._drop_reason = None
                self._stream = stream
            self._framing = self._make_framing() if self._make_framing else None
            now = self.now()
            self._heard = now + self._liveness.silence
            self._beat = now if self._liveness.heartbeat else math.inf
            if self._greeting:
                self.send(self._greeting)
            self.opened()
            if self.patience is None:
                self.connected(stream.peer)
            else:
                self._await_first(stream.peer, self.patience)
            self._pump(stream)
        except LinkFault:
            raise
        except (OSError, LinkLost, NotConnectedError) as error:
            if self._drop_reason is not None:
                # We gave the connection up, before the peer did in answer.
                raise LinkFault(self._drop_reason) from error
            if isinstance(error, OSError):
                reason = f"connection with {stream.peer} lost: {error.strerror}"
                raise LinkLost(reason) from error
            raise LinkLost(str(error)) from error
        finally:
            with self._send_lock:
                self._stream = None
            stream.close()
            if self._first is not None:
                self._first.give_back()

    def wait_for(self, descriptor: int, event: int, timeout: float = math.inf) -> bool:
        """Return whether ``event`` happens within ``timeout`` s. LinkLost when the link closes."""
        poller = select.poll()
        poller.register(descriptor, event)
        poller.register(self._wake_fd, select.POLLIN)
        deadline = time.monotonic() + timeout
        while not self.closing.is_set():
            left = deadline - time.monotonic()
            ready = dict(poller.poll(None if left == math.inf else max(0, math.ceil(left * 1e3))))
            if self._wake_fd in ready:
                self._clear_wake()
            if descriptor in ready:
                return True
            if left <= 0:
                return False
        raise LinkLost("closed")

    def _pump(self, stream: Stream) -> None:
        """Move bytes both ways until the connection ends."""
        poller = select.poll()
        poller.register(self._wake_fd, select.POLLIN)
        extra_fd = self.extra_fd()
        if extra_fd >= 0:
            poller.register(extra_fd, select.POLLIN)
        stream_fd, wake_fd = stream.fileno(), self._wake_fd
        poller.register(stream_fd, select.POLLIN)
        poll = poller.poll
        normally = self._frames if self._framing else self.received
        received = normally if self._first is None else self._first.take
        watched = self._liveness != Liveness() or self._first is not None
        now = self.now
        judged_at = math.inf  # when what is beside the stream is handled
        unhandled: deque[bytes] = deque()
        end: Exception | None = None
        while not self.closing.is_set():
            due = self._earliest(self.next_due()) if watched else self.next_due()
            timeout = None
            if due is not None:
                left = due - now()
                if left <= 0.0 or not self._follows:
                    timeout = max(0, math.ceil(left * 1000.0))
            if judged_at < math.inf:
                left_ms = max(0, math.ceil((judged_at - time.monotonic()) * 1000.0))
                timeout = left_ms if timeout is None else min(timeout, left_ms)
            has_come = False
            for fd, event in poll(0 if unhandled or end else timeout):
                if fd == stream_fd:
                    if event & (select.POLLIN | select.POLLHUP | select.POLLERR) and not end:
                        has_come = True
                        self._heard = now() + self._liveness.silence
                        if len(unhandled) < MOST_PIECES:
                            end = self._read(stream, unhandled)
                    if event & select.POLLOUT:
                        with self._send_lock:
                            stream.flush()
                elif fd == wake_fd:
                    self._clear_wake()
                elif fd == extra_fd:
                    judged_at = time.monotonic() + self.extra_fd_grace
                    poller.unregister(extra_fd)
            if has_come and not end and 0 < len(unhandled) < MOST_PIECES:
                continue  # all is read before anything is handled
            if self._first is None and not has_come and now() >= self._heard:
                raise LinkFault(f"{self._peer} has been silent for {self._liveness.silence:g} s")
            if unhandled:
                received(self._next_piece(unhandled))
                if self._first is None:
                    received = normally
                    if not unhandled:  # that we took long is no silence
                        self._heard = now() + self._liveness.silence
            elif end:
                if isinstance(end, LinkLost):
                    if self._framing:
                        self._framing.end()
                    self.ended()
                raise end
            if time.monotonic() >= judged_at:
                judged_at = math.inf
                poller.register(extra_fd, select.POLLIN)
                self.extra_fd_ready()
            if due is not None and now() >= due:
                if watched:
                    self._check_liveness(now())
                else:
                    self.tick()
            with self._send_lock:
                if self._drop_reason is not None:
                    raise LinkFault(self._drop_reason)
                wanted = select.POLLIN | (select.POLLOUT if stream.unsent else 0)
            poller.modify(stream_fd, wanted)

    def _read(self, stream: Stream, unhandled: deque[bytes]) -> Exception | None:
        """Add to ``unhandled`` what has come; return why nothing more will."""
        try:
            data = stream.receive()
        except OSError as error:
            return error
        if data == b"":
            return LinkLost(f"{self._peer} has closed the connection")
        if data:
            unhandled.append(data)
        return None

    def _next_piece(self, unhandled: deque[bytes]) -> bytes:
        piece = unhandled.popleft()
        if self._framing and len(piece) > FRAMED_BYTES:
            unhandled.appendleft(piece[FRAMED_BYTES:])
            return piece[:FRAMED_BYTES]
        return piece

    def _frames(self, data: bytes) -> None:
        assert self._framing is not None
        messages = self._framing.feed(data)
        if count := self._framing.passed_over:
            self._framing.passed_over = 0
            self.report_problem("bytes passed over", f"{count} bytes were of no message")
        for message in messages:
            self.received(message)

    def _await_first(self, peer: str, patience: float) -> None:
        """Be connected with ``peer`` once a message is valid."""
        framing = self._framing
        if framing is not None and not (self._greeting or self._liveness.heartbeat):
            framing.join()  # else the first message may be an answer

        def is_up() -> None:
            self._first = None
            self._heard = self.now() + self._liveness.silence
            if framing is not None:
                framing.passed_over = 0  # the rest of a message in whose middle it was joined
            self.connected(peer)

        self._first = FirstMessage(self, framing, patience, is_up)

    def _earliest(self, due: float | None) -> float | None:
        heard = self._heard if self._first is None else self._first.due
        earliest = min(heard, self._beat, math.inf if due is None else due)
        return None if earliest == math.inf else earliest

    def _check_liveness(self, now: float) -> None:
        if self._first is not None:
            self._first.judge(now)
        if now >= self._beat:
            self._beat = now + self._liveness.period
            self.send(self._liveness.heartbeat)
        due = self.next_due()
        if due is not None and now >= due:
            self.tick()

    def _clear_wake(self) -> None:
        try:
            os.eventfd_read(self._wake_fd)
        except BlockingIOError:
            pass
