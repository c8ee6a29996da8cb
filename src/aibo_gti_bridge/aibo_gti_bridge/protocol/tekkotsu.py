# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Tekkotsu's own TCP ports on an ERS-7: bytes ⇄ dataclasses, for both ends of the wire.

Source: Tekkotsu 4.0 (docs/originals/aibo.md, 9). Little endian; text lines end with a newline.
A program on the robot starts what listens on the ports: its *behaviours*, from its menu on the
first port.
"""

from __future__ import annotations

import enum
import math
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from aibo_gti_bridge.model.joints import BY_NAME, HEAD, JOINTS, OUTPUTS
from aibo_gti_bridge.model.poses import MAX_FORWARD_M_S, MAX_SIDEWAYS_M_S, MAX_TURN_RAD_S
from aibo_gti_bridge.protocol.codec import ProtocolError
from aibo_gti_bridge.protocol.sensors import BUTTONS, SENSORS


class Door(enum.IntEnum):
    """Tekkotsu's ports, as in its configuration file."""

    CONTROLLER = 10020
    STATE = 10031
    WALK = 10050
    HEAD = 10052
    STOP = 10053

    def beside(self, controller: int) -> int:
        """Return this port where the controller's is another: they keep their distances."""
        return controller + self - Door.CONTROLLER


BEHAVIOURS: Mapping[Door, tuple[str, ...]] = MappingProxyType(
    {
        Door.STATE: ("World State Serializer",),
        Door.WALK: ("Walk Remote Control", "WalkController"),
        Door.HEAD: ("Head Remote Control", "HeadController"),
        Door.STOP: ("-EStopControllerBehavior", "EStopController"),
    }
)
"""What listens on each port, by its names in the menu while it does not run: 4.0's and 5's."""
SELECTION = "".join(
    f'!select "{name}"\n' for names in BEHAVIOURS.values() for name in names
).encode()
"""Starts what does not run: a behaviour that runs has another name in the menu, with a #."""

MODEL = b"ERS-7"
SENT_SENSORS = 11
"""Sensors that the robot sends: the first of :data:`~.sensors.SENSORS`; it has no others."""
_STATE = struct.Struct(
    f"<{len(MODEL) + 1}s3I{OUTPUTS}fI{SENT_SENSORS}fI{len(BUTTONS)}fI{len(JOINTS)}f"
)
_COUNTS = (OUTPUTS, SENT_SENSORS, len(BUTTONS), len(JOINTS))


@dataclass(frozen=True, slots=True)
class WorldState:
    """What the robot sends at each update of its sensors, every 32 ms, in Tekkotsu's order.

    ``time_ms`` is since the robot was switched on. ``outputs`` are the joints (rad), LEDs (0 to 1)
    and ears; ``sensors`` mm, m/s² and so on, see :data:`~.sensors.SENSORS`; ``duties`` of the
    joints' motors, -1 to 1.
    """

    time_ms: int
    frame: int
    outputs: tuple[float, ...]
    sensors: tuple[float, ...]
    buttons: tuple[float, ...]
    duties: tuple[float, ...]

    @property
    def values(self) -> tuple[float, ...]:
        """The values of :data:`~.sensors.READ_NAMES`."""
        missing = (math.nan,) * (len(SENSORS) - SENT_SENSORS)
        return self.outputs[: len(JOINTS)] + self.sensors + missing + self.buttons

    def encode(self) -> bytes:
        """Return the bytes."""
        parts = (self.outputs, self.sensors, self.buttons, self.duties)
        numbers = [number for part in parts for number in (len(part), *part)]
        return _STATE.pack(MODEL, self.time_ms, self.frame, *numbers)


