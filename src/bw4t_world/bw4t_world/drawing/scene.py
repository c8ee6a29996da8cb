# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What a picture shows: a map, and optionally what is in it at one moment."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, sqrt

from bw4t_world.maps.model import BlockColor, MapSpec, Point, ZoneSpec
from bw4t_world.simulation.snapshots import Snapshot


@dataclass(frozen=True, slots=True)
class DrawnBlock:
    """A block that lies somewhere."""

    position: Point
    color: BlockColor


@dataclass(frozen=True, slots=True)
class DrawnRobot:
    """A robot with the blocks that it holds, the top of the stack first."""

    name: str
    position: Point
    size: float = 2.0
    holding: tuple[BlockColor, ...] = ()
    is_human: bool = False


@dataclass(frozen=True, slots=True)
class DrawnEPartner:
    """An e-partner; one that is carried is where its holder is."""

    name: str
    position: Point


@dataclass(frozen=True, slots=True)
class Scene:
    """A map and what is in it.

    ``occupied`` are the names of the rooms whose doors are closed; ``sequence_index`` colours
    of ``sequence`` have been delivered. Spawn points are drawn only when there are no robots.
    """

    map: MapSpec
    blocks: tuple[DrawnBlock, ...] = ()
    robots: tuple[DrawnRobot, ...] = ()
    epartners: tuple[DrawnEPartner, ...] = ()
    occupied: frozenset[str] = frozenset()
    sequence: tuple[BlockColor, ...] = ()
    sequence_index: int = 0


def scene_of_map(spec: MapSpec) -> Scene:
    """Return the scene of a map without players.

    A map file does not say where in a room its blocks lie, so they are drawn in tidy rows.
    """
    blocks = tuple(block for zone in spec.zones for block in _rows_of_blocks(zone))
    return Scene(map=spec, blocks=blocks, sequence=spec.sequence)


def scene_of_snapshot(snapshot: Snapshot) -> Scene:
    """Return the scene of a running world at one moment (``World.snapshot()``)."""
    return Scene(
        map=snapshot.map,
        blocks=tuple(
            DrawnBlock(Point(block.x, block.y), block.color) for block in snapshot.blocks
        ),
        robots=tuple(
            DrawnRobot(
                name=robot.name,
                position=Point(robot.x, robot.y),
                size=robot.size,
                holding=tuple(block.color for block in reversed(robot.held)),
                is_human=robot.kind == "human",
            )
            for robot in snapshot.robots
        ),
        epartners=tuple(
            DrawnEPartner(epartner.name, Point(epartner.x, epartner.y))
            for epartner in snapshot.epartners
        ),
        occupied=frozenset(door.room for door in snapshot.doors if not door.is_open),
        sequence=snapshot.sequence,
        sequence_index=snapshot.delivered,
    )


def _rows_of_blocks(zone: ZoneSpec) -> list[DrawnBlock]:
    columns = max(1, ceil(sqrt(len(zone.blocks))))
    rows = max(1, ceil(len(zone.blocks) / columns))
    # The label of the room stands at the top.
    top, height = zone.box.min_y + zone.box.height * 0.25, zone.box.height * 0.75
    return [
        DrawnBlock(
            Point(
                zone.box.min_x + zone.box.width * (index % columns + 0.5) / columns,
                top + height * (index // columns + 0.5) / rows,
            ),
            color,
        )
        for index, color in enumerate(zone.blocks)
    ]
