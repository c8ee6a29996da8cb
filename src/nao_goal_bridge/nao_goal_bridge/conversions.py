# SPDX-License-Identifier: Apache-2.0
"""Events of the Nao to messages, and goals to commands, as pure functions."""

from __future__ import annotations

from geometry_msgs.msg import Point
from legacy_robots_msgs.msg import (
    NaoAgentId,
    NaoDropped,
    NaoHeldObject,
    NaoLocation,
    NaoObjectSighting,
    NaoOutcome,
    NaoRoom,
    NaoRoomMap,
    NaoSighting,
    NaoState,
)
from std_msgs.msg import Header

from legacy_robots_common.goals import Ending, GoalRefusedError
from nao_goal_bridge import ways
from nao_goal_bridge.protocol import (
    Agent,
    Command,
    Dialect,
    Dropped,
    Holding,
    Location,
    PickUp,
    PutDown,
    See,
    SeeObject,
    State,
)
from nao_goal_bridge.room_map import RoomMap


def agent_id(event: Agent, header: Header) -> NaoAgentId:
    """Return what an Agent event says."""
    return NaoAgentId(header=header, agent_id=event.agent_id, valid=True)


def location(event: Location, header: Header) -> NaoLocation:
    """Return what a Location event says."""
    return NaoLocation(header=header, marker_id=event.marker_id, valid=True)


def state(event: State, header: Header) -> NaoState:
    """Return what a State event says; a state that the document does not define is passed on."""
    return NaoState(header=header, state=event.state, valid=True)


def held_object(event: Holding | Dropped | None, header: Header) -> NaoHeldObject:
    """Return what the robot carries after ``event``; None: it carries nothing."""
    if isinstance(event, Holding):
        return NaoHeldObject(header=header, holding=True, object_id=event.object_id, valid=True)
    return NaoHeldObject(header=header, holding=False, object_id=0, valid=True)


def sighting(event: See, header: Header) -> NaoSighting:
    """Return what a See event says."""
    return NaoSighting(header=header, marker_id=event.marker_id, distance=event.distance)


def object_sighting(event: SeeObject, header: Header) -> NaoObjectSighting:
    """Return what a See event of the late dialects says; most do not tell the tile."""
    unknown = NaoObjectSighting.TILE_UNKNOWN
    tile_id = unknown if event.tile_id is None else event.tile_id
    return NaoObjectSighting(header=header, object_id=event.object_id, tile_id=tile_id)


def dropped(event: Dropped, header: Header, held: NaoHeldObject) -> NaoDropped:
    """Return what a Dropped event says; late dialects mean the object that was held."""
    if event.object_id is not None:
        object_id = event.object_id
    elif held.valid and held.holding:
        object_id = held.object_id
    else:
        object_id = NaoDropped.OBJECT_UNKNOWN
    return NaoDropped(header=header, object_id=object_id)


def rooms(room_map: RoomMap, header: Header) -> NaoRoomMap:
    """Return the map as a message."""
    found = [
        NaoRoom(
            marker_id=room.marker_id,
            center=Point(x=room.x, y=room.y),
            neighbours=room.neighbours,
        )
        for room in room_map.rooms.values()
    ]
    return NaoRoomMap(header=header, room_size=room_map.room_size, rooms=found)


def outcome(ending: Ending) -> NaoOutcome:
    """Return how a goal ended as a message."""
    return NaoOutcome(code=int(ending.outcome), message=ending.message)


def go_to_command(
    marker_id: int, distance: int, dialect: Dialect, room_map: RoomMap, place: NaoLocation
) -> Command | None:
    """Return the command that walks to ``marker_id``, see ways.go_to_command.

    Raises GoalRefusedError where no way leads there.
    """
    here = place.marker_id if place.valid else None
    try:
        return ways.go_to_command(marker_id, distance, dialect, room_map, here)
    except ways.NoWayError as error:
        raise GoalRefusedError(str(error)) from error


def pick_up_command(object_id: int, dialect: Dialect) -> Command:
    """Return the command that picks up ``object_id``; late dialects cannot name the object."""
    return PickUp(object_id if dialect.carries(PickUp, "object_id") else None)


def put_down_command() -> Command:
    """Return the command that puts down what is held."""
    return PutDown()
