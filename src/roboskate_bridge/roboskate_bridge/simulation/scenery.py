# SPDX-License-Identifier: Apache-2.0
"""The things that do not move, as coloured polygons in odom, made once."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from roboskate_bridge.levels import LEVELS, Point
from roboskate_bridge.simulation.projection import Array
from roboskate_bridge.simulation.track import Platform, Stretch, Track

Colour = tuple[int, int, int]
"""Red, green, blue."""
Corner = tuple[float, float, float]

_THICKNESS = 0.7
_KERB = 0.35
_LIGHT, _DARK = (172, 178, 186), (150, 156, 165)
_SIDE: Colour = (92, 84, 80)
_RED, _WHITE = (206, 62, 52), (238, 236, 230)
_DASH: Colour = (238, 214, 96)
_POST: Colour = (60, 70, 84)
_BANNER: Colour = (250, 150, 40)
_GATE_HEIGHT = 3.2


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


def make_scenery(track: Track) -> Scenery:
    """Return the ground and the gates at the checkpoints."""
    pieces = [_disc(platform, track) for platform in track.platforms]
    for stretch in track.stretches:
        pieces += _ribbon(stretch, track)
    for level in LEVELS:
        pieces += [_gate(checkpoint, track) for checkpoint in level.checkpoints]
    sizes = [len(piece.corners) for piece in pieces]
    return Scenery(
        corners=np.concatenate([piece.corners for piece in pieces]),
        colours=np.array([colour for piece in pieces for colour in piece.colours], float),
        piece=np.repeat(np.arange(len(pieces)), sizes),
        raised=np.repeat([piece.raised for piece in pieces], sizes),
        centres=np.array([piece.corners.reshape(-1, 3).mean(axis=0) for piece in pieces]),
    )


def _ribbon(stretch: Stretch, track: Track) -> list[_Piece]:
    """Return one piece for each part between two points of a stretch.

    Sides and kerbs are left out where the ground goes on beside them.
    """
    points = np.array(stretch.points)
    along = np.gradient(points, axis=0)
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    left = np.stack([-along[:, 1], along[:, 0]], axis=1)
    half = stretch.width / 2.0
    kerb = min(_KERB, stretch.width / 6.0)

    def strip(i: int, a: float, b: float) -> list[Corner]:
        ends = ((i, a), (i + 1, a), (i + 1, b), (i, b))
        return [(*(points[k] + offset * left[k]), 0.0) for k, offset in ends]

    pieces = []
    for i in range(len(points) - 1):
        edges = []
        for side in (1.0, -1.0):
            beyond = (points[i] + points[i + 1]) / 2.0 + side * (half + 0.15) * left[i]
            if not track.contains(*beyond):
                edges.append(side)
        quads, colours = [], []
        for side in edges:
            top = strip(i, side * half, side * half)[:2]
            quads.append([*top, *((x, y, -_THICKNESS) for x, y, _ in reversed(top))])
            colours.append(_SIDE)
        quads.append(strip(i, half, -half))
        colours.append(_LIGHT if i % 2 else _DARK)
        for side in edges:
            quads.append(strip(i, side * (half - kerb), side * half))
            colours.append(_RED if i % 2 else _WHITE)
        if i % 2 and stretch.width > 3.0:
            quads.append(strip(i, 0.06, -0.06))
            colours.append(_DASH)
        pieces.append(_Piece(np.array(quads), colours))
    return pieces


def _disc(platform: Platform, track: Track) -> _Piece:
    """Return a round platform as a fan of quadrilaterals with a kerb where it ends."""
    (x, y), radius = platform.centre, platform.radius
    count = 24
    directions = [
        (math.cos(a), math.sin(a)) for a in (2.0 * math.pi * i / count for i in range(count + 1))
    ]

    def at(i: int, r: float, z: float = 0.0) -> Corner:
        return (x + r * directions[i][0], y + r * directions[i][1], z)

    sides, fan, kerbs = [], [], []
    for i in range(count):
        middle = ((directions[i][k] + directions[i + 1][k]) / 2.0 for k in (0, 1))
        beyond = [c + (radius + 0.15) * m for c, m in zip((x, y), middle, strict=True)]
        if not track.contains(*beyond):
            low = -_THICKNESS
            sides.append(
                [at(i, radius), at(i + 1, radius), at(i + 1, radius, low), at(i, radius, low)]
            )
            inner = radius - _KERB
            kerbs.append([at(i, inner), at(i + 1, inner), at(i + 1, radius), at(i, radius)])
    for i in range(0, count, 2):
        fan.append([(x, y, 0.0), at(i, radius), at(i + 1, radius), at(i + 2, radius)])
    colours = [_SIDE] * len(sides)
    colours += [_LIGHT if i % 2 else _DARK for i in range(len(fan))]
    colours += [_RED if i % 2 else _WHITE for i in range(len(kerbs))]
    return _Piece(np.array(sides + fan + kerbs), colours)


def _gate(checkpoint: Point, track: Track) -> _Piece:
    """Return two posts and a banner across the way to a checkpoint."""
    heading, half = _way_to(checkpoint, track)
    left = (-math.sin(heading), math.cos(heading))
    width = 0.12

    def at(offset: float, z: float) -> tuple[float, float, float]:
        return (checkpoint[0] + offset * left[0], checkpoint[1] + offset * left[1], z)

    quads, colours = [], []
    for side in (-half, half):
        quads.append(
            [
                at(side - width, 0.0),
                at(side + width, 0.0),
                at(side + width, _GATE_HEIGHT),
                at(side - width, _GATE_HEIGHT),
            ]
        )
        colours.append(_POST)
    count = max(2, round(2.0 * half / 0.6))
    for i in range(count):
        a, b = -half + 2.0 * half * i / count, -half + 2.0 * half * (i + 1) / count
        low, high = _GATE_HEIGHT - 0.55, _GATE_HEIGHT
        quads.append([at(a, low), at(b, low), at(b, high), at(a, high)])
        colours.append(_BANNER if i % 2 else _WHITE)
    return _Piece(np.array(quads), colours, raised=True)


def _way_to(checkpoint: Point, track: Track) -> tuple[float, float]:
    """Return the direction in rad, and half the width in m, of the track that leads to a point."""
    arrivals = (
        (math.dist(checkpoint, b), math.atan2(b[1] - a[1], b[0] - a[0]), stretch.width / 2.0)
        for stretch in track.stretches
        for a, b in pairwise(stretch.points)
    )
    _, heading, half = min(arrivals)
    return heading, half
