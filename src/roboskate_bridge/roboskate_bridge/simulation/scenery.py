# SPDX-License-Identifier: Apache-2.0
"""The things that do not move, as coloured polygons in odom, made once."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from roboskate_bridge.course import COURSE, Course, GroundPiece, Wall
from roboskate_bridge.simulation.projection import Array

Colour = tuple[int, int, int]
"""Red, green, blue."""

_SURFACES: dict[str, Colour] = {
    "lawn": (74, 112, 52), "sand": (186, 168, 140), "clay": (176, 112, 72), "brick": (112, 74, 60),
    "marble": (206, 202, 190), "stone": (212, 190, 152), "basalt": (74, 74, 78),
}  # fmt: skip
_WALLS: dict[str, Colour] = {"hedge": (52, 84, 40), "stone": (128, 120, 112)}


@dataclass(frozen=True)
class Scenery:
    """All quadrilaterals, ready to be drawn.

    ``corners`` (n, 4, 3) in metres in odom, ``colours`` (n, 3). Those of one ``piece`` (n, a
    number each) are drawn together in their order; ``centres`` (pieces, 3) tell which piece is
    further away. ``raised`` (n, bool) ones stand on the ground and are drawn after it.
    """

    corners: Array
    colours: Array
    piece: NDArray[np.intp]
    raised: NDArray[np.bool_]
    centres: Array


@dataclass(frozen=True)
class _Piece:
    corners: Array
    colours: list[Colour]
    raised: bool = False


def make_scenery(course: Course = COURSE) -> Scenery:
    """Return the ground and the walls."""
    pieces = [_ground(piece) for piece in course.ground]
    pieces += [_wall(wall) for wall in course.walls if wall.kind in _WALLS]
    sizes = [len(piece.corners) for piece in pieces]
    return Scenery(
        corners=np.concatenate([piece.corners for piece in pieces]),
        colours=np.array([colour for piece in pieces for colour in piece.colours], float),
        piece=np.repeat(np.arange(len(pieces)), sizes),
        raised=np.repeat([piece.raised for piece in pieces], sizes),
        centres=np.array([piece.corners.reshape(-1, 3).mean(axis=0) for piece in pieces]),
    )


def _ground(piece: GroundPiece) -> _Piece:
    quads = []
    for polygon in piece.outline:
        # A polygon of many corners is a fan of quadrilaterals.
        for i in range(1, len(polygon) - 1, 2):
            corners = (
                polygon[0],
                polygon[i],
                polygon[i + 1],
                polygon[min(i + 2, len(polygon) - 1)],
            )
            quads.append([(x, y, piece.z + piece.slope * x) for x, y in corners])
    return _Piece(np.array(quads), [_SURFACES[piece.surface]] * len(quads))


def _wall(wall: Wall) -> _Piece:
    quads = [
        [(ax, ay, 0.0), (bx, by, 0.0), (bx, by, wall.top), (ax, ay, wall.top)]
        for (ax, ay), (bx, by) in pairwise(wall.points)
    ]
    return _Piece(np.array(quads), [_WALLS[wall.kind]] * len(quads), raised=True)
