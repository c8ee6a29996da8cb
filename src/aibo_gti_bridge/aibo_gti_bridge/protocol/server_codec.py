# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The GTI wire protocol, the server's side: bytes to commands, replies to bytes; see codec."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from aibo_gti_bridge.protocol.codec import (
    Decoder,
    ProtocolError,
    check_file_name,
    check_move,
    check_walk,
    pack,
)
from aibo_gti_bridge.protocol.commands import (
    Ball,
    Command,
    JointTarget,
    Motion,
    MoveJoints,
    QueryBall,
    QuerySensors,
    Reply,
    SearchBall,
    SearchResult,
    SensorValues,
    Walk,
    WalkSteps,
)
from aibo_gti_bridge.protocol.wire_table import WireTable


def encode_reply(reply: Reply, wire: WireTable) -> bytes:
    """Give the bytes of ``reply``. Raises ProtocolError for what the wire table cannot express."""
    if isinstance(reply, SensorValues):
        return b"".join(pack(wire, "sensor_value", value=value) for value in reply.values)
    if isinstance(reply, Ball):
        fields: dict[str, Any] = {
            "visible": int(reply.visible),
            "x": reply.x,
            "y": reply.y,
            "area": reply.area,
        }
        if "colour" in wire.layouts["ball"].names:
            if reply.colour is None:
                raise ProtocolError("a Ball needs a colour in this layout")
            fields["colour"] = reply.colour
        return pack(wire, "ball", **fields)
    if isinstance(reply, SearchResult):
        return pack(wire, "search_result", found=int(reply.found))
    return pack(wire, "acknowledgement", status=reply.status)


class CommandDecoder(Decoder):
    """Reads commands, as the server does, from a stream in pieces of any size.

    A header is judged as soon as it is there: at most one body is ever buffered.
    """

    def __init__(self, wire: WireTable) -> None:
        super().__init__(wire)
        self._lengths: Mapping[str, tuple[int, int, int]] = _body_lengths(wire)

    def commands(self) -> Iterator[Command]:
        """Yield the complete commands. Raises ProtocolError at the first thing that is none."""
        self._raise_again()
        header = self._wire.layouts["header"]
        while len(self._buffer) >= header.size:
            try:
                values = header.unpack(self._buffer)
                name = self._check_header(values["type"], values["length"])
                end = header.size + values["length"]
                if len(self._buffer) < end:
                    return
                body = bytes(self._buffer[header.size : end])
                command = self._read_body(name, body)
            except ProtocolError as error:
                raise self._fail(str(error)) from None
            del self._buffer[:end]
            yield command
            self._raise_again()

    def end(self) -> None:
        """Say that the stream has ended. Raises ProtocolError when that is inside a command."""
        self._raise_again()
        if self._buffer:
            raise self._fail(
                f"the stream ended inside a command, after {self.pending} bytes of it"
            )

    def _check_header(self, number: int, length: int) -> str:
        name = self._wire.command_names.get(number)
        if name is None:
            raise ProtocolError(f"{number} is no command type (length {length})")
        base, unit, most = self._lengths[name]
        if not base + (unit or 0) <= length <= most or (unit and (length - base) % unit):
            raise ProtocolError(f"a {name} command cannot have a body of {length} bytes")
        return name

    def _read_body(self, name: str, body: bytes) -> Command:
        wire = self._wire
        if name == "query_sensors":
            head, item = wire.layouts["sensor_count"], wire.layouts["sensor_id"]
            count = self._count("sensor", body, (len(body) - head.size) // item.size)
            return QuerySensors(
                tuple(
                    self._unpack("sensor_id", body, head.size + i * item.size)["id"]
                    for i in range(count)
                )
            )
        if name in ("query_ball", "search_ball"):
            colour = self._unpack("colour", body)["colour"]
            return QueryBall(colour) if name == "query_ball" else SearchBall(colour)
        if name == "move_joints":
            head, item = wire.layouts["joint_count"], wire.layouts["joint_target"]
            count = self._count("joint", body, (len(body) - head.size) // item.size)
            values = (
                self._unpack("joint_target", body, head.size + i * item.size) for i in range(count)
            )
            move = MoveJoints(
                tuple(JointTarget(v["joint"], v["target"], v["duration_ms"]) for v in values)
            )
            check_move(move, wire)
            return move
        if name == "motion":
            return Motion(self._file_name(body))
        v = self._unpack("walk", body)
        kind = Walk if name == "walk" else WalkSteps
        walk = kind(v["dx"], v["dy"], v["da"], v["n"])
        check_walk(walk)
        return walk

    def _count(self, what: str, body: bytes, fitting: int) -> int:
        count = self._unpack(f"{what}_count", body)["count"]
        if count != fitting:
            raise ProtocolError(
                f"a body of {len(body)} bytes has room for {fitting} {what}s, not for {count}"
            )
        return fitting

    def _file_name(self, body: bytes) -> str:
        raw = body[:-1] if body.endswith(b"\0") else body
        try:
            name = raw.decode("ascii")
        except UnicodeDecodeError:
            raise ProtocolError(f"motion: {raw[:80]!r} is no file name") from None
        check_file_name(name, self._wire)
        return name


def _body_lengths(wire: WireTable) -> Mapping[str, tuple[int, int, int]]:
    """For each command: fixed bytes, bytes of one item (0: none), and most bytes of a body."""
    size = {name: layout.size for name, layout in wire.layouts.items()}

    def items(head: str, item: str, limit: str) -> tuple[int, int, int]:
        most = size[head] + size[item] * wire.limits[limit]
        return size[head], size[item], min(most, wire.limits["body_bytes"])

    one = size["colour"], 0, size["colour"]
    walk = size["walk"], 0, size["walk"]
    return {
        "query_sensors": items("sensor_count", "sensor_id", "sensors"),
        "query_ball": one,
        "search_ball": one,
        "move_joints": items("joint_count", "joint_target", "joints"),
        "motion": (0, 1, wire.limits["file_name"] + 1),
        "walk": walk,
        "walk_steps": walk,
    }
