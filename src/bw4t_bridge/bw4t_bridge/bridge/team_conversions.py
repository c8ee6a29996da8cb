# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What the whole team shares, as messages: map, task, occupied rooms and roster. Pure functions.

Axes and units are those of :mod:`bw4t_bridge.bridge.conversions`.
"""

from __future__ import annotations

import math

from nav_msgs.msg import OccupancyGrid
from std_msgs.msg import Header

from bw4t_bridge.bridge.conversions import point
from bw4t_world import Snapshot, TeamSummary
from bw4t_world.maps import Box, ZoneSpec, ZoneType
from bw4t_world.simulation.snapshots import DoorView, ZoneView
from legacy_robots_common.drawing.occupancy import FREE, OCCUPIED, OccupancyMap
from legacy_robots_common.node.names import to_ros_name
from legacy_robots_msgs.msg import (
    Bw4tDoor,
    Bw4tMap,
    Bw4tOccupiedRooms,
    Bw4tPlayer,
    Bw4tRobotMeasures,
    Bw4tRoster,
    Bw4tTask,
    Bw4tZone,
)

MAP_RESOLUTION = 0.5
"""Of the occupancy grid, m."""

_ZONE_TYPES = {
    ZoneType.ROOM: Bw4tZone.ROOM,
    ZoneType.CORRIDOR: Bw4tZone.CORRIDOR,
    ZoneType.CHARGINGZONE: Bw4tZone.CHARGING_ZONE,
    ZoneType.BLOCKADE: Bw4tZone.BLOCKADE,
}


def map_message(snapshot: Snapshot, header: Header) -> Bw4tMap:
    """Return the map, its zones in the order of their numbers."""
    doors: dict[str, list[DoorView]] = {}
    for door in snapshot.doors:
        doors.setdefault(door.room, []).append(door)
    specs = {spec.name: spec for spec in snapshot.map.zones}
    return Bw4tMap(
        header=header,
        width=float(snapshot.map.area.x),
        height=float(snapshot.map.area.y),
        one_robot_per_corridor_zone=snapshot.map.one_bot_per_corridor_zone,
        zones=[_zone(zone, specs[zone.name], doors.get(zone.name, ())) for zone in snapshot.zones],
    )


def occupancy(snapshot: Snapshot, header: Header) -> OccupancyGrid:
    """Return the zones as free, rooms with walls and open doors, blockades as occupied."""
    area = snapshot.map.area
    grid = OccupancyMap(0.0, -float(area.y), float(area.x), float(area.y), MAP_RESOLUTION)

    def fill(box: Box, value: int, wider: float = 0.0, higher: float = 0.0) -> None:
        grid.fill(
            box.min_x - wider, -box.max_y - higher, box.max_x + wider, -box.min_y + higher, value
        )

    for zone in reversed(snapshot.map.zones):  # where zones overlap the first counts
        fill(zone.box, FREE if zone.type is not ZoneType.BLOCKADE else OCCUPIED)
        if zone.type is ZoneType.ROOM:
            fill(zone.box, OCCUPIED)
            fill(zone.box, FREE, -MAP_RESOLUTION, -MAP_RESOLUTION)
    for zone in snapshot.map.zones:
        for door in zone.doors:
            upright = door.box.width < door.box.height
            fill(door.box, FREE, MAP_RESOLUTION * upright, MAP_RESOLUTION * (not upright))
    return grid.message(header)


def _zone(zone: ZoneView, spec: ZoneSpec, doors: list[DoorView] | tuple[()]) -> Bw4tZone:
    return Bw4tZone(
        id=zone.id,
        name=zone.name,
        type=_ZONE_TYPES[spec.type],
        is_drop_zone=spec.is_drop_zone,
        center=point(spec.box.x, spec.box.y),
        width=float(spec.box.width),
        height=float(spec.box.height),
        neighbours=list(spec.neighbours),
        doors=[
            Bw4tDoor(
                id=door.id,
                center=point(door_spec.box.x, door_spec.box.y),
                width=door_spec.box.width,
                height=door_spec.box.height,
            )
            for door, door_spec in zip(doors, spec.doors, strict=True)
        ],
    )


def occupied_rooms(snapshot: Snapshot) -> tuple[str, ...]:
    """Return the names of the rooms with a robot inside, the drop zone included."""
    closed = {door.room for door in snapshot.doors if not door.is_open}
    return tuple(zone.name for zone in snapshot.zones if zone.name in closed)


def occupied_rooms_message(rooms: tuple[str, ...], header: Header) -> Bw4tOccupiedRooms:
    """Return the occupied rooms."""
    return Bw4tOccupiedRooms(header=header, rooms=list(rooms))


def task_message(snapshot: Snapshot, measures: TeamSummary, header: Header) -> Bw4tTask:
    """Return what the team has to do, and how well it does."""
    completion = measures.completion_seconds
    return Bw4tTask(
        header=header,
        sequence=[color.value for color in snapshot.sequence],
        index=measures.delivered,
        done=measures.delivered >= measures.sequence_length,
        completion_time=math.nan if completion is None else completion,
        time=measures.seconds,
        ticks=measures.ticks,
        good_drops=measures.good_drops,
        wrong_drops=measures.wrong_drops,
        messages=measures.messages,
        idle=measures.idle_seconds,
        rooms_entered=measures.rooms_entered,
        robots=[
            Bw4tRobotMeasures(
                name=robot.name,
                good_drops=robot.good_drops,
                wrong_drops=robot.wrong_drops,
                messages=robot.messages,
                idle=robot.idle_seconds,
                rooms_entered=robot.rooms_entered,
                blocks_picked_up=robot.blocks_picked_up,
                collisions=robot.collisions,
            )
            for robot in measures.robots
        ],
    )


def roster_message(snapshot: Snapshot, header: Header) -> Bw4tRoster:
    """Return who is in the world."""
    kinds = {"bot": Bw4tPlayer.BOT, "human": Bw4tPlayer.HUMAN}
    robots = [(robot.name, kinds[robot.kind]) for robot in snapshot.robots]
    epartners = [(epartner.name, Bw4tPlayer.EPARTNER) for epartner in snapshot.epartners]
    return Bw4tRoster(
        header=header,
        players=[
            Bw4tPlayer(name=name, ros_name=to_ros_name(name), kind=kind)
            for name, kind in (*robots, *epartners)
        ],
    )
