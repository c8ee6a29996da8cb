# SPDX-License-Identifier: Apache-2.0
"""N worlds in this process as a vector environment of stable-baselines3."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from gymnasium.spaces import Box

from roboskate_game.environments.single import OBSERVATION_LIMIT
from roboskate_game.environments.task import Options, Task
from roboskate_game.learning.policy import OBSERVATIONS, History
from roboskate_game.model.rules import End, Singles

try:
    from stable_baselines3.common.vec_env.base_vec_env import VecEnv
except ImportError as missing:
    raise ImportError(
        "sb3_worlds needs stable-baselines3, which is optional: pip install stable-baselines3"
    ) from missing


class Worlds(VecEnv):
    """RoboSkateNumerical ``count`` times on arrays, restarted in the step of an end.

    ``history``: how many steps are remembered in the observations, see Policy.
    """

    def __init__(self, count: int, seed: int, history: int = 0, **options: Any) -> None:
        self._task = Task(Options(**options), count)
        self._history = History(count, history)
        self._seen: Singles = np.zeros((count, OBSERVATIONS), np.float32)
        self._task.seed(seed)
        self._returns = np.zeros(count)
        self._lengths = np.zeros(count, int)
        self._levels = np.zeros(count, int)
        self._started = time.monotonic()
        self._actions = np.zeros((count, 3), np.float32)
        self.render_mode = None
        limit, width = OBSERVATION_LIMIT, self._history.inputs(self._seen).shape[1]
        super().__init__(
            count, Box(-limit, limit, (width,), np.float32), Box(-1.0, 1.0, (3,), np.float32)
        )

    def reset(self) -> Any:
        """Begin an episode in every world."""
        return self._begin(np.arange(self.num_envs))

    def _begin(self, worlds: Any) -> Any:
        self._seen = self._task.reset(worlds)
        self._history.forget(worlds)
        self._returns[worlds] = 0.0
        self._lengths[worlds] = 0
        self._levels[worlds] = self._task.levels[worlds]
        return self._history.inputs(self._seen)

    def step_async(self, actions: Any) -> None:
        """Keep the actions for step_wait."""
        self._actions = actions

    def step_wait(self) -> Any:
        """Let a step pass in all worlds."""
        outcome = self._task.step(self._actions)
        self._history.add(self._seen, self._actions)
        self._seen = outcome.observations
        self._returns += outcome.rewards
        self._lengths += 1
        over = np.flatnonzero(outcome.ends != End.NONE)
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        observations = self._history.inputs(self._seen)
        if len(over):
            reached = self._task.info(outcome.ends)["next_checkpoint"]
            for world in over.tolist():
                infos[world] = {
                    "terminal_observation": observations[world].copy(),
                    "TimeLimit.truncated": bool(outcome.ends[world] == End.STEPS),
                    "end": End(outcome.ends[world]).name.lower(),
                    "is_success": bool(outcome.ends[world] == End.FINISHED),
                    "level": int(self._levels[world]),
                    "next_checkpoint": int(reached[world]),
                    "episode": {
                        "r": float(self._returns[world]),
                        "l": int(self._lengths[world]),
                        "t": round(time.monotonic() - self._started, 3),
                    },
                }
            observations = self._begin(over)
        return observations, outcome.rewards, outcome.ends != End.NONE, infos

    def close(self) -> None:
        """Close the games. Idempotent."""
        self._task.close()

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Seed the levels and the variation of the next episodes."""
        if seed is not None:
            self._task.seed(seed)
        return [seed] * self.num_envs

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """Return an attribute of this object once per world."""
        return [getattr(self, attr_name)] * len(list(self._get_indices(indices)))

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Refuse: the worlds are no objects of their own."""
        raise NotImplementedError("the worlds are arrays: no attribute of one can be set")

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> Any:
        """Refuse: the worlds are no objects of their own."""
        raise NotImplementedError("the worlds are arrays: no method of one can be called")

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """Return False per world."""
        chosen: Iterable[int] = self._get_indices(indices)
        return [False for _ in chosen]
