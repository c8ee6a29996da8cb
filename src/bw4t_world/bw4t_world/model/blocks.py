# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The blocks that lie in the world: where they are, and how they are placed."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from math import floor, hypot

from bw4t_world.maps.model import RANDOM_COLORS, BlockColor, MapSpec, ZoneSpec
from bw4t_world.model.errors import PlacementError
from bw4t_world.model.ground import Block, Ground, Zone
from bw4t_world.model.motion import on_grain

BLOCK_SIZE = 1.0
"""Length of the sides of a block, in map units."""

COLOR_BLIND_SEES = BlockColor.DARK_GRAY
"""What every block looks like to a colour-blind robot."""

_LEAST_GAP = 2.0
_LEAST_GAP_CROWDED = 1e-5
_TRIES = 100
_TRIES_CROWDED = 10_000
_CELL = 8.0


class BlockField:
    """The blocks that lie somewhere, by id; held and delivered ones are not here.

    ``version`` changes whenever a block comes or goes.
    """

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._blocks: dict[int, Block] = {}
        self._cells: dict[tuple[int, int], list[Block]] = {}
        self.version = 0

    def __iter__(self) -> Iterator[Block]:
        return iter(self._blocks.values())

    def __len__(self) -> int:
        return len(self._blocks)

    def get(self, number: float) -> Block | None:
        """Return the block of an id if it lies somewhere; the number may be written as 43.0."""
        return self._blocks.get(number)  # type: ignore[call-overload,no-any-return]

    def put(self, block: Block, x: float, y: float) -> None:
        """Lay a block down with its centre at a point."""
        block.x, block.y = on_grain(x), on_grain(y)
        block.zone = self._ground.zone_at(block.x, block.y)
        self._blocks[block.id] = block
        self._cells.setdefault(_cell(block.x, block.y), []).append(block)
        self._changed(block.zone)
        if block.zone is not None:
            block.zone.blocks[block.id] = block

    def take(self, block: Block) -> None:
        """Take a block away that lies here."""
        del self._blocks[block.id]
        self._cells[_cell(block.x, block.y)].remove(block)
        self._changed(block.zone)
        if block.zone is not None:
            del block.zone.blocks[block.id]
            block.zone = None

    def within(self, x: float, y: float, reach: float) -> list[Block]:
        """Return the blocks whose centre is at most ``reach`` away, the nearest first."""
        left, top = _cell(x - reach, y - reach)
        right, bottom = _cell(x + reach, y + reach)
        near = [
            (distance, block.id, block)
            for column in range(left, right + 1)
            for row in range(top, bottom + 1)
            for block in self._cells.get((column, row), ())
            if (distance := hypot(block.x - x, block.y - y)) <= reach
        ]
        near.sort()
        return [block for _, _, block in near]

    def _changed(self, zone: Zone | None) -> None:
        self.version += 1
        if zone is not None:
            zone.version += 1


def _cell(x: float, y: float) -> tuple[int, int]:
    return floor(x / _CELL), floor(y / _CELL)


def free_place(
    zone: ZoneSpec, taken: Iterable[Block], rng: random.Random, *, crowded: bool
) -> tuple[float, float]:
    """Return a random centre for one more block in a room.

    It is at least 2 units away in x or in y from every block of ``taken``. When 100 tries find
    no such place, then with ``crowded`` a place that is barely apart is taken, and without
    :class:`PlacementError` is raised (docs/originals/bw4t.md, 1).
    """
    box = zone.box
    across, along = box.width - BLOCK_SIZE, box.height - BLOCK_SIZE
    if across < 0 or along < 0:
        raise PlacementError(f"room {zone.name} is too small: no block fits into it")
    others = [(block.x, block.y) for block in taken]
    gaps = [(_LEAST_GAP, _TRIES)]
    if crowded:
        gaps.append((_LEAST_GAP_CROWDED, _TRIES_CROWDED))
    for gap, tries in gaps:
        for _ in range(tries):
            x = on_grain(box.min_x + BLOCK_SIZE / 2 + across * rng.random())
            y = on_grain(box.min_y + BLOCK_SIZE / 2 + along * rng.random())
            if all(abs(x - a) >= gap or abs(y - b) >= gap for a, b in others):
                return x, y
    raise PlacementError(
        f"room {zone.name} is too small for {len(others) + 1} blocks that lie {_LEAST_GAP:g} apart"
    )


def random_sequence(spec: MapSpec, rng: random.Random) -> tuple[BlockColor, ...]:
    """Return the colours to deliver: those of the map, then its ``randomSequence`` random ones."""
    return spec.sequence + tuple(rng.choices(RANDOM_COLORS, k=spec.random_sequence))


def room_contents(
    spec: MapSpec,
    rooms: list[Zone],
    wanted: Iterable[BlockColor],
    rng: random.Random,
    *,
    room_limit: int,
) -> dict[Zone, list[BlockColor]]:
    """Return the colours of the blocks of every room.

    To what the map puts there come the ``wanted`` colours and ``randomBlocks`` random ones, each
    in a random room that has fewer than ``room_limit`` blocks. Raises :class:`PlacementError`
    when all rooms are full, where the original hangs.
    """
    contents = {room: list(room.spec.blocks) for room in rooms}
    extra = [*wanted, *rng.choices(RANDOM_COLORS, k=spec.random_blocks)]
    for color in extra:
        open_rooms = [room for room in rooms if len(contents[room]) < room_limit]
        if not open_rooms:
            raise PlacementError(
                f"{len(extra)} random blocks do not fit: every room has {room_limit} blocks"
            )
        contents[rng.choice(open_rooms)].append(color)
    return contents
