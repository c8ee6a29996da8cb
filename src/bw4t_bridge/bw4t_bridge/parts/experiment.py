# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""An experiment with people in the server: its world, page, and experimenter's services."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from std_srvs.srv import Trigger

from bw4t_bridge.bridge.control_services import answering
from bw4t_bridge.bridge.parameters import Parameters
from bw4t_bridge.bridge.server_parts import ServerContext
from bw4t_bridge.parts.page import origins_of, start_page
from bw4t_web import ExperimentServer
from bw4t_web.experiment.port import open_experiment
from bw4t_web.experiment.runner import ExperimentRunner
from bw4t_web.server.experiment_hub import Referee
from bw4t_web.server.web_server import check_language, check_port
from bw4t_world import WorldError
from legacy_robots_common.bridge.bridge_node import BridgeNode
from legacy_robots_common.node.parts import NodePart
from legacy_robots_common.node.program_node import StartupError
from legacy_robots_common.node.threadsafe_future import result_of

COMMANDS = ("start", "pause", "resume", "abort", "repeat", "end")


def make_runner(
    node: BridgeNode, settings: Parameters, stamps: Callable[[], int] | None
) -> tuple[ExperimentRunner, Parameters]:
    """Return the runner of an experiment's world, and the parameters that hold with it.

    Raises StartupError, before the session uses up the number of a group where that is possible.
    """
    p = settings
    origins_of(p)
    try:
        check_port(p.web_port)
        experiment = open_experiment(
            p.experiment, p.record, group=p.experiment_group, secret=p.experiment_secret
        )
        check_language(experiment.language)
    except (ValueError, WorldError, OSError) as error:
        raise StartupError(f"experiment: {error}") from error
    world = experiment.make_world()
    runner = ExperimentRunner(
        experiment, world, node, speed=p.speed,
        cycle_rate=p.percept_rate, stamps=stamps, clock=node.now,
    )  # fmt: skip
    profile = world.profile.name
    return runner, replace(p, profile=profile, repeat_after=0.0)


class ExperimentPart(NodePart):
    """Serves the pages of participants and experimenter, with the robots' teams of the file."""

    def __init__(self, context: ServerContext) -> None:
        node, p, runner = context.node, context.settings, context.runner
        assert isinstance(runner, ExperimentRunner)
        self._node = node
        self._referee = Referee(runner.experiment_world)
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
            name = f"experiment/{command}"
            node.create_service(Trigger, name, answering(node, name, partial(self._send, command)))
        node.get_logger().info(f"participants open {self.server.url}?p=CODE")
        page = self.server.experimenter_url
        if p.experiment_secret:  # a log is read by others
            page = f"{self.server.url}#experimenter=SECRET, the parameter experiment_secret"
        node.get_logger().info(f"the experimenter opens {page}")

    async def _send(self, command: str, request: Any, response: Any) -> None:
        await result_of(self._node.executor, self.server.command(command))

    def on_event(self, event: object) -> None:
        """Handle an event of the runner, on its thread."""
        self._referee.on_event(event)

    def diagnostics(self) -> dict[str, str]:
        """Return the page's address, and how the experiment stands."""
        return {"page": self.server.url, "experiment": self.server.phase}

    def close(self) -> None:
        """End the page. Idempotent."""
        self.server.close()
