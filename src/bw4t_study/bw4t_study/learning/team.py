# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A team of robots as environments of PettingZoo, all at once or one after the other."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils import parallel_to_aec

from bw4t_study.learning.episodes import Episode, Rules
from bw4t_study.learning.robot import Mask, Observation

WORLD_SEEDS = 2**31


def checked_mode(render_mode: str | None) -> str | None:
    """Return a render mode; raises ValueError for one that there is not."""
    if render_mode not in (None, "rgb_array"):
        raise ValueError(f"render_mode is None or 'rgb_array', not {render_mode!r}")
    return render_mode


def generator(seed: object) -> np.random.Generator:
    """Return random numbers of a seed, by chance for None; raises ValueError for no seed."""
    if seed is None or (isinstance(seed, (int, np.integer)) and seed >= 0):
        return np.random.default_rng(seed)
    raise ValueError(f"a seed is a whole number from 0 on, or None, not {seed!r:.40}")


class BlocksWorldParallelEnv(ParallelEnv[str, Observation, int]):
    """Robots that act at once; see :class:`bw4t_study.learning.Episode` for the numbers.

    ``rules`` are the fields of :class:`bw4t_study.learning.Rules`. Each game has another world;
    ``reset(seed=N)`` makes all that follow repeatable. Raises ValueError and MapError.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "bw4t_blocks_world_v0",
        "render_modes": ["rgb_array"],
        "render_fps": 2,
    }

    def __init__(self, render_mode: str | None = None, **rules: Any) -> None:
        self.render_mode = checked_mode(render_mode)
        self.episode = Episode(Rules(**rules))
        self.possible_agents = list(self.episode.names)
        self.agents: list[str] = []
        self._random = np.random.default_rng()
        box = spaces.Box(0.0, 1.0, (self.episode.size,), np.float32)
        action = spaces.Discrete(self.episode.actions)
        self.observation_spaces = dict.fromkeys(self.possible_agents, box)
        self.action_spaces = {
            name: spaces.Discrete(int(action.n)) for name in self.possible_agents
        }

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of a robot's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of a robot's actions."""
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Mask]]]:
        """Begin a game."""
        if seed is not None:
            self._random = generator(seed)
        self.episode.reset(int(self._random.integers(WORLD_SEEDS)))
        self.agents = list(self.possible_agents)
        return self._observations()

    def _observations(self) -> tuple[dict[str, Observation], dict[str, dict[str, Mask]]]:
        episode = self.episode
        return (
            {name: episode.observe(name) for name in self.agents},
            {name: {"action_mask": episode.mask(name)} for name in self.agents},
        )

    def step(self, actions: dict[str, int]) -> tuple[Any, Any, Any, Any, Any]:
        """Let robots act and time pass. Raises ValueError for wrong actions, and after the end."""
        if not self.agents:
            raise ValueError("the game is over, or has not begun: reset")
        reward, complete, over = self.episode.step(actions)
        observations, infos = self._observations()
        agents = self.agents
        if complete or over:
            self.agents = []
        return (
            observations,
            dict.fromkeys(agents, reward),
            dict.fromkeys(agents, complete),
            dict.fromkeys(agents, over),
            infos,
        )

    def render(self) -> Any:
        """Return a picture of the world (height, width, RGB)."""
        return self.episode.picture()

    def close(self) -> None:
        """Do nothing: there is nothing to free."""


def parallel_env(**options: Any) -> BlocksWorldParallelEnv:
    """Return an environment whose robots act at once."""
    return BlocksWorldParallelEnv(**options)


def aec_env(**options: Any) -> AECEnv[str, Observation, int]:
    """Return an environment whose robots act one after the other; time passes after the last."""
    env: AECEnv[str, Observation, int] = parallel_to_aec(BlocksWorldParallelEnv(**options))
    return env
