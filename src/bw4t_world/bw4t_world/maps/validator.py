# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Checks whether a map makes a world: errors for what cannot work, remarks for what is odd."""

from __future__ import annotations

import math
from collections import Counter

from bw4t_world.maps.model import DROP_ZONE_NAME, DoorSpec, MapSpec, ZoneSpec, ZoneType
from bw4t_world.maps.xml_document import MAX_MAGNITUDE, DocumentError, is_writable


class MapError(DocumentError):
    """A map that cannot be read or that makes no world.

    The message, and the attributes ``source``, ``element`` and ``problem``, name the file, the
    element and what is wrong with it.
    """


MAX_BLOCKS = 100_000
"""The greatest number of blocks, of random blocks and of colours in a sequence."""

MAX_ZONES = 10_000
"""The greatest number of zones, and of spawn points."""

RANDOM_BLOCKS_PER_ROOM = 10
"""Random blocks are put only into rooms with fewer blocks than this.

Source: docs/originals/bw4t.md, 1.
"""

MIN_SEED, MAX_SEED = -(2**63), 2**63 - 1


def validate_map(spec: MapSpec, *, source: str = "") -> None:
    """Raise :class:`MapError`, which names ``source`` and the element, unless the map works."""
    _Validator(spec, source).validate()


class _Validator:
    def __init__(self, spec: MapSpec, source: str) -> None:
        self._map = spec
        self._source = source
        self._names = {zone.name for zone in spec.zones}

    def validate(self) -> None:
        spec = self._map
        self._check_number("area/x", spec.area.x, positive=True)
        self._check_number("area/y", spec.area.y, positive=True)
        self._check_sizes()
        self._check_names()
        for index, zone in enumerate(spec.zones, start=1):
            self._check_zone(f"zones[{index}]({zone.name[:40]})", zone)
        self._check_drop_zone()
        self._check_entities()
        self._check_random_blocks()

    def _fail(self, element: str, problem: str) -> MapError:
        return MapError(problem, source=self._source, element=element)

    def _check_sizes(self) -> None:
        spec = self._map
        if not spec.zones:
            raise self._fail("", "has no zones")
        for element, count, limit in (
            ("zones", len(spec.zones), MAX_ZONES),
            ("entities", len(spec.entities), MAX_ZONES),
            ("sequence", len(spec.sequence), MAX_BLOCKS),
            ("zones/blocks", sum(len(zone.blocks) for zone in spec.zones), MAX_BLOCKS),
            ("zones/neighbours", sum(len(zone.neighbours) for zone in spec.zones), MAX_BLOCKS),
            ("zones/doors", sum(len(zone.doors) for zone in spec.zones), MAX_BLOCKS),
        ):
            if count > limit:
                raise self._fail(element, f"{count} are too many; the limit is {limit}")
        for element, count in (
            ("randomBlocks", spec.random_blocks),
            ("randomSequence", spec.random_sequence),
        ):
            if not 0 <= count <= MAX_BLOCKS:
                raise self._fail(element, f"{count} is not from 0 to {MAX_BLOCKS}")
        if spec.seed is not None and not MIN_SEED <= spec.seed <= MAX_SEED:
            raise self._fail("seed", f"{spec.seed} does not fit in 64 bits")

    def _check_names(self) -> None:
        seen: dict[str, int] = {}
        for index, zone in enumerate(self._map.zones, start=1):
            element = f"zones[{index}]({zone.name[:40]})/name"
            self._check_text(element, zone.name)
            if not zone.name:
                raise self._fail(f"zones[{index}]/name", "is empty")
            if zone.name in seen:
                also = f"is also the name of zones[{seen[zone.name]}]"
                if zone.name == DROP_ZONE_NAME:
                    also += "; there can be only one drop zone"
                raise self._fail(element, also)
            seen[zone.name] = index
        for index, entity in enumerate(self._map.entities, start=1):
            self._check_text(f"entities[{index}]/name", entity.name)

    def _check_zone(self, element: str, zone: ZoneSpec) -> None:
        box = zone.box
        self._check_number(f"{element}/boundingbox/x", box.x)
        self._check_number(f"{element}/boundingbox/y", box.y)
        self._check_number(f"{element}/boundingbox/width", box.width, positive=True)
        self._check_number(f"{element}/boundingbox/height", box.height, positive=True)
        for index, name in enumerate(zone.neighbours, start=1):
            if name not in self._names:
                raise self._fail(
                    f"{element}/neighbours[{index}]",
                    f"there is no zone {name!r}; the original ignores that, and so do bw4t run "
                    '--drop-unknown-neighbours, load_map(..., unknown_neighbours="drop") and a '
                    "ROS server of profile server_3_8_1 or server_3_10",
                )
        if zone.blocks and not zone.is_blocks_room:
            kind = "the drop zone" if zone.is_drop_zone else f"a {zone.type.value}"
            raise self._fail(f"{element}/blocks[1]", f"{kind} cannot hold blocks")
        for index, door in enumerate(zone.doors, start=1):
            self._check_door(f"{element}/doors[{index}]", zone, door)

    def _check_door(self, element: str, zone: ZoneSpec, door: DoorSpec) -> None:
        if zone.type is not ZoneType.ROOM:
            raise self._fail(element, f"a {zone.type.value} cannot have doors")
        self._check_number(f"{element}/position/x", door.position.x)
        self._check_number(f"{element}/position/y", door.position.y)
        # A robot enters a room from the part of a door that lies outside, so a door that does
        # not stand on the edge of its own room lets no robot in.
        room, opening = zone.box, door.box
        inside = (
            room.min_x <= opening.min_x
            and opening.max_x <= room.max_x
            and room.min_y <= opening.min_y
            and opening.max_y <= room.max_y
        )
        if inside or not room.intersects(opening):
            place = f"({door.position.x:g}, {door.position.y:g})"
            raise self._fail(element, f"at {place} is not on the edge of its room")

    def _check_drop_zone(self) -> None:
        # Two zones of one name are refused before, so there cannot be two drop zones.
        for index, zone in enumerate(self._map.zones, start=1):
            if zone.name == DROP_ZONE_NAME and zone.type is not ZoneType.ROOM:
                element = f"zones[{index}]({zone.name})/type"
                raise self._fail(element, f"the drop zone is a {zone.type.value}, not a ROOM")
        if not any(zone.is_drop_zone for zone in self._map.zones):
            raise self._fail("zones", f"there is no drop zone: no ROOM named {DROP_ZONE_NAME}")

    def _check_entities(self) -> None:
        area = self._map.area
        for index, entity in enumerate(self._map.entities, start=1):
            element = f"entities[{index}]/position"
            self._check_number(f"{element}/x", entity.position.x)
            self._check_number(f"{element}/y", entity.position.y)
            if not (0 <= entity.position.x <= area.x and 0 <= entity.position.y <= area.y):
                place = f"({entity.position.x:g}, {entity.position.y:g})"
                raise self._fail(element, f"{place} is outside of the area")

    def _check_random_blocks(self) -> None:
        wanted = self._map.random_blocks + self._map.random_sequence
        rooms = [zone for zone in self._map.zones if zone.is_blocks_room]
        room = sum(max(0, RANDOM_BLOCKS_PER_ROOM - len(zone.blocks)) for zone in rooms)
        if wanted > room:
            raise self._fail(
                "randomBlocks",
                f"{wanted} random blocks do not fit: rooms are filled up to "
                f"{RANDOM_BLOCKS_PER_ROOM} blocks, which leaves {room} places",
            )

    def _check_number(self, element: str, value: float, *, positive: bool = False) -> None:
        if not math.isfinite(value) or abs(value) > MAX_MAGNITUDE:
            raise self._fail(element, f"{value!r} is not a number up to {MAX_MAGNITUDE:g}")
        if positive and value <= 0:
            raise self._fail(element, f"{value:g} is not greater than 0")

    def _check_text(self, element: str, text: str) -> None:
        if not is_writable(text):
            raise self._fail(
                element, f"{text[:60]!r} has control characters, or blanks at its ends or in a row"
            )


