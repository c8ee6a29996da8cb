# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""GOAL's end of the TCP connection with a Nao: events in, commands out.

The observer gets every Report of :mod:`nao_goal_bridge.protocol.events` that is not part of a
flood, and Ready of :mod:`nao_goal_bridge.protocol.exchange`. Problems: "protocol errors", "stray
replies", "dropped sightings", "coalesced reports".
"""

from __future__ import annotations

import math
from typing import cast

from legacy_robots_core.link.base import Backoff, LinkFault, LinkObserver
from legacy_robots_core.link.tcp import Role, TcpLink
from nao_goal_bridge.bridge.report_filter import ReportFilter
from nao_goal_bridge.protocol import Dialect, ProtocolError, Side, events
from nao_goal_bridge.protocol.codec import KEPT_BYTES, Decoder, encode, profile_hint
from nao_goal_bridge.protocol.exchange import CommandExchange
from nao_goal_bridge.protocol.robot_requests import TimeLimits

CODES = range(256)
"""Codes that a robot reports: opcodes of commands, also of those that it does not know."""


class NaoLink(TcpLink):
    """Decodes what the robot reports and encodes its commands, see ``exchange``.

    ``limits`` are the times that the robot may take to answer. Sightings above ``flood_limit``
    (1/s) are dropped.
    """

    def __init__(
        self,
        role: Role,
        host: str,
        port: int,
        observer: LinkObserver,
        dialect: Dialect,
        *,
        limits: TimeLimits | None = None,
        flood_limit: float = 2000.0,
        backoff: Backoff | None = None,
    ) -> None:
        super().__init__(role, host, port, observer, backoff=backoff)
        self._dialect = dialect
        self._decoder = Decoder(Side.GOAL, dialect)
        self._filter = ReportFilter(flood_limit, observer.on_problem, lambda: self.now())
        self.exchange = CommandExchange(
            self._tell,
            observer,
            limits,
            lambda: self.now(),
            walks_on=dialect.walks_on,
            greets=dialect.greets,
        )
        """Sends the commands; its owner closes it when the link is lost."""
        self.last_heard = self.now()
        self._kept = bytearray()

    def _tell(self, command: events.Command) -> None:
        """Send ``command``. Raises NotConnectedError, and ProtocolError from ``encode``."""
        self.send(encode(command, self._dialect))
        self.interrupt()  # its time limit is a new date for next_due

    def opened(self) -> None:
        """Begin with a new connection."""
        self._decoder = Decoder(Side.GOAL, self._dialect)
        self.last_heard = self.now()
        self._kept.clear()
        self.exchange.open()

    def received(self, data: bytes) -> None:
        """Take what the peer has sent. Raises ProtocolError or LinkLost."""
        self.last_heard = self.now()
        if len(self._kept) <= KEPT_BYTES:
            self._kept += data
        self._decoder.feed(data)
        try:
            for event in self._decoder.events():
                self._handle(cast(events.Report, event))  # as Side.GOAL reads
        except ProtocolError as error:
            raise ProtocolError(f"{error}{profile_hint(self._kept, Side.GOAL)}") from error

    def _handle(self, event: events.Report) -> None:
        if isinstance(event, (events.Success, events.Failure)) and event.code not in CODES:
            raise ProtocolError(f"the code of {event} is no opcode")
        if isinstance(event, events.Agent):
            self.exchange.greeted()
        if not self._filter.admits(event):
            return
        self.observer.on_event(event)
        if isinstance(event, (events.Success, events.Failure)):
            self.exchange.handle(event)
        elif isinstance(event, events.Error):
            raise LinkFault("the robot reported a fatal error; its state is unknown")

    def ended(self) -> None:
        """Check that nothing is cut off. Raises ProtocolError."""
        self._decoder.end()

    def next_due(self) -> float | None:
        """Return when ``tick`` is due, s."""
        due = min(self.exchange.due, self._filter.due)
        return None if due == math.inf else due

    def tick(self) -> None:
        """Do what is due. Raises LinkFault or LinkLost."""
        for report in self._filter.take():
            self.observer.on_event(report)
        reason = self.exchange.tick()
        if reason is not None:
            raise LinkFault(reason)
