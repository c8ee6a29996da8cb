# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The runner of a world behind a connection. ROS-free."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from bw4t_runner.events import RunnerEvent
from bw4t_runner.remote_world import RemoteWorld
from bw4t_runner.world_runner import WorldRunner
from legacy_robots_core.link.base import LinkLost


class RemoteRunner(WorldRunner):
    """Connects, polls a remote world once a cycle, and connects again.

    Without a connection, jobs that need one end with WorldError. Each connection is a run of its
    own: streams begin anew, and players may be others. ``options`` are those of WorldRunner.
    """

    is_remote = True

    def __init__(self, world: RemoteWorld, *args: Any, **options: Any) -> None:
        self._remote = world
        super().__init__(world, *args, **options)

    def follow(self, now: Callable[[], float]) -> None:
        """Go on in real time, as the original does."""

    def time_passed(self) -> None:
        """Do nothing."""

    def set_speed(self, speed: float) -> Future[None]:
        """Refuse: only its owner can change an original server."""
        return self.submit(lambda _: self._remote.refuse("change its speed for a client"))

    def step(self, ticks: int = 1) -> Future[int]:
        """Refuse: only its owner can change an original server."""
        return self.submit(lambda _: self._remote.refuse("step"))

    def serve(self) -> None:
        """Serve one connection."""
        self._unfinished_cycles = 0
        try:
            try:
                self._remote.open()
            except LinkLost:
                for job in self._jobs.take(lambda: True, lambda: 0.0) or ():
                    job()  # which tell that there is no connection
                raise
            self._begin_run()
            super().serve()
        finally:
            self._remote.close()

    def interrupt(self) -> None:
        """Wake the link's thread."""
        super().interrupt()
        self._remote.interrupt()

    def _cycle(self, ticks: int) -> None:
        before = self._snapshot
        super()._cycle(ticks)
        now = self._snapshot
        if now.is_paused != before.is_paused:  # by others
            self._tell(RunnerEvent.CLOCK)
        if [robot.name for robot in now.robots] != [robot.name for robot in before.robots]:
            self._tell(RunnerEvent.ROSTER)
