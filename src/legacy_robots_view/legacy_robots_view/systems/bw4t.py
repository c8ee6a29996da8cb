# SPDX-License-Identifier: Apache-2.0
"""The blocks world: zones, doors, blocks, robots with what they hold, and the sequence.

Lengths are metres of the map frame (x right, y up), see docs/bw4t.md.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from legacy_robots_msgs.msg import Bw4tMap, Bw4tOccupiedRooms, Bw4tTask, Bw4tWorldState, Bw4tZone
from visualization_msgs.msg import MarkerArray

from legacy_robots_common.web import Fields
from legacy_robots_view.systems.kind import Feed, Kind, number, numbers

ZONES = {
    Bw4tZone.ROOM: "room",
    Bw4tZone.CORRIDOR: "corridor",
    Bw4tZone.CHARGING_ZONE: "charging",
    Bw4tZone.BLOCKADE: "blockade",
}
PALETTE = {
    "Red": (0.85, 0.10, 0.10),
    "Orange": (1.00, 0.55, 0.00),
    "Yellow": (0.95, 0.85, 0.10),
    "Green": (0.10, 0.60, 0.20),
    "Blue": (0.10, 0.25, 0.85),
    "Pink": (1.00, 0.55, 0.75),
    "White": (1.00, 1.00, 1.00),
    "Dark_gray": (0.33, 0.33, 0.33),
    "Cyan": (0.10, 0.75, 0.80),
    "Magenta": (0.80, 0.15, 0.75),
}
"""How the bridge paints the colours of blocks for rviz: the only place where all blocks are."""

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
        r, g, b = PALETTE[name]
        return float((color.r - r) ** 2 + (color.g - g) ** 2 + (color.b - b) ** 2)

    return min(PALETTE, key=distance)


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
            for point, color in zip(marker.points, marker.colors, strict=True):
                block = [number(point.x, 2), number(point.y, 2), color_name(color)]
                (held if point.z > HELD else blocks).append(block)
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
            ends = [(p.x, p.y) for p in marker.points]
            pairs = zip(ends[::2], ends[1::2], strict=True)
            ways = [numbers((*a, *b), 1) for a, b in pairs]
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
