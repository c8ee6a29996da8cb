# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What a BW4T map says, as plain data.

The classes mirror the elements of the original's map file (docs/originals/bw4t.md, 1) one to one,
so that reading and writing a map loses nothing. Lengths are in map units (a block is 1 x 1, a
robot 2 x 2 unless it is oversized); ``x`` grows to the right and ``y`` grows *downwards*, as the
original draws it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

DROP_ZONE_NAME = "DropZone"
"""The room with exactly this name is the drop zone."""

DOOR_WIDTH = 4.0
"""Length of a door along its wall, in map units."""

DOOR_THICKNESS = 1.0
"""Length of a door across its wall, in map units."""


class BlockColor(Enum):
    """A block colour; the value is the text form of percepts and messages.

    The original servers know the eight colours up to ``DARK_GRAY``. The specification (section
    "Colors") leaves out ``Dark_gray``, which colour-blind robots see, and lists ``Cyan`` and
    ``Magenta``, which no server knows. Here all ten are colours: maps and messages may use
    them; :attr:`known_to_servers` tells them apart for use with an original server.
    """

    RED = "Red"
    ORANGE = "Orange"
    YELLOW = "Yellow"
    GREEN = "Green"
    BLUE = "Blue"
    PINK = "Pink"
    WHITE = "White"
    DARK_GRAY = "Dark_gray"
    CYAN = "Cyan"
    MAGENTA = "Magenta"

    def __str__(self) -> str:
        """Return the text form, for example ``Dark_gray``."""
        return self.value

    @property
    def known_to_servers(self) -> bool:
        """Whether the original servers 3.8.1 and 3.10 know this colour."""
        return self not in (BlockColor.CYAN, BlockColor.MAGENTA)

    @classmethod
    def from_text(cls, text: str) -> BlockColor:
        """Return the colour of a text form, ignoring case (``dark_gray``, ``RED``).

        Raises ``ValueError`` with the known colours for any other text.
        """
        try:
            return cls[text.upper()]
        except KeyError:
            known = ", ".join(color.value for color in cls)
            raise ValueError(f"unknown colour {text!r}; the colours are {known}") from None


RANDOM_COLORS: tuple[BlockColor, ...] = tuple(BlockColor)[:7]
"""The colours that random blocks and random sequences are drawn from, in drawing order."""


class ZoneType(Enum):
    """What kind of place a zone is."""

    ROOM = "ROOM"
    CORRIDOR = "CORRIDOR"
    CHARGINGZONE = "CHARGINGZONE"
    BLOCKADE = "BLOCKADE"


class DoorOrientation(Enum):
    """Whether a door lies along the x axis (horizontal) or along the y axis (vertical)."""

    HORIZONTAL = "HORIZONTAL"
    VERTICAL = "VERTICAL"


class EntityType(Enum):
    """The entity types of old map files; the servers ignore them."""

    NORMAL = "NORMAL"
    JAVA = "JAVA"


@dataclass(frozen=True, slots=True)
class Point:
    """A point of the map, in map units."""

    x: float = 0.0
    y: float = 0.0


@dataclass(frozen=True, slots=True)
class Box:
    """An axis-aligned rectangle given by its *centre*, as in the map file, in map units.

    Its area is half open: the minimum belongs to it, the maximum does not (docs/originals/bw4t.md,
    3).
    """

    x: float = 0.0
    y: float = 0.0
    width: float = 0.0
    height: float = 0.0

    @property
    def center(self) -> Point:
        """The centre."""
        return Point(self.x, self.y)

    @property
    def min_x(self) -> float:
        """The left edge."""
        return self.x - self.width / 2

    @property
    def max_x(self) -> float:
        """The right edge."""
        return self.x + self.width / 2

    @property
    def min_y(self) -> float:
        """The edge with the smaller y, drawn on top."""
        return self.y - self.height / 2

    @property
    def max_y(self) -> float:
        """The edge with the larger y, drawn at the bottom."""
        return self.y + self.height / 2

    def contains(self, x: float, y: float) -> bool:
        """Whether a point lies in the half-open area."""
        return self.min_x <= x < self.max_x and self.min_y <= y < self.max_y

    def intersects(self, other: Box) -> bool:
        """Whether the two interiors share a point; touching edges do not."""
        return (
            self.min_x < other.max_x
            and other.min_x < self.max_x
            and self.min_y < other.max_y
            and other.min_y < self.max_y
        )


@dataclass(frozen=True, slots=True)
class DoorSpec:
    """A door of a room: its centre and the direction of the wall that it is in."""

    position: Point = Point()
    orientation: DoorOrientation = DoorOrientation.HORIZONTAL

    @property
    def box(self) -> Box:
        """The area of the door: 4 x 1 when horizontal, 1 x 4 when vertical."""
        width, height = DOOR_WIDTH, DOOR_THICKNESS
        if self.orientation is DoorOrientation.VERTICAL:
            width, height = height, width
        return Box(self.position.x, self.position.y, width, height)


@dataclass(frozen=True, slots=True)
class EntitySpec:
    """A spawn point. Robots take them in file order; name and type are kept but mean nothing."""

    position: Point = Point()
    name: str = "-"
    type: EntityType = EntityType.NORMAL


@dataclass(frozen=True, slots=True)
class ZoneSpec:
    """A place of the map.

    ``neighbours`` are zone names as written; the path planner takes them in both directions.
    ``blocks`` are the colours of the blocks that lie in a room at the start.
    """

    name: str
    type: ZoneType
    box: Box = Box()
    neighbours: tuple[str, ...] = ()
    doors: tuple[DoorSpec, ...] = ()
    blocks: tuple[BlockColor, ...] = ()
    label_visible: bool = True

    @property
    def is_drop_zone(self) -> bool:
        """Whether this is the drop zone: a room named ``DropZone``."""
        return self.type is ZoneType.ROOM and self.name == DROP_ZONE_NAME

    @property
    def is_blocks_room(self) -> bool:
        """Whether blocks can lie here: a room that is not the drop zone."""
        return self.type is ZoneType.ROOM and self.name != DROP_ZONE_NAME


@dataclass(frozen=True, slots=True)
class MapSpec:
    """A whole map.

    ``random_sequence`` colours are appended to ``sequence`` and put in rooms as blocks,
    ``random_blocks`` more blocks are put in rooms; ``seed`` makes both repeatable (``None``
    leaves the choice of a seed to the world).
    """

    area: Point = Point()
    zones: tuple[ZoneSpec, ...] = ()
    entities: tuple[EntitySpec, ...] = ()
    sequence: tuple[BlockColor, ...] = ()
    one_bot_per_corridor_zone: bool = False
    random_blocks: int = 0
    random_sequence: int = 0
    seed: int | None = None

    @property
    def drop_zone(self) -> ZoneSpec:
        """The drop zone; ``LookupError`` in a map that was not validated and has none."""
        for zone in self.zones:
            if zone.is_drop_zone:
                return zone
        raise LookupError(f"the map has no room named {DROP_ZONE_NAME}")

    def zone(self, name: str) -> ZoneSpec:
        """Return the zone of a name; ``LookupError`` when there is none."""
        for zone in self.zones:
            if zone.name == name:
                return zone
        raise LookupError(f"the map has no zone named {name!r}")
