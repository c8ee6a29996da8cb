# SPDX-License-Identifier: Apache-2.0
"""How Nav2's goals become rooms: the robot knows no coordinates and no headings."""

from __future__ import annotations

from collections.abc import Iterator
from math import hypot

from legacy_robots_msgs.action import NaoGoTo

from legacy_robots_common.drive import Drive, OutsideMapError, Place
from nao_goal_bridge.actions import CommandServer
from nao_goal_bridge.room_map import Room, RoomMap
from nao_goal_bridge.topics import RobotTopics


class RoomDrive(Drive):
    """Goes to the room in which a pose is; its orientation is dropped, since rooms have none."""

    def __init__(
        self, frame: str, go_to: CommandServer, room_map: RoomMap, topics: RobotTopics
    ) -> None:
        super().__init__(frame, go_to)
        self._room_map = room_map
        self._topics = topics

    def legs(self, goal: Place) -> Iterator[NaoGoTo.Goal]:
        """Yield one ``go_to``."""
        yield NaoGoTo.Goal(marker_id=self._room(goal).marker_id)

    def place(self) -> Place | None:
        """Return the centre of the room that the robot reported last; None while there is none."""
        location = self._topics.location
        room = self._room_map.rooms.get(location.marker_id) if location.valid else None
        return None if room is None else Place(room.x, room.y)

    def _room(self, goal: Place) -> Room:
        rooms = self._room_map.rooms.values()
        room = min(rooms, key=lambda room: hypot(room.x - goal.x, room.y - goal.y))
        if max(abs(room.x - goal.x), abs(room.y - goal.y)) > 0.5 * self._room_map.room_size:
            raise OutsideMapError(
                f"({goal.x:g}, {goal.y:g}) is in no room of the map; "
                f"the nearest is {room.marker_id} at ({room.x:g}, {room.y:g})"
            )
        return room
