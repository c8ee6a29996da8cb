# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The robot's end of Tekkotsu's ports: menu, walk, head and emergency stop. No sockets, no ROS.

As Tekkotsu 4.0 does it (docs/originals/aibo.md, 9): the robot starts with its emergency stop on
and only the ports of the menu and of that stop; each command to walk or head sets all three
values, of which the others keep their last ones; without a command for 3 s it stands; five bytes
that were cut off are completed by the next connection.
"""

from __future__ import annotations

import math
import shlex
from collections.abc import Callable, Mapping
from typing import Protocol

from aibo_gti_bridge.model.joints import HEAD, JOINTS, OUTPUTS
from aibo_gti_bridge.protocol.sensors import BUTTONS, SENSORS
from aibo_gti_bridge.protocol.tekkotsu import (
    BEHAVIOURS,
    GAIT,
    HEAD_LETTERS,
    SENT_SENSORS,
    ControlDecoder,
    Door,
    WorldState,
    head_angle,
)

SILENCE_S = 3.0
"""Without a command for this long the robot stands."""
MENU = "TekkotsuMon"
_GUIS = {
    Door.STATE: "WorldStateRecordGUI",
    Door.WALK: "WalkGUI",
    Door.HEAD: "HeadPointGUI",
}
"""The window that Tekkotsu's own tool opens for each."""


class Backend(Protocol):
    """The robot behind the ports: a part of :class:`~.server_session.Backend`."""

    def sensor(self, name: str) -> float:
        """Return the latest value by Tekkotsu's name, in the wire's unit."""

    def move_joints(self, targets: Mapping[str, tuple[float, float]]) -> None:
        """Move joints: by name the target (rad) and the time (s; 0: as fast as possible)."""

    def walk(self, dx: float, dy: float, da: float, steps: int = -1) -> None:
        """Walk with a velocity (m/s, m/s, rad/s)."""

    def stop_everything(self) -> None:
        """Stand and hold all joints."""

    def step(self, seconds: float) -> None:
        """Let ``seconds`` pass."""


