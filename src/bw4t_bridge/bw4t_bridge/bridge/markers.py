# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The world as markers for rviz: pure functions of snapshots.

Positions are in metres in the map frame, see :mod:`bw4t_bridge.bridge.conversions`. Blocks are a
unit high, robots half a unit; what a robot holds is stacked on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from geometry_msgs.msg import Point, Vector3
from std_msgs.msg import ColorRGBA, Header
from visualization_msgs.msg import Marker, MarkerArray

from bw4t_world import Snapshot
from bw4t_world.maps import BlockColor, Box, ZoneSpec, ZoneType
from bw4t_world.simulation.snapshots import RobotView
from legacy_robots_common.drawing.markers import (
    LAYER_M,
    add_polygon,
    add_rectangle,
    add_strip,
    deletion,
    flat_shapes,
    label,
    layers,
    new_marker,
    paint,
    unless_empty,
)

BLOCK_COLORS = {
    color: paint(f"block-{color.value.lower().replace('_', '-')}") for color in BlockColor
}
ZONE_COLORS = {
    ZoneType.ROOM: paint("floor"),
    ZoneType.CORRIDOR: paint("corridor"),
    ZoneType.CHARGINGZONE: paint("charging"),
    ZoneType.BLOCKADE: paint("blockade"),
}
DROP_ZONE = paint("drop")
WALL = paint("wall")
DOOR_OPEN = paint("door")
DOOR_CLOSED = paint("closed")
BOT = paint("bot")
HUMAN = paint("human")
COLLIDED = paint("collided")
EPARTNER = paint("epartner")
PATH = paint("robot", 0.8)
DONE_ALPHA = 0.25
"""How visible the colours of the sequence still are once they have been delivered."""

WALL_WIDTH = 0.3
PATH_WIDTH = 0.2
RIM = 0.65
"""Half of the side of what is drawn below a block, whose side is 1."""
ROBOT_HEIGHT = 0.5
BLOCKS = "blocks"
"""Namespace of the blocks; their markers have the blocks' ids."""


def map_markers(snapshot: Snapshot, header: Header) -> list[Marker]:
    """Return floor, walls and names; they change only with the map."""
    zones = snapshot.map.zones
    floor = flat_shapes(header, "floor", 0, WALL)
    walls = flat_shapes(header, "walls", 0, WALL)
    labels = []
    for number, (zone, layer) in enumerate(zip(zones, _layers(zones), strict=True)):
        add_polygon(floor, _corners(zone.box, -LAYER_M * (1 + layer)), _zone_color(zone))
        if zone.type in (ZoneType.ROOM, ZoneType.BLOCKADE):
            corners = [(point.x, point.y) for point in _corners(zone.box, 0.0)]
            for start, end in zip(corners, [*corners[1:], corners[0]], strict=True):
                add_strip(walls, start, end, 0.0, WALL_WIDTH)
        if zone.label_visible:
            name = label(header, "places", number, zone.name, 1.2)
            # Rooms have their doors on top of their names, corridors the other way round.
            is_room = zone.type is ZoneType.ROOM
            y = 1.0 - zone.box.max_y if is_room else -zone.box.min_y - 1.0
            name.pose.position = Point(x=zone.box.x, y=y, z=4 * LAYER_M)
            labels.append(name)
    return [floor, unless_empty(walls), *labels]


def _layers(zones: Sequence[ZoneSpec]) -> list[int]:
    """Return the layer of each zone: zones may overlap, those that come first are on top."""
    return layers(
        [other for other in range(number) if _overlap(zone.box, zones[other].box)]
        for number, zone in enumerate(zones)
    )


def _overlap(a: Box, b: Box) -> bool:
    return a.min_x < b.max_x and b.min_x < a.max_x and a.min_y < b.max_y and b.min_y < a.max_y


