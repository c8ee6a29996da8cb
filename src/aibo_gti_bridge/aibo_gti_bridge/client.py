# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Golog's side without Golog: the document's predicates as Python functions. No ROS.

Example::

    with AiboClient("127.0.0.1") as aibo:
        if aibo.search_ball("pink"):
            aibo.motion("wave")
        aibo.walk(0.1, 0.0, 0.0)

As the document's client it sends one command at a time and waits for the answer where there is
one. Values are SI units and radians, names of joints are accepted in every vocabulary (ours,
Tekkotsu's, GTI's, URBI's). The document's last argument, the time ``t`` of temporal Golog, belongs
to the interpreter and is not sent; here it is no argument.
"""

from __future__ import annotations

import math
import socket
import time
from collections.abc import Mapping, Sequence
from types import TracebackType

from aibo_gti_bridge.model.joints import Joint, UnknownJointError, find, limit_error
from aibo_gti_bridge.model.motion_library import file_name
from aibo_gti_bridge.protocol import commands
from aibo_gti_bridge.protocol import wire_table as wire_tables
from aibo_gti_bridge.protocol.codec import ProtocolError, ReplyDecoder, encode_command, is_answered
from aibo_gti_bridge.protocol.sensors import BallView
from aibo_gti_bridge.protocol.wire_table import WireTable
from legacy_robots_core.link.tcp_sockets import address

RECEIVE_BYTES = 65536


class AiboError(Exception):
    """The robot cannot be reached, does not answer, or answers nonsense; the message says which.

    After it the connection is closed: a stream without frames cannot be resynchronised.
    """


class RefusedError(AiboError):
    """The robot answered that it did not carry out a command; the connection stays.

    Only with a wire table whose commands are acknowledged.
    """


class AiboClient:
    """A connection with a GTI server. Not thread-safe: the protocol has one command at a time.

    Parameters
    ----------
    host, port
        The robot; None is the wire table's port.
    wire
        The wire table, see :func:`aibo_gti_bridge.protocol.wire_table.load`.
    timeout
        Seconds to wait for a connection and for the answers.
    search_timeout
        Seconds to wait for the end of search_ball, which blocks.

    Raises AiboError when the robot cannot be reached.

    """

    def __init__(
        self,
        host: str = "127.0.0.1",
        port: int | None = None,
        *,
        wire: WireTable | None = None,
        timeout: float = 2.0,
        search_timeout: float = 20.0,
    ) -> None:
        self.wire = wire or wire_tables.load()
        self._peer = address(host, self.wire.port if port is None else port)
        self._timeout = timeout
        self._search_timeout = search_timeout
        self._decoder = ReplyDecoder(self.wire)
        try:
            self._socket: socket.socket | None = socket.create_connection(
                (host, self.wire.port if port is None else port), timeout
            )
        except OSError as error:
            raise AiboError(f"cannot reach {self._peer}: {error.strerror or error}") from error
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def __enter__(self) -> AiboClient:
        """Return itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close the connection."""
        self.close()

    def close(self) -> None:
        """Close the connection. A robot that walks may go on walking. Idempotent."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    # --- the predicates, in the order of the document's table ------------------------------

    def query_sensors(self, names: Sequence[str]) -> dict[str, float]:
        """Return the latest values of joints (rad), buttons and sensors, by the names given.

        Buttons and sensors by Tekkotsu's names, in Tekkotsu's units (mm, m/s², …). NaN where the
        robot has no value. Raises ValueError for an unknown name or more than the limit of the
        wire table, AiboError.
        """
        ids = tuple(self._sensor_id(name) for name in names)
        reply = self._exchange(commands.QuerySensors(ids))
        assert isinstance(reply, commands.SensorValues)
        return dict(zip(names, reply.values, strict=True))

    def query_ball(self, colour: str) -> BallView:
        """Return what the camera sees of the ball. Raises ValueError for a colour, AiboError."""
        reply = self._exchange(commands.QueryBall(self._colour(colour)))
        assert isinstance(reply, commands.Ball)
        return BallView.of(reply)

    def search_ball(self, colour: str) -> bool:
        """Have the robot look around; return whether it found the ball and looks at it.

        Blocks until then: nothing else, not even a stop, can be sent in the meantime. Raises
        ValueError for a colour, AiboError.
        """
        reply = self._exchange(commands.SearchBall(self._colour(colour)), self._search_timeout)
        assert isinstance(reply, commands.SearchResult)
        return reply.found

    def move_joints(self, targets: Mapping[str, float], duration: float = 0.0) -> None:
        """Move joints to ``targets`` (rad, by name) within ``duration`` (s).

        0: as fast as they can. Returns at once. Raises ValueError for an unknown joint, one that
        is named twice and a position outside its limits, AiboError.
        """
        joints: dict[str, float] = {}
        for given, angle in targets.items():
            name = self._joint(given).name
            if name in joints:
                raise ValueError(f"{name} is named twice")
            joints[name] = angle
        error = limit_error(joints)
        if error:
            raise ValueError(error)
        self._exchange(
            commands.MoveJoints(
                tuple(
                    commands.JointTarget(
                        self.wire.joints[find(name).tekkotsu],
                        math.degrees(angle),
                        round(duration * 1000.0),
                    )
                    for name, angle in joints.items()
                )
            )
        )

    def motion(self, name: str) -> None:
        """Play a motion file of the robot, with or without its ``.mot``. Returns at once.

        The robot does not report a missing file. Raises ValueError for what cannot
        be a file name, AiboError.
        """
        self._exchange(commands.Motion(file_name(name)))

    def walk(self, dx: float, dy: float, da: float, steps: int = -1) -> None:
        """Walk with a velocity (m/s forward, m/s left, rad/s), for ``steps`` or without end.

        Returns at once; ``walk(0, 0, 0)`` stops. Raises AiboError.
        """
        self._exchange(commands.Walk(dx * 1000.0, dy * 1000.0, da, steps))

    def walk_steps(self, dx: float, dy: float, da: float, steps: int) -> None:
        """Walk over a displacement (m forward, m left, rad) in ``steps``. Returns at once.

        Raises ValueError for less than one step, AiboError.
        """
        self._exchange(commands.WalkSteps(dx * 1000.0, dy * 1000.0, da, steps))

    # --- underneath ------------------------------------------------------------------------

    def _joint(self, name: str) -> Joint:
        try:
            return find(name)
        except UnknownJointError as error:
            raise ValueError(str(error)) from None

    def _sensor_id(self, name: str) -> int:
        try:
            return self.wire.readable_ids[find(name).tekkotsu]
        except UnknownJointError:
            pass
        if name not in self.wire.readable_ids:
            known = ", ".join(self.wire.readable_ids)
            raise ValueError(f"{name!r} is no sensor of an ERS-7; there are {known}")
        return self.wire.readable_ids[name]

    def _colour(self, colour: str) -> int:
        if colour not in self.wire.colours:
            raise ValueError(f"{colour!r} is none of {', '.join(self.wire.colours)}")
        return self.wire.colours[colour]

    def _exchange(
        self, command: commands.Command, timeout: float | None = None
    ) -> commands.Reply | None:
        """Send a command and wait for its reply; None where it has none."""
        try:
            data = encode_command(command, self.wire)
        except ProtocolError as error:
            raise ValueError(str(error)) from None
        if self._socket is None:
            raise AiboError(f"the connection with {self._peer} is closed")
        try:
            if is_answered(command, self.wire):
                self._decoder.expect(command)
            deadline = time.monotonic() + (self._timeout if timeout is None else timeout)
            self._socket.settimeout(self._timeout)
            self._socket.sendall(data)
            if not is_answered(command, self.wire):
                return None
            reply = self._receive(command, deadline)
        except (OSError, ProtocolError) as error:
            self.close()
            if isinstance(error, TimeoutError):
                raise AiboError(f"{self._peer} does not answer {command.name}") from error
            reason = getattr(error, "strerror", None) or str(error)
            raise AiboError(f"{command.name}: {reason}") from error
        if isinstance(reply, commands.Acknowledgement) and reply.status:
            raise RefusedError(f"{command.name}: the robot answered with status {reply.status}")
        return reply

    def _receive(self, command: commands.Command, deadline: float) -> commands.Reply:
        assert self._socket is not None
        while True:
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError
            self._socket.settimeout(left)
            data = self._socket.recv(RECEIVE_BYTES)
            if not data:
                self._decoder.end()
                raise ConnectionResetError(f"{self._peer} has closed the connection")
            self._decoder.feed(data)
            reply = self._decoder.reply()
            if reply is not None:
                return reply
