# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What the simulated camera sees: ground, walls, columns, trees, board and crane, with OpenCV.

The ground is one textured plane at the board's height, brought into the image by a homography; all
else are polygons from far to near. The same scene gives the same pixels, and the cost falls with
the picture's size.
"""

from __future__ import annotations

import functools
from typing import Any

import cv2
import numpy as np

from roboskate_game.drawing.look import GROUNDS, Look
from roboskate_game.drawing.painter import HAZE_FROM, SHIFT, SIGHT, Mask, Painter, fixed
from roboskate_game.drawing.projection import NEAR, Projection
from roboskate_game.drawing.scenery import Scenery, make_scenery
from roboskate_game.drawing.skater_shapes import skater_shapes
from roboskate_game.drawing.surfaces import TopView, make_top_views
from roboskate_game.physics.ground import VOID, Ground, usual_ground
from roboskate_game.physics.world import Scene
from roboskate_game.protocol.image import Pixels

_BEHIND = -12.0
"""Metres; a piece whose centre is so far behind the camera is not in sight."""
_LEAST_AREA = 0.25
"""Square pixels; a smaller polygon is not drawn, nor is one seen from behind."""
_SMALLEST = 1.0
"""Pixels; a polygon that is narrower and lower is not drawn."""


@functools.lru_cache(maxsize=GROUNDS + 1)
def _stage(
    sun: tuple[float, float], grain: float, seed: int
) -> tuple[Ground, tuple[TopView, ...], Scenery]:
    """Return what stands still, which depends on these fields of Look alone."""
    look = Look(sun=sun, grain=grain, seed=seed)
    return usual_ground(), make_top_views(look), make_scenery(look)


class CameraView:
    """Draws scenes on the course. Thread-safe.

    Made in about half a second of CPU time, once for each look in a process.
    """

    def __init__(self, look: Look | None = None) -> None:
        self.look = look or Look()
        self._stage = _stage(self.look.sun, self.look.grain, self.look.seed)
        self._curves = _tone_curves(self.look)

    def __reduce__(self) -> tuple[Any, ...]:
        return CameraView, (self.look,)

    def draw(self, scene: Scene) -> Pixels:
        """Return the image, height x width x 3, RGB, top row first."""
        ground, tops, scenery = self._stage
        image = np.empty((scene.size.height, scene.size.width, 3), np.uint8)
        view = Projection(scene.board, self.look.mount, scene.size)
        x, y, z = scene.board.position
        under = ground.height(x, y)
        level = under if under > VOID and z > under - 0.5 else 0.05
        painter = Painter(image, view, self.look)
        painter.background()
        polygons = _Polygons(scenery, painter)
        polygons.draw(raised=False)
        painter.ground(tops, level)
        shapes = skater_shapes(scene.board)
        if under == level:
            painter.shadow(shapes, level, ground)
        # What is behind the board, the board, what is between it and the camera.
        distance = float(view.into_camera(np.array(scene.board.position))[2])
        polygons.draw(raised=True, beyond=distance)
        painter.skater(shapes)
        polygons.draw(raised=True, within=distance)
        if self._curves is not None:
            cv2.LUT(image, self._curves, dst=image)
        return image


def _tone_curves(look: Look) -> Mask | None:
    """Return the table of the whole image's tones (1, 256, 3), None if it changes nothing."""
    if look.gains == (1.0, 1.0, 1.0) and look.contrast == 1.0:
        return None
    tones = (np.arange(256.0)[:, np.newaxis] - 128.0) * look.contrast + 128.0
    return np.clip(tones * look.gains, 0, 255).astype(np.uint8)[np.newaxis]


class _Polygons:
    """The scenery as one view sees it."""

    def __init__(self, scenery: Scenery, painter: Painter) -> None:
        view = painter.view
        self._painter = painter
        centres = view.into_camera(scenery.centres)
        depth = centres[:, 2]
        found = (depth > _BEHIND) & (depth <= SIGHT) & view.may_see(centres, scenery.radii)
        index = np.flatnonzero(found[scenery.piece])
        depth = depth[scenery.piece[index]]
        # Of the corners (4, n): numpy is slow along short axes, so these come first.
        across, down, away = view.planes(scenery.planes[:, :, index])
        in_front = away.min(axis=0) > NEAR
        height, width = painter.image.shape[:2]
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            scale = view.focal / away
            x, y = across * scale + width / 2.0, down * scale + height / 2.0
            # Twice the area, positive for what is seen from outside.
            area = (x[2] - x[0]) * (y[1] - y[3]) + (x[1] - x[3]) * (y[0] - y[2])
        left, right, top, bottom = x.min(axis=0), x.max(axis=0), y.min(axis=0), y.max(axis=0)
        inside = (right >= 0) & (bottom >= 0) & (left <= width) & (top <= height)
        large = (right - left > _SMALLEST) | (bottom - top > _SMALLEST)
        whole = in_front & large & inside & (area > 2.0 * _LEAST_AREA)
        seen = np.flatnonzero(whole | (~in_front & (away.max(axis=0) > NEAR)))
        index, depth, in_front = index[seen], depth[seen], in_front[seen]
        corners = np.stack((across[:, seen].T, down[:, seen].T, away[:, seen].T), axis=-1)
        pixels = np.stack((x[:, seen].T, y[:, seen].T), axis=-1)
        pixels[~in_front] = 0.0  # these are clipped before they are drawn
        haze = np.clip((depth - HAZE_FROM) / (SIGHT - HAZE_FROM), 0.0, 1.0)[:, np.newaxis]
        colours = scenery.colours[index] * (1.0 - haze) + np.array(painter.look.haze) * haze
        self._raised, self._depth = scenery.raised[index], depth
        self._in_front, self._corners = in_front, corners
        self._fixed, self._colours = fixed(pixels), colours.tolist()
        # Pieces from far to near, within a piece its polygons.
        self._order = np.lexsort((-corners[..., 2].mean(axis=1), -depth))

    def draw(self, *, raised: bool, beyond: float = _BEHIND, within: float = SIGHT) -> None:
        """Draw what is between two distances from the camera, in metres, from far to near."""
        wanted = (self._raised == raised) & (self._depth > beyond) & (self._depth <= within)
        image = self._painter.image
        for i in self._order[wanted[self._order]].tolist():
            if self._in_front[i]:
                cv2.fillConvexPoly(image, self._fixed[i], self._colours[i], cv2.LINE_AA, SHIFT)
            else:
                self._painter.polygon(self._corners[i], self._colours[i])
