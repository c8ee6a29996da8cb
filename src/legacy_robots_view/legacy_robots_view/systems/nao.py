# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A Nao driven by GOAL: its maze, where it is, what it carries and what it sees."""

from __future__ import annotations

from pathlib import Path

from visualization_msgs.msg import Marker, MarkerArray

from legacy_robots_msgs.msg import NaoDropped, NaoHeldObject, NaoLocation, NaoRoomMap, NaoState
from legacy_robots_view.systems.kind import Feed, Kind, number, numbers
from legacy_robots_web import Fields


def rooms(message: NaoRoomMap) -> Fields:
    """Return rooms (marker id, and centre in m) and passages between them (their ends in m)."""
    if not message.rooms:
        raise ValueError("the map has no rooms")
    centres = {room.marker_id: (room.center.x, room.center.y) for room in message.rooms}
    passages = [
        numbers((*centres[room.marker_id], *centres[neighbour]))
        for room in message.rooms
        for neighbour in room.neighbours
        if room.marker_id < neighbour and neighbour in centres
    ]
    found = [{"id": marker_id, "at": numbers(at)} for marker_id, at in centres.items()]
    return {"size": number(message.room_size), "rooms": found, "passages": passages}


def location(message: NaoLocation) -> Fields:
    """Return the room that it is in."""
    return {"room": message.marker_id, "valid": message.valid}


def state(message: NaoState) -> Fields:
    """Return what it is doing."""
    names = {NaoState.HALTED: "halted", NaoState.WALKING: "walking"}
    return {"state": names.get(message.state, str(message.state)), "valid": message.valid}


def held_object(message: NaoHeldObject) -> Fields:
    """Return the object that it carries, or None."""
    return {"object": message.object_id if message.holding else None, "valid": message.valid}


def dropped(message: NaoDropped) -> Fields:
    """Return the object that it put down last, and when, to tell one time from the next."""
    stamp = message.header.stamp
    known = message.object_id != NaoDropped.OBJECT_UNKNOWN
    return {
        "object": message.object_id if known else None,
        "stamp": f"{stamp.sec}.{stamp.nanosec}",
    }


def sightings(message: MarkerArray) -> Fields:
    """Return the marker ids of the rooms that it has seen from where it is."""
    arrived = max((_stamp(m) for m in message.markers if m.ns == "robot"), default=(0, 0))
    seen = (m for m in message.markers if m.ns == "sightings" and _stamp(m) >= arrived)
    return {"seen": sorted({marker.id for marker in seen})}


def _stamp(marker: Marker) -> tuple[int, int]:
    return marker.header.stamp.sec, marker.header.stamp.nanosec


KIND = Kind(
    "nao",
    "Nao",
    "legacy_robots_msgs/msg/NaoState",
    Path(__file__).with_suffix(".js"),
    (
        Feed("rooms", NaoRoomMap, rooms, latched=True),
        Feed("location", NaoLocation, location, latched=True),
        Feed("state", NaoState, state, latched=True),
        Feed("held_object", NaoHeldObject, held_object, latched=True),
        Feed("markers", MarkerArray, sightings, latched=True),
        Feed("dropped", NaoDropped, dropped, event=True),
    ),
)
