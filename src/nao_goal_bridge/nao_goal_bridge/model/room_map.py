# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The rooms of a maze: where their markers are, which are open to each other, what lies there.

The simulated Nao walks in it, the bridge draws in it and finds waypoints in it. The format of
the file is shown and explained in ``maps/maze.yaml``, which is also the default map.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from importlib import resources
from pathlib import Path
from types import MappingProxyType
from typing import Any, NoReturn

import yaml

_INT32_LIMIT = 2**31
SHIPPED = ("maze", "naovigate", "bw4t")
"""Maps of this package by name: the simulated Nao's, the original's test maze, one of BW4T."""


class RoomMapError(Exception):
    """A map that cannot be used; the message names the file, the key and the room."""


@dataclass(frozen=True, slots=True)
class Room:
    """One room, named by the marker on its wall."""

    marker_id: int
    x: float
    y: float
    """The centre, metres, frame ``map``."""
    tile: tuple[int, int]
    """Column and row in the grid of rooms."""
    neighbours: tuple[int, ...] = ()
    """Marker ids of the rooms that are open to this one, ascending."""
    objects: tuple[int, ...] = ()
    """Ids of the objects that lie here at the start, ascending."""


@dataclass(frozen=True)
class RoomMap:
    """The rooms by marker id. Immutable; made by :func:`load_room_map`."""

    rooms: Mapping[int, Room]
    start: int
    """Marker id of the room in which the simulated Nao starts."""
    room_size: float
    """Metres from the centre of a tile to the centre of the next."""
    out_of_reach: frozenset[int] = frozenset()
    """Ids of the objects that can be seen and not be grabbed."""

    @cached_property
    def by_tile(self) -> Mapping[tuple[int, int], Room]:
        """The rooms by tile."""
        return MappingProxyType({room.tile: room for room in self.rooms.values()})

    def path(self, start: int, goal: int) -> tuple[int, ...]:
        """Return the marker ids of the rooms on a shortest way, both ends included.

        Among equally short ways it prefers small marker ids. Raises RoomMapError when a room
        is not in the map or no way leads there.
        """
        for marker_id in (start, goal):
            if marker_id not in self.rooms:
                raise RoomMapError(f"no room of the map has marker {marker_id}")
        came_from = {start: start}
        frontier = deque([start])
        while frontier and goal not in came_from:
            room = frontier.popleft()
            for neighbour in self.rooms[room].neighbours:
                if neighbour not in came_from:
                    came_from[neighbour] = room
                    frontier.append(neighbour)
        if goal not in came_from:
            raise RoomMapError(f"no passages lead from room {start} to room {goal}")
        way = [goal]
        while way[-1] != start:
            way.append(came_from[way[-1]])
        return tuple(reversed(way))


