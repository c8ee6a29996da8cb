# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Agents of EIS clients, and the entities that they control. All on the world's thread."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from bw4t_java.eis import values
from bw4t_runner.loaded_map import LoadedMap
from bw4t_runner.schedule import MAX_SPEED, MIN_SPEED
from bw4t_runner.world_port import PerceptSource, WorldPort
from bw4t_runner.world_runner import WorldRunner
from bw4t_world import ActionError, Effect, SpawnError, WorldError
from bw4t_world.maps import SHIPPED_MAPS, MapError, parse_map
from bw4t_world.model.choices import Delivery
from bw4t_world.scenarios import BotSpec, EPartnerSpec, ScenarioError
from bw4t_world.scenarios.validator import validate_scenario
from bw4t_world.simulation.simulation import free_names

DELIVERIES = {"0.5": Delivery.EIS_0_5, "0.7": Delivery.EIS_0_7}


class EisError(Exception):
    """Raised where EIS has an exception; ``kind`` is its name."""

    def __init__(self, kind: str, reason: str) -> None:
        super().__init__(reason)
        self.kind = kind


class Session:
    """One connection: the events it is sent, and what belongs to it."""

    def __init__(self, tell: Callable[[dict[str, Any]], None]) -> None:
        self.tell = tell
        self.delivery: Delivery | None = None
        self.is_client = False