def map_remarks(spec: MapSpec) -> list[str]:
    """Return sentences about what is allowed in a valid map, but probably not meant."""
    remarks = []
    if not spec.entities:
        remarks.append("There are no spawn points, so no robot can take part.")
    if not spec.sequence and not spec.random_sequence:
        remarks.append("The sequence is empty, so there is nothing to do.")
    remarks += [
        f"{zone.name} has no door, so no robot can enter it."
        for zone in spec.zones
        if zone.type is ZoneType.ROOM and not zone.doors
    ]
    missing = Counter(spec.sequence) - Counter(
        color for zone in spec.zones for color in zone.blocks
    )
    if missing:
        colors = ", ".join(f"{count} {color}" for color, count in missing.items())
        chance = " unless random blocks supply them" if spec.random_blocks else ""
        remarks.append(f"The sequence needs blocks that are in no room{chance}: {colors}.")
    used = {*spec.sequence, *(color for zone in spec.zones for color in zone.blocks)}
    foreign = sorted(color.value for color in used if not color.known_to_servers)
    if foreign:
        names = " and ".join(foreign)
        remarks.append(f"{names} are colours of the specification that no original server knows.")
    unreachable = _unreachable(spec)
    if unreachable:
        remarks.append(f"No path leads from the drop zone to {', '.join(unreachable)}.")
    return remarks


def _unreachable(spec: MapSpec) -> list[str]:
    edges: dict[str, set[str]] = {zone.name: set() for zone in spec.zones}
    for zone in spec.zones:
        for name in zone.neighbours:
            edges[zone.name].add(name)
            edges[name].add(zone.name)
    reached, frontier = {DROP_ZONE_NAME}, [DROP_ZONE_NAME]
    while frontier:
        new = edges[frontier.pop()] - reached
        reached |= new
        frontier += new
    return [
        zone.name
        for zone in spec.zones
        if zone.name not in reached and zone.type is not ZoneType.BLOCKADE
    ]
