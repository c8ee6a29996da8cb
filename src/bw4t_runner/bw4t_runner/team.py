# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""An example team in the process of a world, for people to play with: no ROS needed."""

from __future__ import annotations

from bw4t_runner.events import Cycle, LoggingObserver, RunnerEvent
from bw4t_world import World
from bw4t_world.agents import Team


class InProcessTeam(LoggingObserver):
    """Drives the robots that are in a world now and are no human bots; the runner's observer.

    ``kind``, which counts for the next team when it is changed, is a name of
    :data:`bw4t_world.agents.TEAMS`; ``ValueError`` for others. After a reset the team begins anew.
    """

    def __init__(self, world: World, kind: str = "searchers") -> None:
        self._world = world
        self.kind = kind
        self._next_step = 0
        self._team = self._new_team()

    def _new_team(self) -> Team:
        return Team(self._world, self.kind, seed=self._world.seed, humans=False)

    def on_event(self, event: object) -> None:
        """Take an event of the runner, on its thread."""
        if event is RunnerEvent.RUN:
            self._team.close()
            self._team, self._next_step = self._new_team(), 0
        elif isinstance(event, Cycle) and event.snapshot.tick >= self._next_step:
            self._next_step = event.snapshot.tick + self._team.ticks_per_step
            self._team.think()
