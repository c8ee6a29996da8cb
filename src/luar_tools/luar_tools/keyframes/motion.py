# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A keyframe motion as data."""

from __future__ import annotations

from dataclasses import dataclass

NAO_JOINTS = (
    "HeadYaw", "HeadPitch",
    "LShoulderPitch", "LShoulderRoll", "LElbowYaw", "LElbowRoll",
    "LHipYawPitch", "LHipRoll", "LHipPitch", "LKneePitch", "LAnklePitch", "LAnkleRoll",
    "RHipYawPitch", "RHipRoll", "RHipPitch", "RKneePitch", "RAnklePitch", "RAnkleRoll",
    "RShoulderPitch", "RShoulderRoll", "RElbowYaw", "RElbowRoll",
)  # fmt: skip
"""The joints of servos 1 to 22; source: docs/originals/luar.md, 3."""


@dataclass(frozen=True)
class Keyframe:
    """Where the servos of a motion are to be, and how long they take (s)."""

    angles: tuple[float, ...]
    """rad, one a servo of the motion."""
    duration: float
    stiffness: tuple[float, ...] = ()
    """0 to 1, one a servo: what the original sets. Of another length it sets none."""
    unused_stiffness: tuple[float, ...] = ()
    """What a file calls ``stiffnesses``, a name that the original's player does not read."""


@dataclass(frozen=True)
class KeyframeMotion:
    """A motion: numbers of its servos, counted from 1, and its keyframes."""

    servos: tuple[int, ...]
    keyframes: tuple[Keyframe, ...]

    @property
    def duration(self) -> float:
        """Sum of the durations (s); played, a motion takes up to a cycle a keyframe longer."""
        return sum(frame.duration for frame in self.keyframes)
