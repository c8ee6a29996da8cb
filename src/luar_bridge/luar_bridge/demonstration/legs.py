# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""How far a Nao has walked, by its joints alone: the lower foot does not slip. No ROS."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from legacy_robots_geometry.robot_model import Joint, RobotModel
from legacy_robots_geometry.rotations import matrix_about
from luar_bridge.model.motion import JOINTS
from luar_bridge.model.pose import Pose, pose_global, pose_relative
from luar_bridge.model.robot_description import SOLES, urdf

HYSTERESIS_M = 0.002
"""Metres by which the other foot has to be lower to become the one that stands."""


class Legs:
    """Follows the torso over the ground, which it is upright on; there is no dynamics."""

    def __init__(self, begin: Pose) -> None:
        model = RobotModel(urdf())
        above = {joint.child: joint for joint in model.joints}
        self._ways = [_way(above, sole) for sole in SOLES]
        self._pose = begin
        self._standing = 0
        self._foot: Pose | None = None
        """The standing foot on the ground."""

    def follow(self, positions: Sequence[float]) -> Pose:
        """Return the torso's x, y (m) and heading (rad) for positions in JOINTS' order."""
        angles = dict(zip(JOINTS, positions, strict=True))
        soles = [_sole(way, angles) for way in self._ways]
        feet: list[Pose] = [
            (float(s[0, 3]), float(s[1, 3]), float(np.arctan2(s[1, 0], s[0, 0]))) for s in soles
        ]
        if self._foot is not None:
            at = pose_relative((0.0, 0.0, 0.0), feet[self._standing])
            self._pose = pose_global(at, self._foot)
        heights = [float(sole[2, 3]) for sole in soles]
        other = 1 - self._standing
        if heights[other] < heights[self._standing] - HYSTERESIS_M or self._foot is None:
            self._standing = other if self._foot is not None else self._standing
            self._foot = pose_global(feet[self._standing], self._pose)
        return self._pose


def _way(above: dict[str, Joint], link: str) -> list[Joint]:
    """Return the joints from base_link to a link."""
    way: list[Joint] = []
    while link in above:
        way.insert(0, above[link])
        link = above[link].parent
    return way


def _sole(way: Sequence[Joint], angles: dict[str, float]) -> NDArray[np.float64]:
    """Return the pose of the last link in the first, shape (4, 4)."""
    pose = np.eye(4)
    for joint in way:
        step = np.eye(4)
        step[:3, 3] = joint.origin.translation
        if joint.moves:  # the model's joints turn about the axes of their parent
            step[:3, :3] = matrix_about(joint.axis, angles.get(joint.name, 0.0))
        pose = pose @ step
    return pose
