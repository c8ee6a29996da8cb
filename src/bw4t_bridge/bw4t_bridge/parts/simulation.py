# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The services of simulation_interfaces over the server's world."""

from __future__ import annotations

from concurrent.futures import CancelledError, Future
from typing import TypeVar

from bw4t_bridge.bridge.server_parts import ServerContext
from bw4t_runner.world_port import WorldPort
from bw4t_world import WorldError
from bw4t_world.maps import MapError
from bw4t_world.model.profiles import profile_named
from bw4t_world.scenarios import BotSpec, Controller, EPartnerSpec
from legacy_robots_common.node.parts import NodePart
from legacy_robots_simulation.controls import (
    UNREADABLE,
    ControlError,
    Controls,
    Entity,
    State,
    checked_seconds,
)
from legacy_robots_simulation_services.services import offer_simulation

T = TypeVar("T")

_CATEGORIES = {"bot": "robot", "human": "human"}


class WorldControls(Controls):
    """Ticks as steps; robots, e-partners and the blocks that lie about as entities.

    Its methods wait for the runner's thread. An original server can be paused, and no more.
    """

    abilities = frozenset(("play", "reset", "reset_spawned", "spawn", "delete", "load"))
    uris = ("bot", "human", "epartner")
    spawns_anywhere = False

    def __init__(self, context: ServerContext) -> None:
        settings = context.settings
        self.frame = settings.frame_prefix + settings.map_frame
        self.step_s = profile_named(settings.profile).tick_seconds
        self._runner = context.runner
        self._control = context.control
        if self._runner.is_remote:
            self.abilities = frozenset(("play",))
            self.basic_abilities = frozenset(("entities",))
        self._is_stopped = False
        self._spawned: set[str] = set()

    def _done(self, future: Future[T]) -> T:
        try:
            return future.result()
        except MapError as error:
            raise ControlError(str(error), UNREADABLE) from error
        except (WorldError, ValueError, CancelledError) as error:
            raise ControlError(str(error)) from error

    def state(self) -> State:
        """Return whether time passes."""
        status = self._runner.world_status
        if not status.is_paused:
            return State.PLAYING
        return State.STOPPED if self._is_stopped and not status.tick else State.PAUSED

    def play(self) -> None:
        """Let time pass."""
        self._done(self._runner.resume())

    def pause(self) -> None:
        """Let time stand still."""
        self._done(self._runner.pause())
        self._is_stopped = False

    def step(self, seconds: float = 0.0) -> float:
        """Let ticks pass, one for 0; return the world's time (s)."""
        ticks = max(1, round(checked_seconds(seconds, self.step_s) / self.step_s))
        return self._done(self._runner.step(ticks)) * self.step_s

    def reset(self) -> None:
        """Begin again with the same seed, without what was spawned."""
        self.reset_spawned()
        seed = self._done(self._runner.submit(lambda world: world.seed))
        self._done(self._runner.reset(seed=seed))
        self._is_stopped = True

    def reset_spawned(self) -> None:
        """Take away what was spawned."""
        spawned, self._spawned = self._spawned, set()
        present = {entity.name for entity in self.entities()}
        for name in sorted(spawned & present):
            self.delete(name)

    def entities(self) -> list[Entity]:
        """Return robots, e-partners and blocks, these as ``block_NUMBER``."""
        snapshot = self._runner.snapshot
        return [
            *(Entity(r.name, _CATEGORIES[r.kind], r.x, -r.y) for r in snapshot.robots),
            *(Entity(e.name, "dynamic_object", e.x, -e.y) for e in snapshot.epartners),
            *(Entity(f"block_{b.id}", "object", b.x, -b.y) for b in snapshot.blocks),
        ]

    def spawn(self, uri: str, name: str, x: float, y: float) -> str:
        """Add a robot or e-partner on the next free spawn point."""
        if uri == "epartner":
            spec: BotSpec | EPartnerSpec = EPartnerSpec(name=name or "E-Partner")
        elif uri == "human":
            spec = BotSpec(name=name or "Human", controller=Controller.HUMAN)
        else:
            spec = BotSpec(name=name or "Bot")
        spawned = self._done(self._runner.add_player(spec))
        self._spawned.add(spawned)
        return spawned

    def delete(self, name: str) -> None:
        """Take a robot or e-partner out of the world."""
        self._done(self._runner.remove_player(name))

    def load(self, uri: str) -> None:
        """Load a map by its name or file, with the present players; time stands still."""

        def load(_: WorldPort) -> None:
            self._control.loaded_map.load(uri).result()
            self._runner.pause().result()

        self._done(self._runner.submit(load))
        self._is_stopped = True


class Simulation(NodePart):
    """Offers the services where simulation_interfaces is installed."""

    def __init__(self, context: ServerContext) -> None:
        self._services = offer_simulation(context.node, WorldControls(context))

    def close(self) -> None:
        """End the thread of the services. Idempotent."""
        if self._services is not None:
            self._services.close()
