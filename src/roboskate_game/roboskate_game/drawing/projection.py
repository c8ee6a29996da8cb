# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A pinhole camera that is fixed to the board."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from roboskate_game.model.coordinates import BoardInRos
from roboskate_game.protocol.messages import ImageSize

Array = NDArray[np.float64]

NEAR = 0.3
"""Metres; nothing nearer is drawn."""


@dataclass(frozen=True)
class CameraMount:
    """Where the camera is on the board: metres behind and above its centre, rad downwards.

    The real game's camera pose and field of view are not known; these are the simulator's.
    """

    behind: float = 4.0
    above: float = 2.1
    down: float = math.radians(21.0)
    vertical_fov: float = math.radians(60.0)


class Projection:
    """Brings points of odom into the image of one moment.

    Camera coordinates are those of an optical frame: x right, y down, z forward, in metres.
    """

    def __init__(self, board: BoardInRos, mount: CameraMount, size: ImageSize) -> None:
        rotation = np.array(board.rotation)
        cosine, sine = math.cos(mount.down), math.sin(mount.down)
        # Columns: the optical axes in the board's frame.
        optical = np.array([[0.0, -sine, cosine], [-1.0, 0.0, 0.0], [0.0, -cosine, -sine]])
        self._axes = rotation @ optical
        self.origin = np.array(board.position) + rotation @ np.array(
            [-mount.behind, 0.0, mount.above]
        )
        self.focal = size.height / (2.0 * math.tan(mount.vertical_fov / 2.0))
        # Per metre of depth, how far beside the middle the image's edges are, and how much further
        # something of a radius is still seen.
        self._edges = np.array([size.width, size.height]) / (2.0 * self.focal)
        self._reach = np.sqrt(1.0 + self._edges**2)
        self._centre = np.array([size.width / 2.0, size.height / 2.0])

    def into_camera(self, points: Array) -> Array:
        """Return points of shape (…, 3) in camera coordinates."""
        transformed: Array = (points - self.origin) @ self._axes
        return transformed

    def planes(self, points: Array) -> Array:
        """Return points of shape (3, …) in camera coordinates, one array for each of them."""
        moved = points.reshape(3, -1) - self.origin[:, np.newaxis]
        transformed: Array = (self._axes.T @ moved).reshape(points.shape)
        return transformed

    def may_see(self, centres: Array, radii: Array) -> NDArray[np.bool_]:
        """Return which spheres, centres (n, 3) in camera coordinates, may be in the image."""
        beside = np.abs(centres[:, :2]) - self._edges * centres[:, 2:]
        within: NDArray[np.bool_] = beside <= self._reach * radii[:, np.newaxis]
        return within[:, 0] & within[:, 1]

    def direction(self, vector: Array) -> Array:
        """Return a direction of odom in camera coordinates."""
        turned: Array = vector @ self._axes
        return turned

    def pixels(self, points: Array) -> Array:
        """Return where points (…, 3) in camera coordinates, in front of it, are in the image."""
        projected: Array = self.focal * points[..., :2] / points[..., 2:] + self._centre
        return projected


def clipped(polygon: Array) -> Array:
    """Return what of a convex polygon (n, 3) in camera coordinates is beyond NEAR."""
    inside = polygon[:, 2] > NEAR
    if inside.all():
        return polygon
    kept = []
    for i, point in enumerate(polygon):
        before = polygon[i - 1]
        if inside[i] != inside[i - 1]:
            part = (NEAR - before[2]) / (point[2] - before[2])
            kept.append(before + part * (point - before))
        if inside[i]:
            kept.append(point)
    return np.array(kept).reshape(-1, 3)
