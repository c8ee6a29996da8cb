# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Where in an image the robot sees ball, goal posts and lines: in pixels, (0, 0) the first one.

The memory has them in pixels of labelA (the ball) or labelB (the rest), each of which is a square
of several of the image; whole numbers are the centres of pixels, here and there.
"""

from __future__ import annotations

from luar_bridge.model.snapshots import Memory
from luar_bridge.model.vision import MAXIMUM_LINES, detected

Box = tuple[float, float, float, float]
"""Centre (x, y) and size (x, y)."""


def label_scales(memory: Memory, image: str) -> tuple[float, float]:
    """Return how many pixels of the image in segment ``image`` one of labelA and of labelB is."""
    scale = memory.number(image, "scaleA")
    if not scale:
        size = [memory.number(image, name) or 0.0 for name in ("width", "height")]
        # Under later branches' Webots labelA is as large as the image.
        whole = 8 * memory.length(image, "labelA") >= size[0] * size[1] > 0.0
        scale = 1.0 if whole else 2.0
    return scale, scale * (memory.number(image, "scaleB") or 4.0)


def _place(pixel: float, scale: float) -> float:
    """Return the centre in the image of a pixel of the labels."""
    return (pixel + 0.5) * scale - 0.5


def ball_box(memory: Memory, segment: str, scale: float) -> Box | None:
    """Return the square that holds the ball; None where none is seen. ``scale`` of labelA."""
    centroid = memory.numbers(segment, "centroid", 2)
    if not detected(memory, segment) or centroid is None:
        return None
    side = scale * max(memory.number(segment, axis) or 0.0 for axis in ("axisMajor", "axisMinor"))
    return _place(centroid[0], scale), _place(centroid[1], scale), side, side


def post_boxes(memory: Memory, segment: str, scale: float) -> tuple[Box, ...]:
    """Return the boxes of the posts that vision.seen_goal returns. ``scale`` of labelB."""
    names = ["postBoundingBox1"]
    if memory.number(segment, "type") == 3.0 and memory.numbers(segment, "v2", 4) is not None:
        names.append("postBoundingBox2")
    boxes = [memory.numbers(segment, name, 4) for name in names]
    return tuple(
        (_place((b[0] + b[1]) / 2, scale), _place((b[2] + b[3]) / 2, scale),
         (b[1] - b[0] + 1) * scale, (b[3] - b[2] + 1) * scale)
        for b in boxes if b is not None
    )  # fmt: skip


def line_ends(memory: Memory, segment: str, scale: float) -> tuple[Box, ...] | None:
    """Return start (x, y) and end (x, y) of each line; None where the robot does not report them.

    The document's Luar does not, later branches do. ``scale`` of labelB.
    """
    names = ("endpoint11", "endpoint12", "endpoint21", "endpoint22")
    ends = [memory.all_numbers(segment, name) for name in names]
    if not all(ends):
        return None
    count = memory.whole(segment, "nLines") if detected(memory, segment) else 0
    rows = list(zip(*ends, strict=False))[: min(max(0, count or 0), MAXIMUM_LINES)]
    return tuple(
        (_place(x1, scale), _place(y1, scale), _place(x2, scale), _place(y2, scale))
        for x1, y1, x2, y2 in rows
    )
