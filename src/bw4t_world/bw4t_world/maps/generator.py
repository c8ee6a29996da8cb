# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Makes maps: rows of rooms between two side halls, with the drop zone below them.

This is the layout of the original's maps (docs/originals/bw4t.md, 1, "Layout") for any number of
rows and columns. Each row is a corridor of ``FrontRoom``s with a room below each, every cell 10 x
10 units. A hall runs down each side; the wide ``FrontDropZone`` joins both at the bottom, where
the robots start.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from string import ascii_uppercase

from bw4t_world.maps.model import (
    DROP_ZONE_NAME,
    RANDOM_COLORS,
    BlockColor,
    Box,
    DoorSpec,
    EntitySpec,
    MapSpec,
    Point,
    ZoneSpec,
    ZoneType,
)
from bw4t_world.maps.validator import RANDOM_BLOCKS_PER_ROOM, validate_map

CELL = 10.0
"""Side of a room, and of the corridor in front of it, in map units."""

MAX_COLUMNS = 99
MAX_ROWS = len(ascii_uppercase)


@dataclass(frozen=True, slots=True)
class Layout:
    """What :func:`generate_map` is to make.

    ``rows`` (1 to 26, named A to Z) times ``columns`` (1 to 99) rooms. ``spawns`` spawn points
    lie in ``FrontDropZone``, at most 4 for every 4 units of its width; with
    ``one_bot_per_corridor_zone`` they are the centres of corridors, one each, the lowest first.
    With ``charging`` the uppermost left hall is a charging zone, named ``charge_zone_prefix``
    and ``A``: percepts tell robots the names of zones, but not their types. With ``blockade``
    the uppermost right hall is a blockade, so that the upper right rooms are reached from the
    left only.
    """

    rows: int = 3
    columns: int = 3
    spawns: int = 3
    charging: bool = False
    blockade: bool = False
    one_bot_per_corridor_zone: bool = False
    charge_zone_prefix: str = "ChargeZone"


def generate_map(
    layout: Layout | None = None,
    *,
    blocks: int = 22,
    sequence: int = 6,
    seed: int | None = 0,
) -> MapSpec:
    """Return a map with ``blocks`` blocks and a ``sequence`` that they can complete.

    The same arguments give the same map; ``seed=None`` leaves colours and rooms to the world
    (``randomBlocks`` and ``randomSequence``), so that every run differs. Raises ``ValueError``
    that names the argument which does not fit.
    """
    layout = layout or Layout()
    spec = empty_map(layout)
    if blocks < 0 or sequence < 0:
        raise ValueError("blocks and sequence must not be negative")
    if sequence > blocks:
        raise ValueError(f"a sequence of {sequence} needs at least as many blocks, not {blocks}")
    room = layout.rows * layout.columns * RANDOM_BLOCKS_PER_ROOM
    if blocks > room:
        raise ValueError(
            f"{blocks} blocks do not fit: {layout.rows} x {layout.columns} rooms hold {room}"
        )
    if seed is None:
        spec = replace(spec, random_blocks=blocks - sequence, random_sequence=sequence)
    else:
        spec = _with_blocks(spec, blocks, sequence, random.Random(seed))
    validate_map(spec)
    return spec


def _with_blocks(spec: MapSpec, blocks: int, sequence: int, choose: random.Random) -> MapSpec:
    colors = [choose.choice(RANDOM_COLORS) for _ in range(blocks)]
    names = [zone.name for zone in spec.zones if zone.is_blocks_room]
    places = choose.sample([name for name in names for _ in range(RANDOM_BLOCKS_PER_ROOM)], blocks)
    contents: dict[str, list[BlockColor]] = {}
    for name, color in zip(places, colors, strict=True):
        contents.setdefault(name, []).append(color)
    zones = tuple(replace(zone, blocks=tuple(contents.get(zone.name, ()))) for zone in spec.zones)
    return replace(spec, zones=zones, sequence=tuple(choose.sample(colors, sequence)))


