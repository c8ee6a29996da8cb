# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The GTI wire protocol, the client's side: commands to bytes, bytes to replies.

A command is a header {int type, int len} and ``len`` bytes of body; a reply is a bare structure
without a header, so that only the pending command says how to read it (specification,
Client-Server Communication; docs/originals/aibo.md, 3). All numbers and layouts come from the
:class:`~aibo_gti_bridge.protocol.wire_table.WireTable`; the other side is :mod:`~.server_codec`.

============= ============================== =====================
command       body                           reply
============= ============================== =====================
query_sensors sensor_count, sensor_id × n    sensor_value × n
query_ball    colour                         ball
search_ball   colour                         search_result
move_joints   joint_count, joint_target × n  none, or a status
motion        file name, with or without NUL none, or a status
walk          walk                           none, or a status
walk_steps    walk, n ≥ 1                    none, or a status
============= ============================== =====================

The stream cannot be resynchronised after an error: every decoder repeats its error from then on.
"""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Mapping
from typing import Any, TypeAlias

from aibo_gti_bridge.protocol import commands
from aibo_gti_bridge.protocol.wire_table import WireTable
from legacy_robots_core.link import base

FILE_NAME = re.compile(r"[A-Za-z0-9_.-]+")
"""What the name of a motion file may be made of; a slash would leave the robot's directory."""

_Bytes: TypeAlias = bytes | bytearray


class ProtocolError(base.ProtocolError):
    """Bytes that are no message of this wire table, or a message that has no bytes in it."""


def is_answered(command: commands.Command, wire: WireTable) -> bool:
    """Return whether the server answers ``command``."""
    return (
        isinstance(command, (commands.QuerySensors, commands.QueryBall, commands.SearchBall))
        or command.name in wire.acknowledged
    )


def reply_size(command: commands.Command, wire: WireTable) -> int:
    """Return the length in bytes of the reply to ``command``; 0 when there is none."""
    if isinstance(command, commands.QuerySensors):
        return wire.layouts["sensor_value"].size * len(command.ids)
    if isinstance(command, commands.QueryBall):
        return wire.layouts["ball"].size
    if isinstance(command, commands.SearchBall):
        return wire.layouts["search_result"].size
    return wire.layouts["acknowledgement"].size if command.name in wire.acknowledged else 0


# --- writing -------------------------------------------------------------------------------


def encode_command(command: commands.Command, wire: WireTable) -> bytes:
    """Give header and body of ``command`` in one piece, to be sent in one write.

    Raises ProtocolError for a command that the wire table cannot express.
    """
    body = _body(command, wire)
    limit = wire.limits["body_bytes"]
    if len(body) > limit:
        raise ProtocolError(f"{command.name} has {len(body)} bytes, more than {limit}")
    return pack(wire, "header", type=wire.types[command.name], length=len(body)) + body


def pack(wire: WireTable, layout: str, **values: float) -> bytes:
    """Return a structure's bytes. Raises ProtocolError for values that do not fit."""
    try:
        return wire.layouts[layout].pack(**values)
    except (struct.error, OverflowError) as error:
        shown = ", ".join(f"{name}={value!r}" for name, value in values.items())
        raise ProtocolError(f"layout {layout} cannot hold {shown}: {error}") from None


def _body(command: commands.Command, wire: WireTable) -> bytes:
    if isinstance(command, commands.QuerySensors):
        check_count(command.name, len(command.ids), wire.limits["sensors"])
        return pack(wire, "sensor_count", count=len(command.ids)) + b"".join(
            pack(wire, "sensor_id", id=number) for number in command.ids
        )
    if isinstance(command, (commands.QueryBall, commands.SearchBall)):
        return pack(wire, "colour", colour=command.colour)
    if isinstance(command, commands.MoveJoints):
        check_move(command, wire)
        return pack(wire, "joint_count", count=len(command.targets)) + b"".join(
            pack(wire, "joint_target", joint=t.joint, duration_ms=t.duration_ms, target=t.target)
            for t in command.targets
        )
    if isinstance(command, commands.Motion):
        check_file_name(command.file, wire)
        return command.file.encode("ascii") + b"\0"
    check_walk(command)
    return pack(wire, "walk", dx=command.dx, dy=command.dy, da=command.da, n=command.n)


# --- what holds in both directions ---------------------------------------------------------


def check_count(what: str, count: int, limit: int) -> None:
    """Raise ProtocolError for a number of items that is not allowed."""
    if not 1 <= count <= limit:
        raise ProtocolError(f"{what} is about {count} items; allowed are 1 to {limit}")


def check_move(command: commands.MoveJoints, wire: WireTable) -> None:
    """Raise ProtocolError for targets that no robot can have."""
    check_count(command.name, len(command.targets), wire.limits["joints"])
    seen = set()
    for target in command.targets:
        if not math.isfinite(target.target):
            raise ProtocolError(f"move_joints: target {target.target!r} of joint {target.joint}")
        if target.duration_ms < 0:
            raise ProtocolError(
                f"move_joints: duration {target.duration_ms} ms of joint {target.joint}"
            )
        if target.joint in seen:
            raise ProtocolError(f"move_joints: joint {target.joint} has two targets")
        seen.add(target.joint)


