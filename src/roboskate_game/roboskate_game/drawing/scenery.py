# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What stands on the ground and what is under its edges, as shaded quadrilaterals, made once."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby, pairwise

import numpy as np
from numpy.typing import NDArray

from roboskate_game.drawing.look import SURFACES, Colour, Look
from roboskate_game.drawing.projection import Array
from roboskate_game.model.course import COURSE, Course, Wall
from roboskate_game.physics.ground import Ground

Corner = tuple[float, float, float]

_WALLS: dict[str, Colour] = {"hedge": (44, 74, 30), "stone": (120, 112, 104)}
_COLUMN: Colour = (104, 106, 112)
_FOOT: Colour = (140, 92, 62)
_LEAVES: Colour = (38, 74, 26)
_TRUNK: Colour = (60, 46, 34)
_THICKNESS = 0.7
_PROBE = 0.2
"""Metres of a ground's side for each of which it is found out whether there is ground beyond."""
_COLUMN_HEIGHT, _COLUMN_RADIUS = 6.0, 0.55
_LINTEL: Colour = (196, 194, 190)


@dataclass(frozen=True)
class Scenery:
    """All quadrilaterals, ready to be drawn.

    ``planes`` (3, 4, n): x, y and z, in metres in odom, of the corners; ``colours`` (n, 3). Those
    of one ``piece`` (n, a number each) are drawn together, from far to near; ``centres``
    (pieces, 3) tell which piece is further away, and all of a piece is within its ``radii``
    (pieces). ``raised`` (n, bool) ones stand on the ground and are drawn after it. Seen from
    outside, corners are anticlockwise.
    """

    planes: Array
    colours: Array
    piece: NDArray[np.intp]
    raised: NDArray[np.bool_]
    centres: Array
    radii: Array


@dataclass(frozen=True)
class _Piece:
    corners: list[list[Corner]]
    colours: list[Colour]
    raised: bool = True


def make_scenery(look: Look, course: Course = COURSE) -> Scenery:
    """Return walls, hedges, columns, trees and the sides of the ground."""
    sun = _direction(look)
    pieces = [*_skirts(course, sun), *_portal(course, sun)]
    for wall in course.walls:
        if wall.kind in _WALLS:
            pieces += _wall(wall, sun)
    pieces += [_column(x, y, z, sun) for x, y, z in course.columns]
    pieces += [_tree(x, y, z, height, sun) for x, y, z, height in course.trees]
    sizes = [len(piece.corners) for piece in pieces]
    corners = [np.array(piece.corners, float) for piece in pieces]
    centres = [each.reshape(-1, 3).mean(axis=0) for each in corners]
    radii = [
        np.linalg.norm(each - centre, axis=-1).max()
        for each, centre in zip(corners, centres, strict=True)
    ]
    return Scenery(
        planes=np.ascontiguousarray(np.concatenate(corners).transpose(2, 1, 0)),
        colours=np.array([colour for piece in pieces for colour in piece.colours], float),
        piece=np.repeat(np.arange(len(pieces)), sizes),
        raised=np.repeat([piece.raised for piece in pieces], sizes),
        centres=np.array(centres),
        radii=np.array(radii),
    )


def _direction(look: Look) -> tuple[float, float, float]:
    azimuth, elevation = look.sun
    level = math.cos(elevation)
    return (level * math.cos(azimuth), level * math.sin(azimuth), math.sin(elevation))


def _shaded(colour: Colour, normal: Corner, sun: Corner, factor: float = 1.0) -> Colour:
    """Return a colour under sun and sky, on a face with this outward normal."""
    facing = sum(a * b for a, b in zip(normal, sun, strict=True))
    light = 0.5 + 0.12 * normal[2] + 0.55 * max(0.0, facing)
    red, green, blue = (min(255, round(c * light * factor)) for c in colour)
    return (red, green, blue)


