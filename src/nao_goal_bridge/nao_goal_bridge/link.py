# SPDX-License-Identifier: Apache-2.0
"""GOAL's end of the TCP connection with a Nao: events in, commands out.

The observer gets every Report of :mod:`nao_goal_bridge.events` that is not part of a flood, and
Ready of :mod:`nao_goal_bridge.exchange`. Problems: "protocol errors", "stray replies",
"dropped sightings", "coalesced reports".
"""

from __future__ import annotations

import math
from typing import cast

from legacy_robots_common.link import Backoff, LinkFault, LinkObserver
from legacy_robots_common.tcp_link import Role, TcpLink
from nao_goal_bridge.exchange import CommandExchange, TimeLimits
from nao_goal_bridge.protocol import (
    Command,
    Decoder,
    Dialect,
    Error,
    Failure,
    ProtocolError,
    Report,
    Side,
    Success,
    encode,
    fitting_profiles,
)
from nao_goal_bridge.report_filter import ReportFilter

KEPT_BYTES = 65536
"""So much of a connection is kept, to find out which profile it is in."""
CODES = range(256)
"""Codes that a robot reports: opcodes of commands, also of those that it does not know."""


class NaoLink(TcpLink):
    """Decodes what the robot sends and encodes what it is told, see ``exchange``.

    Parameters
    ----------
    role, host, port, observer
        See TcpLink.
    dialect
        How events are written.
    limits
        How long the robot may take to answer.
    flood_limit
        Sightings per second above which the surplus is dropped.

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
        self._filter = ReportFilter(flood_limit, observer.on_problem)
        self.exchange = CommandExchange(self._tell, observer, limits, lambda: self.now())
        """Commands go to the robot through this; its owner closes it when the link is lost."""
        self.last_heard = self.now()
        self._kept = bytearray()

    def _tell(self, command: Command) -> None:
        """Send ``command``. Raises NotConnectedError, and ProtocolError from ``encode``."""
        self.send(encode(command, self._dialect))
        self._interrupt()  # its time limit is a new date for _next_due

    def _opened(self) -> None:
        self._decoder = Decoder(Side.GOAL, self._dialect)
        self.last_heard = self.now()
        self._kept.clear()
        self.exchange.open()

    def _received(self, data: bytes) -> None:
        self.last_heard = self.now()
        if len(self._kept) <= KEPT_BYTES:
            self._kept += data
        self._decoder.feed(data)
        events = self._decoder.events()
        while True:
            try:
                event = next(events, None)
            except ProtocolError as error:
                raise self._fault(error, self._other_profiles()) from error
            if event is None:
                return
            self._handle(cast(Report, event))  # as Side.GOAL reads

    def _handle(self, event: Report) -> None:
        if isinstance(event, (Success, Failure)) and event.code not in CODES:
            error = ProtocolError(f"the code of {event} is no opcode")
            raise self._fault(error, self._other_profiles())
        if not self._filter.admits(event):
            return
        self._observer.on_event(event)
        if isinstance(event, (Success, Failure)):
            self.exchange.handle(event)
        elif isinstance(event, Error):
            raise LinkFault("the robot reported a fatal error; its state is unknown")

    def _ended(self) -> None:
        try:
            self._decoder.end()
        except ProtocolError as error:
            raise self._fault(error) from error

    def _fault(self, error: ProtocolError, hint: str = "") -> LinkFault:
        text = f"protocol error: {error}{hint}"
        self._observer.on_problem("protocol errors", text)
        return LinkFault(text)

    def _other_profiles(self) -> str:
        """Return which profiles the bytes of this connection would fit, as the end of a text."""
        if len(self._kept) > KEPT_BYTES:
            return ""
        names = fitting_profiles(bytes(self._kept), Side.GOAL)
        return f"; what it has sent would fit profile {' or '.join(names)}" if names else ""

    def _next_due(self) -> float | None:
        due = min(self.exchange.due, self._filter.due)
        return None if due == math.inf else due

    def _tick(self) -> None:
        for report in self._filter.take():
            self._observer.on_event(report)
        reason = self.exchange.tick()
        if reason is not None:
            raise LinkFault(reason)
