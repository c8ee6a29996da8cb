# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The world as its owner sees it: time, players, actions, percepts and observers."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from bw4t_world.actions import Effect, Outcome
from bw4t_world.maps.model import MapSpec
from bw4t_world.maps.validator import validate_map
from bw4t_world.model.choices import CollisionSwitch, Delivery
from bw4t_world.model.entities import Entity, Robot
from bw4t_world.model.errors import ActionError, WorldError
from bw4t_world.model.journal import EventKind, Journal, Listener
from bw4t_world.model.measures import TeamSummary
from bw4t_world.model.percepts import Percept
from bw4t_world.model.policies import make_stream
from bw4t_world.model.profiles import SPEC, Profile, profile_named
from bw4t_world.scenarios.model import BotSpec, EPartnerSpec, Scenario
from bw4t_world.scenarios.validator import validate_scenario
from bw4t_world.simulation.consumers import Consumer
from bw4t_world.simulation.membership import add_member, members_of, populate
from bw4t_world.simulation.simulation import TIME_STEPPERS, Member, Simulation, free_names
from bw4t_world.simulation.snapshots import Snapshot, SnapshotMaker
from bw4t_world.simulation.user_requests import check_user_request


class World:
    """A BW4T world. Nothing happens in it except through its methods: its owner drives it.

    ``spec`` is the map; ``scenario`` the robots and e-partners that are there from the start.
    ``seed`` makes every random choice repeatable; without one (and without a map seed that
    counts in the profile) a random one is chosen, see :attr:`seed`. ``collisions`` says
    whether robots collide with each other; ``None`` leaves that to the scenario.
    ``time_stepping`` is ``"events"``, or the slow reference ``"ticks"`` with the same results.
    ``members`` are full names with what they are, in place of the scenario's; see :attr:`members`.

    Raises :class:`~bw4t_world.maps.MapError` or :class:`~bw4t_world.scenarios.ScenarioError` for
    data that makes no world, :class:`SpawnError` for robots that find no place,
    :class:`WorldError` for the rest.

    A world belongs to one thread at a time; see the package's documentation.
    """

    consumer_type: type[Consumer] = Consumer
    """The class of the consumers that :meth:`connect` makes, for worlds that record."""

    def __init__(
        self,
        spec: MapSpec,
        scenario: Scenario | None = None,
        *,
        profile: Profile | str = SPEC,
        seed: int | None = None,
        collisions: bool | None = None,
        time_stepping: str = "events",
        members: Mapping[str, BotSpec | EPartnerSpec] | None = None,
    ) -> None:
        if time_stepping not in TIME_STEPPERS:
            known = ", ".join(TIME_STEPPERS)
            raise ValueError(f"unknown time stepping {time_stepping!r}; there is {known}")
        self._profile = profile_named(profile) if isinstance(profile, str) else profile
        self._time_stepping = time_stepping
        self._wanted_collisions = collisions
        self._consumers: list[Consumer] = []
        self._paused = False
        self._journal = Journal()
        present = members_of(scenario) if members is None else list(members.items())
        self._start(spec, scenario or Scenario(), present, seed)

    # --- Starting ------------------------------------------------------------------------

    def _start(
        self, spec: MapSpec, scenario: Scenario, members: list[Member], seed: int | None
    ) -> None:
        """Start a new simulation; if that fails, the old one goes on."""
        validate_map(spec)
        if seed is None and self._profile.map_seed_counts:
            seed = spec.seed
        if seed is None:
            seed = random.SystemRandom().randrange(2**32)
        collisions = self._wanted_collisions
        if collisions is None:
            follows = self._profile.collision_switch is CollisionSwitch.SCENARIO
            collisions = follows and scenario.collision_enabled
        simulation = Simulation(
            spec,
            self._profile,
            seed,
            self._journal,
            collisions=collisions,
            time_stepping=self._time_stepping,
        )
        roster, not_announced = populate(simulation, members)
        self._simulation = simulation
        self._scenario = scenario
        self._roster = roster
        self._not_announced = not_announced
        self._snapshots = SnapshotMaker(simulation)

    def reset(self, *, seed: int | None = None) -> None:
        """Start again at tick 0 with the same map and members, and with the same or a new seed.

        Consumers stay connected and begin anew.
        """
        seed = self.seed if seed is None else seed
        self._start(self.map, self._scenario, list(self._roster.items()), seed)
        self._reconnect()

    def load(
        self, spec: MapSpec, scenario: Scenario | None = None, *, seed: int | None = None
    ) -> None:
        """Start at tick 0 with another map.

        With a scenario its members replace those of before; without one they come along.
        Consumers of those who are there again begin anew, the others are closed. If this fails,
        the world goes on as it was.
        """
        members = members_of(scenario) if scenario else list(self._roster.items())
        self._start(spec, scenario or self._scenario, members, seed)
        self._reconnect()

    def _reconnect(self) -> None:
        consumers, self._consumers = self._consumers, []
        for consumer in consumers:
            entity = self._simulation.registry.get(consumer.name)
            if entity is None:
                consumer.detach()
            else:
                self._attach(consumer, entity)

    # --- Time ----------------------------------------------------------------------------

    @property
    def now(self) -> int:
        """The number of ticks since the start."""
        return self._simulation.movement.now

    @property
    def seconds(self) -> float:
        """The simulated time since the start, in seconds."""
        return self.now * self._profile.tick_seconds

    @property
    def is_paused(self) -> bool:
        """Whether :meth:`tick` does nothing."""
        return self._paused

    def tick(self, ticks: int = 1) -> int:
        """Let a number of ticks pass, unless paused; return how many did."""
        if self._paused:
            return 0
        return self.step(ticks)

    def step(self, ticks: int = 1) -> int:
        """Let a number of ticks pass, even when paused; return it."""
        if isinstance(ticks, bool) or not isinstance(ticks, int) or ticks < 0:
            raise ValueError(f"the number of ticks must be a whole number from 0, not {ticks!r}")
        self._simulation.stepper.advance(ticks)
        self._journal.tell()
        return ticks

    def pause(self) -> None:
        """Let :meth:`tick` do nothing until :meth:`resume`."""
        self._paused = True

    def resume(self) -> None:
        """Let :meth:`tick` work again."""
        self._paused = False

    def contains(self, x: float, y: float) -> bool:
        """Whether a robot can be at a point, in map units."""
        return self._simulation.ground.inside(x, y)

    def ticks_to_event(self) -> int | None:
        """Return in how many ticks something may happen next, at the latest.

        Until then robots only move straight on or stand. ``None`` if all stand still.
        """
        event = self._simulation.stepper.next_event()
        return None if event is None else max(1, event - self.now)

    # --- Players -------------------------------------------------------------------------

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all robots, then of all e-partners, in the order in which they came."""
        return tuple(entity.name for entity in self._simulation.registry.entities())

    @property
    def members(self) -> Mapping[str, BotSpec | EPartnerSpec]:
        """The full names of all robots and e-partners, with what they are."""
        return MappingProxyType(self._roster)

    @property
    def not_announced(self) -> tuple[str, ...]:
        """Members of the scenario without a place, in a profile that does not report them."""
        return self._not_announced

    def add_robot(self, spec: BotSpec | None = None) -> str:
        """Add one robot on the next free spawn point and return its full name.

        The name is that of ``spec`` with the first free number (``Bot_1``); ``spec.amount``
        does not count. Raises :class:`SpawnError` when there is no place for it.
        """
        spec = BotSpec() if spec is None else spec
        validate_scenario(Scenario(bots=(spec,)))
        return self._add_one(spec)

    def add_epartner(self, spec: EPartnerSpec | None = None) -> str:
        """Add one e-partner where a human bot without one stands, or on a spawn point.

        Returns its full name; ``spec.amount`` does not count.
        """
        spec = EPartnerSpec() if spec is None else spec
        validate_scenario(Scenario(epartners=(spec,)))
        return self._add_one(spec)

    def _add_one(self, spec: BotSpec | EPartnerSpec) -> str:
        name = next(free_names(spec.name, set(self._roster)))
        add_member(self._simulation, name, spec)
        self._roster[name] = spec
        return name

    def remove(self, name: str) -> None:
        """Take a robot or e-partner out of the world.

        The blocks that a robot holds leave the environment with it. Its consumers are closed,
        and its spawn point is free again.
        """
        entity = self._entity(name)
        self._simulation.remove(entity)
        del self._roster[name]
        for consumer in [other for other in self._consumers if other.entity is entity]:
            self.disconnect(consumer)

    def _entity(self, name: str) -> Entity:
        entity = self._simulation.registry.get(name)
        if entity is None:
            raise WorldError(f"there is no robot or e-partner named {name!r}")
        return entity

    # --- Percepts and actions ------------------------------------------------------------

    def connect(
        self, name: str, *, player: bool = True, delivery: Delivery | None = None
    ) -> Consumer:
        """Return a new consumer of the percepts of a robot or e-partner.

        Others perceive a robot as a *player* while it has a consumer; ``player=False`` connects
        a mere listener. ``delivery`` is how percepts are delivered to this consumer, by default
        as the profile says. Raises :class:`WorldError` for an unknown name.
        """
        entity = self._entity(name)
        delivery = self._profile.percept_delivery if delivery is None else delivery
        consumer = self.consumer_type(self, name, delivery, is_player=player)
        self._attach(consumer, entity)
        return consumer

    def _attach(self, consumer: Consumer, entity: Entity) -> None:
        simulation = self._simulation
        groups = simulation.perception.groups_of(entity)
        stream = make_stream(consumer.delivery, groups)
        consumer.attach(entity, stream, simulation.stepper, simulation.perception)
        while entity.backlog:
            consumer.receive(*entity.backlog.popleft())
        self._consumers.append(consumer)
        entity.consumers.append(consumer)
        if consumer.is_player:
            entity.players += 1
            simulation.registry.version += 1

    def disconnect(self, consumer: Consumer) -> None:
        """Close a consumer; nothing happens if it is closed."""
        if consumer not in self._consumers:
            return
        self._consumers.remove(consumer)
        entity = consumer.entity
        if entity is not None:
            entity.consumers.remove(consumer)
            if consumer.is_player:
                entity.players -= 1
                self._simulation.registry.version += 1
        consumer.detach()

    def act(self, name: str, action: str, *args: Any) -> Outcome:
        """Let a robot or e-partner do something, and return what came of it.

        ``action`` is the name of an action of the specification or the server, for example
        ``act("Bot_1", "goTo", "RoomC1")``. Raises :class:`ActionError` where the environment
        answers with an error, and for an unknown ``name``; the world is unchanged then.
        """
        entity = self._simulation.registry.get(name)
        if entity is None:
            raise ActionError(f"there is no robot or e-partner named {name!r}")
        journal = self._journal
        try:
            outcome = self._simulation.actions.perform(entity, action, args)
        except ActionError as error:
            journal.note(self.now, EventKind.ERROR, name, str(error))
            journal.tell()
            raise
        journal.note(self.now, EventKind.ACTION, name, outcome.text)
        if outcome.effect is Effect.DELIVERED and self.is_complete:
            self._simulation.freeze_measures()
            text = f"{len(self._simulation.task.sequence)} blocks in {self.seconds:.2f} s"
            journal.note(self.now, EventKind.COMPLETED, name, text)
        journal.tell()
        return outcome

    def stop(self, name: str) -> None:
        """Let a robot stand still where it is, as if it had arrived; nothing if it stands.

        This is for the owner of the world, who may have to take a command back: players have no
        such action. Raises :class:`WorldError` for anything but a robot.
        """
        robot = self._entity(name)
        if not isinstance(robot, Robot):
            raise WorldError(f"{name} is no robot: it moves only with who carries it")
        self._simulation.stepper.sync(robot)
        self._simulation.movement.halt(robot)
        self._simulation.stepper.reschedule(robot)

    def actions_of(self, name: str) -> dict[str, tuple[int, ...]]:
        """Return the names of the actions of a robot or e-partner, with numbers of arguments."""
        return self._simulation.actions.names(self._entity(name))

    def user_request(self, name: str, request: str, *args: Any) -> None:
        """Tell the agent of a human bot what its user asks for in the GUI.

        It comes as a percept with the name of an action, sent once for each request
        (specification, the percepts of type HumanBot). Raises :class:`WorldError` for a robot
        that is no human, and for requests that the GUI does not offer.
        """
        entity = self._entity(name)
        check_user_request(self._profile, name, entity.kind.value, request, args)
        if not entity.consumers:
            raise WorldError(f"{name} has no consumer, so a request would be lost")
        for consumer in entity.consumers:
            consumer.notify(Percept(request, args))

    # --- Observers -----------------------------------------------------------------------

    @property
    def map(self) -> MapSpec:
        """The map."""
        return self._simulation.ground.spec

    @property
    def profile(self) -> Profile:
        """The profile."""
        return self._profile

    @property
    def seed(self) -> int:
        """The seed of all random choices."""
        return self._simulation.seed

    @property
    def collisions(self) -> bool:
        """Whether robots collide with each other."""
        return self._simulation.movement.collisions

    @property
    def is_complete(self) -> bool:
        """Whether all colours of the sequence have been delivered."""
        return self._simulation.task.is_complete

    def snapshot(self) -> Snapshot:
        """Return an immutable snapshot of the world now."""
        return self._snapshots.make(is_paused=self._paused)

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Call a function with every event from now on; return a function that ends that.

        It is called at the end of :meth:`tick` and :meth:`act`, in the order of events, and may
        call the world. What it raises comes out of these methods; the world is unharmed.
        """
        self._journal.listeners.append(listener)

        def stop() -> None:
            if listener in self._journal.listeners:
                self._journal.listeners.remove(listener)

        return stop

    def note(self, name: str, text: str) -> None:
        """Pass an event of the owner to the listeners: a person joined, a connection was lost."""
        self._journal.note(self.now, EventKind.NOTE, name, text)
        self._journal.tell()

    def close(self) -> None:
        """Say that the game is over. A world that is recorded then ends its record. Idempotent."""

    def measures(self) -> TeamSummary:
        """Return the measures of this run so far, at the latest those of its completion."""
        return self._simulation.summary()
