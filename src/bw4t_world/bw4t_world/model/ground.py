# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The ground that robots move on: the zones and doors of a map, found by position."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from math import floor, hypot
from typing import Protocol, TypeVar

from bw4t_world.maps.model import BlockColor, Box, DoorSpec, MapSpec, ZoneSpec, ZoneType
from bw4t_world.model.errors import WorldError
from bw4t_world.model.motion import (
    MAX_COORDINATE,
    Leg,
    make_leg,
    moves_near_lines,
    on_grain,
    pressing_leg,
)

_Item = TypeVar("_Item")

_LEAST_CELL = 10.0
_MOST_CELLS = 256
_MARGIN = 32.0
_LEGS_REMEMBERED = 20_000


class Occupant(Protocol):
    """A robot, as zones know it."""

    name: str


class Block:
    """One block. ``zone`` is ``None`` while a robot holds it, and where there is no zone."""

    __slots__ = ("color", "id", "x", "y", "zone")

    def __init__(self, number: int, color: BlockColor) -> None:
        self.id = number
        self.color = color
        self.x = 0.0
        self.y = 0.0
        self.zone: Zone | None = None

    def __repr__(self) -> str:
        return f"<Block {self.id} {self.color}>"


class Zone:
    """A place of the running world: its numbers, robots and blocks.

    ``occupants`` are the robots whose centre is inside; ``blocks`` the blocks that lie here, by
    id, for the zone that comes first where zones overlap. ``version`` changes with ``blocks``.
    """

    __slots__ = (
        "alone",
        "blocks",
        "center",
        "doors",
        "id",
        "is_charging",
        "is_corridor",
        "is_room",
        "is_walled",
        "max_x",
        "max_y",
        "min_x",
        "min_y",
        "name",
        "occupants",
        "spec",
        "version",
    )

    def __init__(self, number: int, spec: ZoneSpec) -> None:
        self.id = number
        self.spec = spec
        self.name = spec.name
        self.min_x, self.max_x = spec.box.min_x, spec.box.max_x
        self.min_y, self.max_y = spec.box.min_y, spec.box.max_y
        self.center = (on_grain(spec.box.x), on_grain(spec.box.y))
        self.is_room = spec.type is ZoneType.ROOM
        self.is_corridor = spec.type is ZoneType.CORRIDOR
        self.is_charging = spec.type is ZoneType.CHARGINGZONE
        self.is_walled = spec.type in (ZoneType.ROOM, ZoneType.BLOCKADE)
        self.doors: tuple[Door, ...] = ()
        self.occupants: set[Occupant] = set()
        self.blocks: dict[int, Block] = {}
        self.version = 0
        self.alone: tuple[Zone, ...] = (self,)

    def __repr__(self) -> str:
        return f"<Zone {self.id} {self.name}>"

    def contains(self, x: float, y: float) -> bool:
        """Whether a point is in the half-open area."""
        return self.min_x <= x < self.max_x and self.min_y <= y < self.max_y


class Door:
    """A door of a room; it is closed while a robot is inside the room."""

    __slots__ = ("box", "id", "room")

    def __init__(self, number: int, spec: DoorSpec, room: Zone) -> None:
        self.id = number
        self.box: Box = spec.box
        self.room = room

    @property
    def is_open(self) -> bool:
        """Whether a robot from outside can enter."""
        return not self.room.occupants


