# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""N worlds in this process as a vector environment of stable-baselines3."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
from gymnasium.spaces import Box

from roboskate_game.environments.single import OBSERVATION_LIMIT
from roboskate_game.environments.task import IMAGE_SIZE, Options, Task
from roboskate_game.learning.memory import OBSERVATIONS, Memory, policy_inputs
from roboskate_game.model.rules import CHECKPOINT_DISCS, LAST_CHECKPOINT, PLACE, End, Singles

try:
    from stable_baselines3.common.vec_env.base_vec_env import VecEnv
except ImportError as missing:
    raise ImportError(
        "sb3_worlds needs stable-baselines3, which is optional: pip install stable-baselines3"
    ) from missing


TRUTHS = LAST_CHECKPOINT + 6


def truth_of(task: Task) -> Singles:
    """Return where boards really are (n, TRUTHS): what no observation says.

    One for the number of the next checkpoint, the way to it (x and y, m), heading (cosine and
    sine) and height (m).
    """
    place, following = task.scorer.numbers[:, PLACE], task.scorer.column("next").astype(int)
    yaw = np.radians(task.scorer.column("yaw"))
    columns = (
        np.eye(LAST_CHECKPOINT + 1)[following],
        CHECKPOINT_DISCS[following, :2] - place[:, :2],
        np.cos(yaw),
        np.sin(yaw),
        place[:, 2],
    )
    return np.column_stack(columns).astype(np.float32)


class Worlds(VecEnv):
    """RoboSkateNumerical ``count`` times on arrays, restarted in the step of an end.

    Parameters
    ----------
    history
        How many steps are remembered in the observations, see Memory.
    place
        Whether the place on the map, as estimated, is in them too.
    truth
        Behind what a policy sees stand the numbers of truth_of, which only a critic may use.
    pictures
        As RoboSkateImage instead.
    options
        Those of Options.

    """

    def __init__(
        self,
        count: int,
        seed: int,
        history: int = 0,
        *,
        place: bool = False,
        truth: bool = False,
        pictures: bool = False,
        **options: Any,
    ) -> None:
        self._task = Task(Options(**{**asdict(IMAGE_SIZE), **options}), count)
        self._pictures = pictures
        self._memory = Memory(count, history, place, self._task.options.step_seconds)
        self._truth = truth
        self._seen: Singles = np.zeros((count, OBSERVATIONS), np.float32)
        self._task.seed(seed)
        self._returns = np.zeros(count)
        self._lengths = np.zeros(count, int)
        self._levels = np.zeros(count, int)
        self._started = time.monotonic()
        self._actions = np.zeros((count, 3), np.float32)
        self.render_mode = None
        limit, width = OBSERVATION_LIMIT, policy_inputs(history, place) + TRUTHS * truth
        numbers = Box(-limit, limit, (width,), np.float32)
        images = Box(0, 255, (IMAGE_SIZE.height, IMAGE_SIZE.width, 3), np.uint8)
        super().__init__(count, images if pictures else numbers, Box(-1.0, 1.0, (3,), np.float32))

    def reset(self) -> Any:
        """Begin an episode in every world."""
        return self._begin(np.arange(self.num_envs))

    def _begin(self, worlds: Any) -> Any:
        self._seen = self._task.reset(worlds)
        self._returns[worlds] = 0.0
        self._lengths[worlds] = 0
        self._levels[worlds] = self._task.levels[worlds]
        self._memory.begin(worlds, self._levels[worlds], self._seen[worlds])
        return self._inputs()

    def _inputs(self) -> Any:
        if self._pictures:
            return self._task.images()
        seen = self._memory.inputs(self._seen)
        return np.concatenate((seen, truth_of(self._task)), axis=1) if self._truth else seen

    def step_async(self, actions: Any) -> None:
        """Keep the actions for step_wait."""
        self._actions = actions

    def step_wait(self) -> Any:
        """Let a step pass in all worlds."""
        outcome = self._task.step(self._actions)
        self._memory.add(self._seen, self._actions, outcome.observations)
        self._seen = outcome.observations
        self._returns += outcome.rewards
        self._lengths += 1
        over = np.flatnonzero(outcome.ends != End.NONE)
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        observations = self._inputs()
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