def load_room_map(path: str | Path = "") -> RoomMap:
    """Read a map from a YAML file, or one of SHIPPED by its name; an empty path is ``maze``.

    Raises RoomMapError for a file that cannot be read and for anything in it that is missing,
    misspelt, contradictory or not understood.
    """
    name = str(path) or SHIPPED[0]
    try:
        if name in SHIPPED:
            source = resources.files("nao_goal_bridge") / "maps" / f"{name}.yaml"
            text = source.read_text(encoding="utf-8")
        else:
            text = Path(name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise RoomMapError(f"{name}: the room map cannot be read: {reason}") from error
    return parse_room_map(text, name)


def parse_room_map(text: str, name: str) -> RoomMap:
    """Read a map from YAML text; ``name`` stands for the file in messages of RoomMapError."""
    try:
        document = yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise RoomMapError(f"{name}: not YAML: {' '.join(str(error).split())}") from error
    return _Reader(name).room_map(document)


class _Reader:
    """Checks a document key by key; every message begins with the file."""

    def __init__(self, name: str) -> None:
        self._name = name

    def room_map(self, document: Any) -> RoomMap:
        if not isinstance(document, dict):
            self._fail("the room map", "must be a mapping with the keys room_size, start, rooms")
        keys = {"room_size", "start", "rooms", "passages", "objects"}
        self._check_keys(document, "the room map", keys, required={"start", "rooms"})
        size = self._number(document.get("room_size", 1.0), "room_size")
        if size <= 0:
            self._fail("room_size", f"must be greater than 0, not {size!r}")
        rooms = self._rooms(self._list(document["rooms"], "rooms"), size)
        neighbours = self._passages(self._list(document.get("passages", []), "passages"), rooms)
        objects, out_of_reach = self._objects(
            self._list(document.get("objects", []), "objects"), rooms
        )
        start = self._known(document["start"], "start", rooms)
        complete = {
            marker_id: replace(
                room,
                neighbours=tuple(sorted(neighbours[marker_id])),
                objects=tuple(sorted(objects[marker_id])),
            )
            for marker_id, room in rooms.items()
        }
        return RoomMap(MappingProxyType(complete), start, size, frozenset(out_of_reach))

    def _rooms(self, entries: list[Any], size: float) -> dict[int, Room]:
        if not entries:
            self._fail("rooms", "must name at least one room")
        rooms: dict[int, Room] = {}
        by_tile: dict[tuple[int, int], int] = {}
        for index, entry in enumerate(entries):
            place = f"rooms[{index}]"
            keys = {"marker_id", "tile", "position"}
            self._check_keys(entry, place, keys, required={"marker_id", "tile"})
            marker_id = self._integer(entry["marker_id"], f"{place}.marker_id")
            place += f" (marker {marker_id})"
            if marker_id in rooms:
                self._fail(place, "another room has this marker already")
            column, row = self._pair(entry["tile"], f"{place}.tile")
            tile = (self._integer(column, f"{place}.tile"), self._integer(row, f"{place}.tile"))
            if tile in by_tile:
                self._fail(place, f"room {by_tile[tile]} has the tile {list(tile)} already")
            position = entry.get("position", [size * tile[0], size * tile[1]])
            x, y = self._pair(position, f"{place}.position")
            rooms[marker_id] = Room(
                marker_id,
                self._number(x, f"{place}.position"),
                self._number(y, f"{place}.position"),
                tile,
            )
            by_tile[tile] = marker_id
        return rooms

    def _passages(self, entries: list[Any], rooms: Mapping[int, Room]) -> dict[int, set[int]]:
        neighbours: dict[int, set[int]] = {marker_id: set() for marker_id in rooms}
        for index, entry in enumerate(entries):
            place = f"passages[{index}]"
            one, other = (self._known(end, place, rooms) for end in self._pair(entry, place))
            (x, y), (other_x, other_y) = rooms[one].tile, rooms[other].tile
            if abs(x - other_x) + abs(y - other_y) != 1:
                self._fail(place, f"rooms {one} and {other} do not lie on neighbouring tiles")
            neighbours[one].add(other)
            neighbours[other].add(one)
        return neighbours

    def _objects(
        self, entries: list[Any], rooms: Mapping[int, Room]
    ) -> tuple[dict[int, set[int]], set[int]]:
        objects: dict[int, set[int]] = {marker_id: set() for marker_id in rooms}
        out_of_reach: set[int] = set()
        seen: set[int] = set()
        for index, entry in enumerate(entries):
            place = f"objects[{index}]"
            keys = {"object_id", "room", "reachable"}
            self._check_keys(entry, place, keys, required={"object_id", "room"})
            object_id = self._integer(entry["object_id"], f"{place}.object_id")
            place += f" (object {object_id})"
            if object_id in seen:
                self._fail(place, "another object has this id already")
            seen.add(object_id)
            objects[self._known(entry["room"], f"{place}.room", rooms)].add(object_id)
            reachable = entry.get("reachable", True)
            if not isinstance(reachable, bool):
                self._fail(f"{place}.reachable", f"must be true or false, not {reachable!r}")
            if not reachable:
                out_of_reach.add(object_id)
        return objects, out_of_reach

    def _check_keys(self, entry: Any, place: str, keys: set[str], required: set[str]) -> None:
        if not isinstance(entry, dict):
            self._fail(place, f"must be a mapping, not {entry!r}")
        for key in entry:
            if key not in keys:
                self._fail(place, f"unknown key {key!r}, known are {', '.join(sorted(keys))}")
        for key in sorted(required):
            if key not in entry:
                self._fail(place, f"the key {key!r} is missing")

    def _list(self, value: Any, place: str) -> list[Any]:
        if not isinstance(value, list):
            self._fail(place, f"must be a list, not {value!r}")
        return value

    def _pair(self, value: Any, place: str) -> list[Any]:
        if not isinstance(value, list) or len(value) != 2:
            self._fail(place, f"must be a list of two, not {value!r}")
        return value

    def _integer(self, value: Any, place: str) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            self._fail(place, f"must be an integer, not {value!r}")
        if not -_INT32_LIMIT <= value < _INT32_LIMIT:
            self._fail(place, f"must fit 32 bits, {value} does not")
        return value

    def _number(self, value: Any, place: str) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float):
            self._fail(place, f"must be a number, not {value!r}")
        try:
            number = float(value)
        except OverflowError:
            number = math.inf
        if not math.isfinite(number):
            self._fail(place, f"must be a finite number, not {value!r}")
        return number

    def _known(self, value: Any, place: str, rooms: Mapping[int, Room]) -> int:
        marker_id = self._integer(value, place)
        if marker_id not in rooms:
            self._fail(place, f"no room has marker {marker_id}")
        return marker_id

    def _fail(self, place: str, what: str) -> NoReturn:
        raise RoomMapError(f"{self._name}: {place}: {what}")