class Ground:
    """The zones and doors of one map.

    ``zones`` and ``doors`` are in the order in which the original creates and numbers them:
    corridors, rooms each followed by its doors, blockades, charging zones (docs/originals/bw4t.md,
    1). ``next_id`` is the first free number. ``width`` and ``height`` bound the coordinates that a
    robot can have; it sticks to these borders.
    """

    def __init__(self, spec: MapSpec) -> None:
        if max(spec.area.x, spec.area.y) + 1 > MAX_COORDINATE:
            raise WorldError(
                f"the map is {spec.area.x:g} x {spec.area.y:g} units; "
                f"the greatest size is {MAX_COORDINATE - 1:g}"
            )
        self.spec = spec
        self.width, self.height = float(int(spec.area.x) + 1), float(int(spec.area.y) + 1)
        self.next_id = 0
        self.zones: list[Zone] = []
        self.doors: list[Door] = []
        for kind in (ZoneType.CORRIDOR, ZoneType.ROOM, ZoneType.BLOCKADE, ZoneType.CHARGINGZONE):
            for zone_spec in spec.zones:
                if zone_spec.type is kind:
                    self._add(zone_spec)
        self.by_name = {zone.name: zone for zone in self.zones}
        self.drop_zone = self.by_name[spec.drop_zone.name]
        self.rooms = [zone for zone in self.zones if zone.is_walled]
        self.places = [zone for zone in self.zones if not zone.is_walled]
        self._cell = max(_LEAST_CELL, max(self.width, self.height) / _MOST_CELLS)
        self._zone_cells = self._cells((zone, zone.spec.box) for zone in self.zones)
        self._door_cells = self._cells((door, door.box) for door in self.doors)
        self._leg = lru_cache(_LEGS_REMEMBERED)(self._make_leg)

    def _add(self, spec: ZoneSpec) -> None:
        zone = Zone(self.take_id(), spec)
        self.zones.append(zone)
        zone.doors = tuple(Door(self.take_id(), door, zone) for door in spec.doors)
        self.doors += zone.doors

    def take_id(self) -> int:
        """Return the next number; zones, doors, blocks, robots and e-partners share them."""
        self.next_id += 1
        return self.next_id - 1

    def block_rooms(self) -> list[Zone]:
        """Return the rooms that can hold blocks, in the order in which they are filled."""
        names = [zone.name for zone in self.zones if zone.spec.is_blocks_room]
        return [self.by_name[name] for name in hash_map_order(names)]

    def zones_at(self, x: float, y: float) -> tuple[Zone, ...]:
        """Return all zones that contain a point, in creation order."""
        found: tuple[Zone, ...] = ()
        cell = self._cell
        for zone in self._zone_cells.get((floor(x / cell), floor(y / cell)), ()):
            if zone.min_x <= x < zone.max_x and zone.min_y <= y < zone.max_y:
                found = (*found, zone) if found else zone.alone
        return found

    def zone_at(self, x: float, y: float) -> Zone | None:
        """Return the first zone in creation order that contains a point."""
        zones = self.zones_at(x, y)
        return zones[0] if zones else None

    def zone_near(self, x: float, y: float) -> Zone | None:
        """Return the zone of a point, or else the zone that is no room with nearest centre.

        It is ``None`` outside of all zones of a map of nothing but rooms.
        """
        zone = self.zone_at(x, y)
        if zone is not None or not self.places:
            return zone
        return min(self.places, key=lambda z: hypot(z.spec.box.x - x, z.spec.box.y - y))

    def in_a_door(self, x: float, y: float) -> bool:
        """Whether a point lies in the box of some door."""
        cell = self._cell
        doors = self._door_cells.get((floor(x / cell), floor(y / cell)), ())
        return any(door.box.contains(x, y) for door in doors)

    def inside(self, x: float, y: float) -> bool:
        """Whether a robot can be at a point: between the borders of the map."""
        return 0.0 <= x <= self.width and 0.0 <= y <= self.height

    def clamp(self, x: float, y: float) -> tuple[float, float]:
        """Return the point between the borders that is nearest to a point."""
        return min(max(x, 0.0), self.width), min(max(y, 0.0), self.height)

    def leg(
        self, x: float, y: float, to_x: float, to_y: float, step: float
    ) -> tuple[Leg, tuple[int, ...]]:
        """Return the leg between two points, and the moves of it that change the zones.

        Robots walk between the same centres again and again, so legs are remembered.
        """
        return self._leg(x, y, to_x, to_y, step)

    def _make_leg(
        self, x: float, y: float, to_x: float, to_y: float, step: float
    ) -> tuple[Leg, tuple[int, ...]]:
        if not self.inside(to_x, to_y):
            return pressing_leg(x, y, to_x, to_y), ()
        leg = make_leg(x, y, to_x, to_y, step)
        if not leg.moves or leg.vx == leg.vy == 0.0:
            return leg, ()
        zones = self._zones_along(leg)
        vertical = [line for zone in zones for line in (zone.min_x, zone.max_x)]
        horizontal = [line for zone in zones for line in (zone.min_y, zone.max_y)]
        changes = tuple(
            move
            for move in moves_near_lines(leg, vertical, horizontal)
            if self.zones_at(*leg.at(move)) != self.zones_at(*leg.at(move - 1))
        )
        return leg, changes

    def _zones_along(self, leg: Leg) -> set[Zone]:
        x, y = sorted((leg.x, leg.to_x)), sorted((leg.y, leg.to_y))
        return {
            zone
            for cell in self._cells_of(x[0], x[1], y[0], y[1])
            for zone in self._zone_cells.get(cell, ())
        }

    def _cells_of(
        self, min_x: float, max_x: float, min_y: float, max_y: float
    ) -> Iterator[tuple[int, int]]:
        cell = self._cell
        for column in range(floor(min_x / cell), floor(max_x / cell) + 1):
            for row in range(floor(min_y / cell), floor(max_y / cell) + 1):
                yield column, row

    def _cells(
        self, items: Iterable[tuple[_Item, Box]]
    ) -> dict[tuple[int, int], tuple[_Item, ...]]:
        """Return, for every cell of a grid over the map, the items whose box touches it."""
        cells: dict[tuple[int, int], list[_Item]] = {}
        for item, box in items:
            # Boxes can be drawn far beyond the map, where nothing ever is.
            for cell in self._cells_of(
                max(box.min_x, -_MARGIN),
                min(box.max_x, self.width + _MARGIN),
                max(box.min_y, -_MARGIN),
                min(box.max_y, self.height + _MARGIN),
            ):
                cells.setdefault(cell, []).append(item)
        return {cell: tuple(found) for cell, found in cells.items()}


def string_hash(text: str) -> int:
    """Return ``String.hashCode`` of a text as an unsigned 32-bit number."""
    value = 0
    units = text.encode("utf-16-be", "surrogatepass")
    for high, low in zip(units[::2], units[1::2], strict=True):
        value = (31 * value + (high << 8 | low)) & 0xFFFFFFFF
    return value


def hash_map_order(keys: Iterable[str]) -> list[str]:
    """Return distinct keys in the iteration order of a Java ``HashMap`` that they were put into.

    The original puts blocks into rooms in this order, so block ids depend on it
    (docs/originals/bw4t.md, 1).
    """
    keys = list(keys)
    buckets = 16
    while len(keys) > 0.75 * buckets:
        buckets *= 2

    def bucket(key: str) -> int:
        value = string_hash(key)
        return (value ^ value >> 16) & (buckets - 1)

    return sorted(keys, key=bucket)
