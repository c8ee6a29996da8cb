# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Board and crane as shapes for drawing, from one state."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from roboskate_game.drawing.look import Colour
from roboskate_game.drawing.projection import Array
from roboskate_game.model.coordinates import BoardInRos
from roboskate_game.model.crane import LOWER_LENGTH, SHOULDER_HEIGHT, UPPER_LENGTH

_DECK_LENGTH, _DECK_WIDTH, _DECK_HEIGHT = 1.1, 0.36, 0.13
_DECK: Colour = (34, 88, 168)
_DECK_EDGE: Colour = (20, 52, 104)
_NOSE: Colour = (246, 196, 52)
_WHEEL: Colour = (28, 28, 30)
_COLUMN: Colour = (70, 74, 82)
_UPPER: Colour = (232, 92, 30)
_LOWER: Colour = (246, 158, 42)
_TIP: Colour = (40, 40, 44)


@dataclass(frozen=True)
class Limb:
    """A rod with round ends: from ``start`` to ``end`` (m, in odom), ``radius`` in m."""

    start: Array
    end: Array
    radius: float
    colour: Colour


@dataclass(frozen=True)
class SkaterShapes:
    """Board and crane: flat polygons (n, 3) from the lowest up, and rods."""

    deck: tuple[tuple[Array, Colour], ...]
    wheels: tuple[Limb, ...]
    limbs: tuple[Limb, ...]

    def cast(self, per_metre: Array, level: float) -> list[Array]:
        """Return the shadows (n, 3) on the ground at a height in metres.

        ``per_metre``: horizontal way of the light, towards the sun, for each metre of height.
        """
        deck = self.deck[-2][0]
        points = np.concatenate([deck, *((limb.start, limb.end) for limb in self.limbs)])
        points[:, :2] -= (points[:, 2:] - level) * per_metre
        points[:, 2] = level
        shadows = [points[: len(deck)]]
        ends = points[len(deck) :].tolist()
        for limb, (ax, ay, _), (bx, by, _) in zip(self.limbs, ends[::2], ends[1::2], strict=True):
            length = math.hypot(bx - ax, by - ay)
            if length > 0.05:
                x, y = (ay - by) * limb.radius / length, (bx - ax) * limb.radius / length
                corners = ((ax + x, ay + y), (bx + x, by + y), (bx - x, by - y), (ax - x, ay - y))
                shadows.append(np.array([(*corner, level) for corner in corners]))
        return shadows


def skater_shapes(board: BoardInRos) -> SkaterShapes:
    """Return what is to be drawn of board and crane."""
    rotation, origin = np.array(board.rotation), np.array(board.position)

    def placed(points: Array) -> Array:
        moved: Array = points @ rotation.T + origin
        return moved

    turn, shoulder, elbow = board.joint_angles
    tilt = shoulder + elbow
    behind = np.array([-math.cos(turn), math.sin(turn), 0.0])
    up = np.array([0.0, 0.0, 1.0])
    base = _DECK_HEIGHT * up
    top = SHOULDER_HEIGHT * up
    middle = top + UPPER_LENGTH * (math.sin(shoulder) * behind + math.cos(shoulder) * up)
    end = middle + LOWER_LENGTH * (math.sin(tilt) * behind + math.cos(tilt) * up)
    base, top, middle, end = placed(np.array([base, top, middle, end]))
    surface, underside = placed(_SURFACE), placed(_UNDERSIDE)
    nose = surface[2 : len(surface) // 2 - 2]
    axles = placed(_AXLES)
    wheels = tuple(Limb(axles[i], axles[i + 1], 0.055, _WHEEL) for i in range(0, len(axles), 2))
    return SkaterShapes(
        deck=((underside, _DECK_EDGE), (surface, _DECK), (nose, _NOSE)),
        wheels=wheels,
        limbs=(
            Limb(base, top, 0.11, _COLUMN),
            Limb(top, middle, 0.075, _UPPER),
            Limb(middle, end, 0.055, _LOWER),
            Limb(end, end, 0.075, _TIP),
        ),
    )


def _deck_outline() -> Array:
    """Return the outline of the deck in the board's frame, nose half first: a rounded oblong."""
    straight = _DECK_LENGTH / 2.0 - _DECK_WIDTH / 2.0
    half = _DECK_WIDTH / 2.0
    nose = [
        (straight + half * math.cos(a), half * math.sin(a)) for a in _half_turn(-0.5 * math.pi)
    ]
    tail = [
        (-straight + half * math.cos(a), half * math.sin(a)) for a in _half_turn(0.5 * math.pi)
    ]
    return np.array([(x, y, 0.0) for x, y in nose + tail])


def _half_turn(begin: float) -> list[float]:
    return [begin + math.pi * i / 8.0 for i in range(9)]


_SURFACE = _deck_outline() + np.array([0.0, 0.0, _DECK_HEIGHT])
_UNDERSIDE = _SURFACE - np.array([0.0, 0.0, 0.05])
_AXLES = np.array(
    [(x, y + half, 0.05) for x in (-0.38, 0.38) for y in (-0.2, 0.2) for half in (-0.04, 0.04)]
)
"""Ends of the four wheels."""
