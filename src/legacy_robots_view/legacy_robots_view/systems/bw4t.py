# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The blocks world: zones, doors, blocks, robots with what they hold, and the sequence.

Lengths are metres of the map frame (x right, y up), see docs/bw4t.md.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from visualization_msgs.msg import Marker, MarkerArray

from legacy_robots_common.drawing.drawn_shapes import strips
from legacy_robots_core.palette import PALETTE, rgb
from legacy_robots_msgs.msg import Bw4tMap, Bw4tOccupiedRooms, Bw4tTask, Bw4tWorldState, Bw4tZone
from legacy_robots_view.systems.kind import Feed, Kind, number, numbers
from legacy_robots_web import Fields

ZONES = {
    Bw4tZone.ROOM: "room",
    Bw4tZone.CORRIDOR: "corridor",
    Bw4tZone.CHARGING_ZONE: "charging",
    Bw4tZone.BLOCKADE: "blockade",
}
BLOCKS = {
    name.removeprefix("block-").capitalize().replace("-", "_"): rgb(name)
    for name in PALETTE
    if name.startswith("block-")
}
"""The colours of blocks in the drawing for rviz: the only place where all blocks are."""

HELD = 0.75
"""m; a block whose middle is higher stands on a robot."""


def _rectangle(center: Any, width: float, height: float) -> list[float | None]:
    return numbers((center.x - width / 2, center.y - height / 2, width, height), 2)


def world_map(message: Bw4tMap) -> Fields:
    """Return zones and doors as rectangles: left, bottom, width, height."""
    return {
        "size": numbers((message.width, message.height)),
        "zones": [
            {
                "name": zone.name,
                "kind": "drop" if zone.is_drop_zone else ZONES.get(zone.type, "corridor"),
                "box": _rectangle(zone.center, zone.width, zone.height),
                "doors": [_rectangle(door.center, door.width, door.height) for door in zone.doors],
            }
            for zone in message.zones
        ],
    }


def task(message: Bw4tTask) -> Fields:
    """Return the sequence of colours, how many are delivered, and the simulated time in s."""
    return {
        "sequence": list(message.sequence),
        "index": message.index,
        "done": message.done,
        "seconds": number(message.time, 0),
        "wrong": message.wrong_drops,
    }


def occupied(message: Bw4tOccupiedRooms) -> Fields:
    """Return the rooms whose doors are closed."""
    return {"rooms": list(message.rooms)}


def world_state(message: Bw4tWorldState) -> Fields:
    """Return how the world runs."""
    return {
        "paused": message.paused,
        "speed": number(message.speed),
        "map": message.map,
        "run": message.run,
    }


def color_name(color: Any) -> str:
    """Return the block colour that is nearest to a std_msgs/ColorRGBA."""

    def distance(name: str) -> float:
        r, g, b = BLOCKS[name]
        return float((color.r - r) ** 2 + (color.g - g) ** 2 + (color.b - b) ** 2)

    return min(BLOCKS, key=distance)


def drawing(message: MarkerArray) -> Fields:
    """Return blocks (x, y, colour) on the floor and in grippers, robots, and their ways."""
    blocks: list[list[Any]] = []
    held: list[list[Any]] = []
    ways: list[list[float | None]] = []
    robots: dict[int, dict[str, Any]] = {}
    names: dict[int, str] = {}
    for marker in message.markers:
        at = marker.pose.position
        if marker.ns == "blocks":
            if marker.action == Marker.ADD:
                block = [number(at.x, 2), number(at.y, 2), color_name(marker.color)]
                (held if at.z > HELD else blocks).append(block)
        elif marker.ns in ("robots", "epartners"):
            robots[marker.id] = {
                "id": marker.id,
                "kind": marker.ns[:-1],
                "at": numbers((at.x, at.y), 2),
                "size": number(marker.scale.x, 2),
            }
        elif marker.ns == "names":
            names[marker.id] = marker.text
        elif marker.ns == "paths":
            ways = [numbers((*a, *b), 1) for a, b in strips(marker)]
    drawn = [{**robot, "name": names.get(key, "")} for key, robot in sorted(robots.items())]
    return {"blocks": blocks, "held": held, "robots": drawn, "ways": ways}


KIND = Kind(
    "bw4t",
    "Blocks World",
    "legacy_robots_msgs/msg/Bw4tWorldState",
    Path(__file__).with_suffix(".js"),
    (
        Feed("map", Bw4tMap, world_map, latched=True),
        Feed("task", Bw4tTask, task, latched=True),
        Feed("occupied_rooms", Bw4tOccupiedRooms, occupied, latched=True),
        Feed("world_state", Bw4tWorldState, world_state, latched=True),
        Feed("markers", MarkerArray, drawing, latched=True, rate=5.0),
    ),
)
