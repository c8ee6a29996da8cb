# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Map files: their data, and how to read and check them.

``writer`` writes them, ``generator`` makes new ones, ``shipped`` those of the package.
"""

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
from bw4t_world.maps.reader import (
    SHIPPED_MAPS,
    drop_unknown_neighbours,
    load_map,
    parse_map,
    read_map,
)
from bw4t_world.maps.validator import MapError, map_remarks, validate_map

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
    "MapError",
    "MapSpec",
    "Point",
    "ZoneSpec",
    "ZoneType",
    "drop_unknown_neighbours",
    "load_map",
    "map_remarks",
    "parse_map",
    "read_map",
    "validate_map",
]
