# SPDX-License-Identifier: Apache-2.0
"""The services of simulation_interfaces, the common standard of simulators, over any stand-in.

A bridge says in a :class:`Simulation` what its stand-in can do. What it cannot do is absent from
the features, and refused. Where simulation_interfaces is not installed there are none of these
services, and everything else goes on.
"""

from __future__ import annotations

import enum
import math
import re
import traceback
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

from geometry_msgs.msg import Point, Pose, PoseStamped
from std_msgs.msg import Header

from legacy_robots_common.bridge_node import BridgeNode
from legacy_robots_common.goals import Ending, Goal, GoalServer
from legacy_robots_common.transforms import quaternion_message


class SimulationError(Exception):
    """Raised by a Simulation for what cannot be done; ``result`` is a code of the service."""

    def __init__(self, text: str, result: int = 4) -> None:  # RESULT_OPERATION_FAILED
        super().__init__(text)
        self.result = result


class State(enum.IntEnum):
    """Those of simulation_interfaces/SimulationState that a stand-in can have."""

    STOPPED = 0
    PLAYING = 1
    PAUSED = 2


@dataclass(frozen=True)
class SimulatedEntity:
    """What is in the simulation: m and rad in its frame; a category of EntityCategory."""

    name: str
    category: int
    x: float
    y: float
    yaw: float = 0.0


class Simulation(ABC):
    """What one stand-in can do. All coroutines run on the executor and may raise SimulationError.

    ``features`` are numbers of simulation_interfaces/SimulatorFeatures; only what they name is
    called. ``uris`` are what can be spawned.
    """

    features: Sequence[int] = ()
    uris: Sequence[str] = ()
    frame = "map"
    spawns_anywhere = False
    """Whether an entity is spawned at a place that is asked for."""

    @abstractmethod
    async def state(self) -> State:
        """Return how time passes."""

    @abstractmethod
    async def set_state(self, state: State) -> None:
        """Let time pass, stand still, or (STOPPED) begin again and stand still."""

    @abstractmethod
    async def step(self) -> None:
        """Let one step pass while time stands still."""

    async def reset(self, scope: int) -> None:
        """Begin again; ``scope`` has bits of ResetSimulation, all of them for everything."""
        raise NotImplementedError

    async def entities(self) -> Sequence[SimulatedEntity]:
        """Return all entities."""
        raise NotImplementedError

    async def place(self, name: str, entity: SimulatedEntity) -> None:
        """Put an entity where ``entity`` is."""
        raise NotImplementedError

    async def spawn(self, uri: str, name: str, x: float, y: float) -> str:
        """Add an entity, at a place if ``spawns_anywhere``; return its name."""
        raise NotImplementedError

    async def delete(self, name: str) -> None:
        """Take an entity away."""
        raise NotImplementedError

    async def load(self, uri: str) -> None:
        """Load another world, and stand still at its beginning."""
        raise NotImplementedError


class StepOutcome(enum.IntEnum):
    """How the action ends."""

    SUCCEEDED = 0
    CANCELED = 1
    INVALID = 2
    LINK_LOST = 3
    SHUTDOWN = 4


class StepServer(GoalServer[Goal]):
    """The action ``simulate_steps``."""

    def __init__(self, node: BridgeNode, simulation: Simulation, action_type: type[Any]) -> None:
        super().__init__(node, action_type, "simulate_steps", StepOutcome)
        self._simulation = simulation

    def begin(self, goal: Goal) -> None:
        """Step, with feedback after each step."""
        self.node.call_soon(self._step, goal)

    async def _step(self, goal: Goal) -> None:
        steps = goal.request.steps
        try:
            await require_paused(self._simulation)
            for done in range(1, steps + 1):
                if goal.over:
                    return
                await self._simulation.step()
                feedback = self.action_type.Feedback(
                    completed_steps=done, remaining_steps=steps - done
                )
                goal.publish_feedback(feedback)
            goal.end(StepOutcome.SUCCEEDED, f"{steps} steps")
        except SimulationError as error:
            goal.end(StepOutcome.INVALID, str(error))
        except Exception as error:
            self.node.on_exception(self.name, traceback.format_exc())
            goal.end(StepOutcome.INVALID, f"unexpected {type(error).__name__}: {error}")

    def cancel(self, goal: Goal) -> bool:
        """Stop after the present step."""
        goal.end(StepOutcome.CANCELED, "cancelled")
        return True

    def result(self, goal: Goal, ending: Ending) -> Any:
        """Return the result message."""
        result = self.action_type.Result()
        succeeded = ending.outcome is StepOutcome.SUCCEEDED
        result.result.result = 1 if succeeded else 4
        result.result.error_message = "" if succeeded else ending.message
        return result


async def require_paused(simulation: Simulation) -> None:
    """Raise SimulationError while time passes."""
    if await simulation.state() is State.PLAYING:
        raise SimulationError("the simulation is playing: pause it, then step")


