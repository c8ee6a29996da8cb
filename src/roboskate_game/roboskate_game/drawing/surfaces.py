# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The ground as seen from above: a picture with textures and shadows, in several resolutions."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from roboskate_game.drawing.look import SURFACES, TILES, Look
from roboskate_game.model.course import COURSE, Course

Image = NDArray[np.uint8]

_PER_METRE = 16
"""Pixels of the finest picture."""
_LEVELS = 6
_FINER = 4
"""Times finer than the finest picture the ground's edge is drawn."""
_SHIFT = 4
_MARGIN = 3.0
_SHADE = 0.5
"""Of the light, what is left in the shade."""


@dataclass(frozen=True)
class TopView:
    """The ground from above; rows go along y, columns along x, both from ``low`` (m).

    ``mask`` is 255 where there is ground.
    """

    low: tuple[float, float]
    per_metre: float
    image: Image
    mask: Image


class _Canvas:
    def __init__(self, course: Course) -> None:
        points = [p for piece in course.ground for polygon in piece.outline for p in polygon]
        self.low = (min(p[0] for p in points) - _MARGIN, min(p[1] for p in points) - _MARGIN)
        high = (max(p[0] for p in points) + _MARGIN, max(p[1] for p in points) + _MARGIN)
        self.shape = (
            math.ceil((high[1] - self.low[1]) * _PER_METRE),
            math.ceil((high[0] - self.low[0]) * _PER_METRE),
        )

    def pixels(self, points: Any) -> NDArray[np.int32]:
        """Return points (n, 2) in metres in OpenCV's fixed-point pixels."""
        scaled = (np.asarray(points, float) - self.low) * _PER_METRE * (1 << _SHIFT)
        fixed: NDArray[np.int32] = np.rint(scaled).astype(np.int32)
        return fixed

    def fill(self, image: Image, polygon: Any, colour: Any) -> None:
        """Fill a convex polygon (n, 2) in metres."""
        cv2.fillConvexPoly(image, self.pixels(polygon), colour, cv2.LINE_8, _SHIFT)


