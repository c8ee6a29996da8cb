# SPDX-License-Identifier: Apache-2.0
"""A Nao driven by GOAL: its maze, where it is, what it carries and what it sees."""

from __future__ import annotations

import math
from pathlib import Path

from legacy_robots_msgs.msg import NaoDropped, NaoHeldObject, NaoLocation, NaoState
from visualization_msgs.msg import Marker, MarkerArray

from legacy_robots_common.web import Fields
from legacy_robots_view.systems.kind import Feed, Kind, numbers


def room_map(message: MarkerArray) -> Fields:
    """Return rooms (marker id, and centre in m) and passages between them (their ends in m)."""
    centres: list[tuple[float, float]] = []
    passages = []
    labels: list[Marker] = []
    size = 0.5
    for marker in message.markers:
        if marker.ns == "rooms":
            centres = [(p.x, p.y) for p in marker.points]
            size = marker.scale.x
        elif marker.ns == "passages":
            ends = [(p.x, p.y) for p in marker.points]
            passages = [numbers((*a, *b)) for a, b in zip(ends[::2], ends[1::2], strict=True)]
        elif marker.ns == "labels":
            labels.append(marker)
    if not centres:
        raise ValueError("the room map has no rooms")
    rooms = []
    for label in labels:
        at = label.pose.position
        centre = min(centres, key=lambda c: math.dist(c, (at.x, at.y)))
        rooms.append({"id": int(label.text), "at": numbers(centre)})
    return {"size": round(size, 3), "rooms": rooms, "passages": passages}


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
        Feed("room_map", MarkerArray, room_map, latched=True),
        Feed("location", NaoLocation, location, latched=True),
        Feed("state", NaoState, state, latched=True),
        Feed("held_object", NaoHeldObject, held_object, latched=True),
        Feed("markers", MarkerArray, sightings, latched=True),
        Feed("dropped", NaoDropped, dropped, event=True),
    ),
)
