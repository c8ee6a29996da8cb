# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Reads the original's map files (docs/originals/bw4t.md, 1)."""

from __future__ import annotations

import os
from dataclasses import replace
from difflib import get_close_matches
from importlib import resources
from typing import Literal

from bw4t_world.maps.model import (
    BlockColor,
    Box,
    DoorOrientation,
    DoorSpec,
    EntitySpec,
    EntityType,
    MapSpec,
    Point,
    ZoneSpec,
    ZoneType,
)
from bw4t_world.maps.validator import MAX_BLOCKS, MAX_SEED, MIN_SEED, MapError, validate_map
from bw4t_world.maps.xml_document import Node, Source, load, parse

SHIPPED_MAPS = (
    "nine_rooms",
    "nine_rooms_random",
    "nine_rooms_charging",
    "nine_rooms_narrow",
    "large",
)
"""Names of the maps that come with the package; how they were made is in ``shipped``."""
SUFFIX = ".map"
UnknownNeighbours = Literal["refuse", "drop"]
"""What to do with a neighbour that is no zone: an error, or ignore it as the original does."""


def load_map(name_or_path: Source, *, unknown_neighbours: UnknownNeighbours = "refuse") -> MapSpec:
    """Return a shipped map by name (see :data:`SHIPPED_MAPS`), or read a map file.

    A text that is the name of a shipped map means that map, so write ``./large`` for a file of
    that name. Raises :class:`MapError`.
    """
    name = os.fspath(name_or_path)
    if name in SHIPPED_MAPS and isinstance(name_or_path, str):
        file = resources.files("bw4t_world.maps").joinpath("data").joinpath(name + SUFFIX)
        return parse_map(file.read_bytes(), source=name)
    try:
        return read_map(name_or_path, unknown_neighbours=unknown_neighbours)
    except MapError as error:
        near = get_close_matches(name, SHIPPED_MAPS, 1)
        if not near or os.path.exists(name):
            raise
        problem = f"{error.problem}; did you mean the map {near[0]}?"
        raise MapError(problem, source=error.source) from error


def read_map(source: Source, *, unknown_neighbours: UnknownNeighbours = "refuse") -> MapSpec:
    """Read and validate a map file. Raises :class:`MapError`."""
    node = load(source, "newMap", MapError)
    return _finish(node, str(source), unknown_neighbours)


def parse_map(
    text: bytes | str,
    *,
    source: str = "",
    unknown_neighbours: UnknownNeighbours = "refuse",
) -> MapSpec:
    """Read and validate the text of a map file. Raises :class:`MapError`."""
    node = parse(text, "newMap", MapError, source=source)
    return _finish(node, source, unknown_neighbours)


def _finish(node: Node, source: str, unknown_neighbours: UnknownNeighbours) -> MapSpec:
    spec = _map(node)
    if unknown_neighbours == "drop":
        spec = drop_unknown_neighbours(spec)
    validate_map(spec, source=source)
    return spec


def drop_unknown_neighbours(spec: MapSpec) -> MapSpec:
    """Return the map without neighbours that are no zones, as the original reads such maps."""
    names = {zone.name for zone in spec.zones}
    zones = tuple(
        replace(zone, neighbours=tuple(name for name in zone.neighbours if name in names))
        for zone in spec.zones
    )
    return replace(spec, zones=zones)


def _map(node: Node) -> MapSpec:
    fields = node.fields(
        ("area", "oneBotPerCorridorZone", "randomBlocks", "randomSequence", "seed"),
        repeated=("sequence", "entities", "zones"),
    )
    return MapSpec(
        area=fields.get("area", _point, Point()),
        zones=tuple(_zone(zone) for zone in fields.all("zones")),
        entities=tuple(_entity(entity) for entity in fields.all("entities")),
        sequence=tuple(_color(color) for color in fields.all("sequence")),
        one_bot_per_corridor_zone=fields.get("oneBotPerCorridorZone", Node.boolean, False),
        random_blocks=fields.get("randomBlocks", _count, 0),
        random_sequence=fields.get("randomSequence", _count, 0),
        seed=fields.get("seed", _seed, None),
    )


def _zone(node: Node) -> ZoneSpec:
    fields = node.fields(
        ("name", "type", "boundingbox", "renderOptions"),
        repeated=("neighbours", "doors", "blocks"),
    )
    name = fields.require("name", Node.text)
    if name:  # the number alone would be of little help in a file of sixty zones
        node.path += f"({name[:40]})"
        fields = node.fields(
            ("name", "type", "boundingbox", "renderOptions"),
            repeated=("neighbours", "doors", "blocks"),
        )
    return ZoneSpec(
        name=name,
        type=fields.require("type", lambda field: field.choice(ZoneType, "zone type")),
        box=fields.get("boundingbox", _box, Box()),
        neighbours=tuple(neighbour.text() for neighbour in fields.all("neighbours")),
        doors=tuple(_door(door) for door in fields.all("doors")),
        blocks=tuple(_color(block) for block in fields.all("blocks")),
        label_visible=fields.get("renderOptions", _label_visible, True),
    )


def _label_visible(node: Node) -> bool:
    return node.fields(("labelVisible",)).get("labelVisible", Node.boolean, True)


def _door(node: Node) -> DoorSpec:
    fields = node.fields(("position", "orientation"))
    return DoorSpec(
        position=fields.get("position", _point, Point()),
        orientation=fields.get(
            "orientation",
            lambda field: field.choice(DoorOrientation, "door orientation"),
            DoorOrientation.HORIZONTAL,
        ),
    )


def _entity(node: Node) -> EntitySpec:
    fields = node.fields(("name", "position", "type"))
    return EntitySpec(
        position=fields.get("position", _point, Point()),
        name=fields.get("name", Node.text, "-"),
        type=fields.get(
            "type", lambda field: field.choice(EntityType, "entity type"), EntityType.NORMAL
        ),
    )


def _box(node: Node) -> Box:
    fields = node.fields(("x", "y", "width", "height"))
    x, y, width, height = (
        fields.get(name, Node.decimal, 0.0) for name in ("x", "y", "width", "height")
    )
    return Box(x, y, width, height)


def _point(node: Node) -> Point:
    fields = node.fields(("x", "y"))
    return Point(fields.get("x", Node.decimal, 0.0), fields.get("y", Node.decimal, 0.0))


def _color(node: Node) -> BlockColor:
    return node.choice(BlockColor, "colour")


def _count(node: Node) -> int:
    return node.integer(0, MAX_BLOCKS)


def _seed(node: Node) -> int | None:
    return node.integer(MIN_SEED, MAX_SEED)