def make_top_views(look: Look, course: Course = COURSE) -> tuple[TopView, ...]:
    """Return the ground in resolutions that halve from one to the next."""
    canvas = _Canvas(course)
    image = np.zeros((*canvas.shape, 3), np.uint8)
    for piece in course.ground:
        for polygon in piece.outline:
            canvas.fill(image, polygon, SURFACES[piece.surface])
    _draw_tiles(canvas, image, course)
    _draw_edges(canvas, image, course)
    # In place and by strips: the whole in floating point would take hundreds of megabytes.
    light = _light(canvas, look, course)
    for row in range(0, canvas.shape[0], 256):
        part = slice(row, row + 256)
        image[part] = np.clip(image[part] * light[part, :, np.newaxis], 0.0, 255.0)
    # Just beyond an edge the colour goes on, so that no dark seam is mixed in.
    beyond = (image == 0).all(axis=-1)
    image[beyond] = cv2.dilate(image, np.ones((3, 3), np.uint8))[beyond]
    views = [TopView(canvas.low, float(_PER_METRE), image, _covered(canvas, course))]
    for _ in range(_LEVELS - 1):
        last = views[-1]
        smaller = cv2.resize(last.image, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        covered = cv2.resize(last.mask, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        views.append(
            TopView(
                canvas.low,
                last.per_metre / 2.0,
                smaller.astype(np.uint8),
                covered.astype(np.uint8),
            )
        )
    return tuple(views)


def _covered(canvas: _Canvas, course: Course) -> Image:
    """Return how much of each pixel is ground, 0 to 255: edges between pixels are no steps."""
    rows, columns = canvas.shape
    fine = np.zeros((rows * _FINER, columns * _FINER), np.uint8)
    # The middle of a pixel is that of the finer ones in it.
    offset = (_FINER - 1) * (1 << _SHIFT) // 2
    for piece in course.ground:
        for polygon in piece.outline:
            pixels = canvas.pixels(polygon) * _FINER + offset
            cv2.fillConvexPoly(fine, pixels, 255, cv2.LINE_8, _SHIFT)
    covered = cv2.resize(fine, (columns, rows), interpolation=cv2.INTER_AREA)
    return covered.astype(np.uint8, copy=False)


def _draw_tiles(canvas: _Canvas, image: Image, course: Course) -> None:
    """Draw the joints between tiles, and the brown line where the slope begins."""
    for piece in course.ground:
        side = TILES.get(piece.surface) or TILES.get(piece.name)
        if side is None:
            continue
        colour = tuple(round(0.78 * c) for c in SURFACES[piece.surface])
        points = np.array([p for polygon in piece.outline for p in polygon])
        area = np.zeros(canvas.shape, np.uint8)
        for polygon in piece.outline:
            canvas.fill(area, polygon, 255)
        (x0, y0), (x1, y1) = points.min(axis=0), points.max(axis=0)
        lines = np.zeros(canvas.shape, np.uint8)
        for x in np.arange(x0 + side, x1, side):
            ends = canvas.pixels([(x, y0), (x, y1)])
            cv2.line(lines, ends[0].tolist(), ends[1].tolist(), 255, 1, cv2.LINE_8, _SHIFT)
        for y in np.arange(y0 + side, y1, side):
            ends = canvas.pixels([(x0, y), (x1, y)])
            cv2.line(lines, ends[0].tolist(), ends[1].tolist(), 255, 1, cv2.LINE_8, _SHIFT)
        low, high = canvas.pixels([(x0, y0), (x1, y1)]) >> _SHIFT
        window = (slice(low[1], high[1] + 1), slice(low[0], high[0] + 1))
        image[window][(lines[window] & area[window]) > 0] = colour


def _draw_edges(canvas: _Canvas, image: Image, course: Course) -> None:
    """Draw the kerbs beside the hedges, and the line where the road begins to rise."""
    for piece in course.ground:
        if piece.slope:
            (x, y0), (_, y1) = piece.outline[0][0], piece.outline[0][3]
            canvas.fill(
                image, [(x - 0.2, y0), (x + 0.2, y0), (x + 0.2, y1), (x - 0.2, y1)], (106, 66, 40)
            )


def _light(canvas: _Canvas, look: Look, course: Course) -> NDArray[np.float32]:
    """Return the brightness of the ground: grain and shadows."""
    rng = np.random.default_rng(look.seed)
    rows, columns = canvas.shape
    light = np.ones(canvas.shape, np.float32)
    for metres, strength in ((0.15, 0.05), (1.2, 0.06), (9.0, 0.07)):
        count = (math.ceil(rows / _PER_METRE / metres), math.ceil(columns / _PER_METRE / metres))
        noise = rng.uniform(-1.0, 1.0, count).astype(np.float32)
        noise *= np.float32(strength * look.grain)
        wide = cv2.resize(noise, (columns, rows), interpolation=cv2.INTER_LINEAR)
        light += wide.astype(np.float32, copy=False)
    # Scratches.
    scratches = np.zeros(canvas.shape, np.uint8)
    for _ in range(2500):
        x, y = rng.uniform(0, columns), rng.uniform(0, rows)
        turn, length = rng.uniform(0, math.pi), rng.uniform(5, 40)
        end = (round(x + length * math.cos(turn)), round(y + length * math.sin(turn)))
        cv2.line(scratches, (round(x), round(y)), end, 255, 1)
    light[scratches > 0] *= np.float32(1.0 + 0.12 * look.grain)
    shade = np.zeros(canvas.shape, np.uint8)
    reach = 1.0 / math.tan(look.sun[1])
    away = np.array([-math.cos(look.sun[0]), -math.sin(look.sun[0])]) * reach

    def cast(foot: Any, height: float) -> None:
        foot = np.asarray(foot, float)
        hull = cv2.convexHull(canvas.pixels(np.concatenate((foot, foot + height * away))))
        cv2.fillConvexPoly(shade, hull, 255, cv2.LINE_8, _SHIFT)

    for wall in course.walls:
        if wall.kind == "riser":
            continue
        for a, b in pairwise(wall.points):
            cast([a, b], min(wall.top, 1.0))
    for x, y, z in course.columns:
        cast(_ring(x, y, 0.6), 5.0 - z)
    for x, y, z, height in course.trees:
        cast(_ring(x, y, 0.25 * height), 0.6 * height - z)
    soft = cv2.GaussianBlur(shade, (0, 0), 0.12 * _PER_METRE).astype(np.float32)
    light *= np.float32(1.0) - soft * np.float32((1.0 - _SHADE) / 255.0)
    return light


def _ring(x: float, y: float, radius: float) -> list[tuple[float, float]]:
    turns = [2.0 * math.pi * i / 10 for i in range(10)]
    return [(x + radius * math.cos(t), y + radius * math.sin(t)) for t in turns]
