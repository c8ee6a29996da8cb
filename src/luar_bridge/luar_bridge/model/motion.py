# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What motion process and body report: joints, IMU, battery, sonars, walk. Units are SI."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from luar_bridge.model.pose import Pose, midpoint, mod_angle
from luar_bridge.model.snapshots import Memory

JOINTS = (
    "HeadYaw", "HeadPitch",
    "LShoulderPitch", "LShoulderRoll", "LElbowYaw", "LElbowRoll",
    "LHipYawPitch", "LHipRoll", "LHipPitch", "LKneePitch", "LAnklePitch", "LAnkleRoll",
    "RHipYawPitch", "RHipRoll", "RHipPitch", "RKneePitch", "RAnklePitch", "RAnkleRoll",
    "RShoulderPitch", "RShoulderRoll", "RElbowYaw", "RElbowRoll",
)  # fmt: skip
"""The 22 joints in the document's order, by the names of the Nao's URDF.

Source: docs/originals/luar.md, 3.
"""

HEAD_JOINTS = JOINTS[:2]

SONAR_RANGE = (0.0, 2.55)
"""An echo is valid above the first and up to the second, in metres.

Source: docs/originals/luar.md, mcmUs.
"""


def joint_positions(memory: Memory, joints: int = len(JOINTS)) -> tuple[float, ...] | None:
    """Return the angles (rad) in JOINTS' order from dcmSensor, which only a real robot has."""
    return memory.numbers("dcmSensor", "position", joints)


def head_angles(memory: Memory, cameras: Iterable[str]) -> tuple[float, ...] | None:
    """Return yaw and pitch (rad) of the head, from the first of ``cameras`` that has them."""
    reported = (memory.numbers(camera, "headAngles", len(HEAD_JOINTS)) for camera in cameras)
    return next((angles for angles in reported if angles), None)


@dataclass(frozen=True)
class Inertia:
    """Roll and pitch of the torso, and raw readings whose scale is the robot's secret."""

    roll: float
    pitch: float
    acceleration: tuple[float, ...] | None
    rotation: tuple[float, ...] | None
    """x and y and a reference, the offset found at the start taken off where it is known."""


def inertia(memory: Memory) -> Inertia | None:
    """Read the IMU in dcmSensor."""
    angle = memory.all_numbers("dcmSensor", "imuAngle")
    if len(angle) not in (2, 3):
        return None
    rotation = memory.numbers("dcmSensor", "imuGyr", 3)
    offset = memory.numbers("dcmSensor", "imuGyr0", 3)
    if rotation and offset:
        rotation = tuple(r - o for r, o in zip(rotation, offset, strict=True))
    return Inertia(angle[0], angle[1], memory.numbers("dcmSensor", "imuAcc", 3), rotation)


@dataclass(frozen=True)
class Battery:
    """Charge from 0 to 1, and the current in ampere (negative: discharging) if reported."""

    charge: float
    current: float | None


def battery(memory: Memory) -> Battery | None:
    """Read the battery in dcmSensor, or wcmRobot.battery_level of later branches."""
    charge = memory.number("dcmSensor", "batteryCharge")
    if charge is not None:
        return Battery(charge, memory.number("dcmSensor", "batteryCurrent"))
    level = memory.number("wcmRobot", "battery_level")
    return Battery(level, None) if level is not None and 0.0 <= level <= 1.0 else None


def sonar(memory: Memory, side: str) -> tuple[float, ...] | None:
    """Return the echoes of a sonar, ``left`` or ``right``, in metres, as the memory has them."""
    echoes = memory.all_numbers("mcmUs", side)
    if not echoes or not any(echoes):
        echoes = memory.all_numbers("dcmSensor", f"us{side.capitalize()}") or echoes
    return echoes or None


def nearest_echo(echoes: tuple[float, ...]) -> float:
    """Return the first valid echo, the nearest thing, in metres; inf when there is none."""
    low, high = SONAR_RANGE
    return next((echo for echo in echoes if low < echo <= high), math.inf)


@dataclass(frozen=True)
class Walk:
    """The walk engine: torso between the feet, both feet in its odometry."""

    body_offset: Pose | None
    left_foot: Pose
    right_foot: Pose
    still_time: float | None

    @cached_property
    def odometry(self) -> Pose:
        """Half way between the feet, as the original's mcm.get_odometry."""
        x, y, a = midpoint(self.left_foot, self.right_foot)
        return x, y, mod_angle(a)


def walk(memory: Memory) -> Walk | None:
    """Read mcmWalk."""
    return memory.once("mcmWalk", _walk)


def _walk(memory: Memory) -> Walk | None:
    left, right = memory.pose("mcmWalk", "uLeft"), memory.pose("mcmWalk", "uRight")
    if left is None or right is None:
        return None
    still = memory.number("mcmWalk", "stillTime")
    return Walk(memory.pose("mcmWalk", "bodyOffset"), left, right, still)
