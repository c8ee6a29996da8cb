# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A node that skates by the keyboard of its terminal and by ``sensor_msgs/Joy``."""

from __future__ import annotations

import atexit
import os
import select
import sys
import termios
import time
import tty
from dataclasses import dataclass
from typing import Any

from sensor_msgs.msg import Joy
from std_srvs.srv import Trigger

from legacy_robots_common.goals.remote import RemoteService
from legacy_robots_common.goals.requests import End, Observer
from legacy_robots_common.node import qos
from legacy_robots_common.node.main import run
from legacy_robots_common.node.parameters import declare_parameters, parameter
from legacy_robots_common.node.program_node import ProgramNode
from legacy_robots_msgs.msg import RoboSkateKeys
from legacy_robots_msgs.srv import RoboSkateInitialize
from roboskate_bridge.drivers.messages import keys_message
from roboskate_game.protocol.messages import NO_KEYS, Keys

HELP = (
    "arrows left and right turn the crane, A and D tilt it, W and E its second link; "
    "space releases all, R begins the level again, 0 to 4 load a level, Q ends"
)
_ARROWS = {b"\x1b[C": b"right", b"\x1b[D": b"left", b"\x1bOC": b"right", b"\x1bOD": b"left"}
_PAIRS = ((b"right", b"left"), (b"a", b"d"), (b"w", b"e"))
"""The keys of the game that turn each joint, the positive one first."""


@dataclass(frozen=True)
class Parameters:
    """The parameters of teleop."""

    rate: float = parameter(20.0, "commands a second", minimum=1.0, maximum=1000.0)
    key_hold: float = parameter(
        0.6,
        "seconds for which a press of a key counts: a terminal repeats keys, and tells of no "
        "release",
        minimum=0.05,
        maximum=10.0,
    )
    joy_axes: list[int] = parameter(
        [0, 4, 1], "axes of `joy` for right_left, a_d and w_e; -1: none", items=3
    )
    joy_signs: list[float] = parameter(
        [-1.0, 1.0, 1.0],
        "factors of these axes: of most pads left and up are positive",
        items=3,
    )
    joy_reset: int = parameter(7, "button of `joy` that begins the level again; -1: none")
    joy_timeout: float = parameter(
        0.5, "seconds for which a message of `joy` counts", minimum=0.05, maximum=60.0
    )


class PressedKeys:
    """The keys of a terminal that count as held down, ``hold`` seconds after each press."""

    def __init__(self, hold: float) -> None:
        self._hold = hold
        self._until: dict[bytes, float] = {}
        self._rest = b""

    def press(self, typed: bytes, now: float) -> list[bytes]:
        """Take what a terminal sent at a time (s); return what is no key of the game."""
        data, self._rest = self._rest + typed, b""
        others = []
        while data:
            if data[:1] == b"\x1b":
                if len(data) < 3 and b"\x1b[".startswith(data[:2]):
                    self._rest = data  # the rest of it may come
                    break
                name, data = _ARROWS.get(data[:3], b""), data[3:]
            else:
                name, data = data[:1].lower(), data[1:]
            pair = next((each for each in _PAIRS if name in each), ())
            for key in pair:
                self._until.pop(key, None)
            if pair:
                self._until[name] = now + self._hold
            elif name == b" ":
                self._until.clear()
            elif name:
                others.append(name)
        return others

    def keys(self, now: float) -> Keys:
        """Return what is held down at a time (s)."""
        held = {key for key, until in self._until.items() if now < until}
        return Keys(*(float(plus in held) - float(minus in held) for plus, minus in _PAIRS))


class Teleop(ProgramNode):
    """Sends ``command`` while a key is held down or an axis is off its centre, then once none."""

    def __init__(self, **node_arguments: Any) -> None:
        super().__init__("teleop", namespace="roboskate", **node_arguments)
        self._settings = declare_parameters(self, Parameters)
        self._pressed = PressedKeys(self._settings.key_hold)
        self._joy, self._joy_until, self._was_reset = NO_KEYS, 0.0, False
        self._sent = NO_KEYS
        self._commands = self.create_publisher(RoboSkateKeys, "command", 10)
        self._initialize = RemoteService(self, RoboSkateInitialize, "initialize")
        self._reset = RemoteService(self, Trigger, "reset")

    def start(self) -> None:
        """Begin to read the terminal, if there is one, and ``joy``."""
        self._terminal: int | None = None
        if sys.stdin is not None and sys.stdin.isatty():
            self._terminal = sys.stdin.fileno()
            as_it_was = termios.tcgetattr(self._terminal)
            atexit.register(termios.tcsetattr, self._terminal, termios.TCSADRAIN, as_it_was)
            tty.setcbreak(self._terminal)
            self.get_logger().info(HELP)
        else:
            self.get_logger().info("there is no terminal: joy alone counts")
        self.create_subscription(Joy, "joy", self._on_joy, qos.stream(5))
        self.steady_timer(1.0 / self._settings.rate, self._send)

    def stop(self) -> None:
        """Release the keys."""
        self._commands.publish(keys_message(NO_KEYS))

    def _on_joy(self, message: Joy) -> None:
        settings = self._settings
        values = [
            sign * message.axes[axis] if 0 <= axis < len(message.axes) else 0.0
            for axis, sign in zip(settings.joy_axes, settings.joy_signs, strict=True)
        ]
        self._joy = Keys(*values)
        self._joy_until = time.monotonic() + settings.joy_timeout
        button = settings.joy_reset
        is_reset = 0 <= button < len(message.buttons) and bool(message.buttons[button])
        if is_reset and not self._was_reset:
            self._ask(self._reset, Trigger.Request())
        self._was_reset = is_reset

    def _send(self) -> None:
        now = time.monotonic()
        for name in self._pressed.press(self._typed(), now):
            if name == b"q":
                self.exit_code = 0
            elif name == b"r":
                self._ask(self._reset, Trigger.Request())
            elif name.isdigit():
                self._ask(self._initialize, RoboSkateInitialize.Request(level=int(name)))
        keys = self._pressed.keys(now)
        if keys == NO_KEYS and now < self._joy_until:
            keys = self._joy
        if keys != NO_KEYS or self._sent != NO_KEYS:
            self._commands.publish(keys_message(keys))
        self._sent = keys

    def _typed(self) -> bytes:
        """Return what has been typed since the last call."""
        if self._terminal is None or not select.select([self._terminal], [], [], 0)[0]:
            return b""
        typed = os.read(self._terminal, 1024)
        if not typed:  # the terminal has gone
            self._terminal = None
        return typed

    def _ask(self, service: RemoteService, request: Any) -> None:
        service.send(request, Observer(self._answered))

    def _answered(self, end: End) -> None:
        if not end.succeeded:
            self.get_logger().error(f"the bridge refuses: {end.reason}")


def main() -> None:
    """Run until Q, SIGINT or SIGTERM."""
    sys.exit(run(Teleop, Parameters))