def _faces(
    outline: list[tuple[float, float]], low: float, high: float
) -> Iterable[tuple[list[Corner], Corner]]:
    """Yield the upright faces of a prism over an anticlockwise outline, and their normals."""
    for (ax, ay), (bx, by) in pairwise((*outline, outline[0])):
        length = math.hypot(bx - ax, by - ay)
        normal = ((by - ay) / length, -(bx - ax) / length, 0.0)
        yield [(ax, ay, low), (bx, by, low), (bx, by, high), (ax, ay, high)], normal


def _prism(
    outline: list[tuple[float, float]], low: float, high: float, colour: Colour, sun: Corner
) -> _Piece:
    """Return a prism over an anticlockwise outline of four points or more, with both ends."""
    quads, colours = [], []
    for face, normal in _faces(outline, low, high):
        quads.append(face)
        colours.append(_shaded(colour, normal, sun))
    for i in range(1, len(outline) - 1, 2):
        last = min(i + 2, len(outline) - 1)
        quads.append([(*outline[k], high) for k in (0, i, i + 1, last)])
        colours.append(_shaded(colour, (0.0, 0.0, 1.0), sun))
        quads.append([(*outline[k], low) for k in (last, i + 1, i, 0)])
        colours.append(_shaded(colour, (0.0, 0.0, -1.0), sun))
    return _Piece(quads, colours)


def _wall(wall: Wall, sun: Corner) -> Iterable[_Piece]:
    """Yield a prism for every few metres: what is near is drawn after what is far."""
    low = -0.4
    for (ax, ay), (bx, by) in pairwise(wall.points):
        length = math.hypot(bx - ax, by - ay)
        # The free side is on the left, so the wall stands on the right.
        sx, sy = (by - ay) / length * wall.width, -(bx - ax) / length * wall.width
        count = max(1, round(length / 3.0))
        for i in range(count):
            p, q = i / count, (i + 1) / count
            cx, cy = ax + (bx - ax) * p, ay + (by - ay) * p
            dx, dy = ax + (bx - ax) * q, ay + (by - ay) * q
            outline = [(dx, dy), (cx, cy), (cx + sx, cy + sy), (dx + sx, dy + sy)]
            shade = 1.0 if wall.kind != "hedge" else 0.92 + 0.16 * ((i * 7) % 5) / 4.0
            colour = _WALLS[wall.kind]
            red, green, blue = (round(c * shade) for c in colour)
            yield _prism(outline, low, wall.top, (red, green, blue), sun)


def _ring(x: float, y: float, radius: float, count: int) -> list[tuple[float, float]]:
    turns = [2.0 * math.pi * i / count for i in range(count)]
    return [(x + radius * math.cos(t), y + radius * math.sin(t)) for t in turns]


def _column(x: float, y: float, z: float, sun: Corner) -> _Piece:
    foot = _prism(_ring(x, y, 1.15, 4), z - 0.6, z + 0.35, _FOOT, sun)
    base = _prism(_ring(x, y, 0.8, 8), z + 0.35, z + 0.75, _COLUMN, sun)
    shaft, colours = [], []
    for i, (face, normal) in enumerate(
        _faces(_ring(x, y, _COLUMN_RADIUS, 12), z + 0.75, z + _COLUMN_HEIGHT)
    ):
        # Fluted: every other face is a little darker.
        shaft.append(face)
        colours.append(_shaded(_COLUMN, normal, sun, 0.78 if i % 2 else 1.0))
    return _Piece([*foot.corners, *base.corners, *shaft], [*foot.colours, *base.colours, *colours])


def _portal(course: Course, sun: Corner) -> Iterable[_Piece]:
    """Yield the stone beams that rest on pairs of columns across a road."""
    for x, y, z in course.columns:
        if y > 0.0 and (x, -y, z) in course.columns:
            for part in range(6):
                a, b = y - part * y / 3.0, y - (part + 1) * y / 3.0
                outline = [(x - 0.9, b), (x + 0.9, b), (x + 0.9, a), (x - 0.9, a)]
                high = z + _COLUMN_HEIGHT
                yield _prism(outline, high, high + 0.9, _LINTEL, sun)


