# SPDX-License-Identifier: Apache-2.0
"""The world as markers for rviz: pure functions of snapshots.

Positions are in metres in the map frame, see :mod:`bw4t_bridge.conversions`. Blocks are a unit
high, robots half a unit; what a robot holds is stacked on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from geometry_msgs.msg import Point, Vector3
from std_msgs.msg import ColorRGBA, Header
from visualization_msgs.msg import Marker, MarkerArray

from bw4t_world import Snapshot
from bw4t_world.maps import BlockColor, Box, ZoneSpec, ZoneType
from bw4t_world.snapshots import RobotView


def _rgb(red: float, green: float, blue: float, alpha: float = 1.0) -> ColorRGBA:
    return ColorRGBA(r=red, g=green, b=blue, a=alpha)


BLOCK_COLORS = {
    BlockColor.RED: _rgb(0.85, 0.10, 0.10),
    BlockColor.ORANGE: _rgb(1.00, 0.55, 0.00),
    BlockColor.YELLOW: _rgb(0.95, 0.85, 0.10),
    BlockColor.GREEN: _rgb(0.10, 0.60, 0.20),
    BlockColor.BLUE: _rgb(0.10, 0.25, 0.85),
    BlockColor.PINK: _rgb(1.00, 0.55, 0.75),
    BlockColor.WHITE: _rgb(1.00, 1.00, 1.00),
    BlockColor.DARK_GRAY: _rgb(0.33, 0.33, 0.33),
    BlockColor.CYAN: _rgb(0.10, 0.75, 0.80),
    BlockColor.MAGENTA: _rgb(0.80, 0.15, 0.75),
}
ZONE_COLORS = {
    ZoneType.ROOM: _rgb(0.93, 0.93, 0.88),
    ZoneType.CORRIDOR: _rgb(0.80, 0.82, 0.80),
    ZoneType.CHARGINGZONE: _rgb(0.75, 0.88, 0.65),
    ZoneType.BLOCKADE: _rgb(0.45, 0.38, 0.35),
}
DROP_ZONE = _rgb(0.80, 0.85, 0.95)
WALL = _rgb(0.25, 0.25, 0.25)
DOOR_OPEN = _rgb(0.20, 0.70, 0.30)
DOOR_CLOSED = _rgb(0.80, 0.15, 0.10)
TEXT = _rgb(0.10, 0.10, 0.10)
BOT = _rgb(0.20, 0.20, 0.25)
HUMAN = _rgb(0.15, 0.35, 0.75)
COLLIDED = _rgb(0.75, 0.25, 0.15)
EPARTNER = _rgb(0.95, 0.75, 0.15)
PATH = _rgb(0.35, 0.45, 0.75, 0.8)
DONE_ALPHA = 0.25
"""How visible the colours of the sequence still are once they have been delivered."""

WALL_WIDTH = 0.3
ROBOT_HEIGHT = 0.5


def map_markers(snapshot: Snapshot, header: Header) -> list[Marker]:
    """Return floor, walls and names; they change only with the map."""
    zones = snapshot.map.zones
    floor = _marker(header, "floor", 0, Marker.TRIANGLE_LIST, WALL)
    floor.scale = Vector3(x=1.0, y=1.0, z=1.0)
    walls = _marker(header, "walls", 0, Marker.LINE_LIST, WALL)
    walls.scale = Vector3(x=WALL_WIDTH)
    labels = []
    for number, zone in enumerate(zones):
        # Zones may overlap: those that come first count, and are drawn on top.
        height = -0.02 - 0.001 * number
        _add_rectangle(floor, zone.box, height, _zone_color(zone))
        if zone.type in (ZoneType.ROOM, ZoneType.BLOCKADE):
            corners = _corners(zone.box, 0.0)
            for start, end in zip(corners, [*corners[1:], corners[0]], strict=True):
                walls.points += [start, end]
        if zone.label_visible:
            label = _text(header, "places", number, zone.name, 1.2)
            # Rooms have their doors on top of their names, corridors the other way round.
            is_room = zone.type is ZoneType.ROOM
            y = 1.0 - zone.box.max_y if is_room else -zone.box.min_y - 1.0
            label.pose.position = Point(x=zone.box.x, y=y, z=0.05)
            labels.append(label)
    return [floor, walls, *labels]


def world_markers(snapshot: Snapshot, header: Header) -> list[Marker]:
    """Return what moves and changes: doors, blocks, robots, e-partners, ways and the sequence."""
    markers = [
        _doors(snapshot, header),
        _blocks(snapshot, header),
        _paths(snapshot.robots, header),
        *_sequence(snapshot, header),
    ]
    for robot in snapshot.robots:
        color = HUMAN if robot.kind == "human" else BOT
        body = _marker(
            header,
            "robots",
            robot.id,
            Marker.CUBE,
            COLLIDED if robot.state == "collided" else color,
        )
        body.pose.position = Point(x=robot.x, y=-robot.y, z=ROBOT_HEIGHT / 2)
        body.scale = Vector3(x=robot.size, y=robot.size, z=ROBOT_HEIGHT)
        name = _text(header, "names", robot.id, robot.name, 1.0)
        name.pose.position = Point(x=robot.x, y=-robot.y - 0.5 * robot.size - 0.7, z=2.0)
        markers += [body, name]
    for epartner in snapshot.epartners:
        body = _marker(header, "epartners", epartner.id, Marker.SPHERE, EPARTNER)
        body.pose.position = Point(x=epartner.x, y=-epartner.y, z=ROBOT_HEIGHT + 0.5)
        body.scale = Vector3(x=1.0, y=1.0, z=1.0)
        name = _text(header, "names", epartner.id, epartner.name, 0.8)
        name.pose.position = Point(x=epartner.x, y=-epartner.y + 0.9, z=2.0)
        markers += [body, name]
    return markers


def marker_array(
    fixed: Sequence[Marker], moving: Sequence[Marker], header: Header, *, clear: bool
) -> MarkerArray:
    """Return all markers; ``clear`` first takes away what was drawn before."""
    start = [Marker(header=header, action=Marker.DELETEALL)] if clear else []
    return MarkerArray(markers=[*start, *fixed, *moving])


def _marker(header: Header, namespace: str, number: int, kind: int, color: ColorRGBA) -> Marker:
    marker = Marker(
        header=header, ns=namespace, id=number, type=kind, action=Marker.ADD, color=color
    )
    marker.pose.orientation.w = 1.0
    return marker


def _text(header: Header, namespace: str, number: int, text: str, size: float) -> Marker:
    marker = _marker(header, namespace, number, Marker.TEXT_VIEW_FACING, TEXT)
    marker.scale = Vector3(z=size)
    marker.text = text
    return marker


def _zone_color(zone: ZoneSpec) -> ColorRGBA:
    return DROP_ZONE if zone.is_drop_zone else ZONE_COLORS[zone.type]


def _corners(box: Box, z: float) -> list[Point]:
    """Return the corners of a box counterclockwise, seen from above."""
    return [
        Point(x=x, y=-y, z=z)
        for x, y in (
            (box.min_x, box.max_y),
            (box.max_x, box.max_y),
            (box.max_x, box.min_y),
            (box.min_x, box.min_y),
        )
    ]


def _add_rectangle(marker: Marker, box: Box, z: float, color: ColorRGBA) -> None:
    a, b, c, d = _corners(box, z)
    marker.points += [a, b, c, a, c, d]
    marker.colors += [color] * 6


def _doors(snapshot: Snapshot, header: Header) -> Marker:
    marker = _marker(header, "doors", 0, Marker.TRIANGLE_LIST, DOOR_OPEN)
    marker.scale = Vector3(x=1.0, y=1.0, z=1.0)
    is_open = {door.room: door.is_open for door in snapshot.doors}
    for zone in snapshot.map.zones:
        for door in zone.doors:
            color = DOOR_OPEN if is_open[zone.name] else DOOR_CLOSED
            _add_rectangle(marker, door.box, 0.02, color)
    return marker


def _blocks(snapshot: Snapshot, header: Header) -> Marker:
    marker = _marker(header, "blocks", 0, Marker.CUBE_LIST, WALL)
    marker.scale = Vector3(x=1.0, y=1.0, z=1.0)
    for block in snapshot.blocks:
        marker.points.append(Point(x=block.x, y=-block.y, z=0.5))
        marker.colors.append(BLOCK_COLORS[block.color])
    for robot in snapshot.robots:
        for height, held in enumerate(robot.held):
            marker.points.append(Point(x=robot.x, y=-robot.y, z=ROBOT_HEIGHT + 0.5 + height))
            marker.colors.append(BLOCK_COLORS[held.color])
    return marker


def _paths(robots: Iterable[RobotView], header: Header) -> Marker:
    marker = _marker(header, "paths", 0, Marker.LINE_LIST, PATH)
    marker.scale = Vector3(x=0.2)
    for robot in robots:
        here = Point(x=robot.x, y=-robot.y, z=0.03)
        for x, y in robot.path:
            there = Point(x=float(x), y=-float(y), z=0.03)
            marker.points += [here, there]
            here = there
    return marker


def _sequence(snapshot: Snapshot, header: Header) -> list[Marker]:
    """Return the sequence below the map, from left to right; what is delivered is faint."""
    marker = _marker(header, "sequence", 0, Marker.CUBE_LIST, WALL)
    marker.scale = Vector3(x=2.0, y=2.0, z=0.2)
    y = -float(snapshot.map.area.y) - 2.5
    for number, color in enumerate(snapshot.sequence):
        paint = BLOCK_COLORS[color]
        if number < snapshot.delivered:
            paint = ColorRGBA(r=paint.r, g=paint.g, b=paint.b, a=DONE_ALPHA)
        marker.points.append(Point(x=2.0 + 2.5 * number, y=y, z=0.1))
        marker.colors.append(paint)
    title = _text(header, "sequence", 1, f"{snapshot.delivered} of {len(snapshot.sequence)}", 1.5)
    title.pose.position = Point(x=2.0 + 2.5 * len(snapshot.sequence) + 1.5, y=y, z=0.2)
    return [marker, title]
