# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Draws into one image with OpenCV: background, ground, shadows, polygons and rods."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from roboskate_game.drawing.look import GROUNDS, Colour, Look
from roboskate_game.drawing.projection import NEAR, Array, Projection, clipped
from roboskate_game.drawing.skater_shapes import Limb, SkaterShapes
from roboskate_game.drawing.surfaces import TopView
from roboskate_game.physics.ground import Ground
from roboskate_game.protocol.image import Pixels
from roboskate_game.protocol.messages import ImageSize

SIGHT = 110.0
"""Metres; polygons further away are left out. They fade into the haze before."""
HAZE_FROM = 30.0
"""Metres at which haze begins."""
_SPLIT = 12.0
"""Metres beyond which the ground is drawn from a coarser picture."""
SHIFT = 4
"""OpenCV draws to a fraction of a pixel of 1 / 2**SHIFT."""
_LARGEST = 16384.0
_STRIP = 512
_HEIGHTS = np.linspace(-1.5, 1.5, _STRIP)
"""Of a strip, above the horizon, in focal lengths."""
_ROUNDED = ((1.0, 0.72, 0.0), (0.72, 1.0, -0.16), (0.25, 1.22, -0.4))
_FLAT = ((1.0, 0.95, 0.0),)
"""Layers of a rod: part of its radius, brightness, and offset in radii."""
_CLOUDS_BY_HEIGHT = (255.0 * np.clip((_HEIGHTS - 0.04) / 0.25, 0.0, 1.0)).astype(np.uint8)[
    np.newaxis
]

Mask = NDArray[np.uint8]
Pixel = tuple[float, float]


