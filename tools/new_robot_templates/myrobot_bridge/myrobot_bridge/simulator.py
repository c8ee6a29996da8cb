# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A simulated Myrobot: a plain program without ROS, with faults on request."""

from __future__ import annotations

# --- if base drone
import math
# --- end
from collections.abc import Sequence
from typing import Any

from legacy_robots_simulation.program import Simulator
from legacy_robots_wires import robot_simulator
from legacy_robots_wires.robot_simulator import RobotSimulator

# --- if plain base drone
from .protocol import PING, STOP, ProtocolError, number
# --- end
# --- if arm
from .protocol import JOINTS, PING, STOP, ProtocolError, number
# --- end

# --- if serial
WIRE = "serial"
DEFAULT = "myrobot"
# --- end
# --- if tcp sdk
WIRE = "tcp"
DEFAULT = 7000
# --- end
# --- if udp
WIRE = "udp"
DEFAULT = 7000
# --- end
# --- if websocket
WIRE = "websocket"
DEFAULT = 7000
# --- end


# --- if plain
SPEED = 0.05
"""m/s."""
BLOCKED_BELOW = 0.01
"""m: something is in the way there."""


class SimulatedMyrobot(RobotSimulator):
    """Goes to a position, and is blocked below BLOCKED_BELOW. A line a message."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.restart()

    def restart(self) -> None:
        """Begin again."""
        self._position = self._target = 0.05
        self._moving = False

    def link_lost(self) -> None:
        """Stop."""
        self._moving = False

    def message(self, message: bytes) -> None:
        """Do what a line says. Raises ProtocolError, which ends the connection."""
        if message == PING:
            return
        self.log.info("<- %s", message.decode("ascii", "replace"))
        match message.split():
            case [b"MOVE", position]:
                self._target, self._moving = number(position), True
            case [word] if word == STOP:
                self._moving = False
            case _:
                raise ProtocolError("this is no command")

    def advance(self, seconds: float) -> None:
        """Go on, and say the position; an end comes after the position where it is."""
        step = SPEED * seconds if self._moving else 0.0
        wanted = min(max(self._target, self._position - step), self._position + step)
        self._position = max(wanted, BLOCKED_BELOW)
        self.say(f"STATE {self._position:.4f}".encode())
        if self._moving and (self._position == self._target or wanted < BLOCKED_BELOW):
            self._moving = False
            word = "DONE" if self._position == self._target else "BLOCKED"
            self.log.info("-> %s at %.3f m", word, self._position)
            self.say(word.encode())


# --- end
# --- if base
WALL = 3.0
"""m: a wall in front of where it begins; the bumper is pressed there."""


class SimulatedMyrobot(RobotSimulator):
    """Drives on two wheels before a wall, and measures how far it has driven."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.restart()

    def restart(self) -> None:
        """Begin again."""
        self._x = self._y = self._yaw = self._speed = self._turning = self._driven = 0.0
        self._battery = 1.0

    def place(self) -> tuple[float, float, float]:
        """Return where it is."""
        return self._x, self._y, self._yaw

    def link_lost(self) -> None:
        """Stop."""
        self._speed = self._turning = 0.0

    def message(self, message: bytes) -> None:
        """Do what a line says. Raises ProtocolError, which ends the connection."""
        match message.split():
            case [b"DRIVE", forward, turn]:
                self._speed, self._turning = number(forward), number(turn)
            case [word] if word == STOP:
                self._speed = self._turning = 0.0
            case [word] if word == PING:
                pass
            case _:
                raise ProtocolError("this is no command")

    def advance(self, seconds: float) -> None:
        """Drive, and say how far it went in all."""
        driven, turned = self._speed * seconds, self._turning * seconds
        heading = self._yaw + 0.5 * turned
        if self._x + driven * math.cos(heading) > WALL:
            driven = 0.0
        self._x += driven * math.cos(heading)
        self._y += driven * math.sin(heading)
        self._yaw += turned
        self._driven += driven
        self._battery = max(0.0, self._battery - 0.00001)
        bumper = int(self._speed > 0.0 and driven == 0.0)
        away = min(max(WALL - self._x, 0.0), 4.0)
        values = f"{self._driven:.5f} {self._yaw:.5f} {self._battery:.4f} {bumper} {away:.3f}"
        self.say(f"STATE {values}".encode())


