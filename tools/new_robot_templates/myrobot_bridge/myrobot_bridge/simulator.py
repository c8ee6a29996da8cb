# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A simulated Myrobot: a plain program without ROS, with faults on request."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from myrobot_bridge.protocol import LONGEST, PING, STOP, ProtocolError, number


from legacy_robots_core.link.framing import Lines
from legacy_robots_core.link.tcp import Role
from legacy_robots_simulation.control_channel import add_control_argument
from legacy_robots_simulation.controls import Entity

# --- if udp
from legacy_robots_wires.adapters import UdpAdapter

# --- end
# --- if serial
from legacy_robots_wires.adapters import SerialAdapter

# --- end
# --- if websocket
from legacy_robots_wires.adapters import WebSocketAdapter

# --- end
from legacy_robots_simulation.program import (
    Simulator,
    SimulatorArgumentParser,
    add_common_arguments,
    run_until_signal,
    set_up_logging,
)
from legacy_robots_simulation.stepped_controls import SteppedControls
from legacy_robots_simulation.tcp_simulator import TcpSimulator

PERIOD_S = 0.1
"""Seconds between two readings."""
SPEED = 0.05
"""m/s."""
BLOCKED_BELOW = 0.01
"""m: something is in the way there."""


class SimulatedMyrobot(TcpSimulator):
    """Goes to a position, and is blocked below BLOCKED_BELOW. A line a message."""

    def __init__(self, host: str = "127.0.0.1", port: int = 0, **options: Any) -> None:
        super().__init__(Role.LISTEN, host, port, peer_name="the bridge", **options)
        self._position = self._target = 0.05
        self._moving, self._next, self._lines = False, 0.0, Lines(LONGEST)

    def _link_up(self) -> None:
        self._next, self._lines = 0.0, Lines(LONGEST)

    def _link_lost(self) -> None:
        self._moving = False

    def _received(self, data: bytes) -> None:
        for line in self._lines.feed(data):
            self._command(line)

    def _command(self, line: bytes) -> None:
        """Do what a line says. Raises ProtocolError, which ends the connection."""
        if line == PING:
            return
        self.log.info("<- %s", line.decode("ascii", "replace"))
        match line.split():
            case [b"MOVE", position]:
                self._target, self._moving = number(position), True
            case [word] if word == STOP:
                self._moving = False
            case _:
                raise ProtocolError("this is no command")

    def _next_due(self) -> float:
        return self._next

    def _advance(self, seconds: float) -> None:
        self._next -= seconds
        if self._next > 0.0:
            return
        self._next = PERIOD_S
        self.send(f"STATE {self._position:.4f}\n".encode())
        if not self._moving:
            return
        step = SPEED * PERIOD_S
        wanted = min(max(self._target, self._position - step), self._position + step)
        self._position = max(wanted, BLOCKED_BELOW)
        if self._position == self._target or wanted < BLOCKED_BELOW:
            self._moving = False
            word = "DONE" if self._position == self._target else "BLOCKED"
            self.log.info("-> %s at %.3f m", word, self._position)
            self.send(f"{word}\n".encode())

    def _torn_message(self) -> bytes:
        return b"STA"

    def _flood(self) -> bytes:
        return f"STATE {self._position:.4f}\n".encode() * 10_000

    def _garbage(self) -> bytes:
        return b"\xff\x00 this is nothing\n"

    def begin_again(self) -> None:
        """Begin again; the connection ends."""
        self.hang_up("reset")
        self._position = self._target = 0.05

    def _make_controls(self) -> MyrobotControls:
        return MyrobotControls(self)


class MyrobotControls(SteppedControls):
    """What simulation_interfaces can do with it: pause, step, reset."""

    abilities = frozenset(("play", "reset"))

    def _entities(self) -> list[Entity]:
        return [Entity("myrobot", "robot", 0.0, 0.0)]


# --- if serial
def simulator(device: str, **options: Any) -> Simulator:
    """Return a simulated Myrobot at ``device``."""
    return SerialAdapter(SimulatedMyrobot(**options), device)


# --- end
# --- if tcp sdk
def simulator(host: str, port: int, **options: Any) -> Simulator:
    """Return a simulated Myrobot that listens."""
    return SimulatedMyrobot(host, port, **options)


# --- end
# --- if udp
def simulator(host: str, port: int, **options: Any) -> Simulator:
    """Return a simulated Myrobot that answers datagrams."""
    return UdpAdapter(SimulatedMyrobot(**options), host, port)


# --- end
# --- if websocket
def simulator(host: str, port: int, **options: Any) -> Simulator:
    """Return a simulated Myrobot that serves WebSockets."""
    return WebSocketAdapter(SimulatedMyrobot(**options), host, port)


# --- end
def main(arguments: Sequence[str] | None = None) -> int:
    """Run the simulator until SIGINT or SIGTERM."""
    parser = SimulatorArgumentParser(prog="simulator", description=__doc__)
    # --- if serial
    add_common_arguments(parser)
    parser.add_argument("--device", default="myrobot", help="serial port (default: %(default)s)")
    # --- end
    # --- if tcp udp websocket sdk
    add_common_arguments(parser, port=7000)
    # --- end
    add_control_argument(parser)
    given = parser.parse_args(sys.argv[1:] if arguments is None else arguments)
    set_up_logging(given.log_level)
    made = simulator(
        # --- if serial
        given.device,
        # --- end
        # --- if tcp udp websocket sdk
        given.host,
        given.port,
        # --- end
        faults=given.faults,
        fault_after=given.fault_after,
        fault_seconds=given.fault_seconds,
        control=given.control,
        paused=given.paused,
    )
    return run_until_signal(made, given.faults, exiting=True)