class TekkotsuSession:
    """What runs on the robot from when it is switched on.

    Parameters
    ----------
    backend
        The robot.
    send
        Sends bytes to the client of a port, if there is one.
    info, warn
        Take log lines.

    """

    def __init__(
        self,
        backend: Backend,
        send: Callable[[Door, bytes], None],
        info: Callable[[str], None],
        warn: Callable[[str], None],
    ) -> None:
        self._backend = backend
        self._send = send
        self._info, self._warn = info, warn
        self.running = {Door.CONTROLLER, Door.STOP}
        """The ports that something listens on."""
        self.stopped = True
        """Whether the emergency stop is on."""
        self.time = 0.0
        self._walk = dict.fromkeys(GAIT, 0.0)
        self._head = dict.fromkeys(HEAD_LETTERS, 0.0)
        self._silent_at = math.inf
        self._head_is_told = False
        self._hellos = 0
        self._texts = {Door.CONTROLLER: b"", Door.STOP: b""}
        self._controls = {Door.WALK: ControlDecoder(), Door.HEAD: ControlDecoder()}

    def receive(self, door: Door, data: bytes) -> None:
        """Carry out what ``data`` completes, which came at a port."""
        if door in self._controls:
            for control in self._controls[door].feed(data):
                self._control(door, control.letter, control.value)
        elif door in self._texts:
            *lines, self._texts[door] = (self._texts[door] + data).split(b"\n")
            take = self._menu_line if door is Door.CONTROLLER else self._stop_line
            for line in lines:
                take(line.decode("latin-1"))

    def advance(self, seconds: float) -> None:
        """Let time pass."""
        self.time += seconds
        if self.time >= self._silent_at:
            self._silent_at = math.inf
            self._warn(f"no command to walk for {SILENCE_S:g} s: it stands")
            self._walk_at(0.0, 0.0, 0.0)
        self._backend.step(seconds)

    def world_state(self) -> bytes:
        """Return what is sent at an update of the sensors."""
        sensor = self._backend.sensor
        joints = tuple(sensor(joint.tekkotsu) for joint in JOINTS)
        return WorldState(
            round(self.time * 1000.0) & 0xFFFFFFFF,
            round(self.time / 0.008),
            joints + (0.0,) * (OUTPUTS - len(joints)),
            tuple(sensor(one.name) for one in SENSORS[:SENT_SENSORS]),
            tuple(sensor(one.name) for one in BUTTONS),
            (0.0,) * len(JOINTS),
        ).encode()

    def tap_back(self) -> None:
        """Turn the emergency stop on or off, as two taps on the robot's back do."""
        self._set_stopped(not self.stopped)

    # --- walk and head ---------------------------------------------------------------------

    def _control(self, door: Door, letter: str, value: float) -> None:
        values = self._walk if door is Door.WALK else self._head
        if letter not in values:
            self._warn(f"port {door}: unknown command {letter!r}")
        else:
            values[letter] = value
        if door is Door.WALK:
            self._silent_at = self.time + SILENCE_S
        else:
            self._head_is_told = True
        if letter not in values or self.stopped:
            return  # a stopped robot moves when it is released
        if door is Door.WALK:
            self._walk_on()
        else:
            self._turn_head()

    def _walk_on(self) -> None:
        forward, left, turn = (self._walk[letter] * GAIT[letter] for letter in GAIT)
        self._walk_at(forward, left, turn)

    def _walk_at(self, forward: float, left: float, turn: float) -> None:
        self._info(f"<- walk {forward:g} m/s, {left:g} m/s, {turn:g} rad/s")
        self._backend.walk(forward, left, turn)

    def _turn_head(self) -> None:
        angles = {name: head_angle(name, self._head[k]) for k, name in HEAD_LETTERS.items()}
        self._info("<- head " + ", ".join(f"{name} {angles[name]:.3f}" for name in HEAD))
        self._backend.move_joints({name: (angle, 0.0) for name, angle in angles.items()})

    # --- the emergency stop ----------------------------------------------------------------

    def _stop_line(self, line: str) -> None:
        if line in ("start", "stop"):
            self._set_stopped(line == "stop")
        elif line == "refresh":
            self._send(Door.STOP, b"on\n" if self.stopped else b"off\n")
        else:
            self._warn(f"port {Door.STOP}: bad message {line!r}")

    def _set_stopped(self, stopped: bool) -> None:
        if stopped == self.stopped:
            return
        self.stopped = stopped
        self._info(f"the emergency stop is {'on' if stopped else 'off'}")
        if stopped:
            self._backend.stop_everything()
        else:  # it goes on as it was told
            if self._silent_at < math.inf:
                self._walk_on()
            if self._head_is_told:
                self._turn_head()
        self._send(Door.STOP, b"on\n" if stopped else b"off\n")

    # --- the menu --------------------------------------------------------------------------

    def _menu_line(self, line: str) -> None:
        try:
            words = shlex.split(line.removesuffix("\r"))
        except ValueError:
            words = []
        if words[:1] == ["!select"] and len(words) == 2:
            for door in BEHAVIOURS:
                if self._name(door) == words[1]:
                    self._toggle(door)
                    break
            self._refresh()
        elif words in (["!refresh"], ["!reset"]):
            self._refresh()
        elif words == ["!hello"]:
            self._hellos += 1
            self._send(Door.CONTROLLER, f"hello\n{self._hellos}\n".encode())
        elif words == ["!dump_stack"]:
            self._send(Door.CONTROLLER, b"stack_dump\n1\nRoot Control\n")
        elif words[:1] == ["!set"]:
            self._info(f"<- {line}")
        elif line:
            self._warn(f"port {Door.CONTROLLER}: {line!r} is not understood")

    def _name(self, door: Door) -> str:
        """Return the name in the menu, which says whether it runs."""
        name = BEHAVIOURS[door][0]
        return f"#{name.removeprefix('-')}" if door in self.running else name

    def _toggle(self, door: Door) -> None:
        self.running ^= {door}
        starts = door in self.running
        self._info(f"{self._name(door)}: {'started' if starts else 'ended'}")
        gui = _GUIS.get(door)
        window = ""
        if gui is not None and starts:
            window = f"load\norg.tekkotsu.mon.{gui}\n{gui}\n{int(door)}\n\n"
        elif gui is not None:
            window = f"close\n{gui}\n"
        self._send(Door.CONTROLLER, f"push\n{window}pop\n".encode())
        self._refresh()
        if door is Door.WALK:
            self._walk = dict.fromkeys(GAIT, 0.0)
            self._silent_at = math.inf
            self._backend.walk(0.0, 0.0, 0.0)
        elif door is Door.HEAD:
            self._head = dict.fromkeys(HEAD_LETTERS, 0.0)
            self._head_is_told = False

    def _refresh(self) -> None:
        lines = ["refresh", "Root Control", "1", str(len(BEHAVIOURS)), "0", MENU, "0"]
        self._send(Door.CONTROLLER, "\n".join([*lines, "Servers for GUIs", ""]).encode())
