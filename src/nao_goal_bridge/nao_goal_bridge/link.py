# SPDX-License-Identifier: Apache-2.0
"""GOAL's end of the TCP connection with a Nao: events in, commands out."""

from __future__ import annotations

import time
from collections.abc import Callable

from legacy_robots_common.link import Backoff, LinkFault, LinkStatus
from legacy_robots_common.tcp_link import Role, TcpLink
from nao_goal_bridge.protocol import (
    Command,
    Decoder,
    Dialect,
    KeepAlive,
    Profile,
    ProtocolError,
    Report,
    See,
    Side,
    encode,
)

KEEP_ALIVE_SECONDS = 10.0
"""How often the late dialect wants a sign of life (docs/originals/nao.md, late dialect)."""


class FloodGuard:
    """Lets ``rate`` sightings a second pass, and bursts of as many; the rest is to be dropped.

    A robot that sends faster than anybody can use would otherwise starve its own replies.
    """

    def __init__(self, rate: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._clock = clock
        self._credit = rate
        self._filled = clock()

    def admits(self) -> bool:
        """Tell whether one more sighting may pass now."""
        if self._credit < 1.0:
            now = self._clock()
            self._credit = min(self._rate, self._credit + (now - self._filled) * self._rate)
            self._filled = now
            if self._credit < 1.0:
                return False
        self._credit -= 1.0
        return True


class NaoLink(TcpLink):
    """Decodes what the robot sends and encodes what it is told.

    Parameters
    ----------
    on_report
        Gets every event of the robot, in order, on the link's thread. Sightings above
        ``flood_limit`` (1/s) are dropped and counted in ``dropped_sightings``; nothing else is.
    on_status, on_refused
        See TcpLink: status changes, and a second robot that was turned away.
    on_protocol_error
        Called before the connection is ended because of bytes that the protocol does not know.

    """

    def __init__(
        self,
        role: Role,
        host: str,
        port: int,
        dialect: Dialect,
        on_report: Callable[[Report], None],
        on_status: Callable[[LinkStatus], None],
        *,
        on_refused: Callable[[str], None] = lambda peer: None,
        on_protocol_error: Callable[[str], None] = lambda text: None,
        flood_limit: float = 2000.0,
        backoff: Backoff | None = None,
    ) -> None:
        super().__init__(role, host, port, on_status, on_refused=on_refused, backoff=backoff)
        self._dialect = dialect
        self._on_report = on_report
        self._on_protocol_error = on_protocol_error
        self._decoder = Decoder(Side.GOAL, dialect)
        self._guard = FloodGuard(flood_limit)
        self.dropped_sightings = 0
        self.last_heard = time.monotonic()

    def tell(self, command: Command) -> None:
        """Send ``command``. Thread-safe, never blocks.

        Raises NotConnectedError when no robot is there, ProtocolError when the dialect or the
        ranges of the arguments do not allow the command.
        """
        self.send(encode(command, self._dialect))

    def send_keep_alive(self) -> None:
        """Send the late dialect's sign of life; nothing in other profiles. See tell for errors."""
        if self._dialect.profile is Profile.NAOVIGATE:
            self.tell(KeepAlive())

    def _opened(self) -> None:
        self._decoder = Decoder(Side.GOAL, self._dialect)
        self.last_heard = time.monotonic()

    def _received(self, data: bytes) -> None:
        self.last_heard = time.monotonic()
        self._decoder.feed(data)
        try:
            for event in self._decoder.events():
                if type(event) is See and not self._guard.admits():
                    self.dropped_sightings += 1
                else:
                    self._on_report(event)  # type: ignore[arg-type]  # Side.GOAL decodes reports
        except ProtocolError as error:
            self._on_protocol_error(str(error))
            raise LinkFault(f"protocol error: {error}") from error

    def _ended(self) -> None:
        try:
            self._decoder.end()
        except ProtocolError as error:
            self._on_protocol_error(str(error))
            raise LinkFault(f"protocol error: {error}") from error
