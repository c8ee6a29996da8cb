# SPDX-License-Identifier: Apache-2.0
"""The server: the one node in which the world runs."""

from __future__ import annotations

import gc
import sys
from typing import TYPE_CHECKING, Any

from bw4t_bridge.bridge_parameters import RANDOM_SEED, Parameters
from bw4t_bridge.control_services import ControlServices
from bw4t_bridge.host import WorldHost
from bw4t_bridge.interfaces import Interfaces
from bw4t_bridge.java_agents import JavaAgents
from bw4t_bridge.original.settings import for_original, original_world
from bw4t_bridge.participants import default_scenario
from bw4t_bridge.remote_host import RemoteHost
from bw4t_bridge.team_topics import TeamTopics
from bw4t_bridge.trips import Trips
from bw4t_world import TeamSummary, World, WorldError
from bw4t_world.maps import MapError, load_map
from bw4t_world.profiles import profile_named
from bw4t_world.scenarios import ScenarioError, read_scenario
from legacy_robots_common.bridge_node import BridgeNode
from legacy_robots_common.main import run
from legacy_robots_common.parameters import declare_parameters
from legacy_robots_common.program_node import NANOSECONDS, StartupError
from legacy_robots_common.simulation import Simulation, offer_simulation

if TYPE_CHECKING:
    from bw4t_bridge.web import WebServer


class Bw4tServer(BridgeNode):
    """Runs a blocks world, with the interfaces of all players.

    The world runs on the thread of its host, which also publishes; services and goals run on the
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
        self.host: WorldHost
        if p.world == "original":
            p, ignored = for_original(p)
            self._settings = p
            if ignored:
                names = ", ".join(ignored)
                self.get_logger().warning(f"{names}: ignored with an original server")
            remote = original_world(p)
            peer = f"rmi://{p.server}/BW4TServer"
            self.host = RemoteHost(
                remote, self, peer=peer, cycle_rate=p.percept_rate, stamps=stamps
            )
        else:
            paused = p.paused or p.wait_for_people > 0
            self.host = WorldHost(
                _make_world(p, self), self, speed=p.speed, paused=paused,
                cycle_rate=p.percept_rate, stamps=stamps, clock=self.now,
            )  # fmt: skip
        self.use_link(self.host)
        self._trips = Trips(self.host)
        self._control = ControlServices(self, self.host, p.map)
        self._team = TeamTopics(self, self.host, p, lambda: self._control.map_name, self._on_done)
        offer_simulation(self, self._simulation)
        self._interfaces = Interfaces(self, self.host, self._trips, p, profile_named(p.profile))
        self._page = _serve_page(self, self.host, p) if p.web else None
        if self._page is not None:
            self.get_logger().info(f"the page for people is at {self._page.url}")
        self._java_agents = JavaAgents(self, self.host, p, self._control.map_name)

    def _simulation(self) -> Simulation:
        """Return the world for simulation_interfaces; raises ImportError without it."""
        from bw4t_bridge.world_simulation import WorldSimulation

        frame = self._settings.frame_prefix + self._settings.map_frame
        return WorldSimulation(self, self.host, self._control, frame)

    @classmethod
    def prepare_process(cls) -> None:
        """Let the world's thread have the interpreter soon, and without looks for garbage."""
        sys.setswitchinterval(0.001)
        gc.collect()
        gc.freeze()  # the modules stay: looking through them would only hold up the ticks

    def close(self) -> None:
        """End the page and the world. Idempotent."""
        if self._page is not None:
            self._page.close()
        self._java_agents.close()
        super().close()

    def diagnostics(self) -> dict[str, str]:
        """Return how the world runs."""
        status = self.host.world_status
        if status.skipped_ticks > self._seen_skipped:
            self.counters.add("skipped ticks", status.skipped_ticks - self._seen_skipped)
            self._seen_skipped = status.skipped_ticks
        return {
            "tick": str(status.tick),
            "speed": f"{status.speed:g}",
            "paused": str(status.is_paused).lower(),
            "lateness (ms)": f"{status.lateness * 1e3:.1f}",
            "greatest lateness (ms)": f"{status.max_lateness * 1e3:.1f}",
            **({"page": self._page.url} if self._page is not None else {}),
            **self._java_agents.diagnostics(),
        }

    def _nanoseconds(self) -> int:
        now = self.stamp()
        return int(now.sec * NANOSECONDS + now.nanosec)

    # --- On the host's thread --------------------------------------------------------------

    def on_event(self, event: object) -> None:
        """Take an event of the host, see bw4t_bridge.host_events."""
        self._trips.on_event(event)
        self._team.on_event(event)
        self._interfaces.on_event(event)
        self._java_agents.on_event(event)

    def on_connected(self) -> None:
        """Publish all that is latched."""
        self._team.publish_all()
        self.call_soon(self._interfaces.sync)
        players, seed = self.host.call(lambda world: (world.names, world.seed))
        names = ", ".join(players) or "no players"
        self.get_logger().info(
            f"the world is up: map {self._control.map_name}, seed {seed}, with {names}"
        )

    def make_safe(self, reason: str) -> None:
        """Stop the robots that are on their way for a goal."""
        self._trips.abandon()

    def _on_done(self, measures: TeamSummary) -> None:
        self.get_logger().info("the sequence is complete\n" + "\n".join(measures.lines()))
        if self._settings.repeat_after:
            self.call_soon(self._begin_again_later)

    # --- On the executor -------------------------------------------------------------------

    def _begin_again_later(self) -> None:
        run = self.host.world_status.run

        def begin_again() -> None:
            self.destroy_timer(timer)
            if self.host.world_status.run == run:  # no other has begun meanwhile
                self.host.reset()

        timer = self.timer(self._settings.repeat_after, begin_again)


def _serve_page(node: Bw4tServer, host: WorldHost, p: Parameters) -> WebServer:
    """Serve the page for people; raises StartupError."""
    try:
        from bw4t_bridge.web import Settings, WebServer
    except ImportError as error:
        raise StartupError(f"the page needs aiohttp (python3-aiohttp): {error}") from error
    settings = Settings(control=p.control, wait_for_people=p.wait_for_people)
    page = WebServer(host, port=p.web_port, settings=settings, on_problem=node.on_problem)
    try:
        page.start()
    except OSError as error:
        raise StartupError(f"the page cannot be served on port {p.web_port}: {error}") from error
    return page


def _make_world(p: Parameters, node: BridgeNode) -> World:
    """Return the world that the parameters describe; raises StartupError."""
    try:
        scenario = read_scenario(p.scenario) if p.scenario else default_scenario(p.robots, p.human)
        world = World(
            load_map(p.map),
            scenario,
            profile=p.profile,
            seed=None if p.seed == RANDOM_SEED else p.seed,
            collisions={"scenario": None, "on": True, "off": False}[p.collisions],
        )
    except (MapError, ScenarioError, WorldError) as error:
        raise StartupError(str(error)) from error
    for name in world.not_announced:
        node.get_logger().warning(f"{name} found no place in the world")
    return world


def main() -> None:
    """Run the server until SIGINT or SIGTERM."""
    sys.exit(run(Bw4tServer, Parameters))
