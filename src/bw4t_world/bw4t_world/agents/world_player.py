# SPDX-License-Identifier: Apache-2.0
"""The link of an agent to a world in the same process."""

from __future__ import annotations

from bw4t_world.agents.player import Argument, Player
from bw4t_world.consumers import Consumer
from bw4t_world.percepts import PerceptUpdate
from bw4t_world.world import World


class WorldPlayer(Player):
    """Plays one robot of a world, from when it is made until :meth:`close`."""

    def __init__(self, world: World, name: str) -> None:
        self._consumer: Consumer = world.connect(name)

    def percepts(self) -> PerceptUpdate:
        """Return what has been perceived since the last call."""
        return self._consumer.poll()

    def act(self, action: str, *arguments: Argument) -> None:
        """Do an action; raises :class:`bw4t_world.errors.ActionError`."""
        self._consumer.act(action, *arguments)

    def close(self) -> None:
        """Stop playing."""
        self._consumer.close()
