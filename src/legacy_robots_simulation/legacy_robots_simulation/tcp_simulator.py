# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A simulator that serves one TCP connection at a time: thread, sockets and the common faults.

A subclass says what is sent and what is understood. Everything of the subclass is called on the
simulator's own thread.
"""

from __future__ import annotations

import logging
import math
import os
import select
import threading
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Sequence

from legacy_robots_core.link.base import ProtocolError
from legacy_robots_core.link.tcp import Role
from legacy_robots_core.link.tcp_sockets import TcpStream
from legacy_robots_simulation.connection_source import Acceptor, ConnectionSource, Connector
from legacy_robots_simulation.control_channel import ControlServer
from legacy_robots_simulation.controls import Controls
from legacy_robots_simulation.program import Fault, FaultTimer
from legacy_robots_simulation.stepped_controls import CallQueue

__all__ = ["TcpSimulator"]

UNSENT_LIMIT = 4 * 1024 * 1024
"""Bytes that wait for a peer that does not read; with more the simulator hangs up."""
SETTLED_S = 1.0
"""A connection that lasts this long was a success: the next is tried without a long delay."""
LONGEST_STEP_S = 1.0
"""Seconds of simulated time that pass at most between two looks at the sockets."""


class TcpSimulator(ABC):
    """One thread that connects or is connected to, and has faults on request.

    Parameters
    ----------
    role, host, port
        Whom to dial, or what to listen on; port 0 listens on a free one, see ``port``.
    faults, fault_after
        What can go wrong; a single fault does so by itself, this time (s) into a connection.
    fault_seconds
        How long a stall or a restart takes.
    peer_name
        Who is at the other end, for log messages.
    control
        Name of the control channel; empty for none.
    paused
        Whether time stands still at first.

    """

    def __init__(
        self,
        role: Role,
        host: str,
        port: int,
        *,
        peer_name: str,
        faults: Sequence[str] = (),
        fault_after: float = 5.0,
        fault_seconds: float = 2.0,
        control: str = "",
        paused: bool = False,
    ) -> None:
        self.log = logging.getLogger("simulator")
        self._peer_name = peer_name
        source_type = Connector if role is Role.DIAL else Acceptor
        self._source: ConnectionSource = source_type(host, port, self.log)
        self._fault_seconds = fault_seconds
        self._timer: FaultTimer | None = None
        chosen = [self._checked(fault) for fault in faults]
        if len(chosen) == 1:
            self._timer = FaultTimer(lambda: self.inject(chosen[0]), fault_after)
        self._faults: deque[str] = deque()
        self._stalled_until = -math.inf
        self._stream: TcpStream | None = None
        self._connected_at = -math.inf
        self._connections = 0
        self._now = time.monotonic()
        self._condition = threading.Condition()  # held while the thread changes anything
        self._closing = False
        self._finished = False
        self._on_finished: Callable[[int], None] = lambda exit_code: None
        self._wake_fd = -1
        self._thread = threading.Thread(target=self._run, name="simulator", daemon=True)
        self.is_paused = paused
        """Whether time stands still; to be set on the simulator's thread."""
        self.calls = CallQueue(self._wake_locked)
        self._control = ControlServer(self._make_controls(), control)

    # --- for the owner, from any thread ----------------------------------------------------

    @property
    def port(self) -> int:
        """The port dialled or listened on."""
        return self._source.port

    @property
    def connected(self) -> bool:
        """Whether the link is up."""
        return self._stream is not None

    @property
    def listening(self) -> bool:
        """Whether connections are accepted; never in the role of the dialling side."""
        return self._source.listening

    @property
    def stalled(self) -> bool:
        """Whether the fault ``stall`` is going on."""
        return time.monotonic() < self._stalled_until

    @property
    def connections(self) -> int:
        """How often the link has come up."""
        return self._connections

    def start(self) -> None:
        """Begin to listen or dial; raises SimulatorError if the port cannot be had."""
        self._source.open(time.monotonic(), first=True)
        self._wake_fd = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        self._control.start()
        self._thread.start()

    def close(self) -> None:
        """End the connection and the thread. Idempotent."""
        self._control.close()
        if self._timer is not None:
            self._timer.close()
        with self._condition:
            self._closing = True
            self._wake()
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join()
        self._source.close()
        with self._condition:
            if self._wake_fd >= 0:
                os.close(self._wake_fd)
                self._wake_fd = -1

    def inject(self, fault: str) -> None:
        """Have a fault happen, now or when the link is up again; ValueError if it is unknown."""
        checked = self._checked(fault)
        with self._condition:
            self._faults.append(checked)
            self._wake()

    def when_finished(self, callback: Callable[[int], None]) -> None:
        """Have ``callback`` called if it ends by itself, on its thread: with 0, or 1 if it failed.

        To be called before ``start``.
        """
        self._on_finished = callback

    def wait_for(self, predicate: Callable[[], bool], timeout: float = 30.0) -> bool:
        """Wait until ``predicate`` is true, asked whenever something has happened.

        Nothing changes while it is asked. Gives False after ``timeout`` seconds.
        """
        with self._condition:
            return self._condition.wait_for(predicate, timeout)

    # --- for the subclass to say -----------------------------------------------------------

    own_faults: tuple[str, ...] = ()
    """Names of faults beyond the common ones."""

    @abstractmethod
    def _link_up(self) -> None:
        """Greet; ``send`` works from here on."""

    @abstractmethod
    def _received(self, data: bytes) -> None:
        """Take bytes, in order, in pieces of any size. A ProtocolError ends the connection."""

    @abstractmethod
    def _link_lost(self) -> None:
        """Forget the connection, which is over; ``send`` does nothing."""

    @abstractmethod
    def _next_due(self) -> float | None:
        """Give the seconds until ``_advance`` is needed; None while nothing happens by itself."""

    @abstractmethod
    def _advance(self, seconds: float) -> None:
        """Let time pass; called only while the link is up."""

    @abstractmethod
    def _torn_message(self) -> bytes:
        """Give the first part of a message, for the fault ``cut``."""

    @abstractmethod
    def _flood(self) -> bytes:
        """Give thousands of true messages, for the fault ``flood``."""

    @abstractmethod
    def _garbage(self) -> bytes:
        """Give bytes that no peer can take for messages, for the fault ``garbage``."""

    @abstractmethod
    def begin_again(self) -> None:
        """Begin again with the same seed; the connection ends, as when a robot is restarted."""

    @abstractmethod
    def _make_controls(self) -> Controls:
        """Return what the control channel can do with this simulator."""

    def _own_fault(self, fault: str) -> None:
        """Carry out one of ``own_faults``."""
        raise NotImplementedError(fault)

    def _register_beside(self, poller: select.poll, now: float) -> float:
        """Have ``poller`` watch further sockets; return when ``_serve_beside`` is due at last."""
        return math.inf

    def _serve_beside(self, ready: dict[int, int], now: float) -> None:  # noqa: B027 - optional
        """Serve the further sockets; called after the connection was served, but in a stall."""

    # --- for the subclass to use -----------------------------------------------------------

    def send(self, data: bytes) -> None:
        """Send bytes, without ever blocking; for the simulator's thread."""
        if self._stream is not None:
            self._stream.unsent += data

    def hang_up(self, reason: str) -> None:
        """End the connection after everything is sent, and let the link come up again."""
        if self._stream is None:
            return
        self.log.info("hanging up: %s", reason)
        self._stream.close_gracefully()
        self._lose_stream()

    def finish(self, reason: str) -> None:
        """End the connection and the simulator."""
        self.hang_up(reason)
        self._finished = True

    def step(self, seconds: float) -> None:
        """Let time pass while it stands still; on the simulator's thread."""
        self._advance(seconds)

    # --- the thread ------------------------------------------------------------------------

    def _run(self) -> None:
        try:
            while not (self._closing or self._finished):
                ready = self._wait()
                with self._condition:
                    self._turn(ready)
                    self._condition.notify_all()
        except Exception:
            self.log.exception("the simulator has failed")
            raise
        finally:
            self.calls.close()
            with self._condition:
                if self._stream is not None:
                    self._stream.close()
                    self._stream = None
                self._condition.notify_all()
            self._source.close()
            if not self._closing:
                self._on_finished(0 if self._finished else 1)

    def _wait(self) -> dict[int, int]:
        """Wait for a socket, the owner or a moment; give what is ready by file descriptor."""
        poller = select.poll()
        poller.register(self._wake_fd, select.POLLIN)
        now = time.monotonic()
        due = math.inf
        if now >= self._stalled_until:
            self._source.register(poller)
            due = min(self._source.due, self._register_beside(poller, now))
        if self._stream is not None:
            if now < self._stalled_until:
                due = min(due, self._stalled_until)
            else:
                wanted = select.POLLIN | (select.POLLOUT if self._stream.unsent else 0)
                poller.register(self._stream.fileno(), wanted)
                simulated = None if self.is_paused else self._next_due()
                if simulated is not None:
                    due = min(due, self._now + simulated)
        timeout = None if due == math.inf else max(0, math.ceil((due - now) * 1000))
        return dict(poller.poll(timeout))

    def _turn(self, ready: dict[int, int]) -> None:
        """Carry out what is due."""
        now = time.monotonic()
        if self._wake_fd in ready:
            os.eventfd_read(self._wake_fd)
        answer_callers = self.calls.carry_out()
        if self._stream is not None and now >= self._stalled_until:
            try:
                self._serve(self._stream, ready, now)
            except OSError as error:
                self._stream_ended(error.strerror or "error")
        # A peer that closed the stream and came back at once waits until the stream is read.
        if self._stream is None or (now >= self._stalled_until and not self._stream.has_ended()):
            opened = self._source.step(now, ready, busy=self._stream is not None)
            if opened is not None:
                self._gain_stream(opened, now)
        if now >= self._stalled_until:
            self._serve_beside(ready, now)
        self._send_unsent()
        answer_callers()

    def _serve(self, stream: TcpStream, ready: dict[int, int], now: float) -> None:
        passed, self._now = now - self._now, now
        if not self.is_paused:
            self._advance(min(passed, LONGEST_STEP_S))
        if ready.get(stream.fileno(), 0) & (select.POLLIN | select.POLLHUP | select.POLLERR):
            data = stream.receive()
            if data == b"":
                self._stream_ended("closed")
            elif data is not None:
                try:
                    self._received(data)
                except ProtocolError as error:
                    self.hang_up(str(error))
        if self._faults and self._stream is not None:
            self._have(self._faults.popleft(), now)
            if self._faults:
                self._wake()  # one at a time, so that each is seen from outside

    def _gain_stream(self, stream: TcpStream, now: float) -> None:
        self._stream = stream
        self._connections += 1
        self._now = self._connected_at = now
        self.log.info("connected with %s at %s", self._peer_name, stream.peer)
        self._link_up()
        if self._timer is not None:
            self._timer.link_up()
        if self._faults:
            self._wake()

    def _stream_ended(self, reason: str) -> None:
        if self._stream is not None:
            self.log.info("%s has gone: %s", self._peer_name, reason)
            self._lose_stream()

    def _lose_stream(self) -> None:
        assert self._stream is not None
        lived = time.monotonic() - self._connected_at
        self._stream.close()
        self._stream = None
        self._stalled_until = -math.inf
        if self._timer is not None:
            self._timer.link_down()
        self._source.lost(time.monotonic(), settled=lived >= SETTLED_S)
        self._link_lost()

    def _send_unsent(self) -> None:
        stream = self._stream
        if stream is None or time.monotonic() < self._stalled_until:
            return
        try:
            stream.flush()
        except OSError as error:
            self._stream_ended(error.strerror or "error")
            return
        if len(stream.unsent) > UNSENT_LIMIT:
            self._stream_ended("it does not read")

    # --- faults ----------------------------------------------------------------------------

    def _checked(self, fault: str) -> str:
        known = [common.value for common in Fault] + list(self.own_faults)
        name = fault.value if isinstance(fault, Fault) else fault
        if name not in known:
            raise ValueError(f"unknown fault {name!r}, known are {', '.join(known)}")
        return name

    def _have(self, fault: str, now: float) -> None:
        self.log.warning("fault: %s", fault)
        if fault == Fault.CUT:
            self.send(self._torn_message())
            self.hang_up("cut in the middle of a message")
        elif fault == Fault.STALL:
            self._stalled_until = now + self._fault_seconds
            self._now = self._stalled_until  # nothing moves in the meantime
        elif fault == Fault.FLOOD:
            self.send(self._flood())
        elif fault == Fault.GARBAGE:
            self.send(self._garbage())
        elif fault == Fault.RESTART:
            self.hang_up("restarting")
            self._source.pause(time.monotonic() + self._fault_seconds)
        else:
            self._own_fault(fault)

    def _wake_locked(self) -> None:
        with self._condition:
            self._wake()

    def _wake(self) -> None:
        """Make the thread look at what changed; the condition is held."""
        if self._wake_fd >= 0:
            os.eventfd_write(self._wake_fd, 1)