# --- end
# --- if arm
SPEED = 2.0
"""rad/s of each joint."""


class SimulatedMyrobot(RobotSimulator):
    """Has joints that go where they are sent, at SPEED."""

    period = 0.05

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.restart()

    def restart(self) -> None:
        """Begin again."""
        self._joints = self._targets = [0.0] * JOINTS

    def link_lost(self) -> None:
        """Stop."""
        self._targets = list(self._joints)

    def message(self, message: bytes) -> None:
        """Do what a line says. Raises ProtocolError, which ends the connection."""
        match message.split():
            case [b"MOVE", *positions] if len(positions) == JOINTS:
                self._targets = [number(position) for position in positions]
            case [word] if word == STOP:
                self.link_lost()
            case [word] if word == PING:
                pass
            case _:
                raise ProtocolError("this is no command")

    def advance(self, seconds: float) -> None:
        """Move, and say where the joints are."""
        step = SPEED * seconds
        pairs = zip(self._joints, self._targets, strict=True)
        self._joints = [min(max(to, now - step), now + step) for now, to in pairs]
        self.say(" ".join(["STATE", *(f"{joint:.4f}" for joint in self._joints)]).encode())


# --- end
# --- if drone
CLIMB = 0.8
"""m/s, when it takes off and lands."""


class SimulatedMyrobot(RobotSimulator):
    """Flies, and measures altitude and pose; it hovers without commands."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.restart()

    def restart(self) -> None:
        """Begin again."""
        self._x = self._y = self._yaw = self._altitude = 0.0
        self._target: float | None = None
        self._velocity = [0.0] * 4
        self._battery = 1.0

    def place(self) -> tuple[float, float, float]:
        """Return where it is."""
        return self._x, self._y, self._yaw

    def link_lost(self) -> None:
        """Hover."""
        self._velocity = [0.0] * 4

    def message(self, message: bytes) -> None:
        """Do what a line says. Raises ProtocolError, which ends the connection."""
        if message not in (PING, STOP):
            self.log.info("<- %s", message.decode("ascii", "replace"))
        match message.split():
            case [b"TAKEOFF", altitude]:
                self._target = max(0.1, number(altitude))
            case [b"LAND"]:
                self._target = 0.0
                self.link_lost()
            case [b"FLY", *velocity] if len(velocity) == 4:
                self._velocity = [number(part) for part in velocity]
            case [word] if word == STOP:
                self.link_lost()
            case [word] if word == PING:
                pass
            case _:
                raise ProtocolError("this is no command")

    def advance(self, seconds: float) -> None:
        """Fly, and say where it is."""
        if self._target is not None:
            step = CLIMB * seconds
            at, target = self._altitude, self._target
            self._altitude = min(max(target, at - step), at + step)
            if self._altitude == target:
                self._target = None
                self.log.info("-> %s at %.2f m", "hovers" if target else "has landed", target)
        elif self._altitude:
            forward, left, turn, upward = (part * seconds for part in self._velocity)
            cosine, sine = math.cos(self._yaw), math.sin(self._yaw)
            self._x += forward * cosine - left * sine
            self._y += forward * sine + left * cosine
            self._yaw = math.remainder(self._yaw + turn, math.tau)
            self._altitude = max(0.1, self._altitude + upward)
        state = "LANDED" if not self._altitude else "HOVERS" if self._target is None else "MOVES"
        place = f"{self._x:.3f} {self._y:.3f} {self._altitude:.3f} {self._yaw:.3f}"
        self.say(f"STATE {state} {place} {self._battery:.3f}".encode())


# --- end
def simulator(**options: Any) -> Simulator:
    """Return a simulated Myrobot on its wire."""
    return robot_simulator.simulator(SimulatedMyrobot, WIRE, **options)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the simulator until SIGINT or SIGTERM."""
    return robot_simulator.main(SimulatedMyrobot, WIRE, DEFAULT, arguments)
