# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Straight motion that is exact: a leg from a point to a waypoint, position by position.

All positions are multiples of :data:`GRAIN`, and so are the steps of a leg. Sums and small
multiples of such numbers are represented exactly, so ``start + k * step`` is the same number,
to the bit, as adding ``step`` ``k`` times. That is why the world can jump over uneventful ticks
and still get what stepping gets. The original adds unrounded steps and gathers errors of about
1e-13 units; the grain deviates from the ideal line by less than 1e-12 units a tick.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import floor, hypot, inf

GRAIN = 2.0**-40
"""All coordinates are multiples of this, in map units."""

MAX_COORDINATE = 2.0**13
"""Coordinates up to this (map units) are exact; larger maps are refused."""

ARRIVAL_DISTANCE = 0.001
"""A robot nearer than this to its waypoint has arrived (docs/originals/bw4t.md, 3; map units)."""

_GRAINS_PER_UNIT = 2.0**40


def on_grain(value: float) -> float:
    """Return the multiple of :data:`GRAIN` nearest to a coordinate."""
    return round(value * _GRAINS_PER_UNIT) * GRAIN


@dataclass(frozen=True, slots=True)
class Leg:
    """The way from a start to a waypoint, one move a tick.

    The first ``full_moves`` moves add ``(vx, vy)``; one more, when the waypoint is not reached
    by then, ends exactly on it. ``moves`` counts both. Lengths are in map units.
    """

    x: float
    y: float
    to_x: float
    to_y: float
    vx: float
    vy: float
    full_moves: float
    moves: float

    @property
    def is_endless(self) -> bool:
        """Whether the robot moves without getting anywhere.

        It has no speed, or presses on against the edge of the map towards a waypoint beyond.
        """
        return self.moves == inf

    def at(self, moves: int) -> tuple[float, float]:
        """Return the position after a number of moves."""
        if moves <= self.full_moves:
            return self.x + moves * self.vx, self.y + moves * self.vy
        return self.to_x, self.to_y


def make_leg(x: float, y: float, to_x: float, to_y: float, step: float) -> Leg:
    """Return the leg between two points on the grain, with steps of a length in map units."""
    distance = hypot(to_x - x, to_y - y)
    if distance < ARRIVAL_DISTANCE or step <= 0:
        # Without speed a robot never gets there.
        moves = 0 if distance < ARRIVAL_DISTANCE else inf
        return Leg(x, y, to_x, to_y, 0.0, 0.0, moves, moves)
    vx = on_grain((to_x - x) / distance * step)
    vy = on_grain((to_y - y) / distance * step)
    # The last full move leaves at most one step to go; the estimate is at most two too low.
    full = max(0, int(distance / step) - 2)
    while hypot(to_x - (x + full * vx), to_y - (y + full * vy)) > step:
        full += 1
    rest = hypot(to_x - (x + full * vx), to_y - (y + full * vy))
    return Leg(x, y, to_x, to_y, vx, vy, full, full if rest < ARRIVAL_DISTANCE else full + 1)


def pressing_leg(x: float, y: float, to_x: float, to_y: float) -> Leg:
    """Return the leg of a robot at the edge of the map whose waypoint lies beyond it."""
    return Leg(x, y, to_x, to_y, 0.0, 0.0, inf, inf)


def moves_near_lines(
    leg: Leg, vertical: Iterable[float], horizontal: Iterable[float]
) -> list[int]:
    """Return the moves of a leg that may cross one of the given lines, in order.

    ``vertical`` are x and ``horizontal`` y coordinates. A move that is not returned stays on
    its side of every line; a returned one may as well.
    """
    moves = int(leg.moves)
    near = {moves}  # the last move is of another length
    for lines, start, speed in ((vertical, leg.x, leg.vx), (horizontal, leg.y, leg.vy)):
        if speed == 0.0:
            continue
        for line in lines:
            crossing = floor((line - start) / speed)
            # The crossing move is the next whole number; rounding can shift it by one.
            near.update((crossing, crossing + 1, crossing + 2))
    return sorted(move for move in near if 0 < move <= moves)
