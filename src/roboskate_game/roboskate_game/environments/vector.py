# SPDX-License-Identifier: Apache-2.0
"""N games as one gymnasium vector environment, on arrays."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Box
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from roboskate_game.environments.single import OBSERVATION_LIMIT
from roboskate_game.environments.task import Options, Task
from roboskate_game.model.rules import End, Singles

Flags = NDArray[np.bool_]
Info = dict[str, Any]


class RoboSkateVector(VectorEnv[Any, Any, Any]):
    """RoboSkateNumerical ``num_envs`` times; ``max_episode_steps`` is ``max_episode_length``.

    After an end the next step begins an episode and returns its first observation with reward 0
    (gymnasium's autoreset mode NEXT_STEP). ``options`` are those of Options.
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
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"render_mode must be None or rgb_array, not {render_mode!r}")
        self.num_envs = num_envs
        self.render_mode = render_mode
        if max_episode_steps is not None:
            # The limit counts steps; the original's own option is passed one step later.
            options["max_episode_length"] = max_episode_steps - 1
        self._task = Task(Options(**options), num_envs)
        self.single_action_space = Box(-1.0, 1.0, (3,), np.float32)
        self.single_observation_space = self._space()
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._all = np.arange(num_envs)
        self._over: Flags | None = None

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: Info | None = None
    ) -> tuple[Any, Info]:
        """Begin an episode in every game; one seed is for all of them together."""
        if isinstance(seed, (list, tuple)):
            given = [each for each in seed if each is not None]
            self._np_random, self._np_random_seed = gymnasium.utils.seeding.np_random(
                int(np.random.SeedSequence(given).generate_state(1)[0]) if given else None
            )
        else:
            super().reset(seed=seed)
        numbers = self._task.reset(self._all, self.np_random, (options or {}).get("level"))
        self._over = np.zeros(self.num_envs, bool)
        return self._observations(numbers), self._info(np.zeros(self.num_envs, np.int8))

    def step(self, actions: Any) -> tuple[Any, NDArray[np.float64], Flags, Flags, Info]:
        """Let a step pass; see RoboSkateNumerical."""
        if self._over is None:
            raise gymnasium.error.ResetNeeded("step was called before reset")
        over = self._over
        going = np.flatnonzero(~over)
        outcome = self._task.step(np.asarray(actions, np.float32), going if over.any() else None)
        rewards, ends, numbers = outcome.rewards, outcome.ends, outcome.observations
        if over.any():
            numbers = self._task.reset(np.flatnonzero(over), self.np_random)
            rewards = np.where(over, 0.0, rewards)
            ends = np.where(over, np.int8(End.NONE), ends)
        self._over = ends != End.NONE
        truncated = ends == End.STEPS
        return (
            self._observations(numbers),
            rewards,
            self._over & ~truncated,
            truncated,
            self._info(ends),
        )

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

    def _info(self, ends: NDArray[np.int8]) -> Info:
        everywhere = np.ones(self.num_envs, bool)
        info: Info = {**self._task.info(), "end": ends}
        return {**info, **{f"_{key}": everywhere for key in info}}


class RoboSkateImageVector(RoboSkateVector):
    """RoboSkateImage ``num_envs`` times."""

    def __init__(self, num_envs: int = 1, **options: Any) -> None:
        super().__init__(num_envs, **{"width": 96, "height": 54, **options})

    def _space(self) -> Box:
        chosen = self._task.options
        return Box(0, 255, (chosen.height, chosen.width, 3), np.uint8)

    def _observations(self, numbers: Singles) -> Any:
        return self._task.images()
