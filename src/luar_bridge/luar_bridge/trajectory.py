# SPDX-License-Identifier: Apache-2.0
"""Joint trajectories: which are accepted, and where the joints are to be when. No ROS.

Between its points a trajectory is followed in straight lines, as the robot's own motors go to the
newest command.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from legacy_robots_common.interpolation import interpolated
from luar_bridge.motion import JOINTS

Angles = tuple[float, ...]


class TrajectoryError(Exception):
    """A trajectory that is refused; ``names`` tells whether the names of joints are the reason."""

    def __init__(self, message: str, *, names: bool = False) -> None:
        super().__init__(message)
        self.names = names


@dataclass(frozen=True)
class Trajectory:
    """Where ``joints`` (indices in JOINTS) are to be: ``angles`` (rad) at ``times`` (s)."""

    joints: tuple[int, ...]
    times: tuple[float, ...]
    angles: tuple[Angles, ...]

    @property
    def names(self) -> list[str]:
        """Names of the joints."""
        return [JOINTS[joint] for joint in self.joints]

    @property
    def duration(self) -> float:
        """Seconds from the start to the last point."""
        return self.times[-1]

    def at(self, time: float, start: Angles) -> Angles:
        """Return the angles at ``time`` (s after the start, at which they were ``start``)."""
        return interpolated(self.times, self.angles, time, start)


def check(names: Sequence[str], points: Sequence[tuple[float, Sequence[float]]]) -> Trajectory:
    """Return the trajectory of joints by name through ``points`` (s from the start; rad).

    Raises TrajectoryError for names that are unknown or come twice, wrong numbers of positions,
    times that do not grow, and angles that no joint has.
    """
    for name in names:
        if name not in JOINTS:
            text = f"{name!r} is no joint of the robot; it has {', '.join(JOINTS)}"
            raise TrajectoryError(text, names=True)
    if not names or len(set(names)) != len(names):
        text = "a joint is named twice" if names else "the trajectory names no joints"
        raise TrajectoryError(text, names=True)
    if not points:
        raise TrajectoryError("the trajectory has no points")
    before = -1.0
    for number, (time, angles) in enumerate(points):
        if len(angles) != len(names):
            raise TrajectoryError(
                f"point {number} has {len(angles)} positions for {len(names)} joints"
            )
        for name, angle in zip(names, angles, strict=True):
            if not abs(angle) <= math.pi:  # nan neither
                raise TrajectoryError(f"point {number}: no joint has {angle:g} rad, as {name}")
        if not max(0.0, before) <= time < math.inf or time == before:
            raise TrajectoryError(
                f"point {number}: time_from_start {time:g} s does not come after "
                f"{max(0.0, before):g} s"
            )
        before = time
    joints = tuple(JOINTS.index(name) for name in names)
    times, angles = zip(*((t, tuple(map(float, a))) for t, a in points), strict=True)
    return Trajectory(joints, times, angles)
