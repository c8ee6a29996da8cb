# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""One run of a world: a map with blocks, robots and e-partners.

:class:`bw4t_world.World` starts a new simulation whenever it is reset or loads another map.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Iterator, Sequence

from bw4t_world.actions import Actions
from bw4t_world.maps.model import BlockColor, MapSpec
from bw4t_world.model.blocks import BlockField, free_place, random_sequence, room_contents
from bw4t_world.model.entities import Entity, EPartner, Kind, Robot, Stop
from bw4t_world.model.errors import SpawnError, WorldError
from bw4t_world.model.ground import Block, Ground, Zone
from bw4t_world.model.journal import Journal
from bw4t_world.model.measures import RobotSummary, TeamSummary
from bw4t_world.model.motion import on_grain
from bw4t_world.model.profiles import Profile
from bw4t_world.movement.simulation_context import SimulationContext, Task
from bw4t_world.movement.ticks import EntityRegistry, Movement
from bw4t_world.movement.time_stepping import EventTimeStepper, TickTimeStepper, TimeStepper
from bw4t_world.perception.players import Perception
from bw4t_world.perception.sight import Sight
from bw4t_world.scenarios.model import BotSpec, EPartnerSpec

TIME_STEPPERS: dict[str, Callable[[Movement], TimeStepper]] = {
    "events": EventTimeStepper,
    "ticks": TickTimeStepper,
}
"""How time passes; both give the same result, ``ticks`` is the slow reference."""

RANDOM_BLOCKS_PER_ROOM = 10
"""Random blocks are put only into rooms with fewer blocks than this.

Source: docs/originals/bw4t.md, 1.
"""

Member = tuple[str, BotSpec | EPartnerSpec]
"""The full name of a robot or e-partner, and what it is."""


