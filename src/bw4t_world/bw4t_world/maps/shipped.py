# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""How the maps that come with the package were made."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from bw4t_world.maps.generator import Layout, empty_map, generate_map
from bw4t_world.maps.model import BlockColor, MapSpec
from bw4t_world.maps.reader import SUFFIX
from bw4t_world.maps.writer import write_map
from bw4t_world.maps.xml_document import Source

_BLUE, _GREEN, _YELLOW = BlockColor.BLUE, BlockColor.GREEN, BlockColor.YELLOW
_PINK, _ORANGE, _RED, _WHITE = (
    BlockColor.PINK,
    BlockColor.ORANGE,
    BlockColor.RED,
    BlockColor.WHITE,
)

# Rooms C1, C2 and A1 are filled as in the recordings of the original server, and the others so
# that blocks get the same ids as there (docs/originals/bw4t.md, 1).
_CONTENTS: Mapping[str, tuple[BlockColor, ...]] = {
    "RoomA1": (_BLUE, _ORANGE, _ORANGE),
    "RoomA2": (_GREEN, _WHITE),
    "RoomA3": (_PINK,),
    "RoomB1": (_RED, _BLUE),
    "RoomB2": (_YELLOW, _ORANGE),
    "RoomB3": (_PINK, _GREEN),
    "RoomC1": (_YELLOW, _RED, _RED, _WHITE, _GREEN, _PINK),
    "RoomC2": (_WHITE, _RED),
    "RoomC3": (_BLUE, _YELLOW),
}
_SEQUENCE = (_BLUE, _GREEN, _YELLOW, _PINK, _ORANGE, _RED)


def nine_rooms(
    *,
    spawns: int = 3,
    charging: bool = False,
    blockade: bool = False,
    one_bot_per_corridor_zone: bool = False,
    charge_zone_prefix: str = "LeftHall",
) -> MapSpec:
    """Return the nine-room layout of the original with 22 blocks and a sequence of six colours.

    The arguments are those of :class:`Layout`. A charging zone keeps the name of the hall in
    its place, as in the original's own test map, unless another prefix is given.
    """
    layout = Layout(
        spawns=spawns,
        charging=charging,
        blockade=blockade,
        one_bot_per_corridor_zone=one_bot_per_corridor_zone,
        charge_zone_prefix=charge_zone_prefix,
    )
    spec = empty_map(layout)
    zones = tuple(replace(zone, blocks=_CONTENTS.get(zone.name, ())) for zone in spec.zones)
    return replace(spec, zones=zones, sequence=_SEQUENCE)


def _nine_rooms_random() -> MapSpec:
    return generate_map(Layout(spawns=10), blocks=22 + 6, sequence=6, seed=None)


def _nine_rooms_charging() -> MapSpec:
    # Named as the original's map editor names charging zones, so that agents can tell.
    return nine_rooms(spawns=5, charging=True, blockade=True, charge_zone_prefix="ChargeZone")


def _large() -> MapSpec:
    return generate_map(Layout(rows=6, columns=10, spawns=100), blocks=240, sequence=40, seed=1)


RECIPES: Mapping[str, Callable[[], MapSpec]] = {
    "nine_rooms": nine_rooms,
    "nine_rooms_random": _nine_rooms_random,
    "nine_rooms_charging": _nine_rooms_charging,
    "nine_rooms_narrow": lambda: nine_rooms(one_bot_per_corridor_zone=True),
    "large": _large,
}
"""How each shipped map was made, by name; the files are package data."""


def write_shipped_maps(directory: Source) -> None:
    """Write every shipped map into a directory, as ``NAME.map``."""
    for name, make in RECIPES.items():
        write_map(make(), Path(directory) / (name + SUFFIX))
