# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The bridge's connection with Tekkotsu's own ports: five, which come and go together.

The menu starts the behaviours behind the other ports. The stream of the world state is the link's
own; the rest is served beside it. The same commands as to a GTI server become here what these
ports know: velocities as long as they last, the three joints of the head at each reading.
Nothing confirms them. A loss of one port ends all, and the last thing sent is a stop.

Events for the observer: :class:`~..protocol.sensors.Reading`, :class:`~.link.WalkConfirmed` and
:class:`EmergencyStop`.
"""

from __future__ import annotations

import math
import select
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from math import radians

from aibo_gti_bridge.bridge.head_move import HeadMove
from aibo_gti_bridge.bridge.link import OnReply, Priority, WalkConfirmed
from aibo_gti_bridge.model.joints import HEAD, JOINTS
from aibo_gti_bridge.protocol import tekkotsu
from aibo_gti_bridge.protocol.codec import ProtocolError
from aibo_gti_bridge.protocol.commands import STOP, Command, MoveJoints, Walk, WalkSteps
from aibo_gti_bridge.protocol.sensors import Reading, implausible
from aibo_gti_bridge.protocol.tekkotsu import Door, WorldState, WorldStateDecoder
from legacy_robots_core.link.base import (
    Backoff,
    LinkFault,
    LinkLost,
    LinkObserver,
    NotConnectedError,
)
from legacy_robots_core.link.framing import Lines
from legacy_robots_core.link.stream import UNSENT_LIMIT, Liveness
from legacy_robots_core.link.tcp import Role, TcpLink
from legacy_robots_core.link.tcp_sockets import ConnectionFailedError, TcpStream, address

START_TIMEOUT_S = 2.0
"""In which a behaviour that was started must listen."""
RETRY_S = 0.05
REPEAT_S = 1.0
"""Time between two sends of the same velocity; without one for 3 s the robot stands."""
CLOCK_DRIFT = 1e-4
"""By how much the robot's clock may run faster or slower than ours, as a fraction."""
LEAST_STEP_S = 0.005
"""Between the times of two states, where the first one was delayed more than the second."""


@dataclass(frozen=True)
class EmergencyStop:
    """The robot says whether its emergency stop is on."""

    on: bool


