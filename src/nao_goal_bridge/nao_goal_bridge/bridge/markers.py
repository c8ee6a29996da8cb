# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The room map, the robot's place and what it sees, as markers for rviz: pure functions.

Positions are in metres in the frame of the room map, x to the right and y up as drawn there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from math import cos, sin

from builtin_interfaces.msg import Duration
from geometry_msgs.msg import Point, TransformStamped, Vector3
from nav_msgs.msg import OccupancyGrid
from std_msgs.msg import Header
from visualization_msgs.msg import Marker, MarkerArray

from legacy_robots_common.drawing.markers import (
    LAYER_M,
    add_rectangle,
    add_strip,
    flat_shapes,
    label,
    new_marker,
    paint,
    unless_empty,
)
from legacy_robots_common.drawing.occupancy import FREE, OCCUPIED, OccupancyMap
from legacy_robots_msgs.msg import NaoHeldObject, NaoLocation, NaoSighting, NaoState
from nao_goal_bridge.bridge.figure import direction, nao_markers
from nao_goal_bridge.model.room_map import Room, RoomMap
from nao_goal_bridge.model.walks import in_sight
from nao_goal_bridge.model.ways import NoWayError, way_to_marker

SIGHTING_LIFETIME_S = 3
"""How long a sighting is drawn; a Nao repeats what it still sees."""

CELLS_A_ROOM = 10
"""Of the occupancy grid, along each side."""

FLOOR = paint("room")
OUTLINE = paint("room-line")
PASSAGE = paint("passage")
HALTED = paint("robot")
WALKING = paint("walking")
SIGHT = paint("sight", 0.9)
OBJECT = paint("thing")
ROOM_PART = 0.8
"""How much of the distance between two rooms a drawn room takes."""
PASSAGE_PART = 0.3
WAY = paint("robot", 0.8)
WAY_PART = 0.12
GOAL = paint("robot", 0.55)
GOAL_PART = 0.7
OUTLINE_PART = 0.02


def occupancy(room_map: RoomMap, header: Header) -> OccupancyGrid:
    """Return the rooms as free, with walls between those that are not open to each other."""
    size = room_map.room_size
    wall, half = size / CELLS_A_ROOM, 0.5 * size
    rooms = room_map.rooms.values()
    left, low = min(r.x for r in rooms) - half, min(r.y for r in rooms) - half
    width, height = max(r.x for r in rooms) + half - left, max(r.y for r in rooms) + half - low
    grid = OccupancyMap(left, low, width, height, wall)
    for room in rooms:
        grid.fill(room.x - half, room.y - half, room.x + half, room.y + half, OCCUPIED)
        inside = half - wall
        grid.fill(room.x - inside, room.y - inside, room.x + inside, room.y + inside, FREE)
        for neighbour in room.neighbours:
            column, row = room_map.rooms[neighbour].tile
            dx, dy = (column - room.tile[0]) * wall, (row - room.tile[1]) * wall
            grid.fill(
                room.x - inside + min(dx, 0.0),
                room.y - inside + min(dy, 0.0),
                room.x + inside + max(dx, 0.0),
                room.y + inside + max(dy, 0.0),
                FREE,
            )
    return grid.message(header)


def room_map_markers(room_map: RoomMap, header: Header) -> MarkerArray:
    """Return floor, passages and marker ids of every room; it changes only with the map."""
    size = room_map.room_size
    floor = flat_shapes(header, "rooms", 0, FLOOR)
    outlines = flat_shapes(header, "outlines", 0, OUTLINE)
    passages = flat_shapes(header, "passages", 0, PASSAGE)
    half = ROOM_PART * size / 2.0
    for room in room_map.rooms.values():
        for shape, edge, z in (
            (floor, half, -LAYER_M),
            (outlines, half + OUTLINE_PART * size, -2 * LAYER_M),
        ):
            low, high = (room.x - edge, room.y - edge), (room.x + edge, room.y + edge)
            add_rectangle(shape, low, high, z)
        for neighbour in room.neighbours:
            if room.marker_id < neighbour:
                other = room_map.rooms[neighbour]
                ends = (room.x, room.y), (other.x, other.y)
                add_strip(passages, *ends, -3 * LAYER_M, PASSAGE_PART * size)
    labels = [
        label(
            header, "labels", number, str(room.marker_id), 0.2 * size,
            Point(x=room.x, y=room.y + 0.28 * size, z=LAYER_M),
        )
        for number, room in enumerate(room_map.rooms.values())
    ]  # fmt: skip
    return MarkerArray(markers=[floor, outlines, unless_empty(passages), *labels])


