# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What a robot in a room sees, and the rooms that a command leads it through. Pure functions.

Rooms are named by their marker ids.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from nao_goal_bridge.model.room_map import RoomMap, RoomMapError
from nao_goal_bridge.model.ways import NoWayError


def in_sight(room_map: RoomMap, marker_id: int) -> dict[int, int]:
    """Return the markers in free straight lines from a room, with their distance in rooms.

    However far they are, the nearest first, the room itself at distance 0. Raises RoomMapError
    when the room is not in the map.
    """
    rooms = room_map.rooms
    if marker_id not in rooms:
        raise RoomMapError(f"no room of the map has marker {marker_id}")
    found = {marker_id: 0}
    for neighbour in rooms[marker_id].neighbours:
        (x, y), (next_x, next_y) = rooms[marker_id].tile, rooms[neighbour].tile
        step_x, step_y = next_x - x, next_y - y
        here, ahead, distance = marker_id, neighbour, 0
        while ahead in rooms[here].neighbours:
            distance += 1
            found[ahead] = distance
            here = ahead
            x, y = rooms[here].tile
            beyond = room_map.by_tile.get((x + step_x, y + step_y))
            if beyond is None:
                break
            ahead = beyond.marker_id
    return dict(sorted(found.items(), key=lambda entry: (entry[1], entry[0])))


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
        if room is None or room.marker_id not in in_sight(room_map, here):
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
