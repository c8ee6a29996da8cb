# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The bridge's connection with a GTI server: a queue of commands, one outstanding at a time.

The protocol has no frames, no errors and no cancellation; what keeps it usable is here:

- Commands go out by priority: stop, velocities, actions, polling. While a reply is owed nothing
  else is sent. Of several waiting velocities only the latest is sent.
- A reply that does not come in time ends the connection, as its bytes could not be distinguished
  from those of the next reply. So does a reply that no ERS-7 can give, see :mod:`.sensors`.
- A new connection is reported as up once the robot has sent its sensor values, and begins with a
  stop: a robot that lost its client may still be walking.

Events for the observer: :class:`~.sensors.Reading`, :class:`~.sensors.BallSeen`,
:class:`WalkConfirmed` and :class:`PollSkipped`. The observer's demand is a :class:`Demand`.
"""

from __future__ import annotations

import enum
import heapq
import itertools
import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from aibo_gti_bridge.model.joints import NAMES
from aibo_gti_bridge.protocol.codec import ProtocolError, ReplyDecoder, encode_command, is_answered
from aibo_gti_bridge.protocol.commands import (
    STOP,
    Acknowledgement,
    Ball,
    Command,
    QueryBall,
    QuerySensors,
    Reply,
    SearchBall,
    SensorValues,
    Walk,
    WalkSteps,
)
from aibo_gti_bridge.protocol.sensors import READ_NAMES, BallSeen, BallView, Reading, implausible
from aibo_gti_bridge.protocol.wire_table import WireTable
from legacy_robots_core.link.base import Backoff, LinkFault, LinkObserver, NotConnectedError
from legacy_robots_core.link.tcp import Role, TcpLink


class Priority(enum.IntEnum):
    """Which waiting command goes first; the lowest number."""

    STOP = 0
    VELOCITY = 1
    ACTION = 2
    POLLING = 3


@dataclass(frozen=True)
class WalkConfirmed:
    """The robot has carried out a walk, as it has answered something that was sent after it.

    ``time``: when it was sent, on the monotonic clock (s). ``confirmed``: when that answer came;
    the robot began in between.
    """

    time: float
    confirmed: float
    command: Walk | WalkSteps


@dataclass(frozen=True)
class PollSkipped:
    """A query was due while the same one still waited to be sent."""


@dataclass(frozen=True)
class Demand:
    """What has to be asked for besides the sensors: balls, by colour."""

    balls: frozenset[str]


OnReply = Callable[[Reply], None]


@dataclass
class _Poll:
    """A query that is sent each ``period`` (s), next at ``due`` (monotonic clock, s)."""

    query: QuerySensors | QueryBall
    data: bytes
    period: float
    colour: str = ""
    """Of the ball; empty: the sensors, which are always asked for."""
    due: float = 0.0
    waiting: bool = False


@dataclass(order=True)
class _Request:
    priority: int
    number: int
    command: Command = field(compare=False)
    data: bytes = field(compare=False)
    on_reply: OnReply | None = field(compare=False, default=None)
    poll: _Poll | None = field(compare=False, default=None)
    sent: float = field(compare=False, default=0.0)


class GtiLink(TcpLink):
    """Sends commands in turn and reports what the robot answers, on the link's thread.

    Raises ProtocolError for a wire table that cannot express the queries.

    Parameters
    ----------
    host, port
        The GTI server.
    wire
        The wire table.
    observer
        Gets the events; problems are counted as "protocol errors", before the connection is
        ended for one, and "refused commands".
    sensor_rate, ball_rate
        Queries a second about the sensors, and about each ball that is demanded.
    reply_timeout, search_timeout
        Seconds in which the robot must answer; the latter for search_ball, which blocks.

    """

    def __init__(
        self,
        host: str,
        port: int,
        wire: WireTable,
        observer: LinkObserver,
        *,
        sensor_rate: float = 31.25,
        ball_rate: float = 15.0,
        reply_timeout: float = 1.0,
        search_timeout: float = 20.0,
        backoff: Backoff | None = None,
    ) -> None:
        super().__init__(Role.DIAL, host, port, observer, backoff=backoff)
        self._wire = wire
        self._reply_timeout = reply_timeout
        self._search_timeout = search_timeout
        self._polls = [self._poll(self._sensor_query(), sensor_rate)]
        for colour, number in wire.colours.items():
            self._polls.append(self._poll(QueryBall(number), ball_rate, colour))
        self.round_trip = 0.0
        """Seconds from the latest query about the sensors to its reply."""
        self._lock = threading.Lock()  # guards what follows
        self._numbers = itertools.count()
        self._queue: list[_Request] = []
        self._unconfirmed: list[_Request] = []
        self._outstanding: _Request | None = None
        self._deadline = 0.0
        self._usable = False
        self._decoder = ReplyDecoder(wire)
        self._answered_by = ""  # the peer; the link's thread only

    def _sensor_query(self) -> QuerySensors:
        ids = self._wire.readable_ids
        missing = [name for name in READ_NAMES if name not in ids]
        if missing:
            raise ProtocolError(f"the wire table has no id of {', '.join(missing)}")
        return QuerySensors(tuple(ids[name] for name in READ_NAMES))

    def _poll(self, query: QuerySensors | QueryBall, rate: float, colour: str = "") -> _Poll:
        return _Poll(query, encode_command(query, self._wire), 1.0 / rate, colour)

    movable = frozenset(NAMES)
    """The joints that can be moved."""

    def check(self, command: Command) -> None:
        """Raise ProtocolError for a command that the wire table cannot express."""
        encode_command(command, self._wire)

    def submit(
        self, command: Command, priority: Priority, on_reply: OnReply | None = None
    ) -> None:
        """Have ``command`` sent when its turn comes. Thread-safe, never blocks.

        ``on_reply`` gets its reply on the link's thread. A command that is still waiting when the
        connection ends is forgotten. Raises NotConnectedError while there is no connection, and
        ProtocolError for a command that the wire table cannot express.
        """
        data = encode_command(command, self._wire)
        with self._lock:
            if not self._usable:
                raise NotConnectedError(f"not connected to {self.status.peer}")
            if priority is Priority.VELOCITY:
                self._forget(lambda request: request.priority == Priority.VELOCITY)
            self._push(command, data, priority, on_reply)
            self._send_next()
        if is_answered(command, self._wire):
            self.interrupt()  # there is a new deadline

    def stop(self) -> None:
        """Stop walking before anything else is sent; forget walks that still wait. Thread-safe.

        Raises NotConnectedError while there is no connection.
        """
        with self._lock:
            if not self._usable:
                raise NotConnectedError(f"not connected to {self.status.peer}")
            self._forget(lambda request: isinstance(request.command, (Walk, WalkSteps)))
            self._push_stop()
            self._send_next()

    @property
    def idle(self) -> bool:
        """Whether all commands but queries have been sent. Thread-safe."""
        with self._lock:
            return all(request.priority == Priority.POLLING for request in self._queue)

    @property
    def busy_with(self) -> str:
        """Name of the command whose reply is owed, or an empty text."""
        outstanding = self._outstanding
        return outstanding.command.name if outstanding is not None else ""

    # --- the queue; the lock is held -------------------------------------------------------

    def _push(
        self,
        command: Command,
        data: bytes,
        priority: Priority,
        on_reply: OnReply | None = None,
        poll: _Poll | None = None,
    ) -> None:
        request = _Request(int(priority), next(self._numbers), command, data, on_reply, poll)
        heapq.heappush(self._queue, request)

    def _push_stop(self) -> None:
        self._push(STOP, encode_command(STOP, self._wire), Priority.STOP)

    def _forget(self, which: Callable[[_Request], bool]) -> None:
        self._queue = [request for request in self._queue if not which(request)]
        heapq.heapify(self._queue)

    def _send_next(self) -> None:
        """Send what may be sent now: everything up to the next command that is answered."""
        while self._queue and self._outstanding is None:
            request = heapq.heappop(self._queue)
            if request.poll is not None:
                request.poll.waiting = False
            request.sent = self.now()
            if isinstance(request.command, (Walk, WalkSteps)):
                self._unconfirmed.append(request)
            if is_answered(request.command, self._wire):
                self._outstanding = request
                self._decoder.expect(request.command)
                searching = isinstance(request.command, SearchBall)
                allowed = self._search_timeout if searching else self._reply_timeout
                self._deadline = request.sent + allowed
            try:
                self.send(request.data)
            except NotConnectedError:
                return  # the link's thread sees the same and ends the connection

    # --- on the link's thread --------------------------------------------------------------

    def opened(self) -> None:
        """Begin with a new connection."""
        now = self.now()
        with self._lock:
            self._decoder = ReplyDecoder(self._wire)
            for poll in self._polls:
                poll.due, poll.waiting = now, False
            self._push_stop()
            self._send_next()

    def connected(self, peer: str) -> None:
        """Keep the peer; the first reading reports the link as up."""
        self._answered_by = peer  # reported by the first reading

    def serve(self) -> None:
        """Serve one connection."""
        try:
            super().serve()
        finally:
            with self._lock:
                self._usable = False
                self._queue.clear()
                self._unconfirmed.clear()
                self._outstanding = None

    def received(self, data: bytes) -> None:
        """Take what the peer has sent. Raises ProtocolError or LinkLost."""
        received = self.now()
        with self._lock:
            try:
                self._decoder.feed(data)
                reply = self._decoder.reply()
            except ProtocolError:
                self._usable = False  # what is submitted from now on is lost
                raise
            if reply is None:
                return
            request, self._outstanding = self._outstanding, None
            confirmed, self._unconfirmed = self._unconfirmed, []
        assert request is not None
        if isinstance(reply, Acknowledgement) and reply.status:
            confirmed = [walk for walk in confirmed if walk is not request]
        for walk in confirmed:
            assert isinstance(walk.command, (Walk, WalkSteps))
            self.observer.on_event(WalkConfirmed(walk.sent, received, walk.command))
        self._report(request, reply, received)
        if not self._usable and isinstance(reply, SensorValues):
            with self._lock:
                self._usable = True
            super().connected(self._answered_by)
        with self._lock:
            self._send_next()

    def _report(self, request: _Request, reply: Reply, received: float) -> None:
        measured = (request.sent + received) / 2.0
        if isinstance(reply, SensorValues):
            problem = implausible(reply.values)
            if problem:
                raise ProtocolError(problem)
            self.round_trip = received - request.sent
            self.observer.on_event(Reading(measured, reply.values))
        elif isinstance(reply, Ball) and isinstance(request.command, QueryBall):
            view = BallView.of(reply)
            problem = view.implausible()
            if problem:
                raise ProtocolError(problem)
            colour = self._wire.colour_names[request.command.colour]
            self.observer.on_event(BallSeen(measured, colour, view))
        elif isinstance(reply, Acknowledgement) and reply.status:
            self.observer.on_problem(
                "refused commands",
                f"the robot answered {request.command.name} with status {reply.status}",
            )
        if request.on_reply is not None:
            request.on_reply(reply)

    def ended(self) -> None:
        """Check that nothing is cut off. Raises ProtocolError."""
        self._decoder.end()

    def next_due(self) -> float:
        """Return when ``tick`` is due, s."""
        due = min(poll.due for poll in self._polls)
        return due if self._outstanding is None else min(due, self._deadline)

    def tick(self) -> None:
        """Do what is due. Raises LinkFault or LinkLost."""
        now = self.now()
        outstanding = self._outstanding
        if outstanding is not None and now >= self._deadline:
            waited = self._deadline - outstanding.sent
            raise LinkFault(
                f"the robot does not answer: no reply to {outstanding.command.name} "
                f"within {waited:g} s"
            )
        demand: Demand | None = None
        for poll in self._polls:
            if now < poll.due:
                continue
            poll.due += poll.period
            if poll.due <= now:  # late by more than its period: it begins a new rhythm
                poll.due = now + poll.period
            if poll.colour:
                demand = demand or self.observer.demand()
                if demand is None or poll.colour not in demand.balls:
                    continue
            if poll.waiting:
                self.observer.on_event(PollSkipped())
                continue
            with self._lock:
                poll.waiting = True
                self._push(poll.query, poll.data, Priority.POLLING, poll=poll)
                self._send_next()
