# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The server side of GTI for one client: from bytes to a backend and back. No sockets, no ROS.

Behind it stands a :class:`Backend`: the simulated world (:mod:`aibo_gti_bridge.simulator.program`)
or any ROS 2 robot (:mod:`aibo_gti_bridge.host.node`). As the original it carries out one command
at a time, answers only what is asked, and cannot report an error: a motion file that the
robot does not have or a joint that it does not know is passed over with a log line. What is no
command at all is a ProtocolError, after which the connection is useless.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Mapping
from math import radians
from typing import Protocol

from aibo_gti_bridge.model.joints import JOINTS
from aibo_gti_bridge.protocol import commands
from aibo_gti_bridge.protocol.codec import ProtocolError, is_answered
from aibo_gti_bridge.protocol.sensors import BallView
from aibo_gti_bridge.protocol.server_codec import CommandDecoder, encode_reply
from aibo_gti_bridge.protocol.wire_table import WireTable

MAX_WAITING = 256
"""Commands that may wait behind a search; a client that sends more is sent away."""
_JOINTS = {joint.tekkotsu: joint.name for joint in JOINTS}


class Backend(Protocol):
    """What a client of a GTI server commands and perceives. Called on the server's thread.

    Nothing may block. Joints have our names; lengths are m, angles rad.
    """

    @property
    def joints(self) -> Collection[str]:
        """The joints that can be moved."""

    def sensor(self, name: str) -> float:
        """Return the latest value by Tekkotsu's name, in the wire's unit; NaN: not available."""

    def sees(self, colour: str) -> bool:
        """Return whether ``ball`` has an answer; if not, it is asked again later."""

    def ball(self, colour: str) -> BallView:
        """Return what the camera sees of the ball of a colour."""

    def search(self, colour: str) -> None:
        """Begin to look around for a ball."""

    @property
    def searching(self) -> bool:
        """Whether a search is going on."""

    def search_result(self) -> bool | None:
        """Return once whether the ball was found, when a search has ended; else None."""

    def move_joints(self, targets: Mapping[str, tuple[float, float]]) -> None:
        """Move joints: by name the target (rad) and the time (s; 0: as fast as possible)."""

    def play_file(self, file: str) -> bool:
        """Play a motion file; return whether the robot has it."""

    def walk(self, dx: float, dy: float, da: float, steps: int = -1) -> None:
        """Walk with a velocity (m/s, m/s, rad/s), for a number of steps; below 0: without end."""

    def walk_steps(self, dx: float, dy: float, da: float, steps: int) -> None:
        """Walk over a displacement (m, m, rad) in ``steps`` steps."""

    def stop_everything(self) -> None:
        """Stand, hold all joints, end the search: the client has gone."""

    @property
    def active(self) -> bool:
        """Whether ``step`` is needed."""

    def step(self, seconds: float) -> None:
        """Let ``seconds`` pass."""


class Session:
    """One client's connection: feed it with what arrives, and with the time that passes.

    Parameters
    ----------
    wire
        The wire table.
    backend
        The robot.
    send
        Takes the bytes of the replies.
    info, warn
        Take log lines.

    """

    def __init__(
        self,
        wire: WireTable,
        backend: Backend,
        send: Callable[[bytes], None],
        info: Callable[[str], None],
        warn: Callable[[str], None],
    ) -> None:
        self._wire = wire
        self._backend = backend
        self._send = send
        self._info, self._warn = info, warn
        self._decoder = CommandDecoder(wire)
        self._waiting: deque[commands.Command] = deque()

    @property
    def active(self) -> bool:
        """Whether ``advance`` is needed: something moves or waits."""
        return bool(self._waiting) or self._backend.active

    def receive(self, data: bytes) -> None:
        """Carry out the commands that ``data`` completes.

        Raises ProtocolError, after what came before the error, for what is no command and for
        too many commands behind a search.
        """
        try:
            self._decoder.feed(data)
            self._waiting.extend(self._decoder.commands())
        finally:
            self._go_on()
        if len(self._waiting) > MAX_WAITING:
            raise ProtocolError(f"{len(self._waiting)} commands wait behind a search")

    def advance(self, seconds: float) -> None:
        """Let time pass, and go on with what had to wait."""
        self._backend.step(seconds)
        found = self._backend.search_result()
        if found is not None:
            self._info(f"search_ball: {'found' if found else 'not found'}")
            self._answer(commands.SearchResult(found))
        self._go_on()

    def end(self) -> None:
        """End the session: the robot stops. Raises ProtocolError for a command cut in half."""
        self._waiting.clear()
        self._backend.stop_everything()
        self._decoder.end()

    def _go_on(self) -> None:
        """Carry out what waits; a search makes the rest wait until it is over."""
        while self._waiting and not self._backend.searching:
            command = self._waiting[0]
            if isinstance(command, commands.QueryBall) and not self._backend.sees(
                self._wire.colour_names.get(command.colour, "")
            ):
                return
            self._carry_out(self._waiting.popleft())

    def _answer(self, reply: commands.Reply) -> None:
        self._send(encode_reply(reply, self._wire))

    def _carry_out(self, command: commands.Command) -> None:
        if isinstance(command, commands.QuerySensors):
            names, sensor = self._wire.names_of_ids, self._backend.sensor
            self._answer(
                commands.SensorValues(tuple(sensor(names.get(i, "")) for i in command.ids))
            )
            return
        if isinstance(command, commands.QueryBall):
            self._answer(self._ball(command.colour))
            return
        self._info(f"<- {command}")
        if isinstance(command, commands.SearchBall):
            self._backend.search(self._wire.colour_names.get(command.colour, ""))
            return
        status = 0
        if isinstance(command, commands.MoveJoints):
            status = self._move(command)
        elif isinstance(command, commands.Motion):
            status = 0 if self._backend.play_file(command.file) else 1
        elif isinstance(command, commands.Walk):
            self._backend.walk(command.dx / 1e3, command.dy / 1e3, command.da, command.n)
        else:
            self._backend.walk_steps(command.dx / 1e3, command.dy / 1e3, command.da, command.n)
        if is_answered(command, self._wire):
            self._answer(commands.Acknowledgement(status))

    def _ball(self, colour: int) -> commands.Ball:
        name = self._wire.colour_names.get(colour)
        if name is None:
            self._warn(f"query_ball: {colour} is no colour")
        seen = self._backend.ball(name or "")
        if not seen.visible:
            return commands.Ball(False, colour=colour)
        return commands.Ball(True, seen.x, seen.y, seen.area, colour)

    def _move(self, command: commands.MoveJoints) -> int:
        targets = {}
        for target in command.targets:
            name = _JOINTS.get(self._wire.names_of_ids.get(target.joint, ""))
            if name is None or name not in self._backend.joints:
                self._warn(f"move_joints: there is no joint {name or target.joint}")
                return 1
            angle = radians(target.target)
            targets[name] = (angle, target.duration_ms / 1000.0)
        self._backend.move_joints(targets)
        return 0