class SimulationServer:
    """The services, made by :func:`offer_simulation`."""

    def __init__(self, node: BridgeNode, simulation: Simulation) -> None:
        from simulation_interfaces import action, msg, srv

        self._node = node
        self._simulation = simulation
        self._features, self._bounds = msg.SimulatorFeatures, msg.Bounds
        self._result = msg.Result
        self._srv = srv
        f = msg.SimulatorFeatures
        node.create_service(srv.GetSimulatorFeatures, "get_simulator_features", self._tell)
        for kind, name, feature, carry_out in (
            (
                srv.GetSimulationState,
                "get_simulation_state",
                f.SIMULATION_STATE_GETTING,
                self._get,
            ),
            (
                srv.SetSimulationState,
                "set_simulation_state",
                f.SIMULATION_STATE_SETTING,
                self._set,
            ),
            (srv.ResetSimulation, "reset_simulation", f.SIMULATION_RESET, self._reset),
            (srv.StepSimulation, "step_simulation", f.STEP_SIMULATION_SINGLE, self._step),
            (srv.GetEntities, "get_entities", f.ENTITY_STATE_GETTING, self._entities),
            (srv.GetEntityState, "get_entity_state", f.ENTITY_STATE_GETTING, self._entity),
            (srv.SetEntityState, "set_entity_state", f.ENTITY_STATE_SETTING, self._place),
            (srv.SpawnEntity, "spawn_entity", f.SPAWNING, self._spawn),
            (srv.DeleteEntity, "delete_entity", f.DELETING, self._delete),
            (srv.LoadWorld, "load_world", f.WORLD_LOADING, self._load),
        ):
            node.create_service(kind, name, self._answering(name, feature, carry_out))
        if f.STEP_SIMULATION_ACTION in simulation.features:
            StepServer(node, simulation, action.SimulateSteps)

    def _answering(
        self, name: str, feature: int, carry_out: Callable[[Any, Any], Awaitable[None]]
    ) -> Callable[[Any, Any], Awaitable[Any]]:
        """Return a callback that fills in the result, with a sentence where it is not OK."""

        async def answer(request: Any, response: Any) -> Any:
            try:
                if feature not in self._simulation.features:
                    raise self._unsupported(f"this stand-in has no {name}")
                await carry_out(request, response)
                response.result.result = self._result.RESULT_OK
            except SimulationError as error:
                response.result.result = error.result
                response.result.error_message = str(error)
            except Exception as error:
                self._node.on_exception(name, traceback.format_exc())
                response.result.result = self._result.RESULT_OPERATION_FAILED
                response.result.error_message = f"unexpected {type(error).__name__}: {error}"
            return response

        return answer

    def _unsupported(self, text: str) -> SimulationError:
        return SimulationError(text, self._result.RESULT_FEATURE_UNSUPPORTED)

    def _tell(self, request: Any, response: Any) -> Any:
        response.features.features = list(self._simulation.features)
        return response

    async def _get(self, request: Any, response: Any) -> None:
        response.state.state = int(await self._simulation.state())

    async def _set(self, request: Any, response: Any) -> None:
        codes = self._srv.SetSimulationState.Response
        try:
            state = State(request.state.state)
        except ValueError:
            raise self._unsupported(f"state {request.state.state} cannot be set") from None
        present = await self._simulation.state()
        if present is state:
            raise SimulationError(
                f"it is {state.name.lower()} already", codes.ALREADY_IN_TARGET_STATE
            )
        if (present, state) == (State.STOPPED, State.PAUSED):
            raise SimulationError("a stopped simulation stands", codes.INCORRECT_TRANSITION)
        await self._simulation.set_state(state)

    async def _reset(self, request: Any, response: Any) -> None:
        scopes = self._srv.ResetSimulation.Request
        features = {
            scopes.SCOPE_TIME: self._features.SIMULATION_RESET_TIME,
            scopes.SCOPE_STATE: self._features.SIMULATION_RESET_STATE,
            scopes.SCOPE_SPAWNED: self._features.SIMULATION_RESET_SPAWNED,
        }
        scope = request.scope or scopes.SCOPE_ALL
        if scope != scopes.SCOPE_ALL:
            known = sum(bit for bit, f in features.items() if f in self._simulation.features)
            if scope & ~known:
                raise self._unsupported(f"scope {scope} is not reset alone, only everything")
        await self._simulation.reset(scope)

    async def _step(self, request: Any, response: Any) -> None:
        several = self._features.STEP_SIMULATION_MULTIPLE
        if request.steps > 1 and several not in self._simulation.features:
            raise self._unsupported("only one step at once")
        await require_paused(self._simulation)
        for _ in range(request.steps):
            await self._simulation.step()

    async def _entities(self, request: Any, response: Any) -> None:
        filters = request.filters
        if filters.tags.tags:
            raise self._unsupported("entities have no tags")
        bounds = filters.bounds
        if bounds.type not in (self._bounds.TYPE_EMPTY, self._bounds.TYPE_SPHERE):
            raise self._unsupported("bounds may be a sphere only")
        if bounds.type == self._bounds.TYPE_SPHERE and len(bounds.points) != 2:
            raise SimulationError("a sphere has two points: its centre, and x as radius")
        try:
            pattern = re.compile(filters.filter or ".*")
        except re.error as error:
            raise SimulationError(
                f"{filters.filter!r} is no regular expression: {error}"
            ) from None
        categories = {entry.category for entry in filters.categories}

        def matches(entity: SimulatedEntity) -> bool:
            if bounds.type == self._bounds.TYPE_SPHERE:
                centre, radius = bounds.points[0], bounds.points[1].x
                if math.hypot(entity.x - centre.x, entity.y - centre.y, centre.z) > radius:
                    return False
            if categories and entity.category not in categories:
                return False
            return pattern.fullmatch(entity.name) is not None

        found = await self._simulation.entities()
        response.entities = [entity.name for entity in found if matches(entity)]

    async def _find(self, name: str) -> SimulatedEntity:
        for entity in await self._simulation.entities():
            if entity.name == name:
                return entity
        raise SimulationError(f"there is no entity {name!r}", self._result.RESULT_NOT_FOUND)

    async def _entity(self, request: Any, response: Any) -> None:
        entity = await self._find(request.entity)
        state = response.state
        state.header = Header(stamp=self._node.stamp(), frame_id=self._simulation.frame)
        state.pose = Pose(
            position=Point(x=entity.x, y=entity.y),
            orientation=quaternion_message(0.0, 0.0, entity.yaw),
        )

    async def _place(self, request: Any, response: Any) -> None:
        # Versions before 1.1 have no such fields.
        flags = ("set_twist", "set_acceleration")
        if any(getattr(request, flag, False) for flag in flags):
            raise self._unsupported("only the pose of an entity can be set")
        entity = await self._find(request.entity)
        p, q = request.state.pose.position, request.state.pose.orientation
        yaw = math.atan2(2.0 * (q.w * q.z + q.x * q.y), 1.0 - 2.0 * (q.y**2 + q.z**2))
        if not all(map(math.isfinite, (p.x, p.y, yaw))):
            code = self._srv.SetEntityState.Response.INVALID_POSE
            raise SimulationError("the pose is not finite", code)
        there = SimulatedEntity(entity.name, entity.category, p.x, p.y, yaw)
        await self._simulation.place(entity.name, there)

    async def _spawn(self, request: Any, response: Any) -> None:
        codes = self._srv.SpawnEntity.Response
        if request.resource_string and not request.uri:
            raise self._unsupported("entities are spawned by their uri only")
        if not request.uri:
            raise SimulationError("the uri is empty", codes.NO_RESOURCE)
        if request.uri not in self._simulation.uris:
            known = ", ".join(self._simulation.uris)
            raise SimulationError(f"{request.uri!r} is none of {known}", codes.UNSUPPORTED_FORMAT)
        if request.entity_namespace:
            raise SimulationError("names follow from those of entities", codes.NAMESPACE_INVALID)
        place = request.initial_pose.pose.position
        if not self._simulation.spawns_anywhere and request.initial_pose != PoseStamped():
            raise SimulationError("the simulation chooses the place", codes.INVALID_POSE)
        if not all(map(math.isfinite, (place.x, place.y))):
            raise SimulationError("the pose is not finite", codes.INVALID_POSE)
        if not request.allow_renaming:
            text = "the simulation numbers its entities: allow renaming"
            raise SimulationError(text, codes.NAME_INVALID)
        response.entity_name = await self._simulation.spawn(
            request.uri, request.name, place.x, place.y
        )

    async def _delete(self, request: Any, response: Any) -> None:
        await self._find(request.entity)
        await self._simulation.delete(request.entity)

    async def _load(self, request: Any, response: Any) -> None:
        codes = self._srv.LoadWorld.Response
        if request.resource_string and not request.uri:
            raise self._unsupported("worlds are loaded by their uri only")
        if not request.uri:
            raise SimulationError("the uri is empty", codes.NO_RESOURCE)
        await self._simulation.load(request.uri)
        response.world.name = request.uri
        response.world.world_resource.uri = request.uri


def offer_simulation(node: BridgeNode, make: Callable[[], Simulation]) -> None:
    """Offer the services over the Simulation that ``make`` returns.

    Says so where simulation_interfaces is not installed.
    """
    try:
        SimulationServer(node, make())
    except ImportError:
        node.get_logger().info(
            "simulation_interfaces is not installed: no get_simulator_features and so on"
        )
