# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A simulated KUKA KR 6 with RSI: a plain program without ROS, with faults on request."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from legacy_robots_core.link.tcp import Role
from legacy_robots_simulation.program import Simulator
from legacy_robots_wires import robot_simulator
from legacy_robots_wires.robot_simulator import RobotSimulator

from . import protocol

HOME = (0.0, -0.5 * math.pi, 0.5 * math.pi, 0.0, 0.0, 0.0)


class SimulatedKuka(RobotSimulator):
    """Sends its state each cycle, heard or not, and moves as the answer to it says."""

    period = 0.012
    role = Role.DIAL

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.restart()

    def restart(self) -> None:
        """Begin again."""
        self._axes = list(HOME)
        self._cycle, self._late, self._answered = 0, 0, True

    def message(self, message: bytes) -> None:
        """Move. An answer to another cycle, or one that is wrong, counts as late."""
        try:
            answer = protocol.parse_answer(message)
        except protocol.ProtocolError as error:
            self.log.warning("ignored: %s", error)
            return
        if answer.cycle == self._cycle and not self._answered:
            self._answered = True
            moved = zip(self._axes, answer.corrections, strict=True)
            self._axes = [axis + correction for axis, correction in moved]

    def advance(self, seconds: float) -> None:
        """Begin a cycle."""
        self._late += not self._answered
        self._answered = False
        self._cycle += round(1000 * seconds)
        self.say(protocol.state(self._axes, self._late, self._cycle))


def simulator(**options: Any) -> Simulator:
    """Return a simulated arm."""
    return robot_simulator.simulator(SimulatedKuka, "udp", **options)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the simulator until SIGINT or SIGTERM."""
    return robot_simulator.main(SimulatedKuka, "udp", protocol.PORT, arguments)
