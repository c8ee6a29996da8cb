# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The simulated dog's room: walls, boxes, balls, and what a ray meets. Metres."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import hypot, inf, sqrt

import numpy as np

from aibo_gti_bridge.model.kinematics import Vector

BALL_RADIUS = 0.045
_FRICTION = 0.25
"""m/s² by which a rolling ball slows down."""
_BOUNCE = 0.5


@dataclass
class Ball:
    """A ball on the floor; ``colour`` by the name in the wire table."""

    colour: str
    x: float
    y: float
    vx: float = 0.0
    vy: float = 0.0
    radius: float = BALL_RADIUS

    @property
    def centre(self) -> Vector:
        """Its centre."""
        return np.array([self.x, self.y, self.radius])


@dataclass(frozen=True)
class Box:
    """A box on the floor, its sides along the room's; centre, size and height."""

    x: float
    y: float
    width: float
    depth: float
    height: float


def _default_balls() -> list[Ball]:
    return [Ball("pink", 0.30, 0.80)]


def _default_boxes() -> list[Box]:
    return [Box(0.95, -0.65, 0.30, 0.40, 0.25)]


@dataclass
class Room:
    """A rectangle around the origin with walls that are higher than the dog."""

    width: float = 3.0
    """Along x."""
    depth: float = 2.4
    """Along y."""
    balls: list[Ball] = field(default_factory=_default_balls)
    boxes: list[Box] = field(default_factory=_default_boxes)

    def distance(self, origin: Vector, direction: Vector, *, balls: bool = True) -> float:
        """Return how far a ray goes from ``origin`` along the unit vector ``direction``."""
        ox, oy, oz = (float(v) for v in origin)
        dx, dy, dz = (float(v) for v in direction)
        nearest = -oz / dz if dz < 0 else inf
        for o, d, half in ((ox, dx, self.width / 2), (oy, dy, self.depth / 2)):
            if d:
                nearest = min(nearest, ((half if d > 0 else -half) - o) / d)
        for box in self.boxes:
            nearest = min(nearest, _ray_box((ox, oy, oz), (dx, dy, dz), box))
        if balls:
            for ball in self.balls:
                nearest = min(nearest, _ray_sphere((ox, oy, oz), (dx, dy, dz), ball))
        return max(nearest, 0.0)

    def allowed(self, x: float, y: float, radius: float) -> tuple[float, float]:
        """Return the place nearest to (x, y) where something round touches nothing."""
        x = min(max(x, -self.width / 2 + radius), self.width / 2 - radius)
        y = min(max(y, -self.depth / 2 + radius), self.depth / 2 - radius)
        for box in self.boxes:
            nearest_x = min(max(x, box.x - box.width / 2), box.x + box.width / 2)
            nearest_y = min(max(y, box.y - box.depth / 2), box.y + box.depth / 2)
            gap = hypot(x - nearest_x, y - nearest_y)
            if 0.0 < gap < radius:
                x = nearest_x + (x - nearest_x) * radius / gap
                y = nearest_y + (y - nearest_y) * radius / gap
        return x, y

    def step(self, seconds: float, x: float, y: float, radius: float) -> None:
        """Let the balls roll, pushed by a round dog of ``radius`` at (x, y)."""
        for ball in self.balls:
            gap = hypot(ball.x - x, ball.y - y)
            reach = radius + ball.radius
            if 0.0 < gap < reach:
                push = reach - gap
                ux, uy = (ball.x - x) / gap, (ball.y - y) / gap
                ball.x, ball.y = ball.x + ux * push, ball.y + uy * push
                ball.vx, ball.vy = ux * push / seconds, uy * push / seconds
            speed = hypot(ball.vx, ball.vy)
            if speed:
                slower = max(0.0, speed - _FRICTION * seconds) / speed
                ball.vx, ball.vy = ball.vx * slower, ball.vy * slower
                wanted = ball.x + ball.vx * seconds, ball.y + ball.vy * seconds
                ball.x, ball.y = self.allowed(*wanted, ball.radius)
                if ball.x != wanted[0]:
                    ball.vx *= -_BOUNCE
                if ball.y != wanted[1]:
                    ball.vy *= -_BOUNCE


_Triple = tuple[float, float, float]


def _ray_box(origin: _Triple, direction: _Triple, box: Box) -> float:
    low = (box.x - box.width / 2, box.y - box.depth / 2, 0.0)
    high = (box.x + box.width / 2, box.y + box.depth / 2, box.height)
    enter, leave = 0.0, inf
    for o, d, a, b in zip(origin, direction, low, high, strict=True):
        if d == 0.0:
            if not a <= o <= b:
                return inf
            continue
        first, second = sorted(((a - o) / d, (b - o) / d))
        enter, leave = max(enter, first), min(leave, second)
    return enter if enter <= leave else inf


def _ray_sphere(origin: _Triple, direction: _Triple, ball: Ball) -> float:
    to = (ball.x - origin[0], ball.y - origin[1], ball.radius - origin[2])
    along = sum(a * b for a, b in zip(to, direction, strict=True))
    if along <= 0:
        return inf
    off = sum(a * a for a in to) - along * along
    if off > ball.radius**2:
        return inf
    return along - sqrt(ball.radius**2 - off)