class WorldStateDecoder:
    """Finds the world states in a stream. Errors are ProtocolError; nothing is skipped."""

    def __init__(self) -> None:
        self._data = bytearray()

    def feed(self, data: bytes) -> list[WorldState]:
        """Take ``data``, in pieces of any size; return the states that it completes."""
        self._data += data
        found: list[WorldState] = []
        while self._data:
            name = bytes(self._data[: len(MODEL) + 1])
            if not (MODEL + b"\0").startswith(name):
                shown = bytes(self._data[:16]).partition(b"\0")[0]
                raise ProtocolError(f"no world state of an ERS-7 begins with {shown!r}")
            if len(self._data) < _STATE.size:
                break
            found.append(self._state(_STATE.unpack_from(self._data)))
            del self._data[: _STATE.size]
        return found

    def _state(self, fields: tuple[float, ...]) -> WorldState:
        time_ms, frame, *numbers = fields[1:]
        parts: list[tuple[float, ...]] = []
        for expected in _COUNTS:
            if numbers[0] != expected:
                raise ProtocolError(f"a world state has {numbers[0]} values for {expected}")
            parts.append(tuple(numbers[1 : 1 + expected]))
            numbers = numbers[1 + expected :]
        return WorldState(int(time_ms), int(frame), *parts)

    def end(self) -> None:
        """Check that nothing is cut off. Raises ProtocolError."""
        if self._data:
            raise ProtocolError(f"the stream ends within a world state, after {len(self._data)} B")


_CONTROL = struct.Struct("<cf")


@dataclass(frozen=True, slots=True)
class Control:
    """One command to the walk (f, s, r) or the head (t, p, r), with a fraction of its range."""

    letter: str
    value: float


class ControlDecoder:
    """Finds the commands in a stream; five bytes are always one."""

    def __init__(self) -> None:
        self._data = bytearray()

    def feed(self, data: bytes) -> list[Control]:
        """Take ``data``, in pieces of any size; return the commands that it completes."""
        self._data += data
        whole = len(self._data) // _CONTROL.size * _CONTROL.size
        taken, self._data = self._data[:whole], self._data[whole:]
        return [Control(chr(letter[0]), value) for letter, value in _CONTROL.iter_unpack(taken)]


def _controls(letters: str, values: tuple[float, ...]) -> bytes:
    """Return three commands, to be sent together: the robot keeps the others' last values."""
    if not all(map(math.isfinite, values)):
        raise ProtocolError(f"{values} are not all finite")
    pairs = zip(letters, values, strict=True)
    return b"".join(_CONTROL.pack(letter.encode(), value) for letter, value in pairs)


GAIT = {"f": MAX_FORWARD_M_S, "s": MAX_SIDEWAYS_M_S, "r": MAX_TURN_RAD_S}
"""What the value 1 of each letter is with the default gait: m/s, m/s to the left, rad/s."""
HEAD_LETTERS: Mapping[str, str] = MappingProxyType(dict(zip("tpr", HEAD, strict=True)))
"""The joint that each letter moves; r, "roll", is the nod of an ERS-7."""


def walk(forward: float, left: float, turn: float) -> bytes:
    """Return the commands for a velocity: m/s, m/s, rad/s; at most the gait's."""
    values = zip((forward, left, turn), GAIT.values(), strict=True)
    return _controls("fsr", tuple(min(max(v / most, -1.0), 1.0) for v, most in values))


def head(positions: Mapping[str, float]) -> bytes:
    """Return the commands that point the head: all three of its joints (rad, by name)."""
    return _controls("tpr", tuple(_fraction(name, positions[name]) for name in HEAD))


def _fraction(name: str, angle: float) -> float:
    edge = abs(BY_NAME[name].upper if angle > 0.0 else BY_NAME[name].lower)
    return min(max(angle / edge, -1.0), 1.0) if edge else 0.0


def head_angle(name: str, fraction: float) -> float:
    """Return the angle (rad) that a fraction of a joint's range means to the robot."""
    joint = BY_NAME[name]
    angle = abs(fraction) * (joint.upper if fraction > 0.0 else joint.lower)
    return min(max(angle, joint.lower), joint.upper)
