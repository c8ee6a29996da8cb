# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Detections of any camera as the camera of an ERS-7 would have them: pure functions, no ROS.

A direction in which another camera sees something is where the dog's camera would see it in its
own image; what is outside of that image the dog does not see.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import hypot, pi
from typing import Any

from aibo_gti_bridge.model.kinematics import IMAGE_SCALE, IMAGE_TOP
from aibo_gti_bridge.protocol.sensors import BallView

BALL_RADIUS_M = 0.05
"""Radius of a ball of which only the place is known."""
_NOTHING = BallView(False, 0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Camera:
    """A pinhole camera: focal lengths and principal point, pixels."""

    fx: float
    fy: float
    cx: float
    cy: float


def _seen(right: float, down: float, area: float) -> BallView:
    """Return a view, given tangents to the right and down and the area in tangents squared."""
    x, y = right / IMAGE_SCALE, down / IMAGE_SCALE
    if abs(x) > 1.0 or abs(y) > IMAGE_TOP:
        return _NOTHING
    return BallView(True, x, y, area / IMAGE_SCALE**2)


def view_of_2d(detections: Iterable[Any], classes: Sequence[str], camera: Camera) -> BallView:
    """Return the largest of the vision_msgs/Detection2D ``detections`` of some ``classes``."""
    best = _NOTHING
    for detection in detections:
        if not any(result.hypothesis.class_id in classes for result in detection.results):
            continue
        box = detection.bbox
        width, height = box.size_x / camera.fx, box.size_y / camera.fy
        view = _seen(
            (box.center.position.x - camera.cx) / camera.fx,
            (box.center.position.y - camera.cy) / camera.fy,
            pi / 4.0 * width * height,
        )
        if view.visible and view.area > best.area:
            best = view
    return best


def view_of_3d(places: Iterable[Any], camera: tuple[float, float, float]) -> BallView:
    """Return the nearest ball of ``places`` (m, x forward, y left, z up), seen from ``camera``.

    ``camera`` is its place in the same frame; it looks along x.
    """
    best = _NOTHING
    for place in places:
        forward, left, up = (
            value - eye for value, eye in zip((place.x, place.y, place.z), camera, strict=True)
        )
        if forward < BALL_RADIUS_M:
            continue
        radius = BALL_RADIUS_M / hypot(forward, left, up)
        view = _seen(-left / forward, -up / forward, pi * radius**2)
        if view.visible and view.area > best.area:
            best = view
    return best
