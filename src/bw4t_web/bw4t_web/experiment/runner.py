# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The runner of an experiment's world, in which time passes only while a game is played."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Any

from bw4t_runner.world_port import WorldPort
from bw4t_runner.world_runner import WorldRunner
from bw4t_web.experiment.port import Experiment
from bw4t_world import World, WorldError
from legacy_robots_core.link.base import LinkObserver


class ExperimentRunner(WorldRunner):
    """Runs the world of an experiment, and closes both.

    Between games and while the participants answer, the world is held: no request resumes it.
    ``settings`` are those of WorldRunner.
    """

    def __init__(
        self, experiment: Experiment, world: World, observer: LinkObserver, **settings: Any
    ) -> None:
        super().__init__(world, observer, paused=True, **settings)
        self.experiment = experiment
        self.experiment_world = world
        self._is_held = True

    def hold(self) -> Future[None]:
        """Let time stand still until :meth:`go_on`."""

        def hold(_: WorldPort) -> None:
            self._is_held = True
            self.pause().result()

        return self.submit(hold)

    def go_on(self) -> Future[None]:
        """Let time pass, and be paused and resumed by all."""

        def go_on(_: WorldPort) -> None:
            self._is_held = False
            self.resume().result()

        return self.submit(go_on)

    def resume(self) -> Future[None]:
        """Let time pass; the future has WorldError while the world is held."""
        resume = super().resume

        def resume_unless_held(_: WorldPort) -> None:
            if self._is_held:
                raise WorldError("The game stands still.")
            resume().result()

        return self.submit(resume_unless_held)

    def close(self, timeout: float = 5.0) -> None:
        """End the thread, the record and the experiment. Idempotent."""
        super().close(timeout)
        self.experiment_world.close()
        self.experiment.close()
