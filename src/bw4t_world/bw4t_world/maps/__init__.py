# SPDX-License-Identifier: Apache-2.0
"""Map files: their data, and how to read, check, write, make and draw them."""

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

__all__ = [
    "DROP_ZONE_NAME",
    "RANDOM_COLORS",
    "BlockColor",
    "Box",
    "DoorOrientation",
    "DoorSpec",
    "EntitySpec",
    "EntityType",
    "MapSpec",
    "Point",
    "ZoneSpec",
    "ZoneType",
]