def world_markers(snapshot: Snapshot, header: Header, gone: Iterable[int] = ()) -> list[Marker]:
    """Return what moves and changes: doors, blocks, robots, e-partners, ways and the sequence.

    Blocks with the ids ``gone`` are taken away.
    """
    markers = [
        unless_empty(_doors(snapshot, header)),
        *_blocks(snapshot, header),
        *(deletion(header, BLOCKS, number) for number in gone),
        unless_empty(_paths(snapshot.robots, header)),
        *_sequence(snapshot, header),
    ]
    for robot in snapshot.robots:
        color = HUMAN if robot.kind == "human" else BOT
        body = new_marker(
            header,
            "robots",
            robot.id,
            Marker.CUBE,
            COLLIDED if robot.state == "collided" else color,
        )
        body.pose.position = Point(x=robot.x, y=-robot.y, z=ROBOT_HEIGHT / 2)
        body.scale = Vector3(x=robot.size, y=robot.size, z=ROBOT_HEIGHT)
        name = label(header, "names", robot.id, robot.name, 1.0)
        name.pose.position = Point(x=robot.x, y=-robot.y - 0.5 * robot.size - 0.7, z=2.0)
        markers += [body, name]
    for epartner in snapshot.epartners:
        body = new_marker(header, "epartners", epartner.id, Marker.SPHERE, EPARTNER)
        body.pose.position = Point(x=epartner.x, y=-epartner.y, z=ROBOT_HEIGHT + 0.5)
        body.scale = Vector3(x=1.0, y=1.0, z=1.0)
        name = label(header, "names", epartner.id, epartner.name, 0.8)
        name.pose.position = Point(x=epartner.x, y=-epartner.y + 0.9, z=2.0)
        markers += [body, name]
    return markers


def marker_array(
    fixed: Sequence[Marker], moving: Sequence[Marker], header: Header, *, clear: bool
) -> MarkerArray:
    """Return all markers; ``clear`` first takes away what was drawn before."""
    start = [Marker(header=header, action=Marker.DELETEALL)] if clear else []
    return MarkerArray(markers=[*start, *fixed, *moving])


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


def _doors(snapshot: Snapshot, header: Header) -> Marker:
    marker = flat_shapes(header, "doors", 0, DOOR_OPEN)
    is_open = {door.room: door.is_open for door in snapshot.doors}
    for zone in snapshot.map.zones:
        for door in zone.doors:
            color = DOOR_OPEN if is_open[zone.name] else DOOR_CLOSED
            add_polygon(marker, _corners(door.box, LAYER_M), color)
    return marker


def block_ids(snapshot: Snapshot) -> set[int]:
    """Return the ids of the blocks that are drawn."""
    held = (block.id for robot in snapshot.robots for block in robot.held)
    return {*(block.id for block in snapshot.blocks), *held}


def _blocks(snapshot: Snapshot, header: Header) -> list[Marker]:
    # White blocks on a light floor need a rim.
    rims = flat_shapes(header, "rims", 0, WALL)
    for block in snapshot.blocks:
        low, high = (block.x - RIM, -block.y - RIM), (block.x + RIM, -block.y + RIM)
        add_rectangle(rims, low, high, 3 * LAYER_M)
    drawn = [_block(header, b.id, b.color, b.x, b.y, 0.5) for b in snapshot.blocks]
    for robot in snapshot.robots:
        for level, held in enumerate(robot.held):
            z = ROBOT_HEIGHT + 0.5 + level
            drawn.append(_block(header, held.id, held.color, robot.x, robot.y, z))
    return [unless_empty(rims), *drawn]


def _block(header: Header, number: int, color: BlockColor, x: float, y: float, z: float) -> Marker:
    marker = new_marker(header, BLOCKS, number, Marker.CUBE, BLOCK_COLORS[color])
    marker.pose.position = Point(x=x, y=-y, z=z)
    marker.scale = Vector3(x=1.0, y=1.0, z=1.0)
    return marker


def _paths(robots: Iterable[RobotView], header: Header) -> Marker:
    marker = flat_shapes(header, "paths", 0, PATH)
    for robot in robots:
        here = (robot.x, -robot.y)
        for x, y in robot.path:
            there = (float(x), -float(y))
            add_strip(marker, here, there, 2 * LAYER_M, PATH_WIDTH)
            here = there
    return marker


def _sequence(snapshot: Snapshot, header: Header) -> list[Marker]:
    """Return the sequence below the map, from left to right; what is delivered is faint."""
    y = -float(snapshot.map.area.y) - 2.5
    drawn = []
    for number, color in enumerate(snapshot.sequence):
        done = number < snapshot.delivered
        look = BLOCK_COLORS[color]
        if done:
            look = ColorRGBA(r=look.r, g=look.g, b=look.b, a=DONE_ALPHA)
        block = new_marker(header, "sequence", number, Marker.CUBE, look)
        block.pose.position = Point(x=2.0 + 2.5 * number, y=y, z=0.1)
        block.scale = Vector3(x=2.0, y=2.0, z=0.2)
        drawn.append(block)
    title = label(header, "progress", 0, f"{snapshot.delivered} of {len(snapshot.sequence)}", 1.5)
    title.pose.position = Point(x=2.0 + 2.5 * len(snapshot.sequence) + 1.5, y=y, z=0.2)
    return [*drawn, title]
