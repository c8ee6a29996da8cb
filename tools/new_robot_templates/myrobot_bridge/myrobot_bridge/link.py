# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The connection with Myrobot. The events are those of protocol."""

from __future__ import annotations

from legacy_robots_core.link.base import LinkObserver
# --- if tcp serial
from legacy_robots_core.link.framing import Lines
# --- end
# --- if tcp udp serial
from legacy_robots_core.link.stream import Liveness
# --- end
# --- if tcp
from legacy_robots_core.link.tcp import Role, TcpLink
# --- end
# --- if udp
from legacy_robots_core.link.tcp import Role
from legacy_robots_wires.udp import UdpLink
# --- end
# --- if serial
from legacy_robots_wires.serial_port import SerialLink
# --- end
# --- if websocket
from legacy_robots_wires.websocket import WebSocketLink
# --- end
# --- if sdk
from legacy_robots_wires.device import DeviceLink
# --- end

# --- if tcp udp serial websocket
from . import protocol
# --- end
from .parameters import Parameters
# --- if sdk
from .vendor import Connection
# --- end

SILENCE_S = 1.0
"""Seconds without a message after which the link is lost; there are ten a second."""


# --- if tcp
class MyrobotLink(TcpLink):
    """Lines of text over TCP."""

    def __init__(self, p: Parameters, observer: LinkObserver) -> None:
        alive = Liveness(silence=SILENCE_S, heartbeat=protocol.PING + b"\n", period=0.3)
        lines = lambda: Lines(protocol.LONGEST)  # noqa: E731
        super().__init__(Role.DIAL, p.host, p.port, observer, framing=lines, liveness=alive)

    def received(self, data: bytes) -> None:
        """Report the event of a line. Raises ProtocolError."""
        self.observer.on_event(protocol.parse(data))

    def command(self, message: bytes) -> None:
        """Send a command. Raises NotConnectedError."""
        self.send(message + b"\n")


# --- end
# --- if udp
class MyrobotLink(UdpLink):
    """A datagram a message; Myrobot answers who has sent PING."""

    def __init__(self, p: Parameters, observer: LinkObserver) -> None:
        alive = Liveness(silence=SILENCE_S, heartbeat=protocol.PING, period=0.3)
        super().__init__(
            Role.DIAL, p.host, p.port, observer, greeting=protocol.PING, liveness=alive
        )

    def received(self, data: bytes) -> None:
        """Report the event of a datagram. Raises ProtocolError."""
        self.observer.on_event(protocol.parse(data))

    def command(self, message: bytes) -> None:
        """Send a command. Raises NotConnectedError."""
        self.send(message)


# --- end
# --- if serial
class MyrobotLink(SerialLink):
    """Lines of text over a serial port."""

    def __init__(self, p: Parameters, observer: LinkObserver) -> None:
        alive = Liveness(silence=SILENCE_S, heartbeat=protocol.PING + b"\n", period=0.3)
        lines = lambda: Lines(protocol.LONGEST)  # noqa: E731
        super().__init__(p.device, p.baud, observer, framing=lines, liveness=alive)

    def received(self, data: bytes) -> None:
        """Report the event of a line. Raises ProtocolError."""
        self.observer.on_event(protocol.parse(data))

    def command(self, message: bytes) -> None:
        """Send a command. Raises NotConnectedError."""
        self.send(message + b"\n")


# --- end
# --- if websocket
class MyrobotLink(WebSocketLink):
    """Text messages over a WebSocket."""

    def __init__(self, p: Parameters, observer: LinkObserver) -> None:
        super().__init__(
            f"ws://{p.host}:{p.port}/", observer, silence=SILENCE_S, longest=protocol.LONGEST
        )

    def received(self, message: str | bytes) -> None:
        """Report the event of a message. Raises ProtocolError."""
        data = message.encode() if isinstance(message, str) else message
        self.observer.on_event(protocol.parse(data))

    def command(self, message: bytes) -> None:
        """Send a command. Raises NotConnectedError."""
        self.send(message.decode())


# --- end
# --- if sdk
class MyrobotLink(DeviceLink[Connection]):
    """Calls the library of the vendor on one thread, and asks for news 20 times a second."""

    def __init__(self, p: Parameters, observer: LinkObserver) -> None:
        super().__init__(f"{p.host}:{p.port}", observer, period=0.05, silence=SILENCE_S)
        self._where = (p.host, p.port)

    def open_device(self) -> Connection:
        """Connect."""
        return Connection(*self._where)

    def close_device(self, device: Connection) -> None:
        """Disconnect."""
        device.close()

    def poll_device(self, device: Connection) -> None:
        """Report what is new."""
        for event in device.news():
            self.notify(event)

    def command(self, message: bytes) -> None:
        """Send a command. Raises NotConnectedError."""
        self.call(lambda device: device.command(message))


# --- end