def check_file_name(name: str, wire: WireTable) -> None:
    """Raise ProtocolError for what is no name of a motion file."""
    limit = wire.limits["file_name"]
    if len(name) > limit or not FILE_NAME.fullmatch(name):
        raise ProtocolError(
            f"motion: {name[: limit + 10]!r} is no file name of 1 to {limit} letters, digits, "
            "'.', '-' and '_'"
        )


def check_walk(command: commands.Walk | commands.WalkSteps) -> None:
    """Raise ProtocolError for a walk that is not finite, or of no steps."""
    for field in ("dx", "dy", "da"):
        if not math.isfinite(getattr(command, field)):
            raise ProtocolError(f"{command.name}: {field} is {getattr(command, field)!r}")
    if isinstance(command, commands.WalkSteps) and command.n < 1:
        raise ProtocolError(f"walk_steps: {command.n} steps; at least 1 is needed")


# --- reading -------------------------------------------------------------------------------


class Decoder:
    """A buffer that stays at its first error."""

    def __init__(self, wire: WireTable) -> None:
        self._wire = wire
        self._buffer = bytearray()
        self._error: str | None = None

    @property
    def pending(self) -> int:
        """Bytes that wait for the rest of their message."""
        return len(self._buffer)

    def feed(self, data: bytes) -> None:
        """Take the next ``data`` of the stream. Raises an earlier ProtocolError again."""
        self._raise_again()
        self._buffer += data

    def _raise_again(self) -> None:
        if self._error is not None:
            raise ProtocolError(self._error)

    def _fail(self, message: str) -> ProtocolError:
        self._error = message
        self._buffer.clear()
        return ProtocolError(message)

    def _unpack(self, layout: str, data: _Bytes, offset: int = 0) -> dict[str, Any]:
        values = self._wire.layouts[layout].unpack(data, offset)
        for name in ("reserved", "flags"):
            if values.get(name):
                raise ProtocolError(f"{name} field of {layout} is {values[name]}, not 0")
        return values


class ReplyDecoder(Decoder):
    """Reads replies, as a client does. The command they answer has to be announced first."""

    def __init__(self, wire: WireTable) -> None:
        super().__init__(wire)
        self._command: commands.Command | None = None
        self._size = 0

    def expect(self, command: commands.Command) -> None:
        """Announce that the next bytes answer ``command``.

        Raises ProtocolError when bytes are there already, and RuntimeError when another command
        is still unanswered or this one has no answer: both are errors of the caller.
        """
        self._raise_again()
        if self._command is not None:
            raise RuntimeError(f"{self._command.name} has not been answered yet")
        self._refuse_unasked()
        self._size = reply_size(command, self._wire)
        if not self._size:
            raise RuntimeError(f"{command.name} is not answered")
        self._command = command

    def reply(self) -> commands.Reply | None:
        """Return the reply when it is complete, else None.

        Raises ProtocolError for bytes that answer no command and for what cannot be such a reply.
        """
        self._raise_again()
        command = self._command
        if command is None:
            self._refuse_unasked()
            return None
        if len(self._buffer) < self._size:
            return None
        try:
            reply = self._read(command)
        except ProtocolError as error:
            raise self._fail(str(error)) from None
        del self._buffer[: self._size]
        self._command = None
        self._refuse_unasked()
        return reply

    def end(self) -> None:
        """Say that the stream has ended. Raises ProtocolError when that is inside a reply."""
        self._raise_again()
        if self._buffer and self._command is not None:
            raise self._fail(
                f"the stream ended inside the reply to {self._command.name}, "
                f"after {self.pending} of {self._size} bytes"
            )

    def _refuse_unasked(self) -> None:
        if self._buffer:
            raise self._fail(f"{self.pending} bytes that answer no command")

    def _read(self, command: commands.Command) -> commands.Reply:
        layouts = self._wire.layouts
        if isinstance(command, commands.QuerySensors):
            value = layouts["sensor_value"]
            return commands.SensorValues(value.unpack_many(self._buffer, len(command.ids)))
        if isinstance(command, commands.QueryBall):
            return self._ball(self._unpack("ball", self._buffer), command.colour)
        if isinstance(command, commands.SearchBall):
            found = self._unpack("search_result", self._buffer)["found"]
            return commands.SearchResult(self._truth("found", found))
        return commands.Acknowledgement(self._unpack("acknowledgement", self._buffer)["status"])

    def _ball(self, values: Mapping[str, Any], asked: int) -> commands.Ball:
        visible = self._truth("visible", values["visible"])
        colour = values.get("colour", asked)
        if colour != asked:
            raise ProtocolError(f"query_ball about colour {asked} was answered about {colour}")
        x, y, area = values["x"], values["y"], values["area"]
        if visible and not (math.isfinite(x) and math.isfinite(y) and 0 <= area < math.inf):
            raise ProtocolError(f"a visible ball at x={x!r}, y={y!r} with area {area!r}")
        return commands.Ball(visible, x, y, area, values.get("colour"))

    @staticmethod
    def _truth(what: str, value: int) -> bool:
        if value not in (0, 1):
            raise ProtocolError(f"{what} must be 0 or 1, not {value}")
        return bool(value)
