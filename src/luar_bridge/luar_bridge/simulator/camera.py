# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What a simulated robot's camera sees: labels, and an image that belongs to them. No ROS."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from luar_bridge.model import field
from luar_bridge.model.pose import Pose, pose_relative
from luar_bridge.protocol.labels import Label, or_blocks, rgb_to_webots_yuyv

CAMERA_HEIGHT = 0.41
"""Metres from the ground to the camera, which here is in the head joint."""

# RGB in which each class is drawn; noise of ±3 never turns one into another.
_COLOURS = {
    0: (90, 90, 110),
    Label.ORANGE: (230, 110, 20),
    Label.YELLOW: (220, 210, 30),
    Label.CYAN: (40, 190, 210),
    Label.FIELD: (30, 120, 40),
    Label.WHITE: (240, 240, 240),
}
_NOISE = 3


@dataclass(frozen=True)
class View:
    """One image, seen from a pose with a head turned by yaw and pitch (down is positive)."""

    labels: NDArray[np.uint8]
    """labelA: shape (height / 2, width / 2)."""
    labels_b: NDArray[np.uint8]
    yuyv: NDArray[np.uint8]
    """Shape (height, width, 2), packed as under Webots."""
    horizon: int
    """Row of labelA in which the horizon lies, kept within the image."""


