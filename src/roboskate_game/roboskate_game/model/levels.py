# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Progress along the checkpoints of the course (docs/originals/roboskate.md, "The course").

Coordinates are ROS's: metres in odom, x forward and y left as seen from the start of level 0.
"""

from __future__ import annotations

import math

from roboskate_game.model.course import COURSE, Point

CHECKPOINTS = COURSE.checkpoints
LEVELS = COURSE.levels
"""The number of a level is its index."""
PLAYABLE = sum(level.first_checkpoint is not None for level in LEVELS)
"""Number of levels, from 0 on, whose checkpoints are known."""


class CourseProgress:
    """The checkpoints still ahead on a level, or on a level and all that follow.

    The course's last checkpoint is outside the path, so the one before it ends level 2.

    Parameters
    ----------
    level
        Number of the level; IndexError when there is none of that number, or no checkpoints are
        known of it.
    whole_map
        Go on with the next level's checkpoints after the last one of this.

    """

    def __init__(self, level: int, *, whole_map: bool = False) -> None:
        if not 0 <= level < PLAYABLE:
            raise IndexError(f"level {level} has no known checkpoints, only 0 to {PLAYABLE - 1}")
        starts = [each.first_checkpoint for each in LEVELS[:PLAYABLE]]
        first, last = starts[level], len(CHECKPOINTS) - 1
        assert first is not None
        if not whole_map and level + 1 < PLAYABLE:
            last = starts[level + 1] or 0
        self._points = CHECKPOINTS[first:last]
        route = [LEVELS[level].start]
        for number in range(first, last + 1):
            route.append((CHECKPOINTS[number].x, CHECKPOINTS[number].y))
            if number in COURSE.corners:
                route.append(COURSE.corners[number])
        # A level may begin on its first checkpoint.
        self.route: tuple[Point, ...] = tuple(dict.fromkeys(route))
        """A line to drive along, from the start past all checkpoints and on to the next one."""
        self.reached = 0

    @property
    def target(self) -> Point | None:
        """The next checkpoint, None after the last."""
        if self.reached >= len(self._points):
            return None
        checkpoint = self._points[self.reached]
        return (checkpoint.x, checkpoint.y)

    @property
    def radius(self) -> float:
        """Radius of the next checkpoint in metres, 0 after the last."""
        return self._points[self.reached].radius if self.target is not None else 0.0

    def update(self, position: Point) -> bool:
        """Record where the board is; return whether it has just reached a checkpoint."""
        if self.target is None or self.distance(position) > self.radius:
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
