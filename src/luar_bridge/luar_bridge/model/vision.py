# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What the robot sees in an image: ball, goal posts, lines. Metres and radians, robot's frame."""

from __future__ import annotations

import math
from dataclasses import dataclass

from luar_bridge.model.snapshots import Memory


def detected(memory: Memory, segment: str) -> bool | None:
    """Return whether a detection says that it sees something; None without such a segment."""
    detect = memory.number(segment, "detect")
    return None if detect is None else detect == 1.0


@dataclass(frozen=True)
class SeenBall:
    """A ball in one image."""

    position: tuple[float, float, float]
    """x forward, y left, z up from the ground below the robot."""


def seen_ball(memory: Memory, camera_height: float) -> SeenBall | None:
    """Read vcmBall; None when no ball is seen. v's origin is ``camera_height`` up (m)."""
    v = memory.numbers("vcmBall", "v", 4)
    if not detected(memory, "vcmBall") or v is None:
        return None
    return SeenBall(_above_ground(v, camera_height))


def ball_deviations(memory: Memory) -> tuple[float, float] | None:
    """Return the standard deviations of range (m) and bearing (rad) of a ball that is seen."""
    dr, da = memory.number("vcmBall", "dr"), memory.number("vcmBall", "da")
    if not detected(memory, "vcmBall") or not dr or not da:
        return None
    return dr, da


def _above_ground(v: tuple[float, ...], camera_height: float) -> tuple[float, float, float]:
    return v[0], v[1], v[2] + camera_height


@dataclass(frozen=True)
class SeenPost:
    """A goal post in one image."""

    position: tuple[float, float, float]
    side: int
    """0 unknown, 1 left, 2 right, looking into the goal."""


@dataclass(frozen=True)
class SeenGoal:
    """The posts of a goal in one image; ``yellow`` is None for a colour that is unknown."""

    posts: tuple[SeenPost, ...]
    yellow: bool | None


def seen_goal(memory: Memory, camera_height: float) -> SeenGoal | None:
    """Read vcmGoal; None when no goal is seen."""
    segment = "vcmGoal"
    kind = memory.whole(segment, "type")
    v1, v2 = memory.numbers(segment, "v1", 4), memory.numbers(segment, "v2", 4)
    if not detected(memory, segment) or v1 is None or kind not in (0, 1, 2, 3):
        return None
    first = _above_ground(v1, camera_height)
    posts = [SeenPost(first, kind if kind in (1, 2) else 0)]
    if kind == 3 and v2 is not None:
        # Both posts: the first one is the left one.
        posts = [SeenPost(first, 1), SeenPost(_above_ground(v2, camera_height), 2)]
    colour = memory.whole(segment, "color")
    return SeenGoal(tuple(posts), {2: True, 4: False}.get(colour) if colour is not None else None)


@dataclass(frozen=True)
class SeenLine:
    """A line on the ground, from end to end."""

    start: tuple[float, float, float]
    end: tuple[float, float, float]


MAXIMUM_LINES = 64
"""Lines of one image that are read at most."""
LINE_LENGTH = 0.5
"""Length in metres given to a line of which only the centre is reported."""


def seen_lines(memory: Memory) -> tuple[SeenLine, ...]:
    """Read vcmLine; empty when no line is seen.

    Later branches report the ends of each line. The document's Luar has the centre and the angle
    of one; it is given LINE_LENGTH around its centre.
    """
    segment = "vcmLine"
    if not detected(memory, segment):
        return ()
    ends = [memory.all_numbers(segment, name) for name in ("v1x", "v1y", "v2x", "v2y")]
    count = memory.whole(segment, "nLines")
    if all(ends) and count is not None:
        rows = list(zip(*ends, strict=False))[: min(max(0, count), MAXIMUM_LINES)]
        return tuple(SeenLine((x1, y1, 0.0), (x2, y2, 0.0)) for x1, y1, x2, y2 in rows)
    centre = memory.numbers(segment, "vcentroid", 4) or memory.numbers(segment, "v", 4)
    angle = memory.number(segment, "angle")
    if centre is None or angle is None:
        return ()
    dx, dy = (LINE_LENGTH / 2 * f(angle) for f in (math.cos, math.sin))
    x, y = centre[0], centre[1]
    return (SeenLine((x - dx, y - dy, 0.0), (x + dx, y + dy, 0.0)),)
