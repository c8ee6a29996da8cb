# SPDX-License-Identifier: Apache-2.0
"""The bridge's connection with a GTI server: a queue of commands, one outstanding at a time.

The protocol has no frames, no errors and no cancellation; what keeps it usable is here:

- Commands go out by priority: stop, velocities, actions, polling. While a reply is owed nothing
  else is sent. Of several waiting velocities only the latest is sent.
- A reply that does not come in time ends the connection, as its bytes could not be told from
  those of the next reply. So does a reply that no ERS-7 can give, see :mod:`.sensors`.
- A new connection is reported as up once the robot has answered on it, and begins with a stop:
  a robot that lost its client may still be walking.
"""

from __future__ import annotations

import enum
import heapq
import itertools
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from aibo_gti_bridge.commands import STOP, Command, Reply, SearchBall, Walk, WalkSteps
from aibo_gti_bridge.protocol import ProtocolError, ReplyDecoder, encode_command, is_answered
from aibo_gti_bridge.wire import WireTable
from legacy_robots_common.link import Backoff, LinkFault, LinkStatus, NotConnectedError
from legacy_robots_common.tcp_link import Role, TcpLink


class Priority(enum.IntEnum):
    """Which waiting command goes first; the lowest number."""

    STOP = 0
    VELOCITY = 1
    ACTION = 2
    POLLING = 3


class ImplausibleReplyError(Exception):
    """Raised by a receiver: no robot can have answered this, the stream is out of step."""


@dataclass(frozen=True)
class Answer:
    """A reply with the times (monotonic clock, s) at which its command went out and it came in."""

    reply: Reply
    sent: float
    received: float


OnAnswer = Callable[[Answer], None]


def _no_receiver(answer: Answer) -> None:
    """Take an answer that nobody waits for."""


@dataclass(frozen=True)
class Poll:
    """Something asked for again and again while connected.

    ``command`` is called each ``period`` (s) on the link's thread and returns what to ask now, or
    None. Nothing piles up: while a poll's command waits for its turn, no further one is made.
    """

    name: str
    period: float
    command: Callable[[], Command | None]
    on_answer: OnAnswer


@dataclass(order=True)
class _Request:
    priority: int
    number: int
    command: Command = field(compare=False)
    on_answer: OnAnswer = field(compare=False)
    poll: str = field(compare=False, default="")
    sent: float = field(compare=False, default=0.0)