def empty_map(layout: Layout) -> MapSpec:
    """Return the zones and spawn points of a layout, without blocks and sequence."""
    if not 1 <= layout.rows <= MAX_ROWS:
        raise ValueError(f"rows must be from 1 to {MAX_ROWS}, not {layout.rows}")
    if not 1 <= layout.columns <= MAX_COLUMNS:
        raise ValueError(f"columns must be from 1 to {MAX_COLUMNS}, not {layout.columns}")
    zones: list[ZoneSpec] = []
    for row in range(layout.rows):
        zones += _halls(layout, row)
        for column in range(layout.columns):
            zones += _room_and_front(layout, row, column)
    zones += _bottom(layout)
    return MapSpec(
        area=Point(_width(layout), layout.rows * 2 * CELL + 2 * CELL),
        zones=tuple(zones),
        entities=tuple(
            EntitySpec(point, name=f"Bot{number}")
            for number, point in enumerate(_spawn_points(layout, zones), start=1)
        ),
        one_bot_per_corridor_zone=layout.one_bot_per_corridor_zone,
    )


def _width(layout: Layout) -> float:
    return (layout.columns + 2) * CELL


def _left_hall(layout: Layout, row: int) -> str:
    prefix = layout.charge_zone_prefix if layout.charging and row == 0 else "LeftHall"
    return f"{prefix}{_letter(row)}"


def _letter(row: int) -> str:
    """Return the letter of a row; the halls beside ``FrontDropZone`` are one row more."""
    return ascii_uppercase[row] if row < MAX_ROWS else "Z1"


def _right_hall(layout: Layout, row: int) -> str:
    if layout.blockade and row == 0:
        return f"Blockade{_letter(row)}"
    return f"RightHall{_letter(row)}"


def _neighbours(layout: Layout, *names: str) -> tuple[str, ...]:
    # The planner walks neighbours in both directions, so a blockade must be no zone's neighbour
    # or robots would be sent through it.
    blocked = _right_hall(layout, 0) if layout.blockade else None
    return tuple(name for name in names if name != blocked)


def _halls(layout: Layout, row: int) -> list[ZoneSpec]:
    letter, y = _letter(row), row * 2 * CELL + CELL / 2
    charging, blocked = layout.charging and row == 0, layout.blockade and row == 0
    beside = {
        "left": [f"FrontRoom{letter}1", _left_hall(layout, row + 1)],
        "right": [f"FrontRoom{letter}{layout.columns}", _right_hall(layout, row + 1)],
    }
    if row > 0:
        beside["left"].insert(1, _left_hall(layout, row - 1))
        beside["right"].insert(1, _right_hall(layout, row - 1))
    left = ZoneSpec(
        name=_left_hall(layout, row),
        type=ZoneType.CHARGINGZONE if charging else ZoneType.CORRIDOR,
        box=Box(CELL / 2, y, CELL, 2 * CELL),
        neighbours=tuple(beside["left"]),
    )
    right = ZoneSpec(
        name=_right_hall(layout, row),
        type=ZoneType.BLOCKADE if blocked else ZoneType.CORRIDOR,
        box=Box(_width(layout) - CELL / 2, y, CELL, 2 * CELL),
        neighbours=() if blocked else _neighbours(layout, *beside["right"]),
    )
    return [left, right]


def _room_and_front(layout: Layout, row: int, column: int) -> list[ZoneSpec]:
    letter, number = _letter(row), column + 1
    x, y = (column + 1.5) * CELL, row * 2 * CELL + CELL / 2
    before = f"FrontRoom{letter}{number - 1}" if column > 0 else _left_hall(layout, row)
    last = column + 1 == layout.columns
    after = _right_hall(layout, row) if last else f"FrontRoom{letter}{number + 1}"
    room = ZoneSpec(
        name=f"Room{letter}{number}",
        type=ZoneType.ROOM,
        box=Box(x, y + CELL, CELL, CELL),
        neighbours=(f"FrontRoom{letter}{number}",),
        doors=(DoorSpec(Point(x, y + CELL / 2)),),
    )
    front = ZoneSpec(
        name=f"FrontRoom{letter}{number}",
        type=ZoneType.CORRIDOR,
        box=Box(x, y, CELL, CELL),
        neighbours=_neighbours(layout, room.name, before, after),
    )
    return [room, front]


