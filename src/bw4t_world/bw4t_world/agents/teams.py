# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The example teams by name, and how to let one play in a world."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import Protocol

from bw4t_world.agents.agent import Agent
from bw4t_world.agents.epartner import EPartnerAgent
from bw4t_world.agents.player import Argument, Player
from bw4t_world.agents.searcher import Searcher
from bw4t_world.messages import Phrasing
from bw4t_world.model.percepts import PerceptUpdate
from bw4t_world.simulation.consumers import Consumer
from bw4t_world.simulation.world import World

STEP_SECONDS = 0.1
"""How often an agent thinks, in simulated seconds."""


class AgentMaker(Protocol):
    """Makes the agent of one robot."""

    def __call__(
        self, player: Player, *, seed: int = 0, phrasing: Phrasing = Phrasing.DOCUMENT
    ) -> Agent:
        """Return an agent that drives the robot of ``player``."""


@dataclass(frozen=True, slots=True)
class TeamKind:
    """An example team: what it is, and how to make its members."""

    summary: str
    make: AgentMaker


TEAMS: Mapping[str, TeamKind] = {
    "lone_searcher": TeamKind(
        "one robot that searches the rooms and delivers what is due, without a word",
        partial(Searcher, talks=False),
    ),
    "searchers": TeamKind(
        "robots that tell each other what they see and who gets what",
        partial(Searcher, talks=True),
    ),
}
"""The example teams by name."""


def team_kind(name: str) -> TeamKind:
    """Return an example team by name, or one whose members are agents ``module:Class``.

    Such a class is called as an :class:`AgentMaker`. Raises ``ValueError``, with the known names.
    """
    if name in TEAMS:
        return TEAMS[name]
    module, colon, attribute = name.partition(":")
    if not colon:
        known = ", ".join(TEAMS)
        raise ValueError(f"there is no team {name!r}; the teams are {known}, or module:Class")
    try:
        return TeamKind(name, getattr(import_module(module), attribute))
    except (ImportError, AttributeError, ValueError) as error:
        raise ValueError(f"there are no agents {name!r}: {error}") from error


class WorldPlayer(Player):
    """Plays one robot of a world, from when it is made until :meth:`close`."""

    def __init__(self, world: World, name: str) -> None:
        self._consumer: Consumer = world.connect(name)

    def percepts(self) -> PerceptUpdate:
        """Return what has been perceived since the last call."""
        return self._consumer.poll()

    def act(self, action: str, *arguments: Argument) -> None:
        """Do an action; raises :class:`bw4t_world.model.errors.ActionError`."""
        self._consumer.act(action, *arguments)

    def close(self) -> None:
        """Stop playing."""
        self._consumer.close()


class Team:
    """Agents for the robots and e-partners that are in a world now.

    With ``humans=False`` human bots have no agent. Raises ``ValueError`` with the known
    names for an unknown ``kind``, see :func:`team_kind`.
    """

    def __init__(
        self, world: World, kind: str = "searchers", *, seed: int = 0, humans: bool = True
    ) -> None:
        make = team_kind(kind).make
        self.world = world
        self.ticks_per_step = max(1, round(STEP_SECONDS / world.profile.tick_seconds))
        robots = [r.name for r in world.snapshot().robots if humans or r.kind == "bot"]
        self._players = [WorldPlayer(world, name) for name in robots]
        self.agents = [
            # Not the same random waits for all, or they would run into each other for ever.
            make(player, seed=seed * 1_000_003 + number, phrasing=world.profile.message_phrasing)
            for number, player in enumerate(self._players)
        ]
        helpers = [WorldPlayer(world, other.name) for other in world.snapshot().epartners]
        self._players += helpers
        self._helpers = [
            EPartnerAgent(player, phrasing=world.profile.message_phrasing) for player in helpers
        ]

    def think(self) -> None:
        """Let every agent think once."""
        for agent in self.agents:
            agent.step()
        for helper in self._helpers:
            helper.step()

    def step(self) -> None:
        """Let every agent think once, then let the time of one step pass."""
        self.think()
        self.world.tick(self.ticks_per_step)

    def play(self, max_ticks: int, on_step: Callable[[World], None] | None = None) -> bool:
        """Play until the sequence is complete, or for a number of ticks; return which.

        ``on_step`` is called after every step. A paused world is not waited for.
        """
        end = self.world.now + max_ticks
        while not self.world.is_complete and self.world.now < end and not self.world.is_paused:
            self.step()
            if on_step is not None:
                on_step(self.world)
        return self.world.is_complete

    def close(self) -> None:
        """Leave the robots alone."""
        for player in self._players:
            player.close()
