# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A snapshot of the world at one tick, for observers: what is needed to draw or publish it.

Snapshots are immutable, so they may be handed to other threads. Positions are in map units with
y growing downwards.
"""

from __future__ import annotations

from typing import NamedTuple

from bw4t_world.maps.model import BlockColor, MapSpec
from bw4t_world.simulation.simulation import Simulation

Point = tuple[float, float]


class ZoneView(NamedTuple):
    """A zone; ``occupants`` are the names of the robots whose centre is inside."""

    id: int
    name: str
    occupants: tuple[str, ...]


class DoorView(NamedTuple):
    """A door of a room; closed while a robot is inside."""

    id: int
    room: str
    is_open: bool


class BlockView(NamedTuple):
    """A block that lies somewhere; ``zone`` is the name of its zone, if any."""

    id: int
    color: BlockColor
    x: float
    y: float
    zone: str | None


class HeldBlockView(NamedTuple):
    """A block in a gripper."""

    id: int
    color: BlockColor


class RobotView(NamedTuple):
    """A robot.

    ``kind`` is ``bot`` or ``human``; ``state`` is ``arrived``, ``traveling`` or ``collided``;
    ``stop`` says why it stands and ``stopped_by`` what stopped it. ``held`` begins with the
    bottom of the stack. ``path`` are the waypoints still to pass; ``is_unreachable`` means that
    the last navigateObstacles found none. ``speed`` is a part of full
    speed, ``step`` what it moves in a tick (map units), ``battery`` in percent.
    """

    id: int
    name: str
    kind: str
    x: float
    y: float
    size: float
    speed: float
    step: float
    state: str
    stop: str
    stopped_by: str
    zone: str | None
    battery: float
    has_battery: bool
    capacity: int
    color_blind: bool
    held: tuple[HeldBlockView, ...]
    epartner: str | None
    path: tuple[Point, ...]
    is_unreachable: bool
    is_played: bool


class EPartnerView(NamedTuple):
    """An e-partner; ``holder`` is the name of the human bot that carries it, if any."""

    id: int
    name: str
    x: float
    y: float
    holder: str | None
    functionalities: tuple[str, ...]
    is_played: bool


class Snapshot(NamedTuple):
    """The world after ``tick`` ticks; ``delivered`` colours of the ``sequence`` are done."""

    map: MapSpec
    tick: int
    seconds: float
    is_paused: bool
    sequence: tuple[BlockColor, ...]
    delivered: int
    completed_at: int | None
    zones: tuple[ZoneView, ...]
    doors: tuple[DoorView, ...]
    blocks: tuple[BlockView, ...]
    robots: tuple[RobotView, ...]
    epartners: tuple[EPartnerView, ...]


def nearest_block(snapshot: Snapshot, robot_name: str) -> int | None:
    """Return the id of the block nearest to a robot, in the zone where it is; None for none."""
    robot = next((r for r in snapshot.robots if r.name == robot_name), None)
    if robot is None:
        return None
    near = [block for block in snapshot.blocks if block.zone == robot.zone]
    near.sort(key=lambda block: (block.x - robot.x) ** 2 + (block.y - robot.y) ** 2)
    return near[0].id if near else None


class SnapshotMaker:
    """Makes snapshots of one simulation; parts that have not changed are used again."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        self._blocks: tuple[int, tuple[BlockView, ...]] = (-1, ())
        self._zones: tuple[list[tuple[str, ...]], tuple[ZoneView, ...], tuple[DoorView, ...]] = (
            [],
            (),
            (),
        )

    def make(self, *, is_paused: bool) -> Snapshot:
        """Return a snapshot of now."""
        simulation = self._simulation
        zones, doors = self._places()
        return Snapshot(
            map=simulation.ground.spec,
            tick=simulation.movement.now,
            seconds=simulation.movement.now * simulation.profile.tick_seconds,
            is_paused=is_paused,
            sequence=simulation.task.sequence,
            delivered=simulation.task.index,
            completed_at=simulation.task.completed_at,
            zones=zones,
            doors=doors,
            blocks=self._lying_blocks(),
            robots=self._robots(),
            epartners=self._epartners(),
        )

    def _places(self) -> tuple[tuple[ZoneView, ...], tuple[DoorView, ...]]:
        ground = self._simulation.ground
        occupants = [
            tuple(sorted(robot.name for robot in zone.occupants)) if zone.occupants else ()
            for zone in ground.zones
        ]
        if occupants != self._zones[0] or not self._zones[1]:
            zones = tuple(
                ZoneView(zone.id, zone.name, names)
                for zone, names in zip(ground.zones, occupants, strict=True)
            )
            doors = tuple(DoorView(door.id, door.room.name, door.is_open) for door in ground.doors)
            self._zones = (occupants, zones, doors)
        return self._zones[1:]

    def _lying_blocks(self) -> tuple[BlockView, ...]:
        field = self._simulation.field
        if self._blocks[0] != field.version:
            views = tuple(
                BlockView(
                    block.id,
                    block.color,
                    block.x,
                    block.y,
                    block.zone.name if block.zone else None,
                )
                for block in field
            )
            self._blocks = (field.version, views)
        return self._blocks[1]

    def _robots(self) -> tuple[RobotView, ...]:
        views = []
        for robot in self._simulation.registry.robots.values():
            self._simulation.stepper.sync(robot)
            views.append(
                RobotView(
                    id=robot.id,
                    name=robot.name,
                    kind=robot.kind.value,
                    x=robot.x,
                    y=robot.y,
                    size=robot.size,
                    speed=robot.speed,
                    step=robot.step,
                    state=robot.state.value,
                    stop=robot.stop.value,
                    stopped_by=robot.stopped_by,
                    zone=None if robot.zone is None else robot.zone.name,
                    battery=robot.percent,
                    has_battery=robot.battery is not None,
                    capacity=robot.capacity,
                    color_blind=robot.color_blind,
                    held=tuple(HeldBlockView(block.id, block.color) for block in robot.held),
                    epartner=None if robot.epartner is None else robot.epartner.name,
                    path=robot.waypoints(),
                    is_unreachable=robot.unreachable,
                    is_played=robot.players > 0,
                )
            )
        return tuple(views)

    def _epartners(self) -> tuple[EPartnerView, ...]:
        sight = self._simulation.sight
        return tuple(
            EPartnerView(
                epartner.id,
                epartner.name,
                *sight.epartner_position(epartner),
                None if epartner.holder is None else epartner.holder.name,
                epartner.functionalities,
                epartner.players > 0,
            )
            for epartner in self._simulation.registry.epartners.values()
        )
