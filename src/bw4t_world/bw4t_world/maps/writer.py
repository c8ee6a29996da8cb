# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Writes map files in the original's format: elements in alphabetical order, none left out."""

from __future__ import annotations

from pathlib import Path
from xml.etree.ElementTree import Element

from bw4t_world.maps.model import Box, DoorSpec, EntitySpec, MapSpec, Point, ZoneSpec
from bw4t_world.maps.validator import validate_map
from bw4t_world.maps.xml_document import Source, add, boolean_text, number_text, serialize


def write_map(spec: MapSpec, target: Source) -> None:
    """Write a map file. Raises :class:`MapError` for an invalid map, ``OSError`` otherwise."""
    text = format_map(spec)
    Path(target).write_text(text, encoding="utf-8", newline="\n")


def format_map(spec: MapSpec) -> str:
    """Return the text of a map file. Raises :class:`MapError` for an invalid map."""
    validate_map(spec)
    root = Element("newMap")
    _add_point(root, "area", spec.area)
    for entity in spec.entities:
        _add_entity(root, entity)
    add(root, "oneBotPerCorridorZone", boolean_text(spec.one_bot_per_corridor_zone))
    add(root, "randomBlocks", str(spec.random_blocks))
    add(root, "randomSequence", str(spec.random_sequence))
    if spec.seed is not None:
        add(root, "seed", str(spec.seed))
    for color in spec.sequence:
        add(root, "sequence", color.name)
    for zone in spec.zones:
        _add_zone(root, zone)
    return serialize(root)


def _add_entity(root: Element, entity: EntitySpec) -> None:
    element = add(root, "entities")
    add(element, "name", entity.name)
    _add_point(element, "position", entity.position)
    add(element, "type", entity.type.name)


def _add_zone(root: Element, zone: ZoneSpec) -> None:
    element = add(root, "zones")
    for color in zone.blocks:
        add(element, "blocks", color.name)
    _add_box(element, zone.box)
    for door in zone.doors:
        _add_door(element, door)
    add(element, "name", zone.name)
    for name in zone.neighbours:
        add(element, "neighbours", name)
    # Server 3.8.1 writes no renderOptions, so the default is left out.
    if not zone.label_visible:
        options = add(element, "renderOptions")
        add(options, "labelVisible", boolean_text(zone.label_visible))
    add(element, "type", zone.type.name)


def _add_box(zone: Element, box: Box) -> None:
    element = add(zone, "boundingbox")
    add(element, "height", number_text(box.height))
    add(element, "width", number_text(box.width))
    add(element, "x", number_text(box.x))
    add(element, "y", number_text(box.y))


def _add_door(zone: Element, door: DoorSpec) -> None:
    element = add(zone, "doors")
    add(element, "orientation", door.orientation.name)
    _add_point(element, "position", door.position)


def _add_point(parent: Element, name: str, point: Point) -> None:
    element = add(parent, name)
    add(element, "x", number_text(point.x))
    add(element, "y", number_text(point.y))
