# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Where the links of a Nao are for given joint positions, standing on the ground. No ROS."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from legacy_robots_geometry.robot_model import Joint, RobotModel
from luar_bridge.model.motion import JOINTS
from luar_bridge.model.robot_description import SOLES

STANCE = (
    0.0, 0.0,
    1.6, 0.15, -1.2, -0.4,
    0.0, 0.0, -0.45, 0.9, -0.45, 0.0,
    0.0, 0.0, -0.45, 0.9, -0.45, 0.0,
    1.6, -0.15, 1.2, 0.4,
)  # fmt: skip
"""A Nao that stands with bent knees: rad in JOINTS' order, for joints that are not reported."""
_LOW_POINTS = np.array(
    [[0.0, 0.0, 0.25], [0.07, 0.0, 0.05], [-0.07, 0.0, 0.05], [0.0, 0.15, 0.0], [0.0, -0.15, 0.0]]
)
"""On head, chest, back and arms: where a Nao that has fallen touches the ground; m, base_link."""

Matrices = NDArray[np.float64]


class LinkPoses:
    """Computes the pose of base_link over the ground, and the rotation of each joint.

    The model's joints turn about the axes of their parent: their origins have no rotation.
    """

    def __init__(self, model: RobotModel) -> None:
        joints = {joint.name: joint for joint in model.joints}
        self.joints = tuple(joints[name] for name in JOINTS)
        """In JOINTS' order."""
        self._axes = np.array([joint.axis for joint in self.joints])
        ways = [_way(model, sole) for sole in SOLES]
        moving = [[joint for joint in way if joint.moves] for way in ways]
        self._legs = np.array([[JOINTS.index(joint.name) for joint in way] for way in moving]).T
        """Indices of the joints from the hips down; shape (6, 2), left and right."""
        offsets = np.array([[joint.origin.translation for joint in way] for way in ways])
        self._offsets = offsets.transpose(1, 0, 2)[..., None]
        """Of each of these joints in its parent, and of the soles; shape (7, 2, 3, 1)."""
        self._cross = np.array([_cross(joint.axis) for joint in self.joints])
        self._cross_twice = self._cross @ self._cross

    def values(self, positions: Sequence[float], roll: float, pitch: float) -> list[float]:
        """Return 3 + 4 numbers of base_link and 4 of each joint, in JOINTS' order.

        These are x, y, z in m in the frame between the feet on the ground, and quaternions x, y,
        z, w. ``positions`` are in rad, ``roll`` and ``pitch`` (rad) the torso's inclination.
        """
        angles = np.asarray(positions, np.float64)
        upright = _about(_cross((0.0, 1.0, 0.0)), pitch) @ _about(_cross((1.0, 0.0, 0.0)), roll)
        places = self._soles(angles) @ upright.T
        x, y = -places[:, :2].mean(axis=0)
        z = -min(places[:, 2].min(), (_LOW_POINTS @ upright.T)[:, 2].min())
        (sr, cr), (sp, cp) = ((np.sin(a / 2.0), np.cos(a / 2.0)) for a in (roll, pitch))
        base = [x, y, z, sr * cp, cr * sp, -sr * sp, cr * cp]
        halves = (angles / 2.0)[:, None]
        turns = np.hstack([np.sin(halves) * self._axes, np.cos(halves)])
        return [float(value) for value in base] + list(map(float, turns.ravel()))

    def _soles(self, angles: Matrices) -> Matrices:
        """Return the places of the soles in base_link, m; shape (2, 3)."""
        sine, cosine = np.sin(angles)[:, None, None], np.cos(angles)[:, None, None]
        turns = np.eye(3) + sine * self._cross + (1.0 - cosine) * self._cross_twice
        places = self._offsets[-1]
        for offset, joints in zip(self._offsets[-2::-1], self._legs[::-1], strict=True):
            places = offset + turns[joints] @ places
        return np.asarray(places[..., 0])


def _way(model: RobotModel, link: str) -> list[Joint]:
    """Return the joints from the torso to a link."""
    above = {joint.child: joint for joint in model.joints}
    way: list[Joint] = []
    while link in above and above[link].parent != "base_link":
        way.insert(0, above[link])
        link = above[link].parent
    return way


def _cross(axis: Sequence[float]) -> Matrices:
    """Return the matrix of the cross product with ``axis``."""
    x, y, z = axis
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


def _about(cross: Matrices, angle: float) -> Matrices:
    turned = np.eye(3) + np.sin(angle) * cross + (1.0 - np.cos(angle)) * (cross @ cross)
    return np.asarray(turned)
