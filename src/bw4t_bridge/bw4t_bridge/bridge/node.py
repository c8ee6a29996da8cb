# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The server: the one node in which the world runs."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from bw4t_bridge.bridge.control_services import ControlServices
from bw4t_bridge.bridge.parameters import RANDOM_SEED, Parameters
from bw4t_bridge.bridge.participants import default_scenario, neighbours_of
from bw4t_bridge.bridge.player_interfaces import Interfaces
from bw4t_bridge.bridge.publishing import RateLimit
from bw4t_bridge.bridge.server_parts import (
    PARTS,
    WORLDS,
    ServerContext,
    WorldMaker,
)
from bw4t_bridge.bridge.team_topics import TeamTopics
from bw4t_runner.trips import Trips
from bw4t_runner.world_runner import WorldRunner
from bw4t_world import TeamSummary, World, WorldError
from bw4t_world.maps import MapError, load_map
from bw4t_world.model.profiles import profile_named
from bw4t_world.scenarios import ScenarioError, read_scenario
from bw4t_world.simulation.recorders import recorded_world
from legacy_robots_common.bridge.bridge_node import BridgeNode
from legacy_robots_common.node.main import run
from legacy_robots_common.node.parameters import declare_parameters
from legacy_robots_common.node.parts import NodePart, load_part
from legacy_robots_common.node.printable_logger import Lines
from legacy_robots_common.node.program_node import NANOSECONDS, StartupError


class Bw4tServer(BridgeNode):
    """Runs a blocks world, with the interfaces of all players.

    The world runs on the thread of its runner, which also publishes; services and goals run on the
    executor. Raises ParameterError, or StartupError for a map or scenario that cannot be used.
    """

    def __init__(self, **node_arguments: Any) -> None:
        super().__init__(
            "server",
            hardware_id="BW4T",
            namespace="bw4t",
            warn_on={"skipped ticks": "ticks skipped, the machine is too slow"},
            **node_arguments,
        )
        p = self._settings = declare_parameters(self, Parameters)
        self._seen_skipped = 0
        stamps = None if p.publish_clock else self._nanoseconds
        self.runner: WorldRunner
        self._world: World | None = None
        world = "experiment" if p.experiment and p.world == "own" else p.world
        if world == "own":
            paused = p.paused or p.wait_for_people > 0
            self._world = _make_world(p, self)
            self.runner = WorldRunner(
                self._world, self, speed=p.speed, paused=paused,
                cycle_rate=p.percept_rate, stamps=stamps, clock=self.now,
            )  # fmt: skip
        else:
            make_runner: WorldMaker = load_part(WORLDS, world)
            self.runner, p = make_runner(self, p, stamps)
            self._settings = p
        self.use_link(self.runner)
        self._trips = Trips(self.runner)
        self._control = ControlServices(self, self.runner, p.map, neighbours_of(p.profile))
        drawing = RateLimit(p.marker_rate, self.now)  # robots and their menus at the same moments
        self._team = TeamTopics(
            self, self.runner, p, drawing, lambda: self._control.loaded_map.name, self._on_done
        )
        self._interfaces = Interfaces(
            self, self.runner, self._trips, p, drawing, profile_named(p.profile)
        )
        context = ServerContext(self, self.runner, p, self._control)
        wanted = {
            "simulation": True,
            "page": p.web and not p.experiment,
            "experiment": bool(p.experiment),
            "java_agents": p.rmi or p.eis,
        }
        self.parts: dict[str, NodePart] = {
            name: load_part(PARTS, name)(context) for name, is_on in wanted.items() if is_on
        }

    @classmethod
    def prepare_process(cls) -> None:
        """Shorten the interval at which threads take turns."""
        sys.setswitchinterval(0.001)

    def close(self) -> None:
        """End the parts and the world. Idempotent."""
        for part in self.parts.values():
            part.close()
        super().close()
        if self._world is not None:  # its runner has ended
            self._world.close()

    def diagnostics(self) -> dict[str, str]:
        """Return how the world runs."""
        status = self.runner.world_status
        if status.skipped_ticks > self._seen_skipped:
            self.counters.add("skipped ticks", status.skipped_ticks - self._seen_skipped)
            self._seen_skipped = status.skipped_ticks
        values = {
            "tick": str(status.tick),
            "speed": f"{status.speed:g}",
            "paused": str(status.is_paused).lower(),
            "lateness (ms)": f"{status.lateness * 1e3:.1f}",
            "greatest lateness (ms)": f"{status.max_lateness * 1e3:.1f}",
        }
        for part in self.parts.values():
            values |= part.diagnostics()
        return values

    def _nanoseconds(self) -> int:
        now = self.stamp()
        return int(now.sec * NANOSECONDS + now.nanosec)

    # --- On the runner's thread --------------------------------------------------------------

    def on_event(self, event: object) -> None:
        """Take an event of the runner, see bw4t_runner.events."""
        self._trips.on_event(event)
        self._team.on_event(event)
        self._interfaces.on_event(event)
        for part in self.parts.values():
            part.on_event(event)

    def on_connected(self) -> None:
        """Publish all that is latched."""
        self._team.publish_all()
        self.call_soon(self._interfaces.sync)
        players, seed = self.runner.call(lambda world: (world.names, world.seed))
        names = ", ".join(players) or "no players"
        self.get_logger().info(
            f"the world is up: map {self._control.loaded_map.name}, seed {seed}, with {names}"
        )

    def make_safe(self, reason: str) -> None:
        """Stop the robots that are on their way for a goal."""
        self._trips.abandon()

    def _on_done(self, measures: TeamSummary) -> None:
        lines = "\n".join(measures.lines())
        self.get_logger().info(Lines("the sequence is complete", lines))
        if self._settings.repeat_after:
            self.call_soon(self._begin_again_later)

    # --- On the executor -------------------------------------------------------------------

    def _begin_again_later(self) -> None:
        run = self.runner.world_status.run

        def begin_again() -> None:
            self.destroy_timer(timer)
            if self.runner.world_status.run == run:  # no other has begun meanwhile
                self.runner.reset()

        timer = self.timer(self._settings.repeat_after, begin_again)


def _make_world(p: Parameters, node: BridgeNode) -> World:
    """Return the world that the parameters describe; raises StartupError."""
    try:
        scenario = read_scenario(p.scenario) if p.scenario else default_scenario(p.robots, p.human)
        make: Callable[..., World] = World
        if p.record:
            make = recorded_world(p.record, map=p.map)
        world = make(
            load_map(p.map, unknown_neighbours=neighbours_of(p.profile)),
            scenario,
            profile=p.profile,
            seed=None if p.seed == RANDOM_SEED else p.seed,
            collisions={"scenario": None, "on": True, "off": False}[p.collisions],
        )
    except (MapError, ScenarioError, WorldError) as error:
        raise StartupError(str(error)) from error
    except OSError as error:
        raise StartupError(f"games cannot be recorded in {p.record}: {error}") from error
    for name in world.not_announced:
        node.get_logger().warning(f"{name} found no place in the world")
    return world


def main() -> None:
    """Run the server until SIGINT or SIGTERM."""
    sys.exit(run(Bw4tServer, Parameters))
