# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What a simulated robot's sonar and vision report of a scene, as variables of its segments."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from typing import TypeAlias

from luar_bridge.model import field
from luar_bridge.protocol.labels import Label
from luar_bridge.simulator.camera import CAMERA_HEIGHT, Camera, View, in_robot
from luar_bridge.simulator.world import SoccerScene

Value: TypeAlias = float | tuple[float, ...] | list[float]
"""Of a variable."""
_GOALS = (
    (Label.YELLOW, 2.0, field.YELLOW_POSTS),
    (Label.CYAN, 4.0, field.CYAN_POSTS),
)
"""Label, ``color`` and posts of each."""


def camera_pitch(scene: SoccerScene) -> float:
    """Return how far down the selected camera looks, in radians."""
    return scene.head_pitch + (0.7 if scene.camera else 0.0)


def echoes(scene: SoccerScene, chance: random.Random) -> list[float]:
    """Return echoes (m) of the field's border straight ahead, where it is near enough."""
    x, y, a = scene.pose
    reach = [math.inf]
    for place, direction, half in (
        (x, math.cos(a), field.HALF_LENGTH + field.BORDER),
        (y, math.sin(a), field.HALF_WIDTH + field.BORDER),
    ):
        if abs(direction) > 1e-6:
            reach.append((math.copysign(half, direction) - place) / direction)
    distance = min(reach)
    first = distance + chance.gauss(0.0, 0.01) if distance < 2.55 else 0.0
    return [max(0.0, first), *[0.0] * 9]


def ball(scene: SoccerScene, view: View, chance: random.Random) -> Mapping[str, Value]:
    """Return vcmBall."""
    rows, columns = (view.labels == Label.ORANGE).nonzero()
    if len(rows) < 2:
        return {"detect": 0.0}
    x, y = (c + chance.gauss(0.0, 0.01) for c in scene.ball_in_robot)
    distance = math.hypot(x, y)
    width = float(columns.max() - columns.min() + 1)
    return {
        "detect": 1.0,
        "centroid": (float(columns.mean()), float(rows.mean())),
        "axisMajor": width,
        "axisMinor": width,
        "v": (x, y, field.BALL_RADIUS - CAMERA_HEIGHT, 1.0),
        "r": distance,
        "dr": 0.25 * distance,
        "da": math.radians(10.0),
    }


def goal(scene: SoccerScene, view: View) -> Mapping[str, Value]:
    """Return vcmGoal: the first goal of which the image has enough and a post is in view."""
    half_view = math.atan(0.5)
    for label, color, posts in _GOALS:
        if int((view.labels == label).sum()) < 12:
            continue
        seen = []
        for side, post in enumerate(posts, 1):
            x, y = in_robot(post, scene.pose)
            if abs(math.atan2(y, x) - scene.head_yaw) < half_view:
                seen.append((side, (x, y, -CAMERA_HEIGHT, 1.0)))
        if not seen:
            continue
        second = seen[1][1] if len(seen) == 2 else (0.0,) * 4
        kind = 3.0 if len(seen) == 2 else float(seen[0][0])
        rows, columns = (view.labels_b & label).nonzero()
        box = [float(f(axis)) for axis in (columns, rows) for f in (min, max)]
        posts_seen: dict[str, Value] = {"type": kind, "v1": seen[0][1], "v2": second}
        boxes = {"postBoundingBox1": box, "postBoundingBox2": box}
        return {"detect": 1.0, "color": color, **posts_seen, **boxes}
    return {"detect": 0.0}


def line(scene: SoccerScene, camera: Camera | None) -> Mapping[str, Value]:
    """Return vcmLine: the line of which most is in view.

    With ``camera`` as in the layouts that have several lines, with end points in pixels.
    """
    best: list[tuple[float, float]] = []
    for start, end in field.LINES:
        (x1, y1), (x2, y2) = in_robot(start, scene.pose), in_robot(end, scene.pose)
        inside = []
        for i in range(21):
            x, y = x1 + (x2 - x1) * i / 20, y1 + (y2 - y1) * i / 20
            if 0.2 < math.hypot(x, y) < 2.5 and abs(math.atan2(y, x) - scene.head_yaw) < 0.4:
                inside.append((x, y))
        if len(inside) >= 3 and len(inside) > len(best):
            best = inside
    if not best:
        return {"detect": 0.0}
    (x1, y1), (x2, y2) = ends = best[0], best[-1]
    centre = ((x1 + x2) / 2, (y1 + y2) / 2, -CAMERA_HEIGHT, 1.0)
    angle = math.atan2(y2 - y1, x2 - x1)
    found: dict[str, Value] = {"detect": 1.0, "angle": angle, "v": centre}
    if camera is None:
        return {**found, "vcentroid": centre}
    rest = [0.0] * 9
    found |= {"nLines": 1.0, "v1x": [x1, *rest], "v1y": [y1, *rest]}
    found |= {"v2x": [x2, *rest], "v2y": [y2, *rest]}
    for which, point in enumerate(ends, 1):
        u, v = camera.place_in_labels_b(point, scene.head_yaw, camera_pitch(scene))
        found |= {f"endpoint{which}1": [u, *rest], f"endpoint{which}2": [v, *rest]}
    return found
