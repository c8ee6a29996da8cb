# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What a motion asks for beyond the limits of the joints, and what is done about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from luar_tools.keyframes.motion import NAO_JOINTS, KeyframeMotion

POSITION_MODES = ("clamp", "reject")
SPEED_MODES = ("keep", "stretch")
TOLERANCE_RAD = 1e-6
"""Distance beyond a limit that still counts as at it."""
TOLERANCE_SPEED = 0.001
"""How much faster than its limit a joint may be asked to turn, as a fraction."""


class Limits(NamedTuple):
    """Least and greatest position (rad) and greatest speed (rad/s) of a joint."""

    lower: float
    upper: float
    max_speed: float


NAO_LIMITS: Mapping[str, Limits] = {
    name: Limits(*numbers)
    for name, numbers in zip(
        NAO_JOINTS,
        (
            (-2.0857, 2.0857, 8.27),  # HeadYaw
            (-0.672, 0.5149, 7.19),  # HeadPitch
            (-2.0857, 2.0857, 8.27),  # LShoulderPitch
            (-0.3142, 1.3265, 7.19),  # LShoulderRoll
            (-2.0857, 2.0857, 8.27),  # LElbowYaw
            (-1.5446, -0.0349, 7.19),  # LElbowRoll
            (-1.1453, 0.7408, 4.16),  # LHipYawPitch
            (-0.3795, 0.7905, 4.16),  # LHipRoll
            (-1.5359, 0.4841, 6.4),  # LHipPitch
            (-0.0923, 2.1125, 6.4),  # LKneePitch
            (-1.1895, 0.9227, 6.4),  # LAnklePitch
            (-0.3979, 0.769, 4.16),  # LAnkleRoll
            (-1.1453, 0.7408, 4.16),  # RHipYawPitch
            (-0.7905, 0.3795, 4.16),  # RHipRoll
            (-1.5359, 0.4841, 6.4),  # RHipPitch
            (-0.1031, 2.1202, 6.4),  # RKneePitch
            (-1.1864, 0.9321, 6.4),  # RAnklePitch
            (-0.769, 0.3979, 4.16),  # RAnkleRoll
            (-2.0857, 2.0857, 8.27),  # RShoulderPitch
            (-1.3265, 0.3142, 7.19),  # RShoulderRoll
            (-2.0857, 2.0857, 8.27),  # RElbowYaw
            (0.0349, 1.5446, 7.19),  # RElbowRoll
        ),
        strict=True,
    )
}
"""Those of the Nao's URDF, in the order of its servos."""


class LimitsError(Exception):
    """The motion is not of this robot, or goes beyond its limits; the message says where."""


@dataclass(frozen=True)
class Excess:
    """The most by which one joint goes beyond one limit."""

    joint: str
    frame: int
    """The keyframe in which it does, counted from 1."""
    amount: float
    """rad beyond a position, or rad/s of a speed."""
    limit: float
    is_speed: bool = False
    frames: int = 1
    """In how many keyframes it goes beyond this limit."""

    def __str__(self) -> str:
        if self.is_speed:
            return (
                f"{self.joint} turns {self.amount:.2f} rad/s faster than its {self.limit:.2f} "
                f"rad/s on the way to keyframe {self.frame} ({self.frames} in all)"
            )
        return (
            f"{self.joint} is {self.amount:.3f} rad beyond its limit of {self.limit:.3f} rad "
            f"in keyframe {self.frame} ({self.frames} in all)"
        )


def joints_of(motion: KeyframeMotion, limits: Mapping[str, Limits]) -> tuple[str, ...]:
    """Return the joints that a motion moves; ``limits`` names all in the order of their servos.

    Raises LimitsError for a servo that the robot lacks.
    """
    names = tuple(limits)
    if beyond := [servo for servo in motion.servos if servo > len(names)]:
        raise LimitsError(f"servo {beyond[0]} is none of the robot's {len(names)}")
    return tuple(names[servo - 1] for servo in motion.servos)


