# SPDX-License-Identifier: Apache-2.0
"""Events of the Nao to messages, and goals to commands, as pure functions."""

from __future__ import annotations

from legacy_robots_msgs.msg import (
    NaoAgentId,
    NaoDropped,
    NaoHeldObject,
    NaoLocation,
    NaoOutcome,
    NaoSighting,
    NaoState,
)
from std_msgs.msg import Header

from legacy_robots_common.goals import Ending, GoalRefusedError
from nao_goal_bridge.protocol import (
    Agent,
    Command,
    Dropped,
    GoTo,
    GoToTiles,
    Holding,
    Location,
    PickUp,
    Profile,
    PutDown,
    See,
    State,
)
from nao_goal_bridge.room_map import RoomMap, RoomMapError


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
    """Return what a See event says; the late dialect does not tell the distance (rooms)."""
    distance = NaoSighting.DISTANCE_UNKNOWN if event.distance is None else event.distance
    return NaoSighting(header=header, marker_id=event.marker_id, distance=distance)


def dropped(event: Dropped, header: Header, held: NaoHeldObject) -> NaoDropped:
    """Return what a Dropped event says; the late dialect means the object that was held."""
    if event.object_id is not None:
        object_id = event.object_id
    elif held.valid and held.holding:
        object_id = held.object_id
    else:
        object_id = NaoDropped.OBJECT_UNKNOWN
    return NaoDropped(header=header, object_id=object_id)


def outcome(ending: Ending) -> NaoOutcome:
    """Return how a goal ended as a message."""
    return NaoOutcome(code=int(ending.outcome), message=ending.message)


def go_to_command(
    marker_id: int, distance: int, profile: Profile, room_map: RoomMap, place: NaoLocation
) -> Command:
    """Return the command that walks to ``marker_id``, stopping ``distance`` rooms before it.

    The late dialect knows no markers but the tiles of a map: it gets the rooms on the shortest way
    from ``place``, or just the last one where the robot's place is not in ``room_map``.
    Raises GoalRefusedError when the map has no such way, or the distance is negative there.
    """
    if profile is Profile.SPEC:
        return GoTo(marker_id, distance)
    if distance < 0:
        raise GoalRefusedError(f"a distance of {distance} rooms is no place on a map of tiles")
    known = place.valid and place.marker_id in room_map.rooms
    try:
        way = room_map.path(place.marker_id if known else marker_id, marker_id)
    except RoomMapError as error:
        raise GoalRefusedError(str(error)) from error
    if distance and not known:
        raise GoalRefusedError("the way is not known, as the robot's place is not in the room map")
    steps = way[1 : len(way) - distance] if known else way
    return GoToTiles(tuple(room_map.rooms[room].tile for room in steps))


def pick_up_command(object_id: int, profile: Profile) -> Command:
    """Return the command that picks up ``object_id``; the late dialect cannot name the object."""
    return PickUp(object_id) if profile is Profile.SPEC else PickUp(None)


def put_down_command() -> Command:
    """Return the command that puts down what is held."""
    return PutDown()