def _bottom(layout: Layout) -> list[ZoneSpec]:
    width, y = _width(layout), layout.rows * 2 * CELL + CELL / 2
    left, right = _left_hall(layout, layout.rows), _right_hall(layout, layout.rows)
    return [
        ZoneSpec(
            name=DROP_ZONE_NAME,
            type=ZoneType.ROOM,
            box=Box(width / 2, y + CELL, layout.columns * CELL - CELL / 2, CELL),
            neighbours=(f"Front{DROP_ZONE_NAME}",),
            doors=(DoorSpec(Point(width / 2, y + CELL / 2)),),
        ),
        ZoneSpec(
            name=f"Front{DROP_ZONE_NAME}",
            type=ZoneType.CORRIDOR,
            box=Box(width / 2, y, layout.columns * CELL, CELL),
            neighbours=(DROP_ZONE_NAME, left, right),
        ),
        ZoneSpec(
            name=left,
            type=ZoneType.CORRIDOR,
            box=Box(CELL / 2, y, CELL, CELL),
            neighbours=(f"Front{DROP_ZONE_NAME}", _left_hall(layout, layout.rows - 1)),
        ),
        ZoneSpec(
            name=right,
            type=ZoneType.CORRIDOR,
            box=Box(width - CELL / 2, y, CELL, CELL),
            neighbours=_neighbours(
                layout, f"Front{DROP_ZONE_NAME}", _right_hall(layout, layout.rows - 1)
            ),
        ),
    ]


def _spawn_points(layout: Layout, zones: list[ZoneSpec]) -> list[Point]:
    if layout.one_bot_per_corridor_zone:
        corridors = [zone for zone in zones if zone.type is ZoneType.CORRIDOR]
        corridors.sort(key=lambda zone: (-zone.box.y, abs(zone.box.x - _width(layout) / 2)))
        # A tall hall may reach beyond the map, its centre never does.
        points = [zone.box.center for zone in corridors]
    else:
        points = _zigzag(layout)
        if layout.spawns > len(points):
            points = _full_rows(layout)
    if not 0 <= layout.spawns <= len(points):
        raise ValueError(
            f"spawns must be from 0 to {len(points)} with {layout.rows} x {layout.columns} rooms, "
            f"not {layout.spawns}"
        )
    return points[: layout.spawns]


def _offsets(layout: Layout) -> list[int]:
    """Return multiples of 4 units from the middle of ``FrontDropZone`` outwards."""
    reach = int((layout.columns * CELL / 2 - 1) // 4)
    return [0] + [side * step for step in range(1, reach + 1) for side in (-1, 1)]


def _zigzag(layout: Layout) -> list[Point]:
    """Return loosely spread points that begin like those of the original's maps."""
    x, y = _width(layout) / 2, layout.rows * 2 * CELL + CELL / 2
    offsets = _offsets(layout)
    front = [Point(x + 4 * offset, y - 2 * (offset % 2)) for offset in offsets]
    back = [Point(x + 4 * offset, y + 2) for offset in offsets if offset % 2]
    return front + back


def _full_rows(layout: Layout) -> list[Point]:
    """Return as many points as fit with half a unit between robots of the usual size."""
    x, y = _width(layout) / 2, layout.rows * 2 * CELL + CELL / 2
    return [
        Point(x + 4 * offset, y + dy)
        for dy in (-1.25, 1.25, -3.75, 3.75)
        for offset in _offsets(layout)
    ]