class Simulation:
    """All objects of one run, connected with each other.

    Every random choice comes from a stream of its own, derived from the seed: the sequence, the
    colours and rooms of blocks, the places in each room, and where blocks are put down.
    """

    def __init__(
        self,
        spec: MapSpec,
        profile: Profile,
        seed: int,
        journal: Journal,
        *,
        collisions: bool,
        time_stepping: str,
    ) -> None:
        self.profile = profile
        self.seed = seed
        self._check_colors(spec)
        self.ground = Ground(spec)
        self.field = BlockField(self.ground)
        self.registry = EntityRegistry()
        self.task = Task(random_sequence(spec, self._rng("sequence")))
        self._lay_out_blocks()
        self.movement = Movement(
            self.ground, self.registry, profile, journal, collisions=collisions
        )
        self.stepper = TIME_STEPPERS[time_stepping](self.movement)
        context = SimulationContext(
            profile=profile,
            ground=self.ground,
            field=self.field,
            registry=self.registry,
            task=self.task,
            movement=self.movement,
            stepper=self.stepper,
            rng=self._rng("put down"),
        )
        self.sight = Sight(context)
        self.perception = Perception(context, self.sight)
        self.actions = Actions(context, self.sight)
        points = [(entity.position.x, entity.position.y) for entity in spec.entities]
        self._spawn_points = deque((on_grain(x), on_grain(y)) for x, y in points)
        self._hosts: set[Robot] = set()
        self._gone: list[RobotSummary] = []
        self._final_summary: TeamSummary | None = None

    def _rng(self, purpose: str) -> random.Random:
        return random.Random(f"{self.seed}/{purpose}")

    def _check_colors(self, spec: MapSpec) -> None:
        if not self.profile.server_colors_only:
            return
        used = [*spec.sequence, *(color for zone in spec.zones for color in zone.blocks)]
        for color in used:
            if not color.known_to_servers:
                raise WorldError(f"the map has {color}, a colour that no original server knows")

    # --- Blocks --------------------------------------------------------------------------

    def _lay_out_blocks(self) -> None:
        ground, spec = self.ground, self.ground.spec
        rooms = ground.block_rooms()
        wanted = self.task.sequence[len(spec.sequence) :]
        contents = room_contents(
            spec, rooms, wanted, self._rng("blocks"), room_limit=RANDOM_BLOCKS_PER_ROOM
        )
        for room in rooms:
            self._fill(room, contents[room])

    def _fill(self, room: Zone, colors: Sequence[BlockColor]) -> None:
        rng = self._rng(f"places in {room.name}")
        crowded = self.profile.crowded_rooms_allowed
        inside: list[Block] = []
        for color in colors:
            block = Block(self.ground.take_id(), color)
            self.field.put(block, *free_place(room.spec, inside, rng, crowded=crowded))
            inside.append(block)

    # --- Robots and e-partners -----------------------------------------------------------

    def add_robot(self, name: str, spec: BotSpec) -> Robot:
        """Put a robot on the next spawn point; :class:`SpawnError` where it cannot be."""
        point = self._next_spawn_point(name)
        robot = Robot(self.ground.next_id, name, spec, point, self.profile)
        zones = self.ground.zones_at(*point)
        hit = self.movement.obstruction(robot, zones)
        room = next((zone for zone in zones if zone.is_walled), None)
        if room is not None:  # it came through no door, even when it stands in one
            hit = Stop.WALL, room.name
        if hit is not None:
            raise SpawnError(
                f"{name} cannot be placed at ({point[0]:g}, {point[1]:g}) in {hit[1]}: "
                f"{hit[0].value}"
            )
        self.ground.take_id()
        self._spawn_points.popleft()
        robot.since = robot.idle_since = self.movement.now
        self.movement.change_zones(robot, zones)
        self.registry.robots[name] = robot
        self._members_changed()
        return robot

    def add_epartner(self, name: str, spec: EPartnerSpec) -> EPartner:
        """Put an e-partner where the first human without one stands, or on a spawn point."""
        host = next(
            (
                robot
                for robot in self.registry.robots.values()
                if robot.kind is Kind.HUMAN and robot not in self._hosts
            ),
            None,
        )
        if host is None:
            point = self._next_spawn_point(name)
            self._spawn_points.popleft()
        else:
            self._hosts.add(host)
            self.stepper.sync(host)
            point = host.x, host.y
        epartner = EPartner(self.ground.take_id(), name, spec, *point)
        epartner.host = host
        self.registry.epartners[name] = epartner
        self._members_changed()
        return epartner

    def _next_spawn_point(self, name: str) -> tuple[float, float]:
        if not self._spawn_points:
            count = len(self.ground.spec.entities)
            raise SpawnError(f"{name} cannot be placed: all {count} spawn points are taken")
        return self._spawn_points[0]

    def remove(self, entity: Entity) -> None:
        """Take a robot or e-partner out; held blocks go with it, a held e-partner stays.

        Its spawn point can be used again.
        """
        if isinstance(entity, EPartner):
            del self.registry.epartners[entity.name]
            if entity.holder is not None:
                entity.holder.epartner = None
            if entity.host is None:
                self._spawn_points.append(entity.spawn)
            else:
                self._hosts.discard(entity.host)
        elif isinstance(entity, Robot):
            self.stepper.sync(entity)
            self._gone.append(self._summary(entity))
            if entity.epartner is not None:
                self.sight.epartner_position(entity.epartner)
                entity.epartner.holder = None
            self._hosts.discard(entity)
            entity.schedule_id += 1
            self.movement.change_zones(entity, ())
            del self.registry.robots[entity.name]
            self._spawn_points.append(entity.spawn)
        self._members_changed()

    def _members_changed(self) -> None:
        self.registry.version += 1
        if self.movement.collisions:
            self.stepper.reschedule_all()

    # --- Measures ------------------------------------------------------------------------

    def freeze_measures(self) -> None:
        """Keep the measures as they are now: the task is complete."""
        self._final_summary = self.summary()

    def summary(self) -> TeamSummary:
        """Return the measures of this run so far, at the latest those of its completion."""
        if self._final_summary is not None:
            return self._final_summary
        robots = (*self._gone, *map(self._summary, self.registry.robots.values()))
        now, completed = self.movement.now, self.task.completed_at
        tick_seconds = self.profile.tick_seconds
        return TeamSummary(
            ticks=now,
            seconds=now * tick_seconds,
            completion_ticks=completed,
            completion_seconds=None if completed is None else completed * tick_seconds,
            sequence_length=len(self.task.sequence),
            delivered=self.task.index,
            good_drops=sum(robot.good_drops for robot in robots),
            wrong_drops=sum(robot.wrong_drops for robot in robots),
            messages=sum(robot.messages for robot in robots),
            idle_seconds=sum((robot.idle_seconds for robot in robots), 0.0),
            rooms_entered=sum(robot.rooms_entered for robot in robots),
            robots=robots,
        )

    def _summary(self, robot: Robot) -> RobotSummary:
        measures, idle = robot.measures, robot.measures.idle_ticks
        if robot.goal is None:
            idle += self.movement.now - robot.idle_since
        return RobotSummary(
            name=robot.name,
            kind=robot.kind.value,
            good_drops=measures.good_drops,
            wrong_drops=measures.wrong_drops,
            messages=measures.messages,
            idle_seconds=idle * self.profile.tick_seconds,
            rooms_entered=measures.rooms_entered,
            blocks_picked_up=measures.blocks_picked_up,
            collisions=measures.collisions,
        )


def free_names(name: str, taken: set[str]) -> Iterator[str]:
    """Yield ``name_1``, ``name_2`` and so on without those that are taken.

    Source: docs/originals/bw4t.md, 2.
    """
    number = 0
    while True:
        number += 1
        full = f"{name}_{number}"
        if full not in taken:
            yield full