class GtiLink(TcpLink):
    """Sends commands in turn and gives each reply to whoever asked for it, on the link's thread.

    Parameters
    ----------
    host, port
        The GTI server.
    wire
        The wire table.
    polls
        What is asked for all the time.
    on_status
        Gets each change of status, on the link's thread.
    reply_timeout, search_timeout
        Seconds in which the robot must answer; the latter for search_ball, which blocks.
    on_protocol_error, on_late_poll
        Called before a connection is ended because of nonsense, and with a poll's name when its
        turn had to be left out.

    """

    def __init__(
        self,
        host: str,
        port: int,
        wire: WireTable,
        polls: Sequence[Poll],
        on_status: Callable[[LinkStatus], None],
        *,
        reply_timeout: float = 1.0,
        search_timeout: float = 20.0,
        on_protocol_error: Callable[[str], None] = lambda text: None,
        on_late_poll: Callable[[str], None] = lambda name: None,
        backoff: Backoff | None = None,
    ) -> None:
        super().__init__(Role.DIAL, host, port, on_status, backoff=backoff)
        self._wire = wire
        self._polls = list(polls)
        self._poll_due = dict.fromkeys((poll.name for poll in polls), 0.0)
        self._reply_timeout = reply_timeout
        self._search_timeout = search_timeout
        self._on_protocol_error = on_protocol_error
        self._on_late_poll = on_late_poll
        self._lock = threading.Lock()  # guards what follows
        self._numbers = itertools.count()
        self._queue: list[_Request] = []
        self._polls_waiting: set[str] = set()
        self._outstanding: _Request | None = None
        self._deadline = 0.0
        self._usable = False
        self._decoder = ReplyDecoder(wire)
        self._answered_by = ""  # the peer; the link's thread only
        self._poll_data: dict[str, tuple[Command, bytes]] = {}  # what each poll asked last

    def submit(
        self, command: Command, priority: Priority, on_answer: OnAnswer = _no_receiver
    ) -> None:
        """Have ``command`` sent when its turn comes. Thread-safe, never blocks.

        ``on_answer`` gets its reply on the link's thread. A command that is still waiting when the
        connection ends is forgotten. Raises NotConnectedError while there is no connection, and
        ProtocolError for a command that the wire table cannot express.
        """
        encode_command(command, self._wire)
        with self._lock:
            if not self._usable:
                raise NotConnectedError(f"not connected to {self.status.peer}")
            if priority is Priority.VELOCITY:
                self._queue = [r for r in self._queue if r.priority != Priority.VELOCITY]
                heapq.heapify(self._queue)
            self._push(command, priority, on_answer)
            self._send_next()
        if is_answered(command, self._wire):
            self._interrupt()  # there is a new deadline

    def stop(self) -> None:
        """Stop walking before anything else is sent; forget walks that still wait. Thread-safe.

        Raises NotConnectedError while there is no connection.
        """
        with self._lock:
            if not self._usable:
                raise NotConnectedError(f"not connected to {self.status.peer}")
            self._queue = [r for r in self._queue if not isinstance(r.command, (Walk, WalkSteps))]
            heapq.heapify(self._queue)
            self._push(STOP, Priority.STOP, _no_receiver)
            self._send_next()

    def stop_and_close(self, patience: float = 0.5) -> None:
        """Stop the robot, wait up to ``patience`` (s) until that is sent, and close the link."""
        try:
            self.stop()
            deadline = time.monotonic() + patience
            while time.monotonic() < deadline and self._stop_waits():
                time.sleep(0.005)
        except NotConnectedError:
            pass
        self.close()

    @property
    def busy_with(self) -> str:
        """Name of the command whose reply is owed, or an empty text."""
        outstanding = self._outstanding
        return outstanding.command.name if outstanding is not None else ""

    def _stop_waits(self) -> bool:
        with self._lock:
            return any(r.priority == Priority.STOP for r in self._queue)

    # --- the queue; the lock is held -------------------------------------------------------

    def _push(
        self, command: Command, priority: Priority, on_answer: OnAnswer, poll: str = ""
    ) -> None:
        request = _Request(int(priority), next(self._numbers), command, on_answer, poll)
        heapq.heappush(self._queue, request)

    def _send_next(self) -> None:
        """Send what may be sent now: everything up to the next command that is answered."""
        while self._queue and self._outstanding is None:
            request = heapq.heappop(self._queue)
            self._polls_waiting.discard(request.poll)
            request.sent = time.monotonic()
            if is_answered(request.command, self._wire):
                self._outstanding = request
                self._decoder.expect(request.command)
                searching = isinstance(request.command, SearchBall)
                allowed = self._search_timeout if searching else self._reply_timeout
                self._deadline = request.sent + allowed
            try:
                self.send(self._encoded(request))
            except NotConnectedError:
                return  # the link's thread sees the same and ends the connection

    def _encoded(self, request: _Request) -> bytes:
        """Return the command's bytes; a poll asks the same over and over."""
        known = self._poll_data.get(request.poll)
        if known is not None and known[0] is request.command:
            return known[1]
        data = encode_command(request.command, self._wire)
        if request.poll:
            self._poll_data[request.poll] = (request.command, data)
        return data

    # --- on the link's thread --------------------------------------------------------------

    def _opened(self) -> None:
        now = time.monotonic()
        with self._lock:
            self._decoder = ReplyDecoder(self._wire)
            self._queue.clear()
            self._polls_waiting.clear()
            self._outstanding = None
            self._usable = False
            self._poll_due = {poll.name: now for poll in self._polls}
            self._push(STOP, Priority.STOP, _no_receiver)
            self._send_next()

    def _connected(self, peer: str) -> None:
        self._answered_by = peer  # reported by the first answer

    def _serve(self) -> None:
        try:
            super()._serve()
        finally:
            with self._lock:
                self._usable = False
                self._queue.clear()
                self._outstanding = None

    def _received(self, data: bytes) -> None:
        received = time.monotonic()
        try:
            with self._lock:
                self._decoder.feed(data)
                reply = self._decoder.reply()
                if reply is None:
                    return
                request, self._outstanding = self._outstanding, None
            assert request is not None
            request.on_answer(Answer(reply, request.sent, received))
        except (ProtocolError, ImplausibleReplyError) as error:
            self._on_protocol_error(str(error))
            raise LinkFault(f"protocol error: {error}") from error
        if not self._usable:
            with self._lock:
                self._usable = True
            super()._connected(self._answered_by)
        with self._lock:
            self._send_next()

    def _ended(self) -> None:
        try:
            self._decoder.end()
        except ProtocolError as error:
            self._on_protocol_error(str(error))
            raise LinkFault(f"protocol error: {error}") from error

    def _next_due(self) -> float:
        due = min(self._poll_due.values(), default=float("inf"))
        outstanding = self._outstanding
        if outstanding is not None:
            due = min(due, self._deadline)
        return min(due, time.monotonic() + 3600.0)

    def _tick(self) -> None:
        now = time.monotonic()
        outstanding = self._outstanding
        if outstanding is not None and now >= self._deadline:
            waited = self._deadline - outstanding.sent
            raise LinkFault(
                f"the robot does not answer: no reply to {outstanding.command.name} "
                f"within {waited:g} s"
            )
        for poll in self._polls:
            if now < self._poll_due[poll.name]:
                continue
            following = self._poll_due[poll.name] + poll.period
            # A poll that is late by more than its period begins a new rhythm.
            self._poll_due[poll.name] = following if following > now else now + poll.period
            if poll.name in self._polls_waiting:
                self._on_late_poll(poll.name)
                continue
            command = poll.command()
            if command is None:
                continue
            with self._lock:
                self._polls_waiting.add(poll.name)
                self._push(command, Priority.POLLING, poll.on_answer, poll.name)
                self._send_next()
