# SPDX-License-Identifier: Apache-2.0
"""The game's levels, as far as they are known: starts and checkpoints.

Source: docs/originals/roboskate.md, "The course". All levels lie on one map. Coordinates are
ROS's: metres in odom, x forward and y left as seen from the start of level 0.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

Point = tuple[float, float]


@dataclass(frozen=True)
class Level:
    """Where a level begins, with which heading (rad), and what is to be reached, in order.

    ``route`` is a line to drive along, from the start past all checkpoints and a little further.
    """

    start: Point
    heading: float
    checkpoints: tuple[Point, ...]
    route: tuple[Point, ...]


ARC_RADIUS = 35.2
"""Metres; level 0 ends with a quarter circle to the right."""


def _arc(count: int) -> tuple[Point, ...]:
    turns = [0.5 * math.pi * i / count for i in range(count + 1)]
    return tuple(
        (72.5 + ARC_RADIUS * math.sin(t), -ARC_RADIUS * (1.0 - math.cos(t))) for t in turns
    )


LEVELS: tuple[Level, ...] = (
    Level(
        (0.0, 0.0),
        0.0,
        ((30.0, 0.0), (72.5, 0.0), (107.69, -35.21)),
        ((0.0, 0.0), (30.0, 0.0), *_arc(8), (107.69, -50.0)),
    ),
    Level(
        (107.69, -50.0),
        -math.pi / 2,
        ((107.69, -73.0), (82.2, -77.4), (80.0, -58.0)),
        ((107.69, -50.0), (107.69, -72.0), (106.8, -74.2), (104.0, -73.7),
         (84.2, -77.1), (82.0, -76.3), (81.8, -74.0), (80.0, -58.0), (80.0, -50.0)),
    ),
    Level(
        (80.0, -50.0),
        math.pi / 2,
        ((63.75, -40.0), (47.5, -30.0)),
        (
            (80.0, -50.0), (78.9, -43.9), (75.2, -41.2), (70.2, -40.3), (63.75, -40.0),
            (57.3, -39.7), (52.3, -38.8), (48.6, -36.1), (47.5, -30.0), (47.5, -25.0),
        ),
    ),
)  # fmt: skip
"""The number of a level is its index."""

CHECKPOINT_RADIUS = 2.5
"""Metres; so near to a checkpoint, it has been reached. The game's own distance is not known."""


class Course:
    """The checkpoints still ahead on a level, or on a level and all that follow.

    Parameters
    ----------
    level
        Number of the level; IndexError when there is none of that number.
    whole_map
        Go on with the next level's checkpoints after the last one of this.

    """

    def __init__(self, level: int, *, whole_map: bool = False) -> None:
        if not 0 <= level < len(LEVELS):
            raise IndexError(f"there is no level {level}, only 0 to {len(LEVELS) - 1}")
        chosen = LEVELS[level:] if whole_map else LEVELS[level : level + 1]
        # One level's route ends where the next one's begins.
        self.route: tuple[Point, ...] = (
            *(point for each in chosen for point in each.route[:-1]),
            chosen[-1].route[-1],
        )
        self._points: list[Point] = [
            point
            for number, each in enumerate(chosen)
            for point in ((each.start, *each.checkpoints) if number else each.checkpoints)
        ]
        self.reached = 0

    @property
    def target(self) -> Point | None:
        """The next checkpoint, None after the last."""
        return self._points[self.reached] if self.reached < len(self._points) else None

    def update(self, position: Point) -> bool:
        """Take note of where the board is; return whether it has just reached a checkpoint."""
        target = self.target
        if target is None or self.distance(position) > CHECKPOINT_RADIUS:
            return False
        self.reached += 1
        return True

    def distance(self, position: Point) -> float:
        """Return the metres to the next checkpoint, 0 after the last."""
        return math.dist(position, self.target) if self.target is not None else 0.0

    def bearing(self, position: Point, heading: float) -> float:
        """Return the angle, -pi to pi, from ``heading`` to the next checkpoint, left positive."""
        if self.target is None:
            return 0.0
        towards = math.atan2(self.target[1] - position[1], self.target[0] - position[0])
        return math.remainder(towards - heading, 2.0 * math.pi)
