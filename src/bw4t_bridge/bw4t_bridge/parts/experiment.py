# SPDX-License-Identifier: Apache-2.0
"""An experiment with people in the server: its world, page, and experimenter's services."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

from std_srvs.srv import Trigger

from bw4t_bridge.bridge.parameters import Parameters
from bw4t_bridge.bridge.server_parts import ServerContext
from bw4t_bridge.parts.page import origins_of, start_page
from bw4t_bridge.runner.world_runner import WorldRunner
from bw4t_bridge.web import ExperimentServer
from bw4t_bridge.web.experiment_hub import Referee
from bw4t_bridge.web.experiment_port import Experiment, open_experiment
from bw4t_world import World, WorldError
from legacy_robots_common.bridge.bridge_node import BridgeNode
from legacy_robots_common.node.parts import NodePart
from legacy_robots_common.node.program_node import StartupError
from legacy_robots_common.node.threadsafe_future import result_of

COMMANDS = ("start", "pause", "resume", "abort", "repeat", "end")


class ExperimentRunner(WorldRunner):
    """Runs the world of an experiment, and closes both."""

    experiment: Experiment
    experiment_world: World

    def close(self, timeout: float = 5.0) -> None:
        """End the thread, the record and the experiment. Idempotent."""
        super().close(timeout)
        self.experiment_world.close()
        self.experiment.close()


def make_runner(
    node: BridgeNode, settings: Parameters, stamps: Callable[[], int] | None
) -> tuple[ExperimentRunner, Parameters]:
    """Return the runner of an experiment's world, and the parameters that hold with it."""
    p = settings
    try:
        experiment = open_experiment(
            p.experiment, p.record, group=p.experiment_group, secret=p.experiment_secret
        )
    except (ValueError, WorldError, OSError) as error:
        raise StartupError(f"experiment: {error}") from error
    world = experiment.make_world()
    runner = ExperimentRunner(
        world, node, speed=p.speed, paused=True,
        cycle_rate=p.percept_rate, stamps=stamps, clock=node.now,
    )  # fmt: skip
    runner.experiment, runner.experiment_world = experiment, world
    profile = world.profile.name
    return runner, replace(p, profile=profile, repeat_after=0.0)


class ExperimentPart(NodePart):
    """Serves the pages of participants and experimenter, with the robots' teams of the file."""

    def __init__(self, context: ServerContext) -> None:
        node, p, runner = context.node, context.settings, context.runner
        assert isinstance(runner, ExperimentRunner)
        self._node = node
        self._referee = Referee(runner.experiment_world)
        self._experiment = runner.experiment
        self.server = ExperimentServer(
            runner,
            runner.experiment,
            self._referee,
            port=p.web_port,
            on_problem=node.on_problem,
            origins=origins_of(p),
        )
        start_page(self.server, p.web_port)
        for command in COMMANDS:
            node.create_service(Trigger, f"experiment/{command}", self._answering(command))
        node.get_logger().info(f"participants open {self.server.url}?p=CODE")
        node.get_logger().info(f"the experimenter opens {self.server.experimenter_url}")

    def _answering(self, command: str) -> Callable[[Any, Any], Awaitable[Any]]:
        async def answer(request: Trigger.Request, response: Trigger.Response) -> Any:
            try:
                await result_of(self._node.executor, self.server.command(command))
            except (ValueError, WorldError) as error:
                response.success, response.message = False, str(error)
                self._node.on_problem("refused requests", f"experiment/{command}: {error}")
            else:
                response.success = True
            return response

        return answer

    def on_event(self, event: object) -> None:
        """Handle an event of the runner, on its thread."""
        self._referee.on_event(event)

    def diagnostics(self) -> dict[str, str]:
        """Return the page's address, and how the experiment stands."""
        return {"page": self.server.url, "experiment": str(self._experiment.overview()["phase"])}

    def close(self) -> None:
        """End the page. Idempotent."""
        self.server.close()