def _tree(x: float, y: float, z: float, height: float, sun: Corner) -> _Piece:
    """Return a cypress: a trunk and rings of leaves."""
    quads, colours = [], []
    for face, normal in _faces(_ring(x, y, 0.12, 5), z, z + 0.18 * height):
        quads.append(face)
        colours.append(_shaded(_TRUNK, normal, sun))
    levels = ((0.14, 0.1), (0.3, 0.24), (0.6, 0.25), (0.85, 0.15), (1.0, 0.02))
    for (low, wide), (high, narrow) in pairwise(levels):
        lower, upper = _ring(x, y, wide * height, 9), _ring(x, y, narrow * height, 9)
        for i in range(9):
            k = (i + 1) % 9
            turn = 2.0 * math.pi * (i + 0.5) / 9
            rise = (wide - narrow) / (high - low)
            scale = 1.0 / math.hypot(1.0, rise)
            normal = (math.cos(turn) * scale, math.sin(turn) * scale, rise * scale)
            quads.append(
                [
                    (*lower[i], z + low * height), (*lower[k], z + low * height),
                    (*upper[k], z + high * height), (*upper[i], z + high * height),
                ]
            )  # fmt: skip
            colours.append(_shaded(_LEAVES, normal, sun, 0.9 + 0.2 * ((3 * i) % 4) / 3.0))
    return _Piece(quads, colours)


def _skirts(course: Course, sun: Corner) -> Iterable[_Piece]:
    """Yield the sides of the ground where there is none beyond."""
    ground = Ground(course)
    for piece in course.ground:
        colour = SURFACES[piece.surface]
        for polygon in piece.outline:
            area = sum(
                ax * by - bx * ay for (ax, ay), (bx, by) in pairwise((*polygon, polygon[0]))
            )
            outline = list(polygon) if area > 0.0 else list(reversed(polygon))
            for (ax, ay), (bx, by) in pairwise((*outline, outline[0])):
                length = math.hypot(bx - ax, by - ay)
                normal = ((by - ay) / length, -(bx - ax) / length, 0.0)
                count = max(1, math.ceil(length / _PROBE))
                places = [
                    (ax + (bx - ax) * i / count, ay + (by - ay) * i / count)
                    for i in range(count + 1)
                ]
                free = [
                    not ground.contains(
                        (cx + dx) / 2.0 + 0.15 * normal[0], (cy + dy) / 2.0 + 0.15 * normal[1]
                    )
                    for (cx, cy), (dx, dy) in pairwise(places)
                ]
                # A little into the ground beyond, which hides it: no slit is left.
                wide = [any(free[max(0, i - 1) : i + 2]) for i in range(count)]
                quads, colours = [], []
                for begin, end in _runs(wide, round(2.0 / _PROBE)):
                    (cx, cy), (dx, dy) = places[begin], places[end]
                    z0, z1 = piece.z + piece.slope * cx, piece.z + piece.slope * dx
                    quads.append(
                        [(cx, cy, z0 - _THICKNESS), (dx, dy, z1 - _THICKNESS), (dx, dy, z1),
                         (cx, cy, z0)]
                    )  # fmt: skip
                    colours.append(_shaded(colour, normal, sun, 0.6))
                if quads:
                    yield _Piece(quads, colours, raised=False)


def _runs(chosen: list[bool], longest: int) -> Iterable[tuple[int, int]]:
    """Yield begin and end of what is chosen in a row, in parts of about ``longest`` at most."""
    begin = 0
    for key, group in groupby(chosen):
        count = len(list(group))
        parts = max(1, round(count / longest))
        if key:
            for part in range(parts):
                yield begin + part * count // parts, begin + (part + 1) * count // parts
        begin += count