def room_frames(room_map: RoomMap, header: Header, prefix: str) -> list[TransformStamped]:
    """Return a frame for each room, ``room_114`` after ``prefix``, in the middle of it."""
    frames = []
    for room in room_map.rooms.values():
        frame = TransformStamped(header=header, child_frame_id=f"{prefix}room_{room.marker_id}")
        frame.transform.translation = Vector3(x=room.x, y=room.y)
        frames.append(frame)
    return frames


def situation_markers(
    room_map: RoomMap,
    place: NaoLocation,
    state: NaoState,
    held: NaoHeldObject,
    sightings: Mapping[int, NaoSighting],
    goal: tuple[int, int] | None = None,
    stride: int = 0,
) -> MarkerArray:
    """Return the robot, what it holds, its way, and a line to each marker seen recently.

    ``goal`` is the marker to which it walks, and the number of rooms before it at which to stop;
    ``stride`` is 1 or -1 by turns while it walks. It looks along its way.

    A robot that is disconnected, or in a room that is not on the map, is not drawn: the array then
    only deletes the earlier drawing. Markers carry the stamps of the events.
    """
    clear = Marker(header=place.header, action=Marker.DELETEALL)
    room = room_map.rooms.get(place.marker_id) if place.valid else None
    if room is None:
        return MarkerArray(markers=[clear])
    size = room_map.room_size
    walking = state.valid and state.state == NaoState.WALKING
    robot = new_marker(place.header, "robot", 0, Marker.CYLINDER, WALKING if walking else HALTED)
    robot.pose.position = Point(x=room.x, y=room.y, z=LAYER_M)
    robot.scale = Vector3(x=0.5 * size, y=0.5 * size, z=LAYER_M)
    way = [room_map.rooms[number] for number in _way(room_map, room, goal)]
    heading = direction((room.x, room.y), (way[0].x, way[0].y) if way else None)
    carries = held.valid and held.holding
    body = nao_markers(
        place.header, (room.x, room.y), heading, size, robot.color,
        stride=stride if walking else 0, carries=carries,
    )  # fmt: skip
    markers = [clear, robot, *body]
    if carries:
        hands = 0.28 * size
        x, y = room.x + hands * cos(heading), room.y + hands * sin(heading)
        box = new_marker(held.header, "held", 0, Marker.CUBE, OBJECT)
        box.pose.position = Point(x=x, y=y, z=0.55 * size)
        box.scale = Vector3(x=0.08, y=0.08, z=0.08)
        at = Point(x=x, y=y, z=0.8 * size)
        markers += [box, label(held.header, "held", 1, str(held.object_id), 0.15 * size, at)]
    markers += _way_markers(room_map, room, way, place.header)
    markers += _sighting_markers(room_map, room, sightings.values())
    return MarkerArray(markers=markers)


def _way(room_map: RoomMap, here: Room, goal: tuple[int, int] | None) -> Sequence[int]:
    """Return a shortest way through the rooms; empty where none is known."""
    try:
        return way_to_marker(room_map, here.marker_id, *goal) if goal is not None else ()
    except NoWayError:
        return ()


def _way_markers(
    room_map: RoomMap, here: Room, way: Sequence[Room], header: Header
) -> list[Marker]:
    """Return a way through the rooms and its last room."""
    if not way:
        return []
    rooms = [here, *way]
    line = flat_shapes(header, "way", 0, WAY)
    for a, b in pairwise(rooms):
        add_strip(line, (a.x, a.y), (b.x, b.y), LAYER_M, WAY_PART * room_map.room_size)
    goal = flat_shapes(header, "goal", 0, GOAL)
    half = GOAL_PART * room_map.room_size / 2.0
    at = rooms[-1]
    add_rectangle(goal, (at.x - half, at.y - half), (at.x + half, at.y + half), 0.0)
    return [line, goal]


def _sighting_markers(
    room_map: RoomMap, here: Room, sightings: Iterable[NaoSighting]
) -> list[Marker]:
    """Return an arrow to each marker that can be seen from ``here``.

    Robots of the later profiles report no Location while they walk: what they see then is in
    sight of a room that is not known.
    """
    markers = []
    visible = in_sight(room_map, here.marker_id)
    for seen in sightings:
        if seen.marker_id not in visible:
            continue
        room = room_map.rooms[seen.marker_id]
        line = new_marker(seen.header, "sightings", seen.marker_id, Marker.ARROW, SIGHT)
        line.points = [Point(x=here.x, y=here.y, z=0.45), Point(x=room.x, y=room.y, z=0.1)]
        line.scale = Vector3(x=0.02, y=0.06, z=0.1)
        line.lifetime = Duration(sec=SIGHTING_LIFETIME_S)
        markers.append(line)
    return markers
