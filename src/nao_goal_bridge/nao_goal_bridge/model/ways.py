# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Ways through the rooms: commands and rooms that lead to a marker.

Pure functions; rooms are named by their marker ids.
"""

from __future__ import annotations

from nao_goal_bridge.model.room_map import RoomMap, RoomMapError
from nao_goal_bridge.protocol.dialects import Dialect
from nao_goal_bridge.protocol.events import Command, GoTo, GoToTiles, TurnAndGoTo


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
    if here is None:
        raise NoWayError("the way is not known: the robot has not reported its place")
    way = way_to_marker(room_map, here, marker_id, distance)
    if not way:
        return None
    return GoToTiles(tuple(room_map.rooms[room].tile for room in (here, *way)))


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
        raise NoWayError(f"the way is not known: {error}") from error
    return way[: max(0, len(way) - distance)]