class Roster:
    """Who controls what. Everything is called on the runner's thread."""

    def __init__(self, runner: WorldRunner, loaded_map: LoadedMap) -> None:
        self._runner = runner
        self._loaded_map = loaded_map
        self._sessions: list[Session] = []
        self._agents: dict[str, Session] = {}
        self._owners: dict[str, Session | None] = {}
        """Entities that were made for clients; None: their client has gone."""
        self._controllers: dict[str, list[str]] = {}
        self._consumers: dict[str, PerceptSource] = {}
        self._state = ""

    # --- Sessions --------------------------------------------------------------------------

    @property
    def clients(self) -> int:
        """How many connections have registered for entities or agents."""
        return sum(session.is_client for session in self._sessions)

    def join(self, session: Session) -> None:
        """Take in a connection."""
        self._sessions.append(session)

    def drop(self, session: Session) -> None:
        """Handle the end of a connection: its entities leave the world, its agents are gone."""
        if session not in self._sessions:
            return
        self._sessions.remove(session)
        for entity in [name for name, owner in self._owners.items() if owner is session]:
            self._delete(entity)
        for agent in [name for name, owner in self._agents.items() if owner is session]:
            self._forget_agent(agent)

    def answer(self, world: WorldPort, session: Session, request: dict[str, Any]) -> Any:
        """Carry out a request and return its value.

        Raises EisError, ProtocolError, WorldError (also as ActionError) or MapError.
        """
        handler = _HANDLERS.get(request["op"])
        if handler is None:
            raise values.ProtocolError(f"unknown op {request['op']!r:.40}")
        return handler(self, world, session, request)

    def sync(self, world: WorldPort) -> None:
        """Notify the clients of a change of state, and of entities that have left."""
        for entity in [name for name in self._owners if name not in world.names]:
            self._gone(entity)
        if (state := _state_of(world)) != self._state:
            self._state = state
            for session in self._sessions:
                session.tell({"event": "state", "state": state})

    # --- Requests --------------------------------------------------------------------------

    def _hello(self, world: WorldPort, session: Session, request: dict[str, Any]) -> None:
        version = values.text(request, "eis")
        if version not in DELIVERIES:
            known = " and ".join(DELIVERIES)
            raise values.ProtocolError(f"EIS {version!r:.20} is not known; known are {known}")
        session.delivery = DELIVERIES[version]
        self._state = self._state or _state_of(world)

    def _register(self, world: WorldPort, session: Session, request: dict[str, Any]) -> list[str]:
        specs = values.requested(request)
        try:
            validate_scenario(values.scenario_of(specs))
        except ScenarioError as error:
            raise EisError("ManagementException", str(error)) from error
        session.is_client = True
        named: list[str] = []
        made: list[str] = []
        is_partial = request.get("as_original") is True and session.delivery is Delivery.EIS_0_7
        try:
            for spec in specs:
                self._fill(world, spec, named, made)
        except WorldError as error:
            if not (is_partial and isinstance(error, SpawnError)):
                for name in made:
                    self._runner.remove_player(name).result()
                raise
        self._owners |= dict.fromkeys(named, session)
        speed = request.get("ticks_per_second")
        if isinstance(speed, (int, float)):
            factor = speed * world.profile.tick_seconds if speed > 0 else MAX_SPEED
            self._runner.set_speed(min(max(factor, MIN_SPEED), MAX_SPEED)).result()
        return named

    def _fill(
        self, world: WorldPort, spec: BotSpec | EPartnerSpec, named: list[str], made: list[str]
    ) -> None:
        """Find or make the entities of one group."""
        left_behind = {
            name
            for name in self._owners
            if self._owners[name] is None and not self._controllers.get(name)
        }
        taken = set(world.names) - left_behind | set(named)
        kind = spec.controller.name if isinstance(spec, BotSpec) else "EPARTNER"
        for _ in range(spec.amount):
            name = next(free_names(spec.name, taken))
            if name not in left_behind or _type_of(world, name) != _TYPES[kind]:
                name = self._runner.add_player(spec).result()
                made.append(name)
            taken.add(name)
            named.append(name)

    def _register_agent(self, world: WorldPort, session: Session, request: dict[str, Any]) -> None:
        agent = values.text(request, "agent")
        if agent in self._agents:
            raise EisError("AgentException", f"agent {agent} is already registered")
        session.is_client = True
        self._agents[agent] = session

    def _unregister_agent(
        self, world: WorldPort, session: Session, request: dict[str, Any]
    ) -> None:
        agent = values.text(request, "agent")
        if agent not in self._agents:
            raise EisError("AgentException", f"agent {agent} is not registered")
        self._forget_agent(agent)

    def _forget_agent(self, agent: str) -> None:
        for entity, agents in list(self._controllers.items()):
            if agent in agents:
                self._separate(agent, entity)
        del self._agents[agent]

    def _list_agents(
        self, world: WorldPort, session: Session, request: dict[str, Any]
    ) -> list[str]:
        return list(self._agents)

    def _own_agents(
        self, world: WorldPort, session: Session, request: dict[str, Any]
    ) -> list[str]:
        return [name for name, owner in self._agents.items() if owner is session]

    def _entities(self, world: WorldPort, session: Session, request: dict[str, Any]) -> list[str]:
        return list(world.names)

    def _own_entities(
        self, world: WorldPort, session: Session, request: dict[str, Any]
    ) -> list[str]:
        return [name for name, owner in self._owners.items() if owner in (session, None)]

    def _free_entities(
        self, world: WorldPort, session: Session, request: dict[str, Any]
    ) -> list[str]:
        return [name for name in self._owners if not self._controllers.get(name)]

    def _associate(self, world: WorldPort, session: Session, request: dict[str, Any]) -> None:
        agent, entity = values.text(request, "agent"), values.text(request, "entity")
        if agent not in self._agents:
            raise EisError("RelationException", f"agent {agent} has not been registered")
        if entity not in self._owners:
            reason = f"entity {entity} is controlled in ROS, not by an agent of EIS"
            if entity not in world.names:
                reason = f"there is no entity {entity}"
            raise EisError("RelationException", reason)
        agents = self._controllers.setdefault(entity, [])
        if agents and agent not in agents:
            raise EisError("RelationException", f"entity {entity} has an agent: {agents[0]}")
        if agent not in agents:
            agents.append(agent)
        if self._owners[entity] is None:
            self._owners[entity] = self._agents[agent]
        if (old := self._consumers.pop(entity, None)) is not None:
            old.close()
        self._consumers[entity] = world.connect(entity, delivery=session.delivery)

    def _free_entity(self, world: WorldPort, session: Session, request: dict[str, Any]) -> None:
        entity = values.text(request, "entity")
        if entity not in self._owners:
            raise EisError("EntityException", f"there is no entity {entity} of an EIS client")
        self._delete(entity)

    def _free_agent(self, world: WorldPort, session: Session, request: dict[str, Any]) -> None:
        agent = values.text(request, "agent")
        if agent not in self._agents:
            raise EisError("RelationException", f"agent {agent} is not registered")
        for entity, agents in list(self._controllers.items()):
            if agent in agents:
                self._delete(entity)

    def _free_pair(self, world: WorldPort, session: Session, request: dict[str, Any]) -> None:
        agent, entity = values.text(request, "agent"), values.text(request, "entity")
        if agent not in self._controllers.get(entity, ()):
            raise EisError("RelationException", f"{agent} is not associated with {entity}")
        self._separate(agent, entity)
        if entity not in self._controllers:
            session.tell({"event": "freed", "entity": entity, "agents": [agent]})

    def _associated_entities(
        self, world: WorldPort, session: Session, request: dict[str, Any]
    ) -> list[str]:
        agent = values.text(request, "agent")
        if agent not in self._agents:
            raise EisError("AgentException", f"agent {agent} is not registered")
        return [entity for entity, agents in self._controllers.items() if agent in agents]

    def _associated_agents(
        self, world: WorldPort, session: Session, request: dict[str, Any]
    ) -> list[str]:
        entity = self._known(world, request, "EntityException")
        return list(self._controllers.get(entity, ()))

    def _type(self, world: WorldPort, session: Session, request: dict[str, Any]) -> str:
        return _type_of(world, self._known(world, request, "EntityException"))

    def _percepts(self, world: WorldPort, session: Session, request: dict[str, Any]) -> Any:
        entity = self._known(world, request, "PerceiveException")
        consumer = self._consumers.get(entity)
        if consumer is None:
            raise EisError("PerceiveException", f"{entity} is not associated with an agent")
        return consumer.poll()

    def _act(self, world: WorldPort, session: Session, request: dict[str, Any]) -> Any:
        entity = self._known(world, request, "ActException")
        if not self._controllers.get(entity):
            raise EisError("ActException", f"{entity} is not associated with an agent")
        action, args = values.text(request, "action"), values.arguments(request)
        outcome = self._runner.act_soon(entity, action, *args).result()
        return outcome.value if outcome.effect is Effect.ANSWERED else None

    def _map(self, world: WorldPort, session: Session, request: dict[str, Any]) -> dict[str, Any]:
        return values.map_value(world.map)

    def _get_state(self, world: WorldPort, session: Session, request: dict[str, Any]) -> str:
        return _state_of(world)

    def _start(self, world: WorldPort, session: Session, request: dict[str, Any]) -> None:
        self._runner.resume().result()

    def _pause(self, world: WorldPort, session: Session, request: dict[str, Any]) -> None:
        self._runner.pause().result()

    def _init(self, world: WorldPort, session: Session, request: dict[str, Any]) -> None:
        try:
            if "xml" in request:
                spec = parse_map(values.text(request, "xml"))
                if spec != world.map:
                    self._loaded_map.load_spec(spec, "").result()
                return
            name, present = values.text(request, "map"), self._loaded_map.name
            own = Path(present)
            if present and name in (present, str(own.with_suffix("")), own.name, own.stem):
                return
            if name not in SHIPPED_MAPS:
                known = ", ".join(sorted({present, *SHIPPED_MAPS} - {""}))
                raise EisError(
                    "ManagementException",
                    f"there is no map {name}, only {known}; start the server with map:=FILE",
                )
            self._loaded_map.load(name).result()
        except (MapError, ScenarioError, WorldError) as error:
            raise EisError("ManagementException", str(error)) from error

    # --- Entities --------------------------------------------------------------------------

    def _known(self, world: WorldPort, request: dict[str, Any], kind: str) -> str:
        entity = values.text(request, "entity")
        if entity not in world.names:
            raise EisError(kind, f"there is no entity {entity}")
        return entity

    def _separate(self, agent: str, entity: str) -> None:
        """End the control of an entity by an agent; the entity stands still and stays."""
        self._controllers[entity].remove(agent)
        if self._controllers[entity]:
            return
        del self._controllers[entity]
        if (consumer := self._consumers.pop(entity, None)) is not None:
            consumer.close()
        with suppress(WorldError):  # an e-partner does not move
            self._runner.call(lambda world: world.stop(entity))
        self._owners[entity] = None

    def _delete(self, entity: str) -> None:
        """Take an entity out of the world."""
        with suppress(WorldError):  # it has gone already
            self._runner.remove_player(entity).result()
        self._gone(entity)

    def _gone(self, entity: str) -> None:
        """Notify all clients that an entity has left the world."""
        if entity not in self._owners:
            return
        del self._owners[entity]
        agents = self._controllers.pop(entity, [])
        if (consumer := self._consumers.pop(entity, None)) is not None:
            consumer.close()
        for session in self._sessions:
            session.tell({"event": "deleted", "entity": entity, "agents": agents})


