# SPDX-License-Identifier: Apache-2.0
"""An example team in the process of a world, for people to play with: no ROS needed."""

from __future__ import annotations

from bw4t_bridge.host_events import Cycle, HostEvent, LoggingObserver
from bw4t_world import World
from bw4t_world.agents import TEAMS, Agent, WorldPlayer
from bw4t_world.agents.teams import STEP_SECONDS


class InProcessTeam(LoggingObserver):
    """Drives the robots that are in a world now and are no human bots; the host's observer.

    ``kind`` is a name of :data:`bw4t_world.agents.TEAMS`; ``ValueError`` for others. After a
    reset the team begins anew.
    """

    def __init__(self, world: World, kind: str = "searchers") -> None:
        if kind not in TEAMS:
            raise ValueError(f"there is no team {kind!r}; the teams are {', '.join(TEAMS)}")
        self._world = world
        self._kind = TEAMS[kind]
        self._step_ticks = max(1, round(STEP_SECONDS / world.profile.tick_seconds))
        self._next_step = 0
        self._players: list[WorldPlayer] = []
        self._agents: list[Agent] = []
        self._begin(world)

    def _begin(self, world: World) -> None:
        for player in self._players:
            player.close()
        robots = [robot.name for robot in world.snapshot().robots if robot.kind == "bot"]
        self._players = [WorldPlayer(world, name) for name in robots]
        phrasing, seed = world.profile.message_phrasing, world.seed * 1_000_003
        self._agents = [
            self._kind.make(player, seed=seed + number, phrasing=phrasing)
            for number, player in enumerate(self._players)
        ]
        self._next_step = 0

    def on_event(self, event: object) -> None:
        """Take an event of the host, on its thread."""
        if event is HostEvent.RUN:
            self._begin(self._world)
        elif isinstance(event, Cycle) and event.snapshot.tick >= self._next_step:
            self._next_step = event.snapshot.tick + self._step_ticks
            for agent in self._agents:
                agent.step()
