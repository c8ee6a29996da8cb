# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The robot's end of the TCP connection with GOAL: commands in, events out.

The observer gets every command of :mod:`nao_goal_bridge.protocol.events`. Problems: "protocol
errors", "unknown opcodes".
"""

from __future__ import annotations

import math
from typing import Any

from legacy_robots_core.link.base import LinkFault, LinkLost
from legacy_robots_core.link.tcp import TcpLink
from nao_goal_bridge.protocol import ProtocolError, UnknownOpcode, profile_hint
from nao_goal_bridge.protocol.dialects import Dialect, Side
from nao_goal_bridge.protocol.events import Event, Exit, Failure, KeepAlive
from nao_goal_bridge.protocol.robot_wire import KEEP_ALIVE_S, RobotWire

HINT_BYTES = 4096
"""Bytes from a connection's start in which an agent of another dialect is recognized."""
INCOMPLETE_S = 2.0
"""Time in which a command must be complete that begins like those of another dialect."""


class HostLink(TcpLink):
    """Decodes what the agent commands and encodes what the robot reports.

    As the original robot it answers an unknown opcode with Failure(opcode) and reads on with the
    next byte. An agent whose bytes would fit another dialect is a fault that names it, also where
    they are the beginning of a command that is not completed. In dialects that have it, it sends
    KeepAlive.
    """

    def __init__(self, *arguments: Any, dialect: Dialect) -> None:
        super().__init__(*arguments)
        self._wire = RobotWire(dialect)
        self._kept = bytearray()
        self._keep_alive_at = self._complete_by = math.inf
        self._hang_up_reason = ""

    def report(self, event: Event) -> None:
        """Send ``event`` without what the dialect leaves out. Thread-safe.

        Raises NotConnectedError, and ProtocolError for an argument that has no bytes.
        """
        if data := self._wire.encode(event):
            self.send(data)

    def hang_up(self, reason: str) -> None:
        """End the connection, which was all right, and wait for the next one. Thread-safe."""
        self._hang_up_reason = reason
        self.interrupt()

    def opened(self) -> None:
        """Begin with a new connection."""
        self._wire.restart()
        self._kept.clear()
        self._hang_up_reason = ""
        self._complete_by = math.inf
        if self._wire.dialect.has(KeepAlive):
            self._keep_alive_at = self.now() + KEEP_ALIVE_S

    def received(self, data: bytes) -> None:
        """Take what the peer has sent. Raises ProtocolError or LinkLost."""
        if len(self._kept) <= HINT_BYTES:
            self._kept += data
        hint: str | None = None
        while True:
            try:
                for command in self._wire.commands(data):
                    if isinstance(command, Exit) and self._wire.pending:
                        self._check_exit()
                    self.observer.on_event(command)
                self._complete_by = self.now() + INCOMPLETE_S if self._wire.pending else math.inf
                return
            except ProtocolError as error:
                if hint is None and len(self._kept) <= HINT_BYTES:
                    hint = profile_hint(self._kept, Side.ROBOT)
                if hint or not isinstance(error, UnknownOpcode):
                    raise ProtocolError(f"{error}{hint or ''}") from error
                self.observer.on_problem("unknown opcodes", str(error))
                self.report(Failure(error.opcode))
                self._wire.read_on()
                data = b""

    def _check_exit(self) -> None:
        """Raise ProtocolError for zero bytes that are arguments in another dialect."""
        if len(self._kept) <= HINT_BYTES and (hint := profile_hint(self._kept, Side.ROBOT)):
            raise ProtocolError(f"an Exit is the last that an agent sends{hint}")

    def ended(self) -> None:
        """Check that nothing is cut off. Raises ProtocolError."""
        self._wire.end()

    def next_due(self) -> float | None:
        """Return when ``tick`` is due, s."""
        if self._hang_up_reason:
            return 0.0  # at once
        due = min(self._keep_alive_at, self._complete_by)
        return None if due == math.inf else due

    def tick(self) -> None:
        """Do what is due. Raises LinkFault or LinkLost."""
        if self._hang_up_reason:
            raise LinkLost(self._hang_up_reason)
        now = self.now()
        if now >= self._complete_by:
            self._complete_by = math.inf
            hint = profile_hint(self._kept, Side.ROBOT, whole=True)
            if hint and len(self._kept) <= HINT_BYTES:
                raise LinkFault(f"protocol error: the agent's last command is incomplete{hint}")
        if now >= self._keep_alive_at:
            self._keep_alive_at = now + KEEP_ALIVE_S
            self.report(KeepAlive())
