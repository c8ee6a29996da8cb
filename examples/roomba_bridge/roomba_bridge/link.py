# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The connection with a Roomba. The events are those of protocol."""

from __future__ import annotations

from legacy_robots_core.link.base import LinkObserver
from legacy_robots_core.link.stream import Liveness
from legacy_robots_wires.serial_port import SerialLink

from . import protocol
from .parameters import Parameters

SILENCE_S = 1.0
"""Seconds without a message after which the link is lost; there are 66 a second."""


class RoombaLink(SerialLink):
    """The stream of sensors; what is lost or damaged on the wire is passed over."""

    def __init__(self, p: Parameters, observer: LinkObserver) -> None:
        super().__init__(
            p.device, p.baud, observer, framing=protocol.packets,
            greeting=protocol.GREETING, liveness=Liveness(silence=SILENCE_S),
        )  # fmt: skip

    def received(self, data: bytes) -> None:
        """Report the reading. Raises ProtocolError."""
        self.observer.on_event(protocol.parse(data))

    def command(self, message: bytes) -> None:
        """Send a command. Raises NotConnectedError."""
        self.send(message)
