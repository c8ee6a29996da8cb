# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""One robot as an environment of gymnasium, and many such worlds in one process."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from bw4t_study.learning.episodes import NOTHING, Episode, Rules
from bw4t_study.learning.robot import Observation
from bw4t_study.learning.team import WORLD_SEEDS, checked_mode, generator

NAME = "Bot_1"

PATIENCE_S = 2.0
"""Simulated seconds after which a robot that chose to do nothing is asked again."""


class BlocksWorldEnv(gymnasium.Env[Observation, np.int64]):
    """One robot that searches and delivers alone; see :class:`bw4t_study.learning.Episode`.

    ``rules`` are the fields of :class:`bw4t_study.learning.Rules`. With more ``robots`` these
    decide in turn, each by its own observation: an action is that of the robot :attr:`turn`, and
    the step lasts until the next one has to decide. That is the one of those that stand which has
    decided longest ago; one that chose to do nothing is asked again when other rooms are occupied
    or a block has been delivered, or after ``PATIENCE_S``. Raises ValueError and MapError.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": 2}  # noqa: RUF012

    def __init__(self, render_mode: str | None = None, **rules: Any) -> None:
        self.render_mode = checked_mode(render_mode)
        self.episode = Episode(Rules(**{"robots": 1} | rules))
        if self.episode.rules.robots > 1 and not self.episode.rules.until_stop:
            raise ValueError("robots decide in turn with until_stop=True; else take parallel_env")
        self.observation_space = spaces.Box(0.0, 1.0, (self.episode.size,), np.float32)
        self.action_space = spaces.Discrete(self.episode.actions)
        self.turn = NAME
        """The robot that decides now."""

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a game."""
        super().reset(seed=seed)
        return self.begin(int(self.np_random.integers(WORLD_SEEDS)))

    def begin(self, world_seed: int) -> tuple[Observation, dict[str, Any]]:
        """Begin the game of one world."""
        self.episode.reset(world_seed)
        self._order = list(self.episode.names)
        self._waiting: dict[str, tuple[int, Any]] = {}
        self.turn = NAME
        return self._observation()

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which actions can do something now, as sb3-contrib asks for it."""
        return self.episode.mask(self.turn).astype(bool)

    def _observation(self) -> tuple[Observation, dict[str, Any]]:
        episode, name = self.episode, self.turn
        return episode.observe(name), {"action_mask": episode.mask(name)}

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Act and let time pass."""
        episode, name = self.episode, self.turn
        all_go_on = dict.fromkeys(episode.names, NOTHING)
        reward, complete, over = episode.step(all_go_on | {name: action})
        if len(episode.names) > 1:
            self._order.remove(name)
            self._order.append(name)
            self._waiting.pop(name, None)
            if action == NOTHING:
                self._waiting[name] = (episode.world.now, self._news(name))
            while not (complete or over or self._is_next_found()):
                more, complete, over = episode.step(all_go_on)
                reward += more
        observation, info = self._observation()
        return observation, reward, complete, over, info | {"is_success": complete}

    def _is_next_found(self) -> bool:
        world = self.episode.world
        patience = PATIENCE_S / world.profile.tick_seconds
        for name in self._order:
            since, news = self._waiting.get(name, (-patience, None))
            waits = world.now < since + patience and news == self._news(name)
            if not waits and not self.episode.robots[name].beliefs.is_moving:
                self.turn = name
                return True
        return False

    def _news(self, name: str) -> Any:
        beliefs = self.episode.robots[name].beliefs
        return beliefs.sequence_index, beliefs.occupied

    def render(self) -> Any:
        """Return a picture of the world (height, width, RGB)."""
        return self.episode.picture()


class BlocksWorldVectorEnv(gymnasium.vector.VectorEnv[Any, Any, Any]):
    """``num_envs`` worlds in this process; one that has ended begins again in the next step."""

    metadata: dict[str, Any] = {  # noqa: RUF012
        "autoreset_mode": AutoresetMode.NEXT_STEP,
        "render_modes": ["rgb_array"],
        "render_fps": 2,
    }

    def __init__(self, num_envs: int = 1, render_mode: str | None = None, **rules: Any) -> None:
        if type(num_envs) is not int or num_envs < 1:
            raise ValueError(f"num_envs: a whole number from 1 on, not {num_envs!r}")
        self.num_envs = num_envs
        self.render_mode = checked_mode(render_mode)
        self.episodes = [Episode(Rules(robots=1, **rules)) for _ in range(num_envs)]
        size, actions = self.episodes[0].size, self.episodes[0].actions
        self.single_observation_space = spaces.Box(0.0, 1.0, (size,), np.float32)
        self.single_action_space = spaces.Discrete(actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._observations = np.zeros((num_envs, size), np.float32)
        self._masks = np.ones((num_envs, actions), np.int8)
        self._ended = np.zeros(num_envs, bool)
        self._randoms: list[np.random.Generator] = []

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Begin all games; world i has seed + i, as with gymnasium's SyncVectorEnv."""
        if seed is not None or not self._randoms:
            seeds: list[Any]
            if isinstance(seed, (list, tuple, np.ndarray)):
                seeds = list(seed)
            else:
                generator(seed)  # or it raises ValueError
                seeds = [None if seed is None else seed + i for i in range(self.num_envs)]
            if len(seeds) != self.num_envs:
                raise ValueError(f"{len(seeds)} seeds for {self.num_envs} worlds")
            self._randoms = [generator(one) for one in seeds]
        self._ended[:] = False
        for number in range(self.num_envs):
            self._begin(number)
        return self._observations.copy(), {"action_mask": self._masks.copy()}

    def _begin(self, number: int) -> None:
        seed = int(self._randoms[number].integers(WORLD_SEEDS))
        self.episodes[number].reset(seed)
        self._look(number)

    def _look(self, number: int) -> None:
        self._observations[number] = self.episodes[number].observe(NAME)
        self._masks[number] = self.episodes[number].mask(NAME)

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Act in all worlds and let time pass.

        Raises ValueError for wrong actions; then no world has moved.
        """
        if not isinstance(actions, (list, tuple, np.ndarray)):
            raise ValueError(f"actions: a number for each world, not {actions!r:.40}")
        if len(actions) != self.num_envs:
            raise ValueError(f"{len(actions)} actions for {self.num_envs} worlds")
        for number, episode in enumerate(self.episodes):
            episode.checked_action(f"world {number}", actions[number])
        rewards = np.zeros(self.num_envs)
        terminated, truncated = np.zeros(self.num_envs, bool), np.zeros(self.num_envs, bool)
        for number, episode in enumerate(self.episodes):
            if self._ended[number]:
                self._begin(number)
                continue
            outcome = episode.step({NAME: actions[number]})
            rewards[number], terminated[number], truncated[number] = outcome
            self._look(number)
        self._ended = terminated | truncated
        infos = {"action_mask": self._masks.copy(), "is_success": terminated.copy()}
        return self._observations.copy(), rewards, terminated, truncated, infos

    def render(self) -> tuple[Any, ...] | None:
        """Return a picture of each world (height, width, RGB)."""
        if self.render_mode is None:
            return None
        return tuple(episode.picture() for episode in self.episodes)
