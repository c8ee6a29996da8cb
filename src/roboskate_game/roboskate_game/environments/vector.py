# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""N games as one gymnasium vector environment, on arrays."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Box
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from roboskate_game.environments.single import OBSERVATION_LIMIT
from roboskate_game.environments.task import IMAGE_SIZE, Options, Task, check_count
from roboskate_game.model.rules import End, Singles

Flags = NDArray[np.bool_]
Info = dict[str, Any]


class RoboSkateVector(VectorEnv[Any, Any, Any]):
    """RoboSkateNumerical ``num_envs`` times: what gymnasium's SyncVectorEnv would be, on arrays.

    Parameters
    ----------
    max_episode_steps
        Steps after which an episode is truncated, as by gymnasium's TimeLimit.
    autoreset_mode
        One of gymnasium's AutoresetMode. NEXT_STEP: the step after an end begins an episode and
        returns its first observation with reward 0. SAME_STEP: the step of the end does, and info
        has ``final_obs`` and ``final_info``. DISABLED: ``reset`` with the option ``reset_mask``.
    options
        Those of Options.

    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - as gymnasium declares it
        "render_modes": ["rgb_array"],
        "render_fps": 5,
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self,
        num_envs: int = 1,
        *,
        max_episode_steps: int | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"render_mode must be None or rgb_array, not {render_mode!r}")
        if max_episode_steps is not None:
            check_count("max_episode_steps", max_episode_steps)
        self._limit = max_episode_steps or sys.maxsize
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": self.autoreset_mode}
        self._task = Task(Options(**options), num_envs)
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.single_action_space = Box(-1.0, 1.0, (3,), np.float32)
        self.single_observation_space = self._space()
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._over: Flags | None = None

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: Info | None = None
    ) -> tuple[Any, Info]:
        """Begin an episode in every game, or in those of ``options["reset_mask"]``.

        A seed is that of the first game, the next one has the next number.
        Raises ValueError for a list of seeds or a mask of another length.
        """
        count, chosen = self.num_envs, dict(options or {})
        mask = np.asarray(chosen.pop("reset_mask", np.ones(count, bool)))
        if mask.shape != (count,) or mask.dtype != np.bool_ or not mask.any():
            raise ValueError(f"reset_mask must be {count} booleans, at least one of them True")
        if self._over is None and not mask.all():
            raise gymnasium.error.ResetNeeded("the first reset must be one of all games")
        if seed is None:
            seeds: list[int | None] = [None] * count
        elif isinstance(seed, (int, np.integer)):
            seeds = [int(seed) + i for i in range(count)]
        else:
            seeds = list(seed)
        if len(seeds) != count:
            raise ValueError(f"there must be {count} seeds, one for each game, not {len(seeds)}")
        for world in np.flatnonzero(mask).tolist():
            if seeds[world] is not None or self._over is None:
                self._task.rngs[world] = gymnasium.utils.seeding.np_random(seeds[world])[0]
        numbers = self._task.reset(np.flatnonzero(mask), chosen.get("level"))
        self._over = np.zeros(count, bool) if self._over is None else self._over & ~mask
        return self._observations(numbers), self._info(np.zeros(count, np.int8), mask)

    def step(self, actions: Any) -> tuple[Any, NDArray[np.float64], Flags, Flags, Info]:
        """Let a step pass; see RoboSkateNumerical."""
        if self._over is None:
            raise gymnasium.error.ResetNeeded("step was called before reset")
        over, same_step = self._over, self.autoreset_mode is AutoresetMode.SAME_STEP
        begun = np.zeros(self.num_envs, bool) if same_step else over
        if begun.any() and self.autoreset_mode is AutoresetMode.DISABLED:
            raise gymnasium.error.ResetNeeded("there are ended episodes: reset with reset_mask")
        outcome = self._task.step(actions, np.flatnonzero(~begun) if begun.any() else None)
        rewards, ends, numbers = outcome.rewards, outcome.ends, outcome.observations
        if begun.any():
            numbers = self._task.reset(np.flatnonzero(begun))
            rewards = np.where(begun, 0.0, rewards)
            ends = np.where(begun, np.int8(End.NONE), ends)
        terminated = (ends != End.NONE) & (ends != End.STEPS)
        truncated = (ends == End.STEPS) | (self._task.steps >= self._limit)
        self._over = terminated | truncated
        last: Info = {}
        if same_step and self._over.any():
            final = np.full(self.num_envs, None, object)
            observed = self._observations(numbers)
            for world in np.flatnonzero(self._over).tolist():
                final[world] = observed[world].copy()
            last = {"final_obs": final, "final_info": self._info(ends, self._over)}
            last |= {f"_{key}": self._over.copy() for key in last}
            numbers = self._task.reset(np.flatnonzero(self._over))
            ends = np.where(self._over, np.int8(End.NONE), ends)
        everywhere = np.ones(self.num_envs, bool)
        info = {**self._info(ends, everywhere), **last}
        return self._observations(numbers), rewards, terminated, truncated, info

    def render(self) -> tuple[NDArray[np.uint8], ...] | None:
        """Return the cameras' images in render mode "rgb_array"."""
        return tuple(self._task.images()) if self.render_mode == "rgb_array" else None

    def close_extras(self, **kwargs: Any) -> None:
        """End the connections."""
        self._task.close()

    def _space(self) -> Box:
        return Box(-OBSERVATION_LIMIT, OBSERVATION_LIMIT, (10,), np.float32)

    def _observations(self, numbers: Singles) -> Any:
        return numbers

    def _info(self, ends: NDArray[np.int8], where: Flags) -> Info:
        info: Info = self._task.info(ends)
        return {**info, **{f"_{key}": where.copy() for key in info}}


class RoboSkateImageVector(RoboSkateVector):
    """RoboSkateImage ``num_envs`` times."""

    def __init__(self, num_envs: int = 1, **options: Any) -> None:
        super().__init__(num_envs, **{**asdict(IMAGE_SIZE), **options})

    def _space(self) -> Box:
        chosen = self._task.options
        return Box(0, 255, (chosen.height, chosen.width, 3), np.uint8)

    def _observations(self, numbers: Singles) -> Any:
        return self._task.images()
