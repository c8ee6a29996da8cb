# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What the drawings for rviz share: markers in the palette's colours, and flat shapes.

rviz (14.1) loses or changes what is drawn otherwise: a latched marker whose transform comes later
is dropped unless it is ``frame_locked``, and its error stays until it is repeated; the tops of a
CUBE_LIST are at half brightness; triangles without a colour each are lit from one side; lines turn
towards the camera, so that half their width is below the floor they lie on; a list without points
is an error (delete it instead); and seen from above (TopDownOrtho) layers are distinguished only
from some 6 mm on. test/test_rviz.py tests what the bridges publish.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import hypot

from geometry_msgs.msg import Point, Vector3
from std_msgs.msg import ColorRGBA, Header
from visualization_msgs.msg import Marker, MarkerArray

from legacy_robots_common.node import qos
from legacy_robots_common.node.program_node import ProgramNode
from legacy_robots_core.palette import rgb

LAYER_M = 0.02
"""Least distance in m between flat shapes that lie over each other."""
REPEAT_S = 5.0
"""rviz shows the error of a marker that came before its transform until the next one comes."""


def paint(name: str, alpha: float = 1.0) -> ColorRGBA:
    """Return a colour of the palette. Raises KeyError."""
    red, green, blue = rgb(name)
    return ColorRGBA(r=red, g=green, b=blue, a=alpha)


def new_marker(header: Header, namespace: str, number: int, kind: int, color: ColorRGBA) -> Marker:
    """Return a marker that follows its frame, and waits for it."""
    marker = Marker(
        header=header,
        ns=namespace,
        id=number,
        type=kind,
        action=Marker.ADD,
        color=color,
        frame_locked=True,
    )
    marker.pose.orientation.w = 1.0
    return marker


def label(
    header: Header, namespace: str, number: int, text: str, size: float, at: Point | None = None
) -> Marker:
    """Return a text ``at`` a place (m) whose capitals are ``size`` m high."""
    marker = new_marker(header, namespace, number, Marker.TEXT_VIEW_FACING, paint("text"))
    marker.pose.position = at or Point()
    marker.scale = Vector3(z=size)
    marker.text = text
    return marker


def flat_shapes(header: Header, namespace: str, number: int, color: ColorRGBA) -> Marker:
    """Return an empty list of triangles, to be filled by :func:`add_polygon`."""
    marker = new_marker(header, namespace, number, Marker.TRIANGLE_LIST, color)
    marker.scale = Vector3(x=1.0, y=1.0, z=1.0)
    return marker


def add_polygon(marker: Marker, corners: Sequence[Point], color: ColorRGBA | None = None) -> None:
    """Add a convex polygon, its ``corners`` (m) anticlockwise as seen from its upper side."""
    first = corners[0]
    for second, third in pairwise(corners[1:]):
        marker.points += [first, second, third]
        # rviz lights triangles without colours of their own.
        marker.colors += [color or marker.color] * 3


def add_rectangle(
    marker: Marker,
    low: tuple[float, float],
    high: tuple[float, float],
    z: float,
    color: ColorRGBA | None = None,
) -> None:
    """Add a level rectangle with its corners ``low`` and ``high`` (x, y in m)."""
    (x0, y0), (x1, y1) = low, high
    corners = ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
    add_polygon(marker, [Point(x=x, y=y, z=z) for x, y in corners], color)


def add_strip(
    marker: Marker,
    start: tuple[float, float],
    end: tuple[float, float],
    z: float,
    width: float,
    color: ColorRGBA | None = None,
) -> None:
    """Add a level line of some ``width`` from ``start`` to ``end`` (all m), with square ends."""
    (x0, y0), (x1, y1) = start, end
    length = hypot(x1 - x0, y1 - y0)
    if not length:
        return
    ax, ay = width * (x1 - x0) / length / 2.0, width * (y1 - y0) / length / 2.0
    x0, y0, x1, y1 = x0 - ax, y0 - ay, x1 + ax, y1 + ay
    sides = ((x0 + ay, y0 - ax), (x1 + ay, y1 - ax), (x1 - ay, y1 + ax), (x0 - ay, y0 + ax))
    add_polygon(marker, [Point(x=x, y=y, z=z) for x, y in sides], color)


def deletion(header: Header, namespace: str, number: int) -> Marker:
    """Return the message that takes one marker away."""
    return Marker(header=header, ns=namespace, id=number, action=Marker.DELETE)


def unless_empty(shapes: Marker) -> Marker:
    """Return flat shapes, or their deletion where there are none: rviz takes that for an error."""
    return shapes if shapes.points else deletion(shapes.header, shapes.ns, shapes.id)


def layers(overlapping: Iterable[Iterable[int]]) -> list[int]:
    """Return a layer for each shape, 0 on top: below all earlier shapes that it overlaps.

    ``overlapping`` has, for each shape, the numbers of those.
    """
    found: list[int] = []
    for others in overlapping:
        found.append(max((found[other] + 1 for other in others), default=0))
    return found


class FixedDrawing:
    """Publishes a drawing that never changes: latched, and repeated while it has a subscriber."""

    def __init__(self, node: ProgramNode, topic: str, markers: MarkerArray) -> None:
        self._markers = markers
        self._publisher = qos.publisher(node, MarkerArray, topic, qos.LATCHED)
        self._publisher.publish(markers)
        self._timer = node.timer(REPEAT_S, self._repeat)

    def _repeat(self) -> None:
        if self._publisher.get_subscription_count():
            self._publisher.publish(self._markers)
