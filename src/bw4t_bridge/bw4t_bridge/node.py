# SPDX-License-Identifier: Apache-2.0
"""The server: the one node in which the world runs."""

from __future__ import annotations

import gc
import sys
from typing import TYPE_CHECKING, Any

from rclpy.clock import Clock, ClockType

from bw4t_bridge.bridge_parameters import RANDOM_SEED, Parameters
from bw4t_bridge.control_services import ControlServices
from bw4t_bridge.host import HostEvent, WorldHost
from bw4t_bridge.interfaces import Interfaces
from bw4t_bridge.participants import default_scenario
from bw4t_bridge.team_topics import TeamTopics
from bw4t_bridge.trips import Trips
from bw4t_world import TeamSummary, World, WorldError
from bw4t_world.maps import MapError, load_map
from bw4t_world.scenarios import ScenarioError, read_scenario
from legacy_robots_common.diagnostics import Counters, DiagnosticsReporter
from legacy_robots_common.link import LinkState, LinkStatus
from legacy_robots_common.link_reporter import LinkReporter
from legacy_robots_common.main import BridgeNode, StartupError, run
from legacy_robots_common.parameters import declare_parameters

if TYPE_CHECKING:
    from bw4t_bridge.web import WebServer


class Bw4tServer(BridgeNode):
    """A world, and the interfaces of all who take part.

    The world runs on the thread of its host, which also publishes; services and goals run on the
    executor. Raises ParameterError, or StartupError for a map or scenario that cannot be used.
    """

    def __init__(self, **node_arguments: Any) -> None:
        super().__init__("server", namespace="bw4t", **node_arguments)
        p = self._settings = declare_parameters(self, Parameters)
        world = _make_world(p)
        self._counters = Counters()
        self._seen_skipped = 0
        self.host = WorldHost(
            world,
            speed=p.speed,
            paused=p.paused,
            cycle_rate=p.percept_rate,
            simulated_stamps=p.publish_clock,
        )
        self._link = LinkStatus(LinkState.CONNECTED, "this process", f"runs the map {p.map}", 1)
        self._reporter = LinkReporter(self)
        self._trips = Trips(self.host)
        self._control = ControlServices(self, self.host, p.map)
        self._team = TeamTopics(self, self.host, p, lambda: self._control.map_name, self._on_done)
        self._interfaces = Interfaces(self, self.host, self._trips, p, world.profile)
        self.host.on_event(self._on_event)
        self._diagnostics = DiagnosticsReporter(
            self,
            "BW4T",
            lambda: self._link,
            self._counters,
            warn_on={"skipped ticks": "ticks skipped, the machine is too slow"},
            extra=self._figures,
        )
        # Events tell of changes at once, but not before there is an executor.
        self.create_timer(
            1.0, self._interfaces.follow_roster, clock=Clock(clock_type=ClockType.STEADY_TIME)
        )
        for name in world.not_announced:
            self.get_logger().warning(f"{name} found no place in the world")
        self.host.start()
        self._page = _serve_page(self.host, p.web_port) if p.web else None
        self.host.call(lambda _: self._team.publish_all())
        self._interfaces.follow_roster()
        self._reporter.report(self._link)
        players, seed = self.host.call(lambda world: (world.names, world.seed))
        names = ", ".join(players) or "nobody"
        self.get_logger().info(f"the world is up: map {p.map}, seed {seed}, with {names}")
        if self._page is not None:
            self.get_logger().info(f"the page for people is at {self._page.url}")

    def close(self) -> None:
        """End the page and the world. Idempotent."""
        if self._page is not None:
            self._page.close()
        self.host.close()

    def destroy_node(self) -> None:
        """Give back what the node does not know of: the action servers."""
        self._interfaces.destroy()
        super().destroy_node()

    def _figures(self) -> dict[str, str]:
        status = self.host.status
        if status.skipped_ticks > self._seen_skipped:
            self._counters.add("skipped ticks", status.skipped_ticks - self._seen_skipped)
            self._seen_skipped = status.skipped_ticks
        return {
            "tick": str(status.tick),
            "speed": f"{status.speed:g}",
            "paused": str(status.is_paused).lower(),
            "lateness (ms)": f"{status.lateness * 1e3:.1f}",
            "greatest lateness (ms)": f"{status.max_lateness * 1e3:.1f}",
            **({"page": self._page.url} if self._page is not None else {}),
        }

    # --- On the host's thread --------------------------------------------------------------

    def _on_event(self, event: HostEvent) -> None:
        if event in (HostEvent.ROSTER, HostEvent.RUN):
            if self.executor is not None:
                self.executor.create_task(self._interfaces.follow_roster)
        elif event is HostEvent.END and self.host.status.failure:
            self._link = LinkStatus(
                LinkState.FAULT, "this process", f"the world failed: {self.host.status.failure}", 1
            )
            self._reporter.report(self._link)

    def _on_done(self, measures: TeamSummary) -> None:
        self.get_logger().info("the sequence is complete\n" + "\n".join(measures.lines()))
        if self._settings.repeat_after and self.executor is not None:
            self.executor.create_task(self._begin_again_later)

    # --- On the executor -------------------------------------------------------------------

    def _begin_again_later(self) -> None:
        run = self.host.status.run

        def begin_again() -> None:
            self.destroy_timer(timer)
            if self.host.status.run == run:  # nobody else has begun another one meanwhile
                self.host.reset()

        steady = Clock(clock_type=ClockType.STEADY_TIME)
        timer = self.create_timer(self._settings.repeat_after, begin_again, clock=steady)


def _serve_page(host: WorldHost, port: int) -> WebServer:
    """Serve the page for people; raises StartupError."""
    try:
        from bw4t_bridge.web import WebServer
    except ImportError as error:
        host.close()
        raise StartupError(f"the page needs aiohttp (python3-aiohttp): {error}") from error
    page = WebServer(host, port=port)
    try:
        page.start()
    except OSError as error:
        host.close()
        raise StartupError(f"the page cannot be served on port {port}: {error}") from error
    return page


def _make_world(p: Parameters) -> World:
    """Return the world that the parameters describe; raises StartupError."""
    try:
        scenario = read_scenario(p.scenario) if p.scenario else default_scenario(p.robots, p.human)
        return World(
            load_map(p.map),
            scenario,
            profile=p.profile,
            seed=None if p.seed == RANDOM_SEED else p.seed,
            collisions={"scenario": None, "on": True, "off": False}[p.collisions],
        )
    except (MapError, ScenarioError, WorldError) as error:
        raise StartupError(str(error)) from error


def main() -> None:
    """Run the server until SIGINT or SIGTERM."""
    # The world's thread must not wait long for the interpreter, while the executor has it.
    sys.setswitchinterval(0.001)
    sys.exit(run(_make_server))


def _make_server() -> Bw4tServer:
    server = Bw4tServer()
    # What is there now stays: looking through it for garbage would only hold up the ticks.
    gc.collect()
    gc.freeze()
    return server
