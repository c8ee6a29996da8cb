# SPDX-License-Identifier: Apache-2.0
"""Map files: their data, and how to read, check, write and make them."""

from bw4t_world.maps.errors import MapError
from bw4t_world.maps.generator import Layout, empty_map, generate_map
from bw4t_world.maps.model import (
    DROP_ZONE_NAME,
    RANDOM_COLORS,
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
from bw4t_world.maps.reader import drop_unknown_neighbours, parse_map, read_map
from bw4t_world.maps.shipped import SHIPPED_MAPS, load_map, nine_rooms, write_shipped_maps
from bw4t_world.maps.validator import map_remarks, validate_map
from bw4t_world.maps.writer import format_map, write_map

__all__ = [
    "DROP_ZONE_NAME",
    "RANDOM_COLORS",
    "SHIPPED_MAPS",
    "BlockColor",
    "Box",
    "DoorOrientation",
    "DoorSpec",
    "EntitySpec",
    "EntityType",
    "Layout",
    "MapError",
    "MapSpec",
    "Point",
    "ZoneSpec",
    "ZoneType",
    "drop_unknown_neighbours",
    "empty_map",
    "format_map",
    "generate_map",
    "load_map",
    "map_remarks",
    "nine_rooms",
    "parse_map",
    "read_map",
    "validate_map",
    "write_map",
    "write_shipped_maps",
]
