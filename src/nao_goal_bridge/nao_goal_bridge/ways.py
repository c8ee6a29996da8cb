# SPDX-License-Identifier: Apache-2.0
"""Ways through the rooms: commands that lead to a marker, rooms that a command leads through.

Pure functions; rooms are named by their marker ids.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from nao_goal_bridge.dialects import Dialect
from nao_goal_bridge.events import Command, GoTo, GoToTiles, TurnAndGoTo
from nao_goal_bridge.room_map import RoomMap, RoomMapError


class NoWayError(Exception):
    """Raised where no way leads; the message says why."""


def go_to_command(
    marker_id: int, distance: int, dialect: Dialect, room_map: RoomMap, here: int | None
) -> Command | None:
    """Return the command that walks to ``marker_id``, stopping ``distance`` rooms before it.

    Dialects of tiles get the rooms on a shortest way, with that of the robot's room ``here``
    first, as the original's planner begins there; None where no way is left to walk.
    Raises NoWayError when ``room_map`` has no such way, or the distance is negative there.
    """
    if dialect.has(TurnAndGoTo):
        return TurnAndGoTo(0, marker_id, distance)
    if not dialect.has(GoToTiles):
        return GoTo(marker_id, distance)
    if distance < 0:
        raise NoWayError(f"a distance of {distance} rooms is no place on a map of tiles")
    if here is None:
        raise NoWayError("the way is not known: the robot has not reported its place")
    try:
        way = room_map.path(here, marker_id)
    except RoomMapError as error:
        raise NoWayError(f"the way is not known: {error}") from error
    steps = way[: len(way) - distance]
    if len(steps) < 2:
        return None
    return GoToTiles(tuple(room_map.rooms[room].tile for room in steps))


def way_to_marker(room_map: RoomMap, here: int, marker_id: int, distance: int) -> tuple[int, ...]:
    """Return the rooms to enter on the way to ``distance`` rooms before a marker.

    A robot that is nearer than that stays where it is. Raises NoWayError for a negative distance,
    and where no passages lead there.
    """
    if distance < 0:
        raise NoWayError(f"a distance of {distance} rooms is no place")
    try:
        way = room_map.path(here, marker_id)[1:]
    except RoomMapError as error:
        raise NoWayError(str(error)) from error
    return way[: max(0, len(way) - distance)]


def way_over_tiles(
    room_map: RoomMap, here: int, tiles: Sequence[tuple[int, int]]
) -> tuple[int, ...]:
    """Return the rooms to enter on a way over ``tiles``.

    The first tile must be that of the room ``here``, each further one in a free straight line from
    the one before, and there must be two at least. Raises NoWayError for another list.
    """
    if len(tiles) < 2 or tiles[0] != room_map.rooms[here].tile:
        raise NoWayError(f"a way begins with the robot's own tile {room_map.rooms[here].tile}")
    way: list[int] = []
    for tile in tiles[1:]:
        room = room_map.by_tile.get(tile)
        if room is None or room.marker_id not in room_map.in_sight(here):
            raise NoWayError(f"no free straight line leads from room {here} to tile {tile}")
        way += room_map.path(here, room.marker_id)[1:]
        here = room.marker_id
    return tuple(way)


def corners(room_map: RoomMap, here: int, way: Sequence[int]) -> list[int]:
    """Return the rooms of ``way`` at which it turns, and its last one."""
    rooms = [here, *way]
    tiles = [room_map.rooms[room].tile for room in rooms]
    steps = [(x - a, y - b) for (a, b), (x, y) in itertools.pairwise(tiles)]
    return [
        room
        for number, room in enumerate(rooms[1:])
        if number + 1 == len(steps) or steps[number] != steps[number + 1]
    ]
