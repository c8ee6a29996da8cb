# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The course as markers for rviz: ground and walls once, checkpoints as they are reached."""

from __future__ import annotations

import math
from itertools import pairwise

from geometry_msgs.msg import Point
from std_msgs.msg import Header
from visualization_msgs.msg import Marker, MarkerArray

from legacy_robots_common.drawing.markers import (
    LAYER_M,
    FixedDrawing,
    add_polygon,
    flat_shapes,
    label,
    layers,
    paint,
)
from legacy_robots_common.node import qos
from legacy_robots_common.node.lazy_publisher import LazyPublisher
from legacy_robots_common.node.program_node import ProgramNode
from roboskate_game.model.course import COURSE, Course, GroundPiece, Wall
from roboskate_game.model.course import Point as Place

DISC_HEIGHT_M = 0.25
"""Above all of the ground where checkpoints are."""
LABEL_HEIGHT_M = 2.0
LABEL_SIZE_M = 1.5
TARGETS = COURSE.checkpoints[:-1]
"""The last one is outside the path: it is steered towards, not reached."""


class CourseTopics:
    """Publishes ``course`` once, and ``checkpoints`` whenever another one is the next.

    To be used on one thread. ``frame_id`` is that of the odometry.
    """

    def __init__(self, node: ProgramNode, frame_id: str) -> None:
        self._header = Header(frame_id=frame_id)
        self._course = FixedDrawing(node, "course", course_markers(COURSE, self._header))
        self._checkpoints = LazyPublisher(node, MarkerArray, "checkpoints", qos.LATCHED)
        self.begin_level(0)

    @property
    def wanted(self) -> bool:
        """Whether it matters where the board is."""
        return self._checkpoints.wanted

    def begin_level(self, level: int) -> None:
        """Restart with the first checkpoint of a level; some levels have none."""
        first = COURSE.levels[level].first_checkpoint if 0 <= level < len(COURSE.levels) else None
        self._next = len(TARGETS) if first is None else first
        self._publish()

    def update(self, place: Place) -> None:
        """Let the next checkpoint be the one after the furthest whose disc ``place`` (m) is in."""
        for number in range(len(TARGETS) - 1, self._next - 1, -1):
            target = TARGETS[number]
            if math.dist(place, (target.x, target.y)) <= target.radius:
                self._next = number + 1
                self._publish()
                return

    def _publish(self) -> None:
        self._checkpoints.publish(checkpoint_markers(self._next, self._header))


def checkpoint_markers(following: int, header: Header) -> MarkerArray:
    """Return the checkpoints as discs with their numbers; ``following`` is the next one."""
    markers = []
    for number, target in enumerate(TARGETS):
        name = (
            "checkpoint-reached"
            if number < following
            else "checkpoint-next"
            if number == following
            else "checkpoint"
        )
        disc = flat_shapes(header, "checkpoints", number, paint(name, 0.6))
        disc.pose.position = Point(x=target.x, y=target.y, z=DISC_HEIGHT_M)
        add_polygon(disc, _circle(target.radius))
        text = label(header, "numbers", number, str(number), LABEL_SIZE_M)
        x, y = _beside(number)
        text.pose.position = Point(x=x, y=y, z=LABEL_HEIGHT_M)
        text.color = paint(name if number == following else "text")
        markers += [disc, text]
    return MarkerArray(markers=markers)


def _beside(number: int) -> tuple[float, float]:
    """Return the left edge of a disc (m): on a straight way numbers are apart from behind."""
    before, after = TARGETS[max(number - 1, 0)], TARGETS[min(number + 1, len(TARGETS) - 1)]
    target, way = TARGETS[number], math.hypot(after.x - before.x, after.y - before.y)
    part = target.radius / way
    return target.x - part * (after.y - before.y), target.y + part * (after.x - before.x)


def _circle(radius: float, corners: int = 36) -> list[Point]:
    turns = [2.0 * math.pi * i / corners for i in range(corners)]
    return [Point(x=radius * math.cos(t), y=radius * math.sin(t)) for t in turns]


def course_markers(course: Course, header: Header) -> MarkerArray:
    """Return ground and walls; they never change."""
    ground = flat_shapes(header, "ground", 0, paint("stone"))
    # A later piece lies over an earlier one.
    order = course.ground[::-1]
    depths = layers(
        [other for other in range(number) if _overlap(piece, order[other])]
        for number, piece in enumerate(order)
    )
    for piece, depth in zip(order, depths, strict=True):
        color = paint(piece.surface)
        for polygon in piece.outline:
            heights = (piece.z + piece.slope * x - LAYER_M * depth for x, _ in polygon)
            corners = [Point(x=x, y=y, z=z) for (x, y), z in zip(polygon, heights, strict=True)]
            add_polygon(ground, corners, color)
    walls = flat_shapes(header, "walls", 0, paint("stone"))
    for wall in course.walls:
        _add_wall(walls, wall)
    return MarkerArray(markers=[ground, walls])


def _overlap(a: GroundPiece, b: GroundPiece) -> bool:
    """Whether the rectangles around two pieces overlap."""
    (ax0, ay0, ax1, ay1), (bx0, by0, bx1, by1) = _extent(a), _extent(b)
    return ax0 < bx1 and bx0 < ax1 and ay0 < by1 and by0 < ay1


def _extent(piece: GroundPiece) -> tuple[float, float, float, float]:
    xs, ys = zip(*(point for polygon in piece.outline for point in polygon), strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def _add_wall(marker: Marker, wall: Wall) -> None:
    """Add the side that stops the board, and the upper side, which lies to the right of it."""
    color = paint(wall.kind)
    for (x0, y0), (x1, y1) in pairwise(wall.points):
        length = math.hypot(x1 - x0, y1 - y0)
        if not length:
            continue
        sx, sy = wall.width * (y1 - y0) / length, wall.width * (x0 - x1) / length
        low = [Point(x=x0, y=y0), Point(x=x1, y=y1)]
        near = [Point(x=x1, y=y1, z=wall.top), Point(x=x0, y=y0, z=wall.top)]
        add_polygon(marker, [*low, *near], color)
        if wall.width:
            far = [Point(x=x + sx, y=y + sy, z=wall.top) for x, y in ((x0, y0), (x1, y1))]
            add_polygon(marker, [*far, *near], color)
