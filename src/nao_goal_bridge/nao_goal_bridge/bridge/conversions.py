# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Events of the Nao to messages, and goals to commands, as pure functions."""

from __future__ import annotations

from geometry_msgs.msg import Point
from std_msgs.msg import Header

from legacy_robots_common.goals.goal_server import Ending, GoalRefusedError
from legacy_robots_msgs import msg
from nao_goal_bridge.model import ways
from nao_goal_bridge.model.room_map import RoomMap
from nao_goal_bridge.protocol import Dialect, events


def agent_id(event: events.Agent, header: Header) -> msg.NaoAgentId:
    """Return what an Agent event says."""
    return msg.NaoAgentId(header=header, agent_id=event.agent_id, valid=True)


def location(event: events.Location, header: Header) -> msg.NaoLocation:
    """Return what a Location event says."""
    return msg.NaoLocation(header=header, marker_id=event.marker_id, valid=True)


def state(event: events.State, header: Header) -> msg.NaoState:
    """Return what a State event says; a state that the document does not define is passed on."""
    return msg.NaoState(header=header, state=event.state, valid=True)


def held_object(event: events.Report | None, header: Header) -> msg.NaoHeldObject:
    """Return what the robot carries after ``event``: nothing, unless that is a Holding."""
    held = event.object_id if isinstance(event, events.Holding) else None
    holds = held is not None
    return msg.NaoHeldObject(header=header, holding=holds, object_id=held or 0, valid=True)


def sighting(event: events.See, header: Header) -> msg.NaoSighting:
    """Return what a See event says."""
    return msg.NaoSighting(header=header, marker_id=event.marker_id, distance=event.distance)


def object_sighting(event: events.SeeObject, header: Header) -> msg.NaoObjectSighting:
    """Return what a See event of the late dialects says; most have no tile."""
    unknown = msg.NaoObjectSighting.TILE_UNKNOWN
    tile_id = unknown if event.tile_id is None else event.tile_id
    return msg.NaoObjectSighting(header=header, object_id=event.object_id, tile_id=tile_id)


def dropped(event: events.Dropped, header: Header, held: msg.NaoHeldObject) -> msg.NaoDropped:
    """Return what a Dropped event says; late dialects mean the object that was held."""
    if event.object_id is not None:
        object_id = event.object_id
    elif held.holding:  # as it was last reported, be it over an earlier connection
        object_id = held.object_id
    else:
        object_id = msg.NaoDropped.OBJECT_UNKNOWN
    return msg.NaoDropped(header=header, object_id=object_id)


def rooms(room_map: RoomMap, header: Header) -> msg.NaoRoomMap:
    """Return the map as a message."""
    found = [
        msg.NaoRoom(
            marker_id=room.marker_id,
            center=Point(x=room.x, y=room.y),
            neighbours=room.neighbours,
        )
        for room in room_map.rooms.values()
    ]
    return msg.NaoRoomMap(header=header, room_size=room_map.room_size, rooms=found)


def outcome(ending: Ending) -> msg.NaoOutcome:
    """Return how a goal ended as a message."""
    return msg.NaoOutcome(code=int(ending.outcome), message=ending.message)


def go_to_command(
    marker_id: int, distance: int, dialect: Dialect, room_map: RoomMap, here: int | None
) -> events.Command | None:
    """Return the command that walks to ``marker_id``, see ways.go_to_command.

    Raises GoalRefusedError where no way leads there.
    """
    try:
        return ways.go_to_command(marker_id, distance, dialect, room_map, here)
    except ways.NoWayError as error:
        raise GoalRefusedError(str(error)) from error


def pick_up_command(object_id: int, dialect: Dialect) -> events.Command:
    """Return the command that picks up ``object_id``; late dialects cannot name the object."""
    return events.PickUp(object_id if dialect.carries(events.PickUp, "object_id") else None)
