# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The connection with an AR.Drone: navdata on one port, AT commands to another."""

from __future__ import annotations

import itertools
import socket
import threading
from contextlib import suppress

from legacy_robots_core.link.base import LinkObserver
from legacy_robots_core.link.stream import Liveness
from legacy_robots_core.link.tcp import Role
from legacy_robots_wires.udp import UdpLink

from . import protocol
from .parameters import Parameters

SILENCE_S = 1.0
"""Seconds without navdata after which the link is lost; there are 15 a second."""


class ArdroneLink(UdpLink):
    """Answers each navdata with the motion: a datagram that is lost is soon sent again."""

    def __init__(self, p: Parameters, observer: LinkObserver) -> None:
        super().__init__(
            Role.DIAL, p.host, p.port, observer, greeting=protocol.WAKE,
            liveness=Liveness(silence=SILENCE_S, heartbeat=protocol.WAKE, period=0.5),
        )  # fmt: skip
        self._at_address = (p.host, p.at_port)
        self._at = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._lock = threading.Lock()
        self._numbers = itertools.count(1)
        self.motion = protocol.HOVER

    def opened(self) -> None:
        """Begin with command 1, which the drone takes whatever came before."""
        self._numbers = itertools.count(1)
        self.motion = protocol.HOVER

    def received(self, data: bytes) -> None:
        """Report the reading, and have the drone go on. Raises ProtocolError."""
        navdata = protocol.parse(data)
        commands = [protocol.ALIVE, self.motion]
        if navdata.state & protocol.ACKNOWLEDGED:
            commands.append(protocol.ACKNOWLEDGE)
        elif navdata.state & protocol.BOOTSTRAP:
            commands.append(protocol.DEMO)
        self.command(*commands)
        self.observer.on_event(navdata)

    def command(self, *commands: protocol.Command) -> None:
        """Send AT commands, in one datagram."""
        with self._lock, suppress(OSError):  # as lost as one that the network loses
            numbered = (protocol.encode(next(self._numbers), each) for each in commands)
            self._at.sendto(b"".join(numbered), self._at_address)

    def fly(self, forward: float, left: float, turn: float, upward: float) -> None:
        """Fly so (m/s, m/s, rad/s, m/s) until told otherwise."""
        self.motion = protocol.fly(forward, left, turn, upward)
        self.command(self.motion)

    def release(self) -> None:
        """Close both sockets."""
        super().release()
        self._at.close()
