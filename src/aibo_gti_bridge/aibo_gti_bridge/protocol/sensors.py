# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What an ERS-7 measures: joints, buttons and sensors, and balls in its image.

Source: docs/originals/aibo.md, 5 and 8.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType

from aibo_gti_bridge.model.joints import JOINTS
from aibo_gti_bridge.model.kinematics import IMAGE_TOP
from aibo_gti_bridge.protocol.commands import Ball


@dataclass(frozen=True)
class Button:
    """A button of Tekkotsu's list; reads 0 to 1, capacitive ones also more."""

    name: str
    field: str
    capacitive: bool = False


@dataclass(frozen=True)
class Sensor:
    """A sensor of Tekkotsu's list with its unit on the wire and the range it measures.

    A distance sensor is a ``part`` of the body, in :data:`~..model.chains.CHAINS`; its ``topic``
    has what it measures every ``period`` (s).
    """

    name: str
    unit: str
    minimum: float
    maximum: float
    part: str = ""
    topic: str = ""
    period: float = 0.0


BUTTONS = (
    Button("LFrPaw", "lf_paw"),
    Button("RFrPaw", "rf_paw"),
    Button("LBkPaw", "lb_paw"),
    Button("RBkPaw", "rb_paw"),
    Button("ChinBut", "chin"),
    Button("HeadBut", "head", capacitive=True),
    Button("FrontBackBut", "front_back", capacitive=True),
    Button("MiddleBackBut", "middle_back", capacitive=True),
    Button("RearBackBut", "rear_back", capacitive=True),
    Button("WirelessSw", "wireless_switch"),
)
PRESSED = 0.1
"""From this value on a button counts as pressed."""

SENSORS = (
    Sensor("NearIRDist", "mm", 50.0, 500.0, "near_ir", "range/near", 0.050),
    Sensor("FarIRDist", "mm", 200.0, 1500.0, "far_ir", "range/far", 0.050),
    Sensor("ChestIRDist", "mm", 100.0, 900.0, "chest_ir", "range/chest", 0.040),
    Sensor("BAccel", "m/s²", -19.6133, 19.6133),
    Sensor("LAccel", "m/s²", -19.6133, 19.6133),
    Sensor("DAccel", "m/s²", -19.6133, 19.6133),
    Sensor("PowerRemain", "1", 0.0, 1.0),
    Sensor("PowerThermo", "°C", -40.0, 125.0),
    Sensor("PowerCapacity", "mAh", 0.0, 10000.0),
    Sensor("PowerVoltage", "V", 0.0, 20.0),
    Sensor("PowerCurrent", "mA", -10000.0, 10000.0),
)
"""In Tekkotsu's order. A further one needs its number in the wire table, too; the simulator has no
value of it, and Tekkotsu's own ports send none."""
BY_NAME: Mapping[str, Sensor] = MappingProxyType({sensor.name: sensor for sensor in SENSORS})
DISTANCE_SENSORS = tuple(sensor for sensor in SENSORS if sensor.part)

_FULL_TURN = 2.0 * math.pi


def _plausible() -> Mapping[str, tuple[float, float]]:
    table = {joint.tekkotsu: (-_FULL_TURN, _FULL_TURN) for joint in JOINTS}
    table.update({button.name: (-0.5, 10.0) for button in BUTTONS})
    for sensor in SENSORS:
        margin = sensor.maximum - sensor.minimum
        table[sensor.name] = (sensor.minimum - margin, sensor.maximum + margin)
    return MappingProxyType(table)


PLAUSIBLE = _plausible()
"""For each name the values that the robot can possibly report, generously."""


READ_NAMES = (
    *(joint.tekkotsu for joint in JOINTS),
    *(sensor.name for sensor in SENSORS),
    *(button.name for button in BUTTONS),
)
"""Everything that the bridge reads in one query_sensors, in this order."""
_BOUNDS = tuple(PLAUSIBLE[name] for name in READ_NAMES)


def implausible(values: Sequence[float]) -> str | None:
    """Say which of the values of READ_NAMES no ERS-7 can report, or return None.

    Replies carry no header: this is the only way to notice that the stream has lost its place.
    NaN (not available) is plausible.
    """
    for index, (value, (low, high)) in enumerate(zip(values, _BOUNDS, strict=True)):
        # Two comparisons that are both false for nan: this runs for every value of every reading.
        if value < low or value > high:
            return f"{READ_NAMES[index]} cannot be {value:g}"
    return None


_FIRST_SENSOR = len(JOINTS)
_FIRST_BUTTON = _FIRST_SENSOR + len(SENSORS)
_INDEX = {sensor.name: index for index, sensor in enumerate(SENSORS, _FIRST_SENSOR)}


@dataclass(frozen=True)
class Reading:
    """The answer to one query_sensors about READ_NAMES, in the units of the wire.

    ``time`` is when it was measured, on the monotonic clock (s): half-way between question and
    answer. NaN stands for what the robot has no value of.
    """

    time: float
    values: tuple[float, ...]

    @property
    def joints(self) -> tuple[float, ...]:
        """Positions (rad) in the order of JOINTS."""
        return self.values[:_FIRST_SENSOR]

    @property
    def sensors(self) -> tuple[float, ...]:
        """Values in the order of SENSORS."""
        return self.values[_FIRST_SENSOR:_FIRST_BUTTON]

    def sensor(self, name: str) -> float:
        """Return the value of the sensor with Tekkotsu's ``name``."""
        return self.values[_INDEX[name]]

    @property
    def buttons(self) -> tuple[float, ...]:
        """Values in the order of BUTTONS."""
        return self.values[_FIRST_BUTTON:]

    @cached_property
    def positions(self) -> Mapping[str, float]:
        """Positions (rad) by our joint names, of the joints that have one."""
        return {
            joint.name: position
            for joint, position in zip(JOINTS, self.joints, strict=True)
            if not math.isnan(position)
        }


IMAGE_MARGIN = 0.5
"""Generalised image units beyond the image's edge in which a ball is still plausible."""
MAX_BALL_AREA = 8.0


@dataclass(frozen=True)
class BallView:
    """What the camera sees of a ball, in generalised image units (docs/originals/aibo.md, 5).

    ``x`` from -1 (left) to 1 (right); ``y`` grows down at the same scale, to about ±0.77; ``area``
    of its region in the same units squared. All zero while it is not ``visible``.
    """

    visible: bool
    x: float
    y: float
    area: float

    @classmethod
    def of(cls, reply: Ball) -> BallView:
        """Return what a reply says."""
        if not reply.visible:
            return cls(False, 0.0, 0.0, 0.0)
        return cls(True, reply.x, reply.y, reply.area)

    def implausible(self) -> str | None:
        """Say why no camera can see this, or return None."""
        inside = abs(self.x) <= 1.0 + IMAGE_MARGIN and abs(self.y) <= IMAGE_TOP + IMAGE_MARGIN
        if inside and self.area <= MAX_BALL_AREA:
            return None
        return f"a ball cannot be at ({self.x:g}, {self.y:g}), area {self.area:g}"


@dataclass(frozen=True)
class BallSeen:
    """The answer to one query_ball; ``time`` as in Reading."""

    time: float
    colour: str
    view: BallView
