# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What a robot in ROS picks up and puts down: by actions or services of others, or built in."""

from __future__ import annotations

import re
from typing import Any

from legacy_robots_common.goals.remote import RemoteAction, RemoteService
from nao_goal_bridge.model.room_map import RoomMap


class ObjectsInRooms:
    """Which object lies in which room, and which one is held: hands that only keep count."""

    def __init__(self, room_map: RoomMap) -> None:
        self._objects = {marker: set(room.objects) for marker, room in room_map.rooms.items()}
        self._out_of_reach = room_map.out_of_reach

    def in_room(self, room: int) -> list[int]:
        """Return the objects that lie in a room, ascending."""
        return sorted(self._objects.get(room, ()))

    def take(self, room: int | None, object_id: int | None) -> int | str:
        """Take an object from a room, any where none is named; return it, or why it stays."""
        if room is None:
            return "the robot's room is not known"
        here = self.in_room(room)
        if object_id is None and here:
            object_id = here[0]
        if object_id is None or object_id not in here:
            what = "no object" if object_id is None else f"object {object_id} does not lie"
            return f"{what} in room {room}"
        if object_id in self._out_of_reach:
            return f"object {object_id} is out of reach"
        self._objects[room].remove(object_id)
        return object_id

    def lay(self, room: int | None, object_id: int) -> None:
        """Lay an object down in a room; where that is not known it is lost."""
        if room is not None:
            self._objects.setdefault(room, set()).add(object_id)


class Manipulation:
    """Picks up or puts down by a server; ``object_field`` gets the object's id, where it is.

    Raises ValueError for a field that takes neither one whole number nor a text.
    """

    def __init__(self, server: RemoteAction | RemoteService, object_field: str) -> None:
        self.server = server
        fields: dict[str, str] = server.message_type.get_fields_and_field_types()
        kind = fields.get(object_field)
        self._field = object_field if kind is not None else ""
        self._ids: range | None = None
        """What the field can hold; None: any id, as text."""
        integer = re.fullmatch(r"(u?)int(\d+)", kind or "")
        if integer is not None:
            count = 2 ** int(integer[2])
            low = 0 if integer[1] else -count // 2
            self._ids = range(low, low + count)
        elif kind not in (None, "string"):
            raise ValueError(f"field {object_field} of {server.name} is a {kind}, no id")

    def message(self, object_id: int | None) -> Any:
        """Return the goal or the request, with the object if one is named.

        Raises OverflowError for an id that the field cannot hold.
        """
        message = self.server.message_type()
        if self._field and object_id is not None:
            if self._ids is not None and object_id not in self._ids:
                field = f"{self._field} of {self.server.name}"
                raise OverflowError(f"object {object_id} does not fit the field {field}")
            value = str(object_id) if self._ids is None else object_id
            setattr(message, self._field, value)
        return message
