# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A simulated robot that talks in messages, on any wire, as a program with faults and control."""

from __future__ import annotations

import select
import sys
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

from legacy_robots_core.link.framing import Framing, Lines
from legacy_robots_core.link.tcp import Role
from legacy_robots_simulation.control_channel import add_control_argument
from legacy_robots_simulation.controls import Entity
from legacy_robots_simulation.program import (
    Simulator,
    SimulatorArgumentParser,
    add_common_arguments,
    port_number,
    run_until_signal,
    set_up_logging,
)
from legacy_robots_simulation.stepped_controls import SteppedControls
from legacy_robots_simulation.tcp_simulator import TcpSimulator
from legacy_robots_wires.adapters import SerialAdapter, WebSocketAdapter
from legacy_robots_wires.datagrams import UdpCaller, UdpPort, UdpSource

__all__ = ["RobotSimulator", "main", "simulator"]

FLOOD = 10_000
"""Messages of the fault ``flood``."""


class RobotSimulator(TcpSimulator):
    """Talks with one client. Its methods are called on one thread.

    A subclass has ``message``, ``advance`` and ``restart``; ``link_up``, ``link_lost`` and
    ``place`` where it needs them. The faults and the control channel are those of TcpSimulator.

    Parameters
    ----------
    host, port
        Where it listens, or what it calls: see ``role``.
    datagrams
        It is UDP: a message is a datagram, without the framing.
    further
        UDP ports besides, by name, see ``datagram``; port 0 takes a free one.
    options
        Those of TcpSimulator.

    """

    period = 0.1
    """Seconds of simulated time between two calls of ``advance``."""
    role = Role.LISTEN
    """DIAL: it connects with ``host`` and ``port``; over UDP it sends there, heard or not."""

    def __init__(
        self,
        host: str = "127.0.0.1",
        port: int = 0,
        *,
        datagrams: bool = False,
        further: Mapping[str, int] | None = None,
        **options: Any,
    ) -> None:
        super().__init__(self.role, host, port, peer_name="the bridge", **options)
        if datagrams:
            source = UdpCaller if self.role is Role.DIAL else UdpSource
            self._source = source(host, port, self.log)
        self._is_udp = datagrams
        self._host, self._numbers = host, dict(further or {})
        self._further: dict[str, UdpPort] = {}
        self._framing: Framing | None = None
        self._due = 0.0
        self._last = b""

    # --- for the subclass to say -------------------------------------------------------------

    def framing(self) -> Framing:
        """Return the framing of a new connection; lines of text, unless it is overridden."""
        return Lines(80)

    @abstractmethod
    def message(self, message: bytes) -> None:
        """Take a message. A ProtocolError ends the connection."""

    @abstractmethod
    def advance(self, seconds: float) -> None:
        """Let ``period`` seconds pass, and say what is measured."""

    @abstractmethod
    def restart(self) -> None:
        """Begin again: the robot is as it was at first."""

    def link_up(self) -> None:
        """Greet."""

    def link_lost(self) -> None:
        """Stop what the client had it do."""

    def place(self) -> tuple[float, float, float]:
        """Return where it is: x, y (m) and yaw (rad), for simulation_interfaces."""
        return 0.0, 0.0, 0.0

    def datagram(self, name: str, data: bytes) -> None:
        """Take a datagram of a further port."""

    # --- for the subclass to use -------------------------------------------------------------

    def say(self, message: bytes, to: str = "") -> None:
        """Send a message, ``to`` the latest sender of a further port."""
        if to:
            self._further[to].send(message)
            return
        self._last = message
        self.send(message if self._framing is None else self._framing.encode(message))

    def port_of(self, name: str) -> int:
        """Return the number of a further port."""
        return self._further[name].port

    # --- TcpSimulator ------------------------------------------------------------------------

    def start(self) -> None:
        """Begin to listen; raises SimulatorError if a port cannot be had."""
        for name, number in self._numbers.items():
            self._further[name] = UdpPort(self._host, number)
        super().start()

    def _link_up(self) -> None:
        self._due, self._framing = 0.0, None if self._is_udp else self.framing()
        self.link_up()

    def _received(self, data: bytes) -> None:
        for message in [data] if self._framing is None else self._framing.feed(data):
            self.message(message)

    def _link_lost(self) -> None:
        self.link_lost()

    def _next_due(self) -> float:
        return self._due

    def _advance(self, seconds: float) -> None:
        self._due -= seconds
        if self._due <= 0.0:
            self._due = self.period
            self.advance(self.period)

    def _register_beside(self, poller: select.poll, now: float) -> float:
        for port in self._further.values():
            poller.register(port, select.POLLIN)
        return super()._register_beside(poller, now)

    def _serve_beside(self, ready: dict[int, int], now: float) -> None:
        for name, port in self._further.items():
            while (data := port.receive()) is not None:
                self.datagram(name, data)

    def close(self) -> None:
        """End it. Idempotent."""
        super().close()
        for port in self._further.values():
            port.close()

    def _torn_message(self) -> bytes:
        whole = self._last if self._framing is None else self._framing.encode(self._last)
        return whole[: len(whole) // 2]

    def _flood(self) -> bytes:
        for _ in range(FLOOD):
            self.say(self._last)
        return b""

    def _garbage(self) -> bytes:
        return b"\xff\x00 this is nothing\n"

    def begin_again(self) -> None:
        """Begin again; the connection ends."""
        self.hang_up("reset")
        self.restart()

    def _make_controls(self) -> SteppedControls:
        return _RobotControls(self)


class _RobotControls(SteppedControls):
    """What simulation_interfaces can do with it: pause, step, reset."""

    abilities = frozenset(("play", "reset"))

    def __init__(self, robot: RobotSimulator) -> None:
        super().__init__(robot)
        self._robot = robot

    def _entities(self) -> list[Entity]:
        return [Entity(type(self._robot).__name__, "robot", *self._robot.place())]


def simulator(kind: type[RobotSimulator], wire: str, **options: Any) -> Simulator:
    """Return a simulated robot on a wire: ``tcp``, ``udp``, ``serial`` or ``websocket``.

    ``options`` are ``host`` and ``port``, or ``device``, and those of ``kind``.
    """
    if wire == "serial":
        device = options.pop("device")
        return SerialAdapter(kind(**options), device)
    if wire == "websocket":
        host, port = options.pop("host"), options.pop("port")
        return WebSocketAdapter(kind(**options), host, port)
    return kind(datagrams=wire == "udp", **options)


def main(
    kind: type[RobotSimulator],
    wire: str,
    default: int | str,
    arguments: Sequence[str] | None = None,
    *,
    further: Mapping[str, int] | None = None,
) -> int:
    """Run a simulated robot until SIGINT or SIGTERM; return the exit code.

    ``default`` is the port, or the name of the serial device. ``further`` has the numbers of
    further ports by name; ``--at-port`` for ``at``, which ``kind`` gets as ``at_port``.
    """
    parser = SimulatorArgumentParser(prog="simulator", description=kind.__doc__)
    if isinstance(default, str):
        add_common_arguments(parser)
        parser.add_argument("--device", default=default, help="serial port (default: %(default)s)")
    else:
        add_common_arguments(parser, port=default)
    for name, number in (further or {}).items():
        parser.add_argument(f"--{name}-port", type=port_number, default=number, help="%(default)s")
    add_control_argument(parser)
    given = vars(parser.parse_args(sys.argv[1:] if arguments is None else arguments))
    set_up_logging(given.pop("log_level"))
    given.pop("seed")
    return run_until_signal(simulator(kind, wire, **given), given["faults"], exiting=True)