class TekkotsuLink(TcpLink):
    """Starts the behaviours, reports what they send and sends them the commands.

    Parameters
    ----------
    host, port
        The robot, and the port of its menu; the other ports keep their distances from it.
    observer
        Gets the events.
    reply_timeout
        Seconds without a world state, or without an answer of the emergency stop, until the
        connection is given up.
    step_period
        Seconds of one step, for walks of a number of steps.

    """

    extra_fd_grace = 0.0
    movable = frozenset(HEAD)
    """The joints that can be moved."""
    round_trip = 0.0
    busy_with = ""
    idle = True

    def __init__(
        self,
        host: str,
        port: int,
        observer: LinkObserver,
        *,
        reply_timeout: float = 1.0,
        step_period: float,
        backoff: Backoff | None = None,
    ) -> None:
        liveness = Liveness(silence=reply_timeout)
        super().__init__(Role.DIAL, host, port, observer, backoff=backoff, liveness=liveness)
        self._reply_timeout = reply_timeout
        self._step_period = step_period
        self._epoll: select.epoll | None = None
        self._decoder = WorldStateDecoder()
        self._stop_lines = Lines()
        self._latest: WorldState | None = None
        self._offset = 0.0  # of our clock from the robot's, s
        self._stamp = -math.inf
        self._reported = False
        self._lock = threading.RLock()  # guards what follows
        self._sides: dict[Door, TcpStream] = {}
        self._usable = False
        self._velocity = (0.0, 0.0, 0.0)
        self._repeat_at = self._walk_until = math.inf
        self._unconfirmed: list[tuple[float, Walk]] = []
        self._moves: dict[str, HeadMove] = {}
        self._pointed: dict[str, float] = {}
        """Where the head was sent; it stays there."""
        self._answer_by = math.inf
        self._stopped: bool | None = None

    # --- for the bridge; thread-safe -------------------------------------------------------

    def check(self, command: Command) -> None:
        """Raise ProtocolError for a command that these ports do not know."""
        if isinstance(command, MoveJoints):
            others = {JOINTS[target.joint].name for target in command.targets} - self.movable
            if others:
                raise ProtocolError(
                    f"Tekkotsu's ports do not move {', '.join(sorted(others))}; "
                    f"they move {', '.join(HEAD)}"
                )
        elif not isinstance(command, (Walk, WalkSteps)):
            raise ProtocolError(f"Tekkotsu's ports do not know {command.name}")

    def submit(
        self, command: Command, priority: Priority, on_reply: OnReply | None = None
    ) -> None:
        """Send ``command`` at once; nothing answers it.

        Raises NotConnectedError, and ProtocolError as ``check`` does.
        """
        self.check(command)
        with self._lock:
            self._check_usable()
            if isinstance(command, MoveJoints):
                self._move(command)
            elif isinstance(command, WalkSteps):
                seconds = command.n * self._step_period
                velocity = (command.dx / seconds, command.dy / seconds, command.da / seconds)
                self._walk(Walk(*velocity), self.now() + seconds)
            elif isinstance(command, Walk):
                limited = command.n >= 0
                seconds = command.n * self._step_period if limited else math.inf
                self._walk(command, self.now() + seconds)
        self.interrupt()  # there may be a new deadline

    def stop(self) -> None:
        """Stop walking. Raises NotConnectedError while there is no connection."""
        with self._lock:
            self._check_usable()
            self._walk(STOP, math.inf)

    def set_emergency_stop(self, *, on: bool) -> None:
        """Turn the robot's emergency stop on or off; :class:`EmergencyStop` tells that it is.

        Raises NotConnectedError while there is no connection.
        """
        with self._lock:
            self._check_usable()
            self._send(Door.STOP, b"stop\nrefresh\n" if on else b"start\nrefresh\n")
            self._answer_by = self.now() + self._reply_timeout
        self.interrupt()

    def _check_usable(self) -> None:
        if not self._usable:
            raise NotConnectedError(f"not connected to {self.status.peer}")

    # --- sending; the lock is held ---------------------------------------------------------

    def _send(self, door: Door, data: bytes) -> None:
        stream = self._sides.get(door)
        if stream is None:
            raise NotConnectedError(f"not connected to {self.status.peer}")
        try:
            stream.flush()
            if len(stream.unsent) + len(data) > UNSENT_LIMIT:
                self.drop(f"port {door} of {self._host} has stopped reading")
                return
            stream.send(data)
        except OSError as error:
            # The link's thread sees the same and ends the connection.
            raise NotConnectedError(f"port {door}: {error.strerror}") from error

    def _walk(self, command: Walk, until: float) -> None:
        """Send a velocity, and note for the odometry that it was."""
        now = self.now()
        self._velocity = (command.dx / 1000.0, command.dy / 1000.0, command.da)
        self._walk_until = until
        self._send_velocity()
        self._unconfirmed.append((now, Walk(command.dx, command.dy, command.da)))

    def _send_velocity(self) -> None:
        self._send(Door.WALK, tekkotsu.walk(*self._velocity))
        self._repeat_at = self.now() + REPEAT_S if any(self._velocity) else math.inf

    def _move(self, command: MoveJoints) -> None:
        now, positions = self.now(), self._head()
        for target in command.targets:
            name = JOINTS[target.joint].name
            start = self._moves[name].at(now) if name in self._moves else positions[name]
            duration = target.duration_ms / 1000.0
            self._moves[name] = HeadMove(start, now, radians(target.target), duration)
        self._point_head(now)

    def _head(self) -> Mapping[str, float]:
        """Return where the head was sent, or where it is before it was sent anywhere."""
        assert self._latest is not None
        measured = dict(zip((j.name for j in JOINTS), self._latest.outputs, strict=False))
        return {name: self._pointed.get(name, measured[name]) for name in HEAD}

    def _point_head(self, now: float) -> None:
        if not self._moves:
            return
        self._pointed = {
            **self._head(), **{name: move.at(now) for name, move in self._moves.items()}
        }  # fmt: skip
        over = [n for n, move in self._moves.items() if now >= move.began + move.duration]
        for name in over:
            del self._moves[name]
        self._send(Door.HEAD, tekkotsu.head(self._pointed))

    # --- on the link's thread: a connection ------------------------------------------------

    def open_stream(self) -> TcpStream:
        """Start the behaviours; return the stream of the world state. Raises LinkLost."""
        self._decoder, self._stop_lines = WorldStateDecoder(), Lines()
        self._latest, self._stamp, self._reported = None, -math.inf, False
        try:
            controller = self.dial(self._port)
            self._sides[Door.CONTROLLER] = controller
            controller.send(tekkotsu.SELECTION)
            for door in (Door.WALK, Door.HEAD, Door.STOP):
                self._sides[door] = self._dial_behaviour(door)
            stream = self._dial_behaviour(Door.STATE)
        except ConnectionFailedError as error:
            self._hang_up()
            failure = LinkFault if error.misconfigured else LinkLost
            raise failure(str(error)) from error
        except (OSError, LinkLost) as error:
            self._hang_up()
            raise LinkLost(str(error)) from error
        self._epoll = select.epoll()
        for side in self._sides.values():
            self._epoll.register(side, select.EPOLLIN)
        return stream

    def _dial_behaviour(self, door: Door) -> TcpStream:
        """Return a connection with a port that may not be open yet."""
        deadline = time.monotonic() + START_TIMEOUT_S
        while True:
            try:
                return self.dial(door.beside(self._port))
            except ConnectionFailedError as error:
                if error.misconfigured or time.monotonic() >= deadline:
                    raise
                self.closing.wait(RETRY_S)

    def serve(self) -> None:
        """Serve one connection; at its end the robot is told to stand."""
        try:
            super().serve()
        finally:
            with self._lock:
                self._usable = False
                self._unconfirmed.clear()
                self._moves.clear()
                self._pointed.clear()
                self._stopped, self._answer_by = None, math.inf
                self._velocity = (0.0, 0.0, 0.0)
                self._repeat_at = self._walk_until = math.inf
                try:
                    self._send_velocity()
                except NotConnectedError:
                    pass
            self._hang_up()

    def _hang_up(self) -> None:
        with self._lock:
            sides = list(self._sides.values())
            self._sides.clear()
        if self._epoll is not None:
            self._epoll.close()
            self._epoll = None
        for side in sides:
            side.close()

    def opened(self) -> None:
        """Begin with a new connection: the robot may still be walking."""
        with self._lock:
            self._send_velocity()
            self._send(Door.STOP, b"refresh\n")
            self._answer_by = self.now() + self._reply_timeout

    def connected(self, peer: str) -> None:
        """Wait: the first reading reports the link as up."""

    def extra_fd(self) -> int:
        """Watch the other ports."""
        assert self._epoll is not None
        return self._epoll.fileno()

    def extra_fd_ready(self) -> None:
        """Read the other ports. Raises LinkLost or ProtocolError."""
        assert self._epoll is not None
        ready = {descriptor for descriptor, _ in self._epoll.poll(0)}
        for door, side in list(self._sides.items()):
            if side.fileno() not in ready:
                continue
            data = side.receive()
            if data == b"":
                raise LinkLost(f"port {door.beside(self._port)} of {self._host} was closed")
            if door is Door.STOP and data:
                for line in self._stop_lines.feed(data):
                    self._stop_line(line)

    def _stop_line(self, line: bytes) -> None:
        if line not in (b"on", b"off"):
            raise ProtocolError(f"the emergency stop says {line!r}")
        on = line == b"on"
        with self._lock:
            changed, self._stopped = on is not self._stopped, on
            self._answer_by = math.inf
            if on:
                self._moves.clear()
                self._pointed.clear()
        if changed:
            self.observer.on_event(EmergencyStop(on))

    def received(self, data: bytes) -> None:
        """Take world states. Raises ProtocolError."""
        received = self.now()
        for state in self._decoder.feed(data):
            if self._latest is not None:
                passed = (state.time_ms - self._latest.time_ms) & 0xFFFFFFFF
                if passed >= 1 << 31:
                    raise ProtocolError("the robot's clock went back")
                if passed == 0:
                    continue  # the same once more
            problem = implausible(state.values)
            if problem:
                raise ProtocolError(problem)
            self._take(state, received)

    def _take(self, state: WorldState, received: float) -> None:
        at = state.time_ms / 1000.0
        if self._latest is None:
            self._offset = received - at
        else:  # what comes soonest was delayed least
            drift = CLOCK_DRIFT * (state.time_ms - self._latest.time_ms) / 1000.0
            self._offset = min(self._offset + drift, received - at)
        self._stamp = max(self._stamp + LEAST_STEP_S, at + self._offset)
        with self._lock:
            self._latest = state
            confirmed, self._unconfirmed = self._unconfirmed, []
            self._point_head(received)
        for sent, command in confirmed:
            self.observer.on_event(WalkConfirmed(sent, received, command))
        self.observer.on_event(Reading(self._stamp, state.values))
        if not self._reported and self._stopped is not None:
            self._reported = True
            with self._lock:
                self._usable = True
            super().connected(address(self._host, self._port))

    def ended(self) -> None:
        """Check that nothing is cut off. Raises ProtocolError."""
        self._decoder.end()

    def next_due(self) -> float | None:
        """Return when ``tick`` is due, s."""
        due = min(self._repeat_at, self._walk_until, self._answer_by)
        return None if due == math.inf else due

    def tick(self) -> None:
        """Do what is due. Raises LinkFault."""
        now = self.now()
        with self._lock:
            if now >= self._answer_by:
                raise LinkFault(
                    f"the emergency stop does not answer within {self._reply_timeout:g} s"
                )
            if now >= self._walk_until:
                self._walk(STOP, math.inf)
            elif now >= self._repeat_at:
                self._send_velocity()
