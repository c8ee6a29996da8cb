# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The robot's end of the wire: bytes to commands, events to bytes. No sockets, no ROS."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import cast

from nao_goal_bridge.protocol.codec import Decoder, encode
from nao_goal_bridge.protocol.dialects import Dialect, Side
from nao_goal_bridge.protocol.events import Command, Dropped, Event, SeeObject

KEEP_ALIVE_S = 10.0
"""Seconds between two KeepAlive of a robot whose dialect has them."""


class RobotWire:
    """What one connection with a client of ``dialect`` says."""

    def __init__(self, dialect: Dialect) -> None:
        self.dialect = dialect
        self._decoder = Decoder(Side.ROBOT, dialect)

    def restart(self) -> None:
        """Begin a new connection."""
        self._decoder = Decoder(Side.ROBOT, self.dialect)

    def commands(self, data: bytes) -> Iterator[Command]:
        """Yield the commands that ``data`` completes. Raises ProtocolError after the last."""
        self._decoder.feed(data)
        for event in self._decoder.events():
            yield cast(Command, event)  # as Side.ROBOT reads

    @property
    def pending(self) -> int:
        """Bytes that belong to no command yet."""
        return self._decoder.pending

    def read_on(self) -> None:
        """Go on behind the opcode of an UnknownOpcode that ``commands`` has raised."""
        self._decoder.read_on()

    def end(self) -> None:
        """Say that the stream has ended; raises ProtocolError if that cut a command in two."""
        self._decoder.end()

    def encode(self, event: Event) -> bytes:
        """Return the bytes of ``event`` without what the dialect leaves out; may be empty."""
        if not self.dialect.has(type(event)):
            return b""
        if isinstance(event, Dropped) and not self.dialect.carries(Dropped, "object_id"):
            event = replace(event, object_id=None)
        elif isinstance(event, SeeObject) and not self.dialect.carries(SeeObject, "tile_id"):
            event = replace(event, tile_id=None)
        return encode(event, self.dialect)
