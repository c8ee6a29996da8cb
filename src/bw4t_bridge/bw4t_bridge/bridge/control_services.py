# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The services that drive the world itself: its time, its map, its players."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any, TypeVar

from std_srvs.srv import Trigger

from bw4t_runner.loaded_map import LoadedMap
from bw4t_runner.world_runner import WorldRunner
from bw4t_world import WorldError
from bw4t_world.maps.reader import UnknownNeighbours
from bw4t_world.scenarios import (
    BotSpec,
    Controller,
    EPartnerSpec,
    read_scenario,
)
from legacy_robots_common.bridge.bridge_node import BridgeNode
from legacy_robots_common.node.names import to_ros_name
from legacy_robots_common.node.threadsafe_future import result_of
from legacy_robots_msgs.srv import (
    Bw4tAddPlayer,
    Bw4tLoad,
    Bw4tRemovePlayer,
    Bw4tReset,
    Bw4tSetSpeed,
    Bw4tStep,
)

T = TypeVar("T")

DEFAULT_NAMES = {
    Bw4tAddPlayer.Request.BOT: "Bot",
    Bw4tAddPlayer.Request.HUMAN: "Human",
    Bw4tAddPlayer.Request.EPARTNER: "E-Partner",
}


def answering(
    node: BridgeNode, name: str, carry_out: Callable[[Any, Any], Awaitable[None]]
) -> Callable[[Any, Any], Awaitable[Any]]:
    """Return the callback of a service that says success, or in a sentence why not."""

    async def answer(request: Any, response: Any) -> Any:
        try:
            await carry_out(request, response)
        except (WorldError, ValueError, OSError) as error:
            response.success, response.message = False, str(error)
            node.on_problem("refused requests", f"{name}: {error}")
        else:
            response.success = True
        return response

    return answer


class ControlServices:
    """Start, pause, step, reset, load, set_speed, add_player and remove_player.

    ``loaded_map`` is the map that is loaded now.
    """

    def __init__(
        self, node: BridgeNode, runner: WorldRunner, map_name: str, neighbours: UnknownNeighbours
    ) -> None:
        self.loaded_map = LoadedMap(runner, map_name, neighbours)
        self._node = node
        self._runner = runner
        for kind, name, carry_out in (
            (Trigger, "start", self._start),
            (Trigger, "pause", self._pause),
            (Bw4tStep, "step", self._step),
            (Bw4tReset, "reset", self._reset),
            (Bw4tLoad, "load", self._load),
            (Bw4tSetSpeed, "set_speed", self._set_speed),
            (Bw4tAddPlayer, "add_player", self._add_player),
            (Bw4tRemovePlayer, "remove_player", self._remove_player),
        ):
            node.create_service(kind, name, answering(node, name, carry_out))

    async def _done(self, future: Future[T]) -> T:
        return await result_of(self._node.executor, future)

    async def _start(self, request: Trigger.Request, response: Trigger.Response) -> None:
        await self._done(self._runner.resume())

    async def _pause(self, request: Trigger.Request, response: Trigger.Response) -> None:
        await self._done(self._runner.pause())

    async def _step(self, request: Bw4tStep.Request, response: Bw4tStep.Response) -> None:
        response.tick = self._runner.snapshot.tick
        response.tick = await self._done(self._runner.step(request.ticks))

    async def _reset(self, request: Bw4tReset.Request, response: Bw4tReset.Response) -> None:
        response.seed = await self._seed()
        seed = request.seed if request.use_seed else None
        await self._done(self._runner.reset(seed=seed))
        response.seed = await self._seed()

    async def _load(self, request: Bw4tLoad.Request, response: Bw4tLoad.Response) -> None:
        response.seed = await self._seed()
        scenario = read_scenario(Path(request.scenario)) if request.scenario else None
        seed = request.seed if request.use_seed else None
        await self._done(self.loaded_map.load(request.map, scenario, seed))
        response.seed = await self._seed()

    async def _seed(self) -> int:
        return await self._done(self._runner.submit(lambda world: world.seed))

    async def _set_speed(
        self, request: Bw4tSetSpeed.Request, response: Bw4tSetSpeed.Response
    ) -> None:
        await self._done(self._runner.set_speed(request.speed))

    async def _add_player(
        self, request: Bw4tAddPlayer.Request, response: Bw4tAddPlayer.Response
    ) -> None:
        response.name = await self._done(self._runner.add_player(_player(request)))
        response.ros_name = to_ros_name(response.name)

    async def _remove_player(
        self, request: Bw4tRemovePlayer.Request, response: Bw4tRemovePlayer.Response
    ) -> None:
        await self._done(self._runner.remove_player(request.name))


def _player(request: Bw4tAddPlayer.Request) -> BotSpec | EPartnerSpec:
    """Return what is to be added; raises ValueError for an unknown kind."""
    if request.kind not in DEFAULT_NAMES:
        raise ValueError(f"there is no kind {request.kind} of players")
    name = request.name or DEFAULT_NAMES[request.kind]
    if request.kind == Bw4tAddPlayer.Request.EPARTNER:
        return EPartnerSpec(name=name, gps=request.gps, forget_me_not=request.forget_me_not)
    is_human = request.kind == Bw4tAddPlayer.Request.HUMAN
    return BotSpec(
        name=name,
        controller=Controller.HUMAN if is_human else Controller.AGENT,
        size=request.size,
        speed=request.speed,
        grippers=request.grippers,
        battery_enabled=request.battery_enabled,
        battery_capacity=request.battery_capacity,
        color_blind_handicap=request.color_blind_handicap,
        gripper_handicap=request.gripper_handicap,
        move_speed_handicap=request.move_speed_handicap,
        size_overload_handicap=request.size_overload_handicap,
    )
