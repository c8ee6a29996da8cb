# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""``bw4t experiment`` for a file with people: its games are served on the page."""

from __future__ import annotations

import argparse

from bw4t_runner.schedule import check_speed
from bw4t_runner.world_runner import WorldRunner
from bw4t_web.console.running import run_until_stopped
from bw4t_web.experiment.port import open_experiment
from bw4t_web.experiment.runner import ExperimentRunner
from bw4t_web.server.experiment_hub import Referee
from bw4t_web.server.web_server import ExperimentServer, check_language, check_port
from legacy_robots_web.access import check_origin


def serve_experiment(options: argparse.Namespace) -> int:
    """Serve an experiment until Ctrl-C; return the exit code.

    Raises ValueError, WorldError and OSError for what is wrong with the options or the file.
    """
    return run_until_stopped(*_make(options))


def _make(options: argparse.Namespace) -> tuple[WorldRunner, ExperimentServer]:
    check_speed(options.speed)
    check_port(options.port)
    for origin in options.origin:
        check_origin(origin)
    experiment = open_experiment(  # whose session uses up the number of a group
        str(options.file),
        str(options.output or ""),
        group=options.group,
        secret=options.secret,
    )
    check_language(experiment.language)
    world = experiment.make_world()
    referee = Referee(world)
    runner = ExperimentRunner(experiment, world, referee, speed=options.speed)
    server = ExperimentServer(
        runner, experiment, referee, port=options.port, origins=options.origin
    )
    return runner, server
