# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What the control channel can do with a simulated Nao. Metres in the frame ``map``."""

from __future__ import annotations

from typing import Protocol

from legacy_robots_simulation.controls import ControlError, Entity, found
from legacy_robots_simulation.stepped_controls import Stepped, SteppedControls
from nao_goal_bridge.model.room_map import RoomMap, RoomMapError, load_room_map
from nao_goal_bridge.simulator.world import NaoWorld

NAO = "nao"
_OBJECT = "object_"


class SimulatedNao(Stepped, Protocol):
    """A simulator of a Nao in its maze."""

    world: NaoWorld

    def load_map(self, room_map: RoomMap) -> None:
        """Begin again in another maze."""


class NaoControls(SteppedControls):
    """The Nao and the objects that lie in its maze, each in the centre of a room."""

    abilities = SteppedControls.abilities | {"spawn", "delete", "load"}
    uris = ("object",)

    def __init__(self, simulator: SimulatedNao) -> None:
        super().__init__(simulator)
        self._nao = simulator

    def _entities(self) -> list[Entity]:
        world = self._nao.world
        rooms = world.room_map.rooms
        here = rooms[world.room]
        return [
            Entity(NAO, "robot", here.x, here.y),
            *(
                Entity(f"{_OBJECT}{number}", "object", room.x, room.y)
                for marker, room in rooms.items()
                for number in sorted(world.objects_in(marker))
            ),
        ]

    def _room_at(self, x: float, y: float) -> int:
        """Return the marker of the room at a place. Raises ControlError."""
        room_map = self._nao.world.room_map
        for room in room_map.rooms.values():
            if max(abs(room.x - x), abs(room.y - y)) <= room_map.room_size / 2:
                return room.marker_id
        raise ControlError(f"({x}, {y}) is in no room")

    def _place(self, name: str, x: float, y: float, yaw: float) -> None:
        room = self._room_at(x, y)
        if name == NAO:
            self._nao.world.put_in_room(room)
        else:
            self._nao.world.lay(int(name.removeprefix(_OBJECT)), room)

    def spawn(self, uri: str, name: str, x: float, y: float) -> str:
        """Lay a new object into the room at a place."""

        def add() -> str:
            world = self._nao.world
            lying = [n for marker in world.room_map.rooms for n in world.objects_in(marker)]
            number = max([*lying, world.held_object or 0, 0]) + 1
            world.lay(number, self._room_at(x, y))
            return f"{_OBJECT}{number}"

        return self._simulator.calls.call(add)

    def delete(self, name: str) -> None:
        """Take an object out of the maze."""

        def remove() -> None:
            found(self._entities(), name)
            if name == NAO:
                raise ControlError("the Nao stays")
            self._nao.world.remove(int(name.removeprefix(_OBJECT)))

        self._simulator.calls.call(remove)

    def load(self, uri: str) -> None:
        """Load a room map by its name or file."""
        try:
            room_map = load_room_map(uri)
        except RoomMapError as error:
            raise ControlError(str(error)) from error
        self._simulator.calls.call(lambda: self._nao.load_map(room_map))
        self._is_stopped = True
