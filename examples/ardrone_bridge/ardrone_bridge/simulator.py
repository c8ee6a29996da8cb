# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A simulated AR.Drone 2: a plain program without ROS, with faults on request."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from legacy_robots_simulation.program import Simulator
from legacy_robots_wires import robot_simulator
from legacy_robots_wires.robot_simulator import RobotSimulator

from . import protocol

CLIMB_M_S, ALTITUDE_M = 0.8, 1.0
"""Speed and end of a take-off."""
WATCHDOG_S = 2.0
"""Seconds without a command after which it hovers."""


class SimulatedArdrone(RobotSimulator):
    """Sends navdata once it is asked to, with readings once it is configured."""

    period = 1 / 15

    def __init__(self, at_port: int = protocol.AT_PORT, **options: Any) -> None:
        super().__init__(further={"at": at_port}, **options)
        self.restart()

    def restart(self) -> None:
        """Begin again."""
        self._x = self._y = self._yaw = self._altitude = self._silent = 0.0
        self._mode, self._state, self._number = protocol.LANDED, protocol.BOOTSTRAP, 0
        self._motion = [0.0] * 4  # roll, pitch, gaz, yaw: -1 to 1
        self._newest = 0

    def place(self) -> tuple[float, float, float]:
        """Return where it is, with y to the left."""
        return self._x, self._y, self._yaw

    def link_lost(self) -> None:
        """Hover."""
        self._motion = [0.0] * 4

    def message(self, message: bytes) -> None:
        """Ignore what asks for navdata: they are sent to who has sent anything."""

    def datagram(self, name: str, data: bytes) -> None:
        """Carry out AT commands; what is none is ignored, as by the drone."""
        try:
            for command, number, words in protocol.commands(data):
                if number > self._newest or number == 1:
                    self._newest, self._silent = number, 0.0
                    self._carry_out(command, words)
        except protocol.ProtocolError as error:
            self.log.warning("ignored: %s", error)

    def _carry_out(self, command: str, words: list[str]) -> None:
        match command, words:
            case "REF", [bits] if bits.isdecimal():
                self._take_off_or_land(bool(int(bits) & 1 << 9))
            case "PCMD", [flag, *parts] if len(parts) == 4:
                flies = self._mode in (protocol.HOVERING, protocol.FLYING)
                moves = flies and flag == "1"
                self._motion = [protocol.number(part) if moves else 0.0 for part in parts]
                if flies:
                    self._hover_or_fly(any(self._motion))
            case "CONFIG", ['"general:navdata_demo"', '"TRUE"']:
                self._state = protocol.ACKNOWLEDGED
            case "CTRL", ["5", *_]:
                self._state &= ~protocol.ACKNOWLEDGED

    def _hover_or_fly(self, moves: bool) -> None:
        if not moves and self._mode != protocol.HOVERING:
            self.log.info("hovers at %.2f m", self._altitude)
        self._mode = protocol.FLYING if moves else protocol.HOVERING

    def _take_off_or_land(self, upward: bool) -> None:
        if upward and self._mode == protocol.LANDED:
            self._mode = protocol.TAKING_OFF
        elif not upward and self._mode not in (protocol.LANDED, protocol.LANDING):
            self._mode = protocol.LANDING
            self.link_lost()

    def advance(self, seconds: float) -> None:
        """Fly, and send navdata."""
        self._silent += seconds
        if self._silent > WATCHDOG_S:
            self.link_lost()
        if self._mode == protocol.TAKING_OFF:
            self._altitude = min(self._altitude + CLIMB_M_S * seconds, ALTITUDE_M)
            if self._altitude == ALTITUDE_M:
                self._hover_or_fly(False)
        elif self._mode == protocol.LANDING:
            self._altitude = max(self._altitude - CLIMB_M_S * seconds, 0.0)
            if not self._altitude:
                self._mode = protocol.LANDED
                self.log.info("has landed")
        roll, pitch, gaz, turn = self._motion
        forward, left = -pitch * protocol.FULL_M_S, -roll * protocol.FULL_M_S
        cosine, sine = math.cos(self._yaw), math.sin(self._yaw)
        self._x += (forward * cosine - left * sine) * seconds
        self._y += (forward * sine + left * cosine) * seconds
        self._yaw = math.remainder(self._yaw - turn * protocol.FULL_RAD_S * seconds, math.tau)
        if gaz:
            self._altitude = max(0.2, self._altitude + gaz * protocol.FULL_UP_M_S * seconds)
        self._number += 1
        reading = protocol.Reading(
            self._mode, 90, -self._yaw, self._altitude, (forward, -left)
        )  # the drone's axes
        waits = self._state & protocol.BOOTSTRAP
        self.say(protocol.navdata(self._number, self._state, None if waits else reading))


def simulator(**options: Any) -> Simulator:
    """Return a simulated AR.Drone."""
    return robot_simulator.simulator(SimulatedArdrone, "udp", **options)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the simulator until SIGINT or SIGTERM."""
    return robot_simulator.main(
        SimulatedArdrone, "udp", protocol.NAVDATA_PORT, arguments,
        further={"at": protocol.AT_PORT},
    )  # fmt: skip
