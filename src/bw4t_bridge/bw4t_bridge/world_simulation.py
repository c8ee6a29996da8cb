# SPDX-License-Identifier: Apache-2.0
"""The blocks world as a simulation, for simulation_interfaces."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from typing import TypeVar

from simulation_interfaces.msg import EntityCategory, SimulatorFeatures
from simulation_interfaces.srv import LoadWorld, ResetSimulation

from bw4t_bridge.control_services import ControlServices
from bw4t_bridge.host import WorldHost
from bw4t_world import WorldError
from bw4t_world.maps import MapError
from bw4t_world.scenarios import BotSpec, Controller, EPartnerSpec
from legacy_robots_common.bridge_node import BridgeNode
from legacy_robots_common.simulation import SimulatedEntity, Simulation, SimulationError, State
from legacy_robots_common.threadsafe_future import result_of

T = TypeVar("T")
_F = SimulatorFeatures
_CATEGORIES = {"bot": EntityCategory.CATEGORY_ROBOT, "human": EntityCategory.CATEGORY_HUMAN}
_REMOTE_FEATURES = (
    _F.ENTITY_CATEGORIES,
    _F.ENTITY_STATE_GETTING,
    _F.SIMULATION_STATE_GETTING,
    _F.SIMULATION_STATE_SETTING,
    _F.SIMULATION_STATE_PAUSE,
)
"""Of an original server."""


class WorldSimulation(Simulation):
    """Ticks as steps; robots, e-partners and the blocks that lie about as entities."""

    features: Sequence[int] = (
        _F.SPAWNING,
        _F.DELETING,
        _F.ENTITY_CATEGORIES,
        _F.ENTITY_STATE_GETTING,
        _F.SIMULATION_RESET,
        _F.SIMULATION_RESET_SPAWNED,
        _F.SIMULATION_STATE_GETTING,
        _F.SIMULATION_STATE_SETTING,
        _F.SIMULATION_STATE_PAUSE,
        _F.STEP_SIMULATION_SINGLE,
        _F.STEP_SIMULATION_MULTIPLE,
        _F.STEP_SIMULATION_ACTION,
        _F.WORLD_LOADING,
    )
    uris: Sequence[str] = ("bot", "human", "epartner")

    def __init__(
        self, node: BridgeNode, host: WorldHost, control: ControlServices, frame: str
    ) -> None:
        self.frame = frame
        if host.is_remote:
            self.features = _REMOTE_FEATURES
            self.uris = ()
        self._node = node
        self._host = host
        self._control = control
        self._is_stopped = False
        self._spawned: set[str] = set()

    async def _done(self, future: Future[T]) -> T:
        try:
            return await result_of(self._node.executor, future)
        except (WorldError, ValueError) as error:
            raise SimulationError(str(error)) from error

    async def state(self) -> State:
        """Return whether time passes."""
        status = self._host.world_status
        if not status.is_paused:
            return State.PLAYING
        return State.STOPPED if self._is_stopped and not status.tick else State.PAUSED

    async def set_state(self, state: State) -> None:
        """Let time pass, or stand still."""
        if state is State.PLAYING:
            await self._done(self._host.resume())
            return
        if state is State.STOPPED and _F.SIMULATION_RESET not in self.features:
            raise SimulationError("an original server cannot begin again: it can be paused")
        await self._done(self._host.pause())
        if state is State.STOPPED:
            await self._begin_again()
            self._is_stopped = True

    async def step(self) -> None:
        """Let one tick pass."""
        await self._done(self._host.step(1))

    async def reset(self, scope: int) -> None:
        """Begin again with the same seed, without what was spawned; or take away only that."""
        spawned, self._spawned = self._spawned, set()
        present = {entity.name for entity in await self.entities()}
        for name in sorted(spawned & present):
            await self._done(self._host.remove_player(name))
        if scope != ResetSimulation.Request.SCOPE_SPAWNED:
            await self._begin_again()

    async def _begin_again(self) -> None:
        seed = await self._done(self._host.submit(lambda world: world.seed))
        await self._done(self._host.reset(seed=seed))

    async def entities(self) -> Sequence[SimulatedEntity]:
        """Return robots, e-partners and blocks, these as ``block_NUMBER``."""
        snapshot = self._host.snapshot
        return [
            *(SimulatedEntity(r.name, _CATEGORIES[r.kind], r.x, -r.y) for r in snapshot.robots),
            *(
                SimulatedEntity(e.name, EntityCategory.CATEGORY_DYNAMIC_OBJECT, e.x, -e.y)
                for e in snapshot.epartners
            ),
            *(
                SimulatedEntity(f"block_{b.id}", EntityCategory.CATEGORY_OBJECT, b.x, -b.y)
                for b in snapshot.blocks
            ),
        ]

    async def spawn(self, uri: str, name: str, x: float, y: float) -> str:
        """Add a robot or e-partner on the next free spawn point."""
        if uri == "epartner":
            spec: BotSpec | EPartnerSpec = EPartnerSpec(name=name or "E-Partner")
        elif uri == "human":
            spec = BotSpec(name=name or "Human", controller=Controller.HUMAN)
        else:
            spec = BotSpec(name=name or "Bot")
        spawned = await self._done(self._host.add_player(spec))
        self._spawned.add(spawned)
        return spawned

    async def delete(self, name: str) -> None:
        """Take a robot or e-partner out of the world."""
        await self._done(self._host.remove_player(name))

    async def load(self, uri: str) -> None:
        """Load a map by its name or file, with the present players; time stands still."""
        try:
            await self._done(self._host.pause())
            await self._control.load_map(uri)
        except MapError as error:
            code = LoadWorld.Response.RESOURCE_PARSE_ERROR
            raise SimulationError(str(error), code) from error
        self._is_stopped = True