def excesses(
    motion: KeyframeMotion,
    limits: Mapping[str, Limits],
    start: Sequence[float] | None = None,
) -> list[Excess]:
    """Return where a motion goes beyond ``limits``, a joint and limit once, the worst of each.

    ``start`` is where its servos are before it (rad); without it the first way is not judged.
    Raises LimitsError as joints_of.
    """
    worst: dict[tuple[str, bool, float], Excess] = {}

    def add(found: Excess) -> None:
        key = (found.joint, found.is_speed, found.limit)
        if (old := worst.get(key)) is not None:
            greater = found if found.amount > old.amount else old
            found = replace(greater, frames=old.frames + 1)
        worst[key] = found

    joints = joints_of(motion, limits)
    before = start
    for number, frame in enumerate(motion.keyframes, 1):
        for column, name in enumerate(joints):
            limit, at = limits[name], frame.angles[column]
            for bound, amount in (
                (limit.lower, limit.lower - at),
                (limit.upper, at - limit.upper),
            ):
                if amount > TOLERANCE_RAD:
                    add(Excess(name, number, amount, bound))
            if before is not None:
                speed = abs(at - before[column]) / frame.duration
                if speed > limit.max_speed * (1.0 + TOLERANCE_SPEED):
                    over = speed - limit.max_speed
                    add(Excess(name, number, over, limit.max_speed, is_speed=True))
        before = frame.angles
    return sorted(worst.values(), key=lambda e: (e.is_speed, -e.amount))


def within(
    motion: KeyframeMotion,
    limits: Mapping[str, Limits],
    *,
    positions: str = "clamp",
    speeds: str = "keep",
    start: Sequence[float] | None = None,
) -> tuple[KeyframeMotion, list[str]]:
    """Return the motion as it is played, and in words what of it is not as in the file.

    Parameters
    ----------
    motion, limits
        Of the same robot, as for joints_of.
    positions
        ``clamp``: a joint goes to its limit instead; ``reject``: LimitsError is raised.
    speeds
        ``keep``: durations stay, and the robot is too slow; ``stretch``: they get longer.
    start
        Where the servos are before it (rad).

    """
    if positions not in POSITION_MODES or speeds not in SPEED_MODES:
        raise ValueError(f"{positions!r}, {speeds!r}: not of {POSITION_MODES}, {SPEED_MODES}")
    said = []
    outside = [excess for excess in excesses(motion, limits) if not excess.is_speed]
    if outside and positions == "reject":
        raise LimitsError("; ".join(map(str, outside)))
    if outside:
        motion = _clamped(motion, limits)
        said += [f"clamped: {excess}" for excess in outside]
    fast = [excess for excess in excesses(motion, limits, start) if excess.is_speed]
    if fast and speeds == "stretch":
        longer = _stretched(motion, limits, start)
        said.append(f"stretched from {motion.duration:.2f} to {longer.duration:.2f} s")
        motion = longer
    said += [f"too fast, {'stretched' if speeds == 'stretch' else 'kept'}: {e}" for e in fast]
    return motion, said


def _clamped(motion: KeyframeMotion, limits: Mapping[str, Limits]) -> KeyframeMotion:
    known = [limits[name] for name in joints_of(motion, limits)]
    return replace(
        motion,
        keyframes=tuple(
            replace(
                frame,
                angles=tuple(
                    min(max(angle, limit.lower), limit.upper)
                    for angle, limit in zip(frame.angles, known, strict=True)
                ),
            )
            for frame in motion.keyframes
        ),
    )


def _stretched(
    motion: KeyframeMotion, limits: Mapping[str, Limits], start: Sequence[float] | None
) -> KeyframeMotion:
    frames, joints = [], joints_of(motion, limits)
    before = motion.keyframes[0].angles if start is None else start
    for frame in motion.keyframes:
        least = max(
            abs(angle - old) / limits[name].max_speed
            for name, angle, old in zip(joints, frame.angles, before, strict=True)
        )
        frames.append(replace(frame, duration=max(frame.duration, least)))
        before = frame.angles
    return replace(motion, keyframes=tuple(frames))