class Painter:
    """An image and the view that things are brought into it with."""

    def __init__(self, image: Pixels, view: Projection, look: Look) -> None:
        self.image = image
        self.view = view
        self.look = look
        self._size = ImageSize(image.shape[1], image.shape[0])
        self._up = view.direction(np.array([0.0, 0.0, 1.0]))
        self._steep = float(np.hypot(self._up[0], self._up[1]))
        centre = np.array([self._size.width, self._size.height]) / 2.0
        # A pixel's distance above the horizon is its product with this, in pixels.
        if self._steep > 1e-6:
            across = self._up[:2] / self._steep
            offset = float(view.focal * self._up[2] / self._steep - across @ centre)
            self._above = (float(across[0]), float(across[1]), offset)
        else:
            self._above = (0.0, 0.0, math.copysign(1e6, self._up[2]))

    def background(self) -> None:
        """Fill the image with sky, and with the haze below it."""
        self._along_horizon(_sky(self.look), self.view.focal, self.image, 0)
        self._clouds()

    def _clouds(self) -> None:
        """Draw clouds where there is sky."""
        bottom = self._rows_above(2.0, last=True)
        if bottom < 4 or self._size.height < 24:
            return
        part = self.image[:bottom]
        tile = _clouds(self.look.seed)
        # A plane far above: texture pixels of 1.5 m, 150 m up.
        plane = self._homography((0.0, 0.0), 1.0 / 1.5, 150.0 + self.view.origin[2])
        if plane is None:
            return
        cloud = cv2.warpPerspective(
            tile, plane, (part.shape[1], bottom), flags=cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_WRAP,
        )  # fmt: skip
        limit = np.empty((bottom, part.shape[1]), np.uint8)
        self._along_horizon(_CLOUDS_BY_HEIGHT, self.view.focal, limit, 0)
        cv2.add(part, cv2.cvtColor(cv2.min(cloud, limit), cv2.COLOR_GRAY2RGB), dst=part)

    def ground(self, tops: tuple[TopView, ...], level: float) -> None:
        """Draw the ground as a plane at a height in metres, and the haze over it."""
        height = float(self.view.origin[2]) - level
        if abs(height) < 0.05:
            return
        focal, rows = self.view.focal, self._size.height
        below = np.sign(height)
        # Rows on the plane's side of the horizon, and those further than _SPLIT.
        first = self._rows_above(0.0) if below > 0 else 0
        middle = self._middle_row(-abs(height) * focal / _SPLIT) if below > 0 else rows
        middle = min(max(middle, first), rows)
        for top, bottom, distance in ((first, middle, 2.5 * _SPLIT), (middle, rows, 5.0)):
            if bottom > top:
                wanted = focal / distance
                view = next((t for t in tops[:-1] if t.per_metre <= 1.5 * wanted), tops[-1])
                self._plane(view if wanted < tops[0].per_metre else tops[0], level, top, bottom)
        if below > 0:
            self._haze(height)

    def _plane(self, top: TopView, level: float, first: int, last: int) -> None:
        plane = self._homography(top.low, top.per_metre, level, first)
        if plane is None:
            return
        size = (self._size.width, last - first)
        colours = cv2.warpPerspective(top.image, plane, size, flags=cv2.INTER_LINEAR)
        mask = cv2.warpPerspective(top.mask, plane, size, flags=cv2.INTER_LINEAR).astype(np.uint8)
        self._cut_sky(mask, first, level)
        cv2.threshold(mask, 127, 255, cv2.THRESH_BINARY, dst=mask)
        cv2.copyTo(colours, mask, self.image[first:last])

    def _haze(self, height: float) -> None:
        """Let the ground fade into the haze near the horizon."""
        focal, nearest = self.view.focal, height * self.view.focal / HAZE_FROM
        first = max(0, self._rows_above(0.0))
        last = min(self._size.height, self._rows_above(-nearest, last=True) + 1)
        if last <= first:
            return
        distance = np.where(_HEIGHTS < 0.0, height / np.maximum(-_HEIGHTS, 1e-6), 0.0)
        part = 0.9 * np.clip((distance - HAZE_FROM) / (SIGHT - HAZE_FROM), 0.0, 1.0)
        alpha = np.empty((last - first, self._size.width), np.uint8)
        self._along_horizon((255.0 * part).astype(np.uint8)[np.newaxis], focal, alpha, first)
        weight = alpha[..., np.newaxis].astype(np.uint16)
        rows = self.image[first:last]
        haze = np.array(self.look.haze, np.uint16)
        rows[:] = ((rows * (255 - weight) + haze * weight) // 255).astype(np.uint8)

    def shadow(self, shapes: SkaterShapes, level: float, ground: Ground) -> None:
        """Darken the ground where board and crane are between it and the sun."""
        azimuth, elevation = self.look.sun
        per_metre = np.array([np.cos(azimuth), np.sin(azimuth)]) / np.tan(elevation)
        outlines = shapes.cast(per_metre, level)
        cameras = self.view.into_camera(np.concatenate(outlines))
        polygons, begin = [], 0
        for outline in outlines:
            front = clipped(cameras[begin : begin + len(outline)])
            begin += len(outline)
            x, y, _ = outline.sum(axis=0).tolist()
            if len(front) >= 3 and ground.contains(x / len(outline), y / len(outline)):
                pixels = self.view.pixels(front)
                if self.touches(pixels):
                    polygons.append(fixed(pixels))
        if not polygons:
            return
        every = np.concatenate(polygons) >> SHIFT
        low = np.maximum(every.min(axis=0), 0)
        high = np.minimum(every.max(axis=0) + 2, (self._size.width, self._size.height))
        part = self.image[low[1] : high[1], low[0] : high[0]]
        dark = np.zeros(part.shape[:2], np.uint8)
        offset = (low << SHIFT).astype(np.int32)
        for polygon in polygons:
            cv2.fillConvexPoly(dark, polygon - offset, 115, cv2.LINE_AA, SHIFT)
        light = (255 - dark[..., np.newaxis]).astype(np.uint16)
        part[:] = (part * light // 255).astype(np.uint8)

    def skater(self, shapes: SkaterShapes) -> None:
        """Draw board and crane."""
        self._limbs(shapes.wheels)
        deck = self.view.into_camera(np.concatenate([outline for outline, _ in shapes.deck]))
        begin = 0
        for outline, colour in shapes.deck:
            self.polygon(deck[begin : begin + len(outline)], colour)
            begin += len(outline)
        self._limbs(shapes.limbs, by_depth=True)

    # --- the horizon -------------------------------------------------------------------------

    def _along_horizon(self, strip: Mask, focal: float, image: Mask, first: int) -> None:
        """Fill an image, whose first row is ``first``, by height above the horizon.

        ``strip`` (1, _STRIP) or (1, _STRIP, 3) goes from -1.5 to 1.5 focal lengths.
        """
        scale = (_STRIP - 1) / (3.0 * focal)
        a, b, c = (each * scale for each in self._above)
        cv2.warpAffine(
            np.repeat(strip, 3, axis=0),
            np.array([[a, b, c + b * first + 0.5 * (_STRIP - 1)], [0.0, 0.0, 1.0]]),
            (image.shape[1], image.shape[0]),
            dst=image,
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        )

    def _middle_row(self, above: float) -> int:
        """Return the row, in the middle column, that is this far above the horizon, in pixels."""
        a, b, c = self._above
        if abs(b) < 1e-3:
            return self._size.height
        row = (above - c - a * self._size.width / 2.0) / b
        return int(max(-1e6, min(row, 1e6)))

    def _rows_above(self, above: float, *, last: bool = False) -> int:
        """Return the first row, or the last, that meets the line this far above the horizon."""
        a, b, c = self._above
        if abs(b) < 1e-3:
            return self._size.height if last else 0
        ends = [(above - c - a * column) / b for column in (0, self._size.width)]
        row = max(ends) if last else min(ends)
        return int(max(0, min(row, self._size.height)))

    def _cut_sky(self, mask: Mask, first: int, level: float) -> None:
        """Clear what a homography shows beyond the horizon: what is behind the camera."""
        if self._steep < 1e-6:
            return
        side = 1.0 if self.view.origin[2] > level else -1.0
        across = np.array(self._above[:2])
        skywards = across * side
        foot = -self._above[2] * across - skywards
        foot = foot - np.array([0.0, float(first)])
        along = np.array([-skywards[1], skywards[0]])
        reach = 2.0 * (self._size.width + self._size.height)
        corners = [foot - along * reach, foot + along * reach]
        corners += [each + skywards * reach for each in reversed(corners)]
        cv2.fillConvexPoly(mask, fixed(np.array(corners)), 0, cv2.LINE_8, SHIFT)

    def _homography(
        self, low: tuple[float, float], per_metre: float, level: float, first: int = 0
    ) -> Array | None:
        """Return the matrix from a level picture's pixels to the image's, None if degenerate."""
        x, y = low
        columns = self.view.direction(np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])) / per_metre
        offset = self.view.into_camera(np.array([x, y, level]))
        camera = np.column_stack((columns[0], columns[1], offset))
        centre = (self._size.width / 2.0, self._size.height / 2.0 - first)
        focal = self.view.focal
        lens = np.array([[focal, 0.0, centre[0]], [0.0, focal, centre[1]], [0.0, 0.0, 1.0]])
        matrix: Array = lens @ camera
        return matrix if abs(np.linalg.det(matrix)) > 1e-9 else None

    # --- polygons ----------------------------------------------------------------------------

    def polygon(self, polygon: Array, colour: Colour) -> None:
        """Fill a convex polygon (n, 3) in camera coordinates."""
        front = clipped(polygon)
        if len(front) < 3:
            return
        self.flat_polygon(self.view.pixels(front), colour)

    def flat_polygon(self, pixels: Array, colour: Colour, line: int = cv2.LINE_AA) -> None:
        """Fill a convex polygon (n, 2) in pixels."""
        cv2.fillConvexPoly(self.image, fixed(pixels), colour, line, SHIFT)

    def touches(self, pixels: Array) -> NDArray[np.bool_]:
        """Return which polygons (…, n, 2), in pixels, may be visible in the image."""
        low, high = pixels.min(axis=-2), pixels.max(axis=-2)
        height, width = self.image.shape[:2]
        seen: NDArray[np.bool_] = (
            (high[..., 0] >= 0)
            & (high[..., 1] >= 0)
            & (low[..., 0] <= width)
            & (low[..., 1] <= height)
        )
        return seen

    def _limbs(self, limbs: Sequence[Limb], *, by_depth: bool = False) -> None:
        """Draw rods, thinner with distance, lit from above."""
        ends = self.view.into_camera(np.array([(each.start, each.end) for each in limbs]))
        depths = ends[..., 2].tolist()
        pixels = self.view.pixels(np.maximum(ends, (-np.inf, -np.inf, NEAR))).tolist()
        order = list(range(len(limbs)))
        if by_depth:
            # The crane from its far end to its near one, or from its foot where it stands.
            order.sort(key=lambda i: -sum(depths[i]) / 2.0 if limbs[i].radius < 0.1 else -1e3)
        for i in order:
            if min(depths[i]) > NEAR:
                radii = [self.view.focal * limbs[i].radius / depth for depth in depths[i]]
                # A rod of a pixel or two has no visible shading.
                for scale, shade, offset in _ROUNDED if max(radii) > 2.0 else _FLAT:
                    aside = offset * radii[0]
                    self._rod(
                        [(x + aside, y + aside) for x, y in pixels[i]],
                        [scale * radius for radius in radii],
                        _shaded(limbs[i].colour, shade),
                    )

    def _rod(self, ends: Sequence[Pixel], radii: Sequence[float], colour: Colour) -> None:
        (ax, ay), (bx, by) = ends
        length = math.hypot(bx - ax, by - ay)
        if length > 0.5:
            x, y = (ay - by) / length, (bx - ax) / length
            a, b = radii
            quad = ((ax + x * a, ay + y * a), (bx + x * b, by + y * b),
                    (bx - x * b, by - y * b), (ax - x * a, ay - y * a))  # fmt: skip
            self.flat_polygon(np.array(quad), colour)
        for centre, radius in zip(ends, radii, strict=True):
            x, y = (int(max(-_LARGEST, min(_LARGEST, v)) * (1 << SHIFT)) for v in centre)
            size = int(min(radius, 4000.0) * (1 << SHIFT))
            cv2.circle(self.image, (x, y), size, colour, cv2.FILLED, cv2.LINE_AA, SHIFT)


