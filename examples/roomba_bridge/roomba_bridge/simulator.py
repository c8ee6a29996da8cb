# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A simulated Create 2 before a wall: a plain program without ROS, with faults on request."""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from typing import Any

from legacy_robots_core.link.framing import Framing
from legacy_robots_simulation.program import Simulator
from legacy_robots_wires import robot_simulator
from legacy_robots_wires.robot_simulator import RobotSimulator

from . import protocol

WALL = 3.0
"""m in front of where it begins."""
CAPACITY = 2696
"""mAh"""
LENGTHS = {137: 4, 145: 4, 146: 4, 142: 1, 138: 1, 139: 3, 144: 3, 150: 1}
"""Bytes of data after an opcode; others have none, 148 and 149 count theirs."""
SIZES = {
    **dict.fromkeys(range(7, 59), 1),
    **dict.fromkeys([19, 20, 22, 23, *range(25, 32), 33, *range(39, 45)], 2),
    **dict.fromkeys([*range(46, 52), *range(54, 58)], 2),
}
"""Bytes of each sensor packet; those of group 100."""


class Commands(Framing):
    """Opcodes with their data."""

    def encode(self, message: bytes) -> bytes:
        """Return what the robot sends as it is."""
        return message

    def next_message(self) -> bytes | None:
        """Take the next command."""
        if not self.rest:
            return None
        opcode, counted = self.rest[0], len(self.rest) > 1
        size = 1 + LENGTHS.get(opcode, 0)
        if opcode in (148, 149):
            size = 2 + self.rest[1] if counted else 2
        return self.take(size) if len(self.rest) >= size else None


class SimulatedRoomba(RobotSimulator):
    """Drives where it is told in safe or full mode, and streams what was asked for."""

    period = 0.015

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.restart()

    def framing(self) -> Framing:
        """Return the framing of its commands."""
        return Commands()

    def restart(self) -> None:
        """Begin again."""
        self._x = self._y = self._yaw = 0.0
        self._counts = [0.0, 0.0]  # left, right
        self._speeds = (0.0, 0.0)  # m/s: right, left
        self._mode, self._streams, self._bumper = 0, False, False

    def place(self) -> tuple[float, float, float]:
        """Return where it is."""
        return self._x, self._y, self._yaw

    def link_up(self) -> None:
        """Be off, as after its battery was put in."""
        self._mode, self._streams = 0, False

    def link_lost(self) -> None:
        """Stop."""
        self._speeds = (0.0, 0.0)

    def message(self, message: bytes) -> None:
        """Carry out a command; one that the mode does not allow is ignored, as by the robot."""
        opcode, data = message[0], message[1:]
        if opcode == protocol.START:
            self._mode = 1
        elif self._mode and opcode in (protocol.SAFE, protocol.FULL):
            self._mode = opcode - 129
        elif self._mode and opcode == protocol.STREAM:
            self._streams = tuple(data[1:]) == protocol.IDS
        elif self._mode and opcode == protocol.SENSORS:
            self.say(self._sensors(data[0]))
        elif self._mode >= 2 and opcode == protocol.DRIVE_DIRECT:
            right, left = struct.unpack(">hh", data)
            self._speeds = (right / 1000.0, left / 1000.0)

    def advance(self, seconds: float) -> None:
        """Drive, and send the stream."""
        right, left = (speed * seconds for speed in self._speeds)
        driven, turned = 0.5 * (right + left), (right - left) / protocol.WHEEL_BASE_M
        heading = self._yaw + 0.5 * turned
        self._bumper = driven > 0.0 and self._x + driven * math.cos(heading) > WALL
        if self._bumper:
            driven = turned = right = left = 0.0
        self._x += driven * math.cos(heading)
        self._y += driven * math.sin(heading)
        self._yaw += turned
        for wheel, moved in enumerate((left, right)):
            self._counts[wheel] += moved / protocol.M_PER_COUNT
        if self._streams:
            self.say(protocol.stream(self._reading()))

    def _reading(self) -> protocol.Reading:
        left, right = (round(count) % 65536 for count in self._counts)
        return protocol.Reading(self._bumper, CAPACITY, CAPACITY, left, right)

    def _sensors(self, packet: int) -> bytes:
        """Return a packet of sensors, or group 100 with all; what is not simulated is 0."""
        reading = self._reading()
        known = {
            protocol.BUMPS: 3 * reading.bumper,
            protocol.CHARGE: reading.charge,
            protocol.CAPACITY: reading.capacity,
            protocol.LEFT: reading.left,
            protocol.RIGHT: reading.right,
            35: self._mode,
        }
        ids = SIZES if packet == 100 else [packet]
        return b"".join(known.get(i, 0).to_bytes(SIZES.get(i, 0), "big") for i in ids)


def simulator(**options: Any) -> Simulator:
    """Return a simulated Roomba on a pseudo-terminal."""
    return robot_simulator.simulator(SimulatedRoomba, "serial", **options)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the simulator until SIGINT or SIGTERM."""
    return robot_simulator.main(SimulatedRoomba, "serial", "roomba", arguments)
