# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The services of simulation_interfaces, the common standard of simulators, over any Controls.

What they cannot do is absent from the features, and refused. Where simulation_interfaces is not
installed there are none of these services, and everything else goes on.
"""

from __future__ import annotations

import enum
import math
import re
import traceback
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from geometry_msgs.msg import Point, Pose, PoseStamped
from std_msgs.msg import Header

from legacy_robots_common.bridge.bridge_node import BridgeNode
from legacy_robots_common.frames.transforms import quaternion_message
from legacy_robots_common.goals.goal_server import Ending, Goal, GoalServer
from legacy_robots_common.node.threadsafe_future import result_of
from legacy_robots_simulation.controls import ControlError, Controls, Entity, State

T = TypeVar("T")


class StepOutcome(enum.IntEnum):
    """How the action ends."""

    SUCCEEDED = 0
    CANCELED = 1
    INVALID = 2
    LINK_LOST = 3
    SHUTDOWN = 4


class StepServer(GoalServer[Goal]):
    """The action ``simulate_steps``."""

    def __init__(
        self, node: BridgeNode, simulation: SimulationServer, action_type: type[Any]
    ) -> None:
        super().__init__(node, action_type, "simulate_steps", StepOutcome)
        self._simulation = simulation

    def begin(self, goal: Goal) -> None:
        """Step, with feedback after each step."""
        self.node.call_soon(self._step, goal)

    async def _step(self, goal: Goal) -> None:
        steps = goal.request.steps
        try:
            await self._simulation.require_paused()
            for done in range(1, steps + 1):
                if goal.over:
                    return
                await self._simulation.step()
                feedback = self.action_type.Feedback(
                    completed_steps=done, remaining_steps=steps - done
                )
                goal.publish_feedback(feedback)
            goal.end(StepOutcome.SUCCEEDED, f"{steps} steps")
        except ControlError as error:
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


class SimulationServer:
    """The services, made by :func:`offer_simulation`."""

    def __init__(self, node: BridgeNode, controls: Controls) -> None:
        from simulation_interfaces import action, msg, srv

        self._node = node
        self._controls = controls
        self._thread = ThreadPoolExecutor(1, "simulation")
        self._features, self._bounds = msg.SimulatorFeatures, msg.Bounds
        self._result, self._category, self._srv = msg.Result, msg.EntityCategory, srv
        self._codes = {s: getattr(msg.SimulationState, f"STATE_{s.name}") for s in State}
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
        self._features_of = {
            "step": (
                f.STEP_SIMULATION_SINGLE,
                f.STEP_SIMULATION_MULTIPLE,
                f.STEP_SIMULATION_ACTION,
            ),
            "entities": (f.ENTITY_CATEGORIES, f.ENTITY_STATE_GETTING),
            "play": (f.SIMULATION_STATE_SETTING, f.SIMULATION_STATE_PAUSE),
            "reset": (f.SIMULATION_RESET,),
            "reset_spawned": (f.SIMULATION_RESET_SPAWNED,),
            "place": (f.ENTITY_STATE_SETTING,),
            "spawn": (f.SPAWNING,),
            "delete": (f.DELETING,),
            "load": (f.WORLD_LOADING,),
        }
        if "step" in controls.basic_abilities:
            StepServer(node, self, action.SimulateSteps)

    def close(self) -> None:
        """End the thread, once the controls have returned. Idempotent."""
        self._thread.shutdown()

    def _known_features(self) -> list[int]:
        able = sorted(self._controls.basic_abilities | self._controls.abilities)
        found = [feature for ability in able for feature in self._features_of[ability]]
        return [self._features.SIMULATION_STATE_GETTING, *found]

    async def _do(self, function: Callable[..., T], *arguments: Any) -> T:
        """Call a method of the controls, which may block, on a thread of its own."""
        called = self._thread.submit(function, *arguments)
        return await result_of(self._node.executor, called)

    async def require_paused(self) -> None:
        """Raise ControlError while time passes."""
        if await self._do(self._controls.state) is State.PLAYING:
            raise ControlError("the simulation is playing: pause it, then step")

    async def step(self) -> None:
        """Let one step pass."""
        await self._do(self._controls.step)

    def _answering(
        self, name: str, feature: int, carry_out: Callable[[Any, Any], Awaitable[None]]
    ) -> Callable[[Any, Any], Awaitable[Any]]:
        """Return a callback that fills in the result, with a sentence where it is not OK."""

        async def answer(request: Any, response: Any) -> Any:
            try:
                if feature not in self._known_features():
                    raise self._unsupported(f"this simulator has no {name}")
                await carry_out(request, response)
                response.result.result = self._result.RESULT_OK
            except ControlError as error:
                response.result.result = error.result
                response.result.error_message = str(error)
            except Exception as error:
                self._node.on_exception(name, traceback.format_exc())
                response.result.result = self._result.RESULT_OPERATION_FAILED
                response.result.error_message = f"unexpected {type(error).__name__}: {error}"
            return response

        return answer

    def _unsupported(self, text: str) -> ControlError:
        return ControlError(text, self._result.RESULT_FEATURE_UNSUPPORTED)

    def _tell(self, request: Any, response: Any) -> Any:
        response.features.features = self._known_features()
        return response

    async def _get(self, request: Any, response: Any) -> None:
        response.state.state = self._codes[await self._do(self._controls.state)]

    async def _set(self, request: Any, response: Any) -> None:
        codes = self._srv.SetSimulationState.Response
        state = next((s for s, code in self._codes.items() if code == request.state.state), None)
        if state is None:
            raise self._unsupported(f"state {request.state.state} cannot be set")
        present = await self._do(self._controls.state)
        if present is state:
            raise ControlError(f"it is {state.value} already", codes.ALREADY_IN_TARGET_STATE)
        if (present, state) == (State.STOPPED, State.PAUSED):
            raise ControlError("a stopped simulation stands", codes.INCORRECT_TRANSITION)
        if state is State.STOPPED and "reset" not in self._controls.abilities:
            raise ControlError("it cannot begin again: it can be paused")
        controls = self._controls
        await self._do(controls.play if state is State.PLAYING else controls.pause)
        if state is State.STOPPED:
            await self._do(controls.reset)

    async def _reset(self, request: Any, response: Any) -> None:
        scopes = self._srv.ResetSimulation.Request
        features = {
            scopes.SCOPE_TIME: self._features.SIMULATION_RESET_TIME,
            scopes.SCOPE_STATE: self._features.SIMULATION_RESET_STATE,
            scopes.SCOPE_SPAWNED: self._features.SIMULATION_RESET_SPAWNED,
        }
        scope = request.scope or scopes.SCOPE_ALL
        if scope != scopes.SCOPE_ALL:
            known = sum(bit for bit, f in features.items() if f in self._known_features())
            if scope & ~known:
                raise self._unsupported(f"scope {scope} is not reset alone, only everything")
        spawned_only = scope == scopes.SCOPE_SPAWNED
        await self._do(self._controls.reset_spawned if spawned_only else self._controls.reset)

    async def _step(self, request: Any, response: Any) -> None:
        await self.require_paused()
        for _ in range(request.steps):
            await self.step()

    async def _entities(self, request: Any, response: Any) -> None:
        filters = request.filters
        if filters.tags.tags:
            raise self._unsupported("entities have no tags")
        bounds = filters.bounds
        if bounds.type not in (self._bounds.TYPE_EMPTY, self._bounds.TYPE_SPHERE):
            raise self._unsupported("bounds may be a sphere only")
        if bounds.type == self._bounds.TYPE_SPHERE and len(bounds.points) != 2:
            raise ControlError("a sphere has two points: its centre, and x as radius")
        try:
            pattern = re.compile(filters.filter or ".*")
        except re.error as error:
            raise ControlError(f"{filters.filter!r} is no regular expression: {error}") from None
        categories = {entry.category for entry in filters.categories}

        def matches(entity: Entity) -> bool:
            if bounds.type == self._bounds.TYPE_SPHERE:
                centre, radius = bounds.points[0], bounds.points[1].x
                if math.hypot(entity.x - centre.x, entity.y - centre.y, centre.z) > radius:
                    return False
            if categories and self._code_of(entity.category) not in categories:
                return False
            return pattern.fullmatch(entity.name) is not None

        found = await self._do(self._controls.entities)
        response.entities = [entity.name for entity in found if matches(entity)]

    def _code_of(self, category: str) -> int:
        return int(getattr(self._category, f"CATEGORY_{category.upper()}"))

    async def _find(self, name: str) -> Entity:
        for entity in await self._do(self._controls.entities):
            if entity.name == name:
                return entity
        raise ControlError(f"there is no entity {name!r}", self._result.RESULT_NOT_FOUND)

    async def _entity(self, request: Any, response: Any) -> None:
        entity = await self._find(request.entity)
        state = response.state
        state.header = Header(stamp=self._node.stamp(), frame_id=self._controls.frame)
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
            raise ControlError("the pose is not finite", code)
        await self._do(self._controls.place, entity.name, p.x, p.y, yaw)

    async def _spawn(self, request: Any, response: Any) -> None:
        codes = self._srv.SpawnEntity.Response
        if request.resource_string and not request.uri:
            raise self._unsupported("entities are spawned by their uri only")
        if not request.uri:
            raise ControlError("the uri is empty", codes.NO_RESOURCE)
        if request.uri not in self._controls.uris:
            known = ", ".join(self._controls.uris)
            raise ControlError(f"{request.uri!r} is none of {known}", codes.UNSUPPORTED_FORMAT)
        if request.entity_namespace:
            raise ControlError("names follow from those of entities", codes.NAMESPACE_INVALID)
        place = request.initial_pose.pose.position
        if not self._controls.spawns_anywhere and request.initial_pose != PoseStamped():
            raise ControlError("the simulation chooses the place", codes.INVALID_POSE)
        if not all(map(math.isfinite, (place.x, place.y))):
            raise ControlError("the pose is not finite", codes.INVALID_POSE)
        if not request.allow_renaming:
            text = "the simulation numbers its entities: allow renaming"
            raise ControlError(text, codes.NAME_INVALID)
        response.entity_name = await self._do(
            self._controls.spawn, request.uri, request.name, place.x, place.y
        )

    async def _delete(self, request: Any, response: Any) -> None:
        await self._find(request.entity)
        await self._do(self._controls.delete, request.entity)

    async def _load(self, request: Any, response: Any) -> None:
        codes = self._srv.LoadWorld.Response
        if request.resource_string and not request.uri:
            raise self._unsupported("worlds are loaded by their uri only")
        if not request.uri:
            raise ControlError("the uri is empty", codes.NO_RESOURCE)
        await self._do(self._controls.load, request.uri)
        response.world.name = request.uri
        response.world.world_resource.uri = request.uri


def offer_simulation(node: BridgeNode, controls: Controls) -> SimulationServer | None:
    """Offer the services over ``controls``; the node closes what is returned.

    Says so where simulation_interfaces is not installed.
    """
    try:
        return SimulationServer(node, controls)
    except ImportError:
        node.get_logger().info(
            "simulation_interfaces is not installed: no get_simulator_features and so on"
        )
        return None
