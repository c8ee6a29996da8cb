# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What the robots of one client perceive, together, as a snapshot."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from math import hypot

from bw4t_world import Percept, Snapshot
from bw4t_world.maps import BlockColor, MapSpec, ZoneType
from bw4t_world.model.entities import Stop
from bw4t_world.model.measures import RobotMeasures, RobotSummary, TeamSummary
from bw4t_world.model.percept_base import RobotPercepts
from bw4t_world.simulation.snapshots import BlockView, DoorView, HeldBlockView, RobotView, ZoneView

FULL_STEP = 0.5
"""Map units a tick at full speed (docs/originals/bw4t.md, 3)."""


@dataclass
class PerceivedRobot:
    """What one robot knows, and what was counted of it; ``state`` as it is to be shown."""

    name: str
    kind: str
    percepts: RobotPercepts
    state: str = "arrived"
    measures: RobotMeasures = field(default_factory=RobotMeasures)


class PerceivedTeam:
    """Makes snapshots of what the robots of one connection perceive; reuses unchanged parts."""

    def __init__(self, spec: MapSpec) -> None:
        self.map = spec
        self.zone_ids = {zone.name: number for number, zone in enumerate(spec.zones)}
        """Numbers of the zones; the server's own once they are perceived."""
        self._blocks: dict[int, BlockView] = {}
        self._colors: dict[int, BlockColor] = {}
        self._doors: tuple[DoorView, ...] = ()
        self._completed_at: tuple[int, float] | None = None

    def learn(self, percepts: Iterable[Percept]) -> None:
        """Take the server's numbers of the zones."""
        for percept in percepts:
            if percept.name == "zone" and percept.args[1] in self.zone_ids:
                self.zone_ids[percept.args[1]] = percept.args[0]

    def snapshot(
        self, robots: Iterable[PerceivedRobot], *, tick: int, seconds: float, is_paused: bool
    ) -> Snapshot:
        """Return what the robots know together."""
        team = tuple(robots)
        self._see_blocks(team)
        doors = self._door_views(team)
        self._doors = self._doors if doors == self._doors else doors
        known = next((robot.percepts for robot in team), None)
        sequence = _colors(known.sequence) if known and known.sequence else self.map.sequence
        delivered = max((robot.percepts.sequence_index for robot in team), default=0)
        if sequence and delivered >= len(sequence) and self._completed_at is None:
            self._completed_at = (tick, seconds)
        return Snapshot(
            map=self.map,
            tick=tick,
            seconds=seconds,
            is_paused=is_paused,
            sequence=sequence,
            delivered=delivered,
            completed_at=self._completed_at[0] if self._completed_at else None,
            zones=self._zones(team),
            doors=self._doors,
            blocks=tuple(self._blocks.values()),
            robots=tuple(self._robot(robot, team) for robot in team),
            epartners=(),
        )

    def measures(self, robots: Iterable[PerceivedRobot], snapshot: Snapshot) -> TeamSummary:
        """Return what was counted of these robots; those of other clients are not known."""
        poll_seconds = snapshot.seconds / snapshot.tick if snapshot.tick else 0.0
        rows = tuple(
            RobotSummary(
                name=robot.name,
                kind=robot.kind,
                good_drops=robot.measures.good_drops,
                wrong_drops=robot.measures.wrong_drops,
                messages=robot.measures.messages,
                idle_seconds=robot.measures.idle_ticks * poll_seconds,
                rooms_entered=robot.measures.rooms_entered,
                blocks_picked_up=robot.measures.blocks_picked_up,
                collisions=robot.measures.collisions,
            )
            for robot in robots
        )
        done = self._completed_at or (None, None)
        return TeamSummary(
            ticks=snapshot.tick,
            seconds=snapshot.seconds,
            completion_ticks=done[0],
            completion_seconds=done[1],
            sequence_length=len(snapshot.sequence),
            delivered=snapshot.delivered,
            good_drops=sum(row.good_drops for row in rows),
            wrong_drops=sum(row.wrong_drops for row in rows),
            messages=sum(row.messages for row in rows),
            idle_seconds=sum((row.idle_seconds for row in rows), 0.0),
            rooms_entered=sum(row.rooms_entered for row in rows),
            robots=rows,
        )

    def _see_blocks(self, team: tuple[PerceivedRobot, ...]) -> None:
        """Remember blocks where they were seen, until a robot sees that they are gone."""
        for robot in team:
            seen = robot.percepts.visible
            here = robot.percepts.at
            for number in [n for n, b in self._blocks.items() if b.zone == here and n not in seen]:
                del self._blocks[number]
            for number, text in seen.items():
                color = BlockColor.from_text(text)
                if not robot.percepts.color_blind:
                    self._colors[number] = color
                zone = self.map.zone(here).box if here in self.zone_ids else None
                # In 3.10 only human bots perceive positions.
                default = (number, *((zone.x, zone.y) if zone else robot.percepts.location))
                _, x, y = robot.percepts.positions.get(number, default)
                color = self._colors.get(number, color)
                self._blocks[number] = BlockView(number, color, x, y, here)
        for robot in team:
            for number in robot.percepts.holding:
                self._blocks.pop(number, None)

    def _door_views(self, team: tuple[PerceivedRobot, ...]) -> tuple[DoorView, ...]:
        occupied = {room for robot in team for room in robot.percepts.occupied}
        rooms = (zone for zone in self.map.zones if zone.type is ZoneType.ROOM)
        places = ((zone.name, door) for zone in rooms for door in zone.doors)
        return tuple(
            DoorView(number, room, room not in occupied) for number, (room, _) in enumerate(places)
        )

    def _zones(self, team: tuple[PerceivedRobot, ...]) -> tuple[ZoneView, ...]:
        inside: dict[str, list[str]] = {}
        for robot in team:
            inside.setdefault(robot.percepts.at, []).append(robot.name)
        return tuple(
            ZoneView(self.zone_ids[zone.name], zone.name, tuple(inside.get(zone.name, ())))
            for zone in self.map.zones
        )

    def _robot(self, robot: PerceivedRobot, team: tuple[PerceivedRobot, ...]) -> RobotView:
        percepts = robot.percepts
        x, y = percepts.location
        stop, stopped_by = self._stop(robot, team)
        held = reversed(percepts.holding)
        return RobotView(
            id=percepts.id,
            name=robot.name,
            kind=robot.kind,
            x=x,
            y=y,
            size=percepts.size,
            speed=percepts.speed,
            step=FULL_STEP * percepts.speed,
            state=robot.state,
            stop=stop.value,
            stopped_by=stopped_by,
            zone=percepts.at or None,
            battery=percepts.battery,
            has_battery=percepts.battery < 100.0,
            capacity=percepts.capacity,
            color_blind=percepts.color_blind,
            held=tuple(
                HeldBlockView(number, self._colors.get(number, BlockColor.DARK_GRAY))
                for number in held
            ),
            epartner=next((e.name for e in percepts.epartners if e.holder == percepts.id), None),
            path=(),
            is_unreachable=percepts.unreachable,
            is_played=True,
        )

    def _stop(self, robot: PerceivedRobot, team: tuple[PerceivedRobot, ...]) -> tuple[Stop, str]:
        """Return why a robot stands: the server reports a collision, but not with what."""
        percepts = robot.percepts
        if robot.state == "traveling":
            return Stop.NONE, ""
        if robot.state != "collided":
            return Stop.ARRIVED, ""
        if percepts.battery == 0.0:
            return Stop.BATTERY, ""
        if percepts.bumped:
            return Stop.ROBOT, percepts.bumped[-1]
        occupied = {room for one in team for room in one.percepts.occupied} - {percepts.room}
        near = [
            (hypot(door.position.x - percepts.location[0], door.position.y - percepts.location[1]),
             zone.name, zone.type)
            for zone in self.map.zones
            for door in zone.doors
        ]  # fmt: skip
        _, room, _ = min(near, default=(0.0, "", None), key=lambda one: one[0])
        if room in occupied:
            return Stop.CLOSED_DOOR, room
        if self.map.one_bot_per_corridor_zone and not room:
            return Stop.OCCUPIED_ZONE, ""
        return Stop.WALL, room


def _colors(texts: Iterable[str]) -> tuple[BlockColor, ...]:
    return tuple(BlockColor.from_text(text) for text in texts)
