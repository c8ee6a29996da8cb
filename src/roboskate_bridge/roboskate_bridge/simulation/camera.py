# SPDX-License-Identifier: Apache-2.0
"""What the simulated camera sees: track, gates, board and crane, drawn with OpenCV.

Drawn from far to near. The same scene gives the same pixels.
"""

from __future__ import annotations

import threading
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from roboskate_bridge.picture import Pixels
from roboskate_bridge.protocol import ImageSize
from roboskate_bridge.simulation.projection import (
    NEAR,
    Array,
    CameraMount,
    Projection,
    clipped,
)
from roboskate_bridge.simulation.scenery import Colour, make_scenery
from roboskate_bridge.simulation.skater_shapes import Limb, skater_shapes
from roboskate_bridge.simulation.world import Scene

_SKY_TOP, _SKY_LOW = (88, 148, 214), (206, 226, 240)
_SEA_FAR, _SEA_NEAR = (150, 190, 206), (30, 84, 118)
_SEA_DEPTH = 12.0
_BANDS = 24
_SIGHT = 110.0
"""Metres; things further away are left out. They fade into the haze before."""
_BEHIND = -12.0
"""Metres; a piece whose centre is so far behind the camera is not in sight."""
_SHIFT = 4
"""OpenCV draws to a fraction of a pixel of 1 / 2**_SHIFT."""
_LARGEST = 16384.0


class CameraView:
    """Draws scenes on the course. Thread-safe."""

    def __init__(self, mount: CameraMount | None = None) -> None:
        self.mount = mount or CameraMount()
        self._scenery = make_scenery()
        self._lock = threading.Lock()

    def draw(self, scene: Scene) -> Pixels:
        """Return the image, height x width x 3, RGB, top row first."""
        image = np.empty((scene.size.height, scene.size.width, 3), np.uint8)
        with self._lock:
            view = Projection(scene.board, self.mount, scene.size)
            painter = _Painter(image, view)
            _draw_background(painter, scene.size)
            self._draw_scenery(painter, raised=False)
            # Gates behind the board, the board, gates between the board and the camera.
            distance = float(view.into_camera(np.array(scene.board.position))[2])
            shapes = skater_shapes(scene.board)
            for shadow in shapes.shadow:
                painter.polygon(view.into_camera(shadow), (96, 100, 108))
            self._draw_scenery(painter, raised=True, beyond=distance)
            for wheel in shapes.wheels:
                painter.limb(wheel)
            for polygon, colour in shapes.deck:
                painter.polygon(view.into_camera(polygon), colour)
            # The crane from its far end to its near one, or from its foot where it stands.
            for limb in sorted(
                shapes.limbs, key=lambda each: -_depth(view, each) if each.radius < 0.1 else -1e3
            ):
                painter.limb(limb)
            self._draw_scenery(painter, raised=True, within=distance)
        return image

    def _draw_scenery(
        self,
        painter: _Painter,
        *,
        raised: bool,
        beyond: float = _BEHIND,
        within: float = _SIGHT,
    ) -> None:
        """Draw what is between two distances from the camera, in metres, from far to near."""
        scenery, view = self._scenery, painter.view
        distance = view.into_camera(scenery.centres)[:, 2]
        depth = distance[scenery.piece]
        wanted = (scenery.raised == raised) & (depth > beyond) & (depth <= within)
        index = np.flatnonzero(wanted)
        corners = view.into_camera(scenery.corners[index])
        nearest = corners[..., 2].min(axis=1)
        haze = np.clip((depth[index] - 25.0) / (_SIGHT - 25.0), 0.0, 1.0)[:, np.newaxis] ** 1.2
        colours = scenery.colours[index] * (1.0 - haze) + np.array(_SKY_LOW) * haze
        with np.errstate(divide="ignore", invalid="ignore"):
            pixels = view.pixels(corners)
        in_front = nearest > NEAR
        seen = ~in_front | painter.touches(pixels)
        fixed = _fixed(pixels)
        tuples = colours.tolist()
        # Pieces from far to near; within a piece as they were made.
        for i in np.lexsort((index, -depth[index])):
            if not seen[i]:
                continue
            if in_front[i]:
                cv2.fillConvexPoly(painter.image, fixed[i], tuples[i], cv2.LINE_AA, _SHIFT)
            else:
                painter.polygon(corners[i], tuples[i])