def fixed(pixels: Array) -> NDArray[np.int32]:
    """Return pixels in OpenCV's fixed-point numbers, kept where these do not overflow."""
    limited = np.minimum(np.maximum(pixels, -_LARGEST), _LARGEST)
    fixed: NDArray[np.int32] = (limited * (1 << SHIFT)).astype(np.int32)
    return fixed


def _shaded(colour: Colour, factor: float) -> Colour:
    shaded = [min(255, round(x * factor)) for x in colour]
    return (shaded[0], shaded[1], shaded[2])


@functools.lru_cache(maxsize=GROUNDS + 1)
def _clouds(seed: int) -> Mask:
    """Return a tile of clouds, 0 to 110."""
    rng = np.random.default_rng(seed)
    size = 512
    sky = np.zeros((size, size), np.float32)
    for cells, strength in ((4, 1.0), (8, 0.6), (16, 0.35), (32, 0.2), (64, 0.1)):
        noise = rng.uniform(-1.0, 1.0, (cells, cells)).astype(np.float32)
        # Wrapped around, so that the tile repeats without a seam.
        wide = cv2.resize(
            np.tile(noise, (3, 3)), (3 * size, 3 * size), interpolation=cv2.INTER_CUBIC
        )
        sky += np.float32(strength) * wide[size : 2 * size, size : 2 * size]
    return np.clip(90.0 * sky, 0.0, 110.0).astype(np.uint8)


@functools.lru_cache(maxsize=64)
def _sky(look: Look) -> Mask:
    """Return the strip of sky and haze, by height above the horizon."""
    heights = _HEIGHTS[:, np.newaxis]
    sky = np.clip(heights / 0.7, 0.0, 1.0) ** 0.7
    sea = np.clip(-heights / 0.8, 0.0, 1.0) ** 0.5
    strip = np.where(
        heights > 0.0,
        (1.0 - sky) * look.sky_low + sky * look.sky_top,
        (1.0 - sea) * look.haze + sea * look.sea_near,
    )
    return strip.astype(np.uint8)[np.newaxis]
