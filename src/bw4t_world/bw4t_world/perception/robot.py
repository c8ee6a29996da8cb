# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What robots and human bots perceive: one method for each percept of the specification.

The methods return the percepts that hold now; when they are sent is up to their policy. Names
and contents follow the specification, section "Percepts", as far as the profile does not choose
a server's ways (docs/originals/bw4t.md, 4).
"""

from __future__ import annotations

from collections.abc import Hashable

from bw4t_world.model.blocks import COLOR_BLIND_SEES
from bw4t_world.model.choices import Policy
from bw4t_world.model.entities import Entity, Kind, Robot, State, Stop
from bw4t_world.model.ground import Block, Zone
from bw4t_world.model.percepts import Percept, make_percept
from bw4t_world.model.policies import Group, Percepts, Source
from bw4t_world.movement.simulation_context import SimulationContext
from bw4t_world.perception.epartner import holder_id
from bw4t_world.perception.sight import Sight

_ONCE, _CHANGE, _ALWAYS = Policy.ONCE, Policy.ON_CHANGE, Policy.ALWAYS


class RobotPerception:
    """Reads the percepts of robots off one world."""

    def __init__(self, context: SimulationContext, sight: Sight) -> None:
        ground, task, profile = context.ground, context.task, context.profile
        self._profile = profile
        self._ground = ground
        self._field = context.field
        self._registry = context.registry
        self._task = task
        self._stepper = context.stepper
        self._sight = sight
        self._sequence = (Percept("sequence", (tuple(c.value for c in task.sequence),)),)
        self._places = tuple(Percept("place", (zone.name,)) for zone in ground.zones)
        self._zones = tuple(_zone_percept(zone) for zone in ground.zones)
        self._at = {zone: (Percept("at", (zone.name,)),) for zone in ground.zones}
        self._in = {zone: (Percept("in", (zone.name,)),) for zone in ground.rooms}
        self._occupied_by_zone = {zone: Percept("occupied", (zone.name,)) for zone in ground.rooms}
        drop_zone_first = sorted(ground.rooms, key=lambda zone: zone is not ground.drop_zone)
        self._room_positions = tuple(
            Percept("position", (zone.id, float(zone.spec.box.x), float(zone.spec.box.y)))
            for zone in drop_zone_first
        )
        self._colors: dict[Block, tuple[Percept, Percept]] = {}
        self._through_walls = profile.reach_through_walls
        self._sizes: tuple[int, Percepts] = (-1, ())
        self._occupied: tuple[int, Percepts] = (-1, ())
        self._players: tuple[int, dict[Entity, Percept]] = (-1, {})
        self._states = {
            State.ARRIVED: (Percept("state", ("arrived",)),),
            State.COLLIDED: (Percept("state", ("collided",)),),
            State.TRAVELING: (Percept("state", (profile.traveling_word,)),),
        }

    def groups_of(self, entity: Entity) -> tuple[Group, ...]:
        """Return the sources of a robot, grouped by what they depend on."""
        profile, human = self._profile, entity.kind is Kind.HUMAN
        facts = profile.local_facts_policy
        place = [Source("location", _CHANGE, self.location)]
        if human or not profile.position_humans_only:
            place.append(Source("position", _CHANGE, self.position))
        always = [Source("color", _ALWAYS, self.color)]
        if human or not profile.epartner_percept_humans_only:
            always.append(Source(profile.epartner_percept_name, _ALWAYS, self.epartner))
        return (
            Group(_never_changes, self._fixed_sources()),
            Group(
                self._own_stamp,
                (
                    Source("holding", facts, self.holding),
                    Source("state", _CHANGE, self.state),
                    Source("speed", _CHANGE, self.speed),
                    Source("gripperCapacity", _CHANGE, self.gripper_capacity),
                    Source("holdingblocks", _CHANGE, self.holdingblocks),
                    Source("oldTargetUnreachable", _CHANGE, self.old_target_unreachable),
                    Source("at", _CHANGE, self.at),
                    Source("in", facts, self.in_room),
                    Source("bumped", facts, self.bumped),
                ),
            ),
            Group(self._energy_stamp, (Source("battery", _CHANGE, self.battery),)),
            Group(self._reach_stamp, (Source("atBlock", facts, self.at_block),)),
            Group(self._place_stamp, tuple(place)),
            Group(
                self._team_stamp,
                (
                    Source("sequenceIndex", _CHANGE, self.sequence_index),
                    Source("occupied", facts, self.occupied),
                    Source("robotSize", _CHANGE, self.robot_size),
                    Source("player", facts, self.player),
                ),
            ),
            Group(self._sight_stamp, tuple(always)),
        )

    def _fixed_sources(self) -> tuple[Source, ...]:
        return (
            Source("zone", _ONCE, lambda _: self._zones),
            Source("robot", _ONCE, self.robot),
            Source("sequence", _ONCE, lambda _: self._sequence),
            Source("colorblind", _ONCE, self.colorblind),
            Source("place", _ONCE, lambda _: self._places),
            Source("ownName", _ONCE, self.own_name),
        )

    def _own_stamp(self, robot: Robot) -> Hashable:
        # Outside of all zones, the nearest place changes without anything else changing.
        return robot.version if robot.zone is not None else object()

    def _energy_stamp(self, robot: Robot) -> Hashable:
        return None if robot.battery is None else robot.battery.charge

    def _reach_stamp(self, robot: Robot) -> Hashable:
        zone = robot.zone
        if not self._through_walls and (zone is None or not zone.blocks):
            return None
        return robot.x, robot.y, robot.version, self._field.version

    def _place_stamp(self, robot: Robot) -> Hashable:
        if self._registry.epartners or self._profile.position_of_robots:
            return object()  # there are positions of others, which move by themselves
        return robot.x, robot.y, self._field.version

    def _sight_stamp(self, robot: Robot) -> Hashable:
        if self._registry.epartners:
            return object()  # they can be carried in and out
        return robot.version, 0 if robot.zone is None else robot.zone.version

    def _team_stamp(self, _: Robot) -> Hashable:
        return self._registry.news, self._registry.version

    def robot(self, robot: Robot) -> Percepts:
        """``robot(Id)``."""
        return (Percept("robot", (robot.id,)),)

    def own_name(self, robot: Robot) -> Percepts:
        """``ownName(Name)``."""
        return (Percept("ownName", (robot.name,)),)

    def colorblind(self, robot: Robot) -> Percepts:
        """``colorblind(true or false)``."""
        return (Percept("colorblind", (robot.color_blind,)),)

    def battery(self, robot: Robot) -> Percepts:
        """``battery(Percentage)``, from 0.0 to 100.0."""
        return (Percept("battery", (robot.percent,)),)

    def sequence_index(self, _: Robot) -> Percepts:
        """``sequenceIndex(Index)`` of the colour that is due; the length when all are done."""
        return (Percept("sequenceIndex", (self._task.index,)),)

    def occupied(self, _: Entity) -> Percepts:
        """``occupied(Room)`` for every room with a robot inside, the perceiver's own included."""
        if self._occupied[0] != self._registry.news:
            rooms = self._occupied_by_zone.items()
            percepts = tuple(percept for zone, percept in rooms if zone.occupants)
            self._occupied = (self._registry.news, percepts)
        return self._occupied[1]

    def holding(self, robot: Robot) -> Percepts:
        """``holding(Block)`` for every block in the gripper."""
        return tuple(Percept("holding", (block.id,)) for block in robot.held)

    def holdingblocks(self, robot: Robot) -> Percepts:
        """``holdingblocks([Block])``, the top of the stack first."""
        return (Percept("holdingblocks", (tuple(b.id for b in reversed(robot.held)),)),)

    def gripper_capacity(self, robot: Robot) -> Percepts:
        """``gripperCapacity(Number)``; 0 with the gripper handicap."""
        return (Percept("gripperCapacity", (robot.capacity,)),)

    def state(self, robot: Robot) -> Percepts:
        """``state(arrived, traveling or collided)``."""
        return self._states[robot.state]

    def speed(self, robot: Robot) -> Percepts:
        """``speed(Speed)``, from 0.0 to 1.0."""
        return (Percept("speed", (robot.speed,)),)

    def old_target_unreachable(self, robot: Robot) -> Percepts:
        """``oldTargetUnreachable(Robot, 1 or 0)``: whether no way around obstacles was found."""
        return (Percept("oldTargetUnreachable", (robot.id, int(robot.unreachable))),)

    def in_room(self, robot: Robot) -> Percepts:
        """``in(Room)`` while in a room or the drop zone."""
        zone = robot.zone
        return self._in.get(zone, ()) if zone is not None else ()

    def bumped(self, robot: Robot) -> Percepts:
        """``bumped(Name)`` of what stopped the robot, while it is collided."""
        if not robot.collided:
            return ()
        if robot.stop in (Stop.WALL, Stop.CLOSED_DOOR, Stop.OCCUPIED_ZONE):
            if self._profile.bumped_by_places:
                return (Percept("bumped", (robot.stopped_by,)),)
            return ()
        return tuple(Percept("bumped", (other.name,)) for other in robot.obstacles)

    def at(self, robot: Robot) -> Percepts:
        """``at(Place)``: the zone of the robot, or the nearest that is no room."""
        zone = robot.zone or self._ground.zone_near(robot.x, robot.y)
        return () if zone is None else self._at[zone]

    def at_block(self, robot: Robot) -> Percepts:
        """``atBlock(Block)`` of the nearest block, or of every block, that can be picked up."""
        if not robot.gripper_is_free and not self._profile.at_block_when_full:
            return ()
        near = self._sight.blocks_in_reach(robot)
        if not self._profile.at_block_all:
            near = near[:1]
        return tuple(Percept("atBlock", (block.id,)) for block in near)

    def location(self, robot: Robot) -> Percepts:
        """``location(X, Y)`` of the robot's centre."""
        return (make_percept(("location", (robot.x, robot.y))),)

    def color(self, robot: Robot) -> Percepts:
        """``color(Block, Color)`` of every visible block; ``Dark_gray`` to colour-blind robots."""
        zone = robot.zone
        if zone is None or not zone.blocks:
            return ()
        blind = robot.color_blind
        return tuple(self._color(block)[blind] for block in self._sight.visible_blocks(robot))

    def _color(self, block: Block) -> tuple[Percept, Percept]:
        percepts = self._colors.get(block)
        if percepts is None:
            percepts = self._colors[block] = (
                Percept("color", (block.id, block.color.value)),
                Percept("color", (block.id, COLOR_BLIND_SEES.value)),
            )
        return percepts

    def position(self, robot: Robot) -> Percepts:
        """``position(Id, X, Y)`` of the rooms, of what the robot sees, and of itself."""
        own = make_percept(("position", (robot.id, robot.x, robot.y)))
        percepts = self._room_positions
        zone = robot.zone
        if zone is not None and zone.blocks:
            percepts += tuple(
                Percept("position", (block.id, block.x, block.y))
                for block in self._sight.visible_blocks(robot)
            )
        if self._registry.epartners:
            percepts += tuple(
                Percept("position", (other.id, *self._sight.epartner_position(other)))
                for other in self._sight.epartners_near(robot)
            )
        if self._profile.position_of_robots:
            percepts += tuple(
                self._robot_position(other) for other in self._sight.robots_near(robot)
            )
        elif self._profile.position_self_twice:
            percepts += (own,)
        if self._profile.position_of_robots and not self._profile.position_self_twice:
            return percepts
        return (*percepts, own)

    def _robot_position(self, robot: Robot) -> Percept:
        self._stepper.sync(robot)
        return Percept("position", (robot.id, robot.x, robot.y))

    def robot_size(self, _: Robot) -> Percepts:
        """``robotSize(Robot, Width, Height)`` of every robot."""
        if self._sizes[0] != self._registry.version:
            percepts = tuple(
                Percept("robotSize", (robot.id, robot.size, robot.size))
                for robot in self._registry.robots.values()
            )
            self._sizes = (self._registry.version, percepts)
        return self._sizes[1]

    def player(self, robot: Robot) -> Percepts:
        """``player(Name)`` of every other robot that is driven."""
        if self._players[0] != self._registry.version:
            entities: list[Entity] = list(self._registry.robots.values())
            if self._profile.player_includes_epartners:
                entities += self._registry.epartners.values()
            players = {e: Percept("player", (e.name,)) for e in entities if e.players}
            self._players = (self._registry.version, players)
        players = self._players[1]
        return tuple(percept for other, percept in players.items() if other is not robot)

    def epartner(self, robot: Robot) -> Percepts:
        """``getEPartners`` or ``epartner(Id, Name, Holder or -1, [Functionality])``."""
        if not self._registry.epartners:
            return ()
        name = self._profile.epartner_percept_name
        return tuple(
            Percept(name, (other.id, other.name, holder_id(other), other.functionalities))
            for other in self._sight.epartners_near(robot)
        )


def _never_changes(_: Entity) -> Hashable:
    return None


def _zone_percept(zone: Zone) -> Percept:
    box = zone.spec.box
    center = float(box.x), float(box.y)
    return Percept("zone", (zone.id, zone.name, *center, zone.spec.neighbours))