class _Painter:
    """An image and the view that things are brought into it with."""

    def __init__(self, image: Pixels, view: Projection) -> None:
        self.image = image
        self.view = view

    def polygon(self, polygon: Array, colour: Colour) -> None:
        """Fill a convex polygon (n, 3) in camera coordinates."""
        front = clipped(polygon)
        if len(front) < 3:
            return
        self.flat_polygon(self.view.pixels(front), colour)

    def flat_polygon(self, pixels: Array, colour: Colour, line: int = cv2.LINE_AA) -> None:
        """Fill a convex polygon (n, 2) in pixels."""
        if self.touches(pixels):
            cv2.fillConvexPoly(self.image, _fixed(pixels), colour, line, _SHIFT)

    def touches(self, pixels: Array) -> NDArray[np.bool_]:
        """Tell of polygons (…, n, 2) in pixels which may be seen in the image."""
        low, high = pixels.min(axis=-2), pixels.max(axis=-2)
        height, width = self.image.shape[:2]
        seen: NDArray[np.bool_] = (
            (high[..., 0] >= 0)
            & (high[..., 1] >= 0)
            & (low[..., 0] <= width)
            & (low[..., 1] <= height)
        )
        return seen

    def limb(self, limb: Limb) -> None:
        """Draw a rod, thinner with distance, lit from above."""
        ends = self.view.into_camera(np.array([limb.start, limb.end]))
        if ends[:, 2].min() <= NEAR:
            return
        pixels = self.view.pixels(ends)
        radii = self.view.focal * limb.radius / ends[:, 2]
        for scale, shade, offset in ((1.0, 0.72, 0.0), (0.72, 1.0, -0.16), (0.25, 1.22, -0.4)):
            colour = _shaded(limb.colour, shade)
            self._rod(
                pixels + np.array([offset * radii[0], offset * radii[0]]), radii * scale, colour
            )

    def _rod(self, pixels: Array, radii: Array, colour: Colour) -> None:
        along = pixels[1] - pixels[0]
        length = float(np.hypot(*along))
        if length > 0.5:
            side = np.array([-along[1], along[0]]) / length
            a, b = side * radii[0], side * radii[1]
            self.flat_polygon(
                np.array([pixels[0] + a, pixels[1] + b, pixels[1] - b, pixels[0] - a]), colour
            )
        for centre, radius in zip(pixels, radii, strict=True):
            x, y = (np.clip(centre, -_LARGEST, _LARGEST) * (1 << _SHIFT)).astype(int)
            fixed = int(min(radius, 4000.0) * (1 << _SHIFT))
            cv2.circle(
                self.image, (int(x), int(y)), fixed, colour, cv2.FILLED, cv2.LINE_AA, _SHIFT
            )


def _draw_background(painter: _Painter, size: ImageSize) -> None:
    """Fill the image with sky and sea in bands along the horizon."""
    up = painter.view.direction(np.array([0.0, 0.0, 1.0]))
    # A pixel looks along (u, v, focal); it looks level where that is at a right angle to up.
    slope = np.array([up[0], up[1]])
    steepness = float(np.hypot(*slope))
    if steepness < 1e-6:
        painter.image[:] = _SKY_TOP if up[2] > 0 else _SEA_NEAR
        return
    skywards = slope / steepness
    centre = np.array([size.width, size.height]) / 2.0
    horizon = centre - skywards * (painter.view.focal * up[2] / steepness)
    along = np.array([-skywards[1], skywards[0]])
    reach = float(size.width + size.height) * 2.0
    span = size.height * 0.75
    heights = [0.0, *(span * (band + 1) / _BANDS for band in range(_BANDS)), reach]
    for i, (low, high) in enumerate(pairwise(heights)):
        colour = _mixed(_SKY_LOW, _SKY_TOP, min(1.0, i / _BANDS))
        strip = _strip(horizon + skywards * low, horizon + skywards * high, along, reach)
        painter.flat_polygon(strip, colour, cv2.LINE_8)
    depths = [0.0, *(span * ((band + 1) / _BANDS) ** 2 for band in range(_BANDS)), reach]
    for i, (high, low) in enumerate(pairwise(depths)):
        colour = _mixed(_SEA_FAR, _SEA_NEAR, min(1.0, i / _BANDS))
        strip = _strip(horizon - skywards * high, horizon - skywards * low, along, reach)
        painter.flat_polygon(strip, colour, cv2.LINE_8)


def _fixed(pixels: Array) -> NDArray[np.int32]:
    """Return pixels in OpenCV's fixed-point numbers, kept where these do not overflow."""
    limited = np.nan_to_num(np.clip(pixels, -_LARGEST, _LARGEST))
    fixed: NDArray[np.int32] = (limited * (1 << _SHIFT)).astype(np.int32)
    return fixed


def _strip(a: Array, b: Array, along: Array, reach: float) -> Array:
    return np.array([a - along * reach, a + along * reach, b + along * reach, b - along * reach])


def _depth(view: Projection, limb: Limb) -> float:
    return float(view.into_camera((limb.start + limb.end) / 2.0)[2])


def _mixed(a: Colour, b: Colour, part: float) -> Colour:
    mixed = [round(x + (y - x) * part) for x, y in zip(a, b, strict=True)]
    return (mixed[0], mixed[1], mixed[2])


def _shaded(colour: Colour, factor: float) -> Colour:
    shaded = [min(255, round(x * factor)) for x in colour]
    return (shaded[0], shaded[1], shaded[2])