class Camera:
    """Renders the field. ``width`` and ``height`` (pixels) must be multiples of 8."""

    def __init__(self, width: int = 160, height: int = 120, seed: int = 0) -> None:
        self.width, self.height = width, height
        self.focal = float(width)  # as Luar's Webots camera: 160 pixels at a width of 160
        rows, columns = height // 2, width // 2
        v, u = np.mgrid[0:rows, 0:columns].astype(np.float64)
        # A ray for each pixel of labelA, in the camera: x forward, y left, z up.
        self._rays = np.stack(
            [
                np.ones_like(u),
                (columns / 2 - 0.5 - u) / (self.focal / 2),
                (rows / 2 - 0.5 - v) / (self.focal / 2),
            ],
            axis=-1,
        )
        self.begin_again(seed)
        self._colours = np.zeros((32, 3), np.int16)
        for label, colour in _COLOURS.items():
            self._colours[int(label)] = colour

    def begin_again(self, seed: int) -> None:
        """Have the same noise as a new camera with ``seed``."""
        self._chance = np.random.default_rng(seed)

    def look(self, robot: Pose, yaw: float, pitch: float, ball: tuple[float, float]) -> View:
        """Return what is seen; ``robot`` and ``ball`` in the world, angles in radians."""
        cp, sp = math.cos(pitch), math.sin(pitch)
        cy, sy = math.cos(robot[2] + yaw), math.sin(robot[2] + yaw)
        x, y, z = self._rays[..., 0], self._rays[..., 1], self._rays[..., 2]
        forward, up = cp * x + sp * z, -sp * x + cp * z
        dx, dy = cy * forward - sy * y, sy * forward + cy * y
        labels = self._ground(robot, dx, dy, up)
        self._goals(labels, robot, dx, dy, up)
        self._ball(labels, robot, ball, dx, dy, up)
        horizon = self.height / 4 - math.tan(pitch) * self.focal / 2
        return View(
            labels,
            or_blocks(labels, 4),
            self._colour(labels),
            int(min(max(horizon, 0), self.height // 2 - 1)),
        )

    def place_in_labels_b(
        self, point: tuple[float, float], yaw: float, pitch: float
    ) -> tuple[float, float]:
        """Return where a point on the ground in front (robot's frame) is in labelB, in pixels."""
        ahead = math.cos(yaw) * point[0] + math.sin(yaw) * point[1]
        left = math.cos(yaw) * point[1] - math.sin(yaw) * point[0]
        depth = math.cos(pitch) * ahead + math.sin(pitch) * CAMERA_HEIGHT
        up = math.sin(pitch) * ahead - math.cos(pitch) * CAMERA_HEIGHT
        column = (self.width / 2 - self.focal * left / depth) / 8 - 0.5
        row = (self.height / 2 - self.focal * up / depth) / 8 - 0.5
        last = self.width / 8 - 1, self.height / 8 - 1
        return min(max(column, 0.0), last[0]), min(max(row, 0.0), last[1])

    @staticmethod
    def _ground(
        robot: Pose, dx: NDArray[np.float64], dy: NDArray[np.float64], up: NDArray[np.float64]
    ) -> NDArray[np.uint8]:
        down = np.minimum(up, -1e-6)
        scale = np.where(up < -1e-6, -CAMERA_HEIGHT / down, 1e6)
        gx, gy = robot[0] + scale * dx, robot[1] + scale * dy
        ax, ay = np.abs(gx), np.abs(gy)
        half = field.LINE_WIDTH / 2
        length, width = field.HALF_LENGTH, field.HALF_WIDTH
        on_line = (np.abs(ax - length) < half) & (ay < width + half)
        on_line |= (np.abs(ay - width) < half) & (ax < length + half)
        on_line |= (ax < half) & (ay < width)
        on_line |= np.abs(np.hypot(gx, gy) - field.CIRCLE_RADIUS) < half
        box = length - field.PENALTY_LENGTH
        on_line |= (np.abs(ax - box) < half) & (ay < field.PENALTY_HALF_WIDTH)
        on_line |= (np.abs(ay - field.PENALTY_HALF_WIDTH) < half) & (ax > box) & (ax < length)
        carpet = (ax < length + field.BORDER) & (ay < width + field.BORDER)
        labels = np.where(on_line, Label.WHITE, np.where(carpet, Label.FIELD, 0))
        return np.where(up < -1e-6, labels, 0).astype(np.uint8)

    @staticmethod
    def _goals(
        labels: NDArray[np.uint8],
        robot: Pose,
        dx: NDArray[np.float64],
        dy: NDArray[np.float64],
        up: NDArray[np.float64],
    ) -> None:
        posts = [(p, Label.YELLOW) for p in field.YELLOW_POSTS]
        posts += [(p, Label.CYAN) for p in field.CYAN_POSTS]
        flat = np.hypot(dx, dy)
        for (px, py), label in posts:
            x, y = px - robot[0], py - robot[1]
            distance = max(math.hypot(x, y), 0.1)
            # A ray meets the post when it passes its axis near enough, between ground and top.
            ahead = (dx * x + dy * y) / flat
            aside = np.abs(dx * y - dy * x) / flat
            height = CAMERA_HEIGHT + up / flat * distance
            hit = (ahead > 0) & (aside < field.POST_RADIUS)
            labels[hit & (height > 0) & (height < field.GOAL_HEIGHT)] = label
        for sign, label in ((1.0, Label.YELLOW), (-1.0, Label.CYAN)):
            # The crossbar: a band above the goal line.
            along = sign * dx
            reach = np.where(along > 1e-6, (field.HALF_LENGTH - sign * robot[0]), np.nan)
            reach = reach / np.maximum(along, 1e-6)
            height = CAMERA_HEIGHT + reach * up
            side = np.abs(robot[1] + reach * dy)
            bar = np.abs(height - field.GOAL_HEIGHT) < field.POST_RADIUS
            labels[(reach > 0) & bar & (side < field.GOAL_HALF_WIDTH)] = label

    @staticmethod
    def _ball(
        labels: NDArray[np.uint8],
        robot: Pose,
        ball: tuple[float, float],
        dx: NDArray[np.float64],
        dy: NDArray[np.float64],
        up: NDArray[np.float64],
    ) -> None:
        x, y = ball[0] - robot[0], ball[1] - robot[1]
        z = field.BALL_RADIUS - CAMERA_HEIGHT
        along = dx * x + dy * y + up * z
        square = dx * dx + dy * dy + up * up
        distance = x * x + y * y + z * z - along * along / square
        labels[(along > 0) & (distance < field.BALL_RADIUS**2)] = Label.ORANGE

    def _colour(self, labels: NDArray[np.uint8]) -> NDArray[np.uint8]:
        rgb = self._colours[labels]
        rgb = rgb + self._chance.integers(-_NOISE, _NOISE + 1, rgb.shape, np.int16)
        large = np.repeat(np.repeat(rgb.astype(np.uint8), 2, axis=0), 2, axis=1)
        return rgb_to_webots_yuyv(large)


def in_robot(point: tuple[float, float], robot: Pose) -> tuple[float, float]:
    """Return a point of the world in the robot's frame."""
    x, y, _ = pose_relative((point[0], point[1], 0.0), robot)
    return x, y