_TYPES = {"AGENT": "bot", "HUMAN": "human", "EPARTNER": "epartner"}

_HANDLERS: dict[str, Callable[[Roster, WorldPort, Session, dict[str, Any]], Any]] = {
    "hello": Roster._hello,
    "register": Roster._register,
    "register_agent": Roster._register_agent,
    "unregister_agent": Roster._unregister_agent,
    "agents": Roster._list_agents,
    "own_agents": Roster._own_agents,
    "entities": Roster._entities,
    "own_entities": Roster._own_entities,
    "free_entities": Roster._free_entities,
    "associate": Roster._associate,
    "free_entity": Roster._free_entity,
    "free_agent": Roster._free_agent,
    "free_pair": Roster._free_pair,
    "associated_entities": Roster._associated_entities,
    "associated_agents": Roster._associated_agents,
    "type": Roster._type,
    "percepts": Roster._percepts,
    "act": Roster._act,
    "map": Roster._map,
    "state": Roster._get_state,
    "start": Roster._start,
    "pause": Roster._pause,
    "init": Roster._init,
}


def _state_of(world: WorldPort) -> str:
    return "PAUSED" if world.is_paused else "RUNNING"


def _type_of(world: WorldPort, name: str) -> str:
    snapshot = world.snapshot()
    for robot in snapshot.robots:
        if robot.name == name:
            return "human" if robot.kind == "human" else "bot"
    return "epartner"


def error_of(error: Exception) -> tuple[str, str]:
    """Return the name of the exception of EIS for an error, and its text."""
    if isinstance(error, EisError):
        return error.kind, str(error)
    if isinstance(error, ActionError):
        return "ActException", str(error)
    if isinstance(error, values.ProtocolError):
        return "ProtocolError", str(error)
    return "ManagementException", str(error)
