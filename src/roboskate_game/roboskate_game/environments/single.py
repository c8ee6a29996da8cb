# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""One game as a gymnasium environment, with three kinds of observation."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Dict
from numpy.typing import NDArray

from roboskate_game.environments.task import IMAGE_SIZE, Options, Task, as_numbers
from roboskate_game.environments.window import Window
from roboskate_game.model.rules import End, Singles

Action = NDArray[np.float32]
Info = dict[str, Any]

OBSERVATION_LIMIT = 10.0
_ONE = np.zeros(1, np.intp)


class _Environment(gymnasium.Env[Any, Action]):
    """What the three have in common; ``options`` are those of Options."""

    metadata: dict[str, Any] = {  # noqa: RUF012 - as gymnasium declares it
        "render_modes": ["human", "rgb_array"],
        "render_fps": 5,
    }

    def __init__(self, *, render_mode: str | None = None, **options: Any) -> None:
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"render_mode must be None, human or rgb_array, not {render_mode!r}")
        self.render_mode = render_mode
        self._task = Task(Options(**options), 1)
        self._window: Window | None = None
        self._begun = False
        self.action_space = Box(-1.0, 1.0, (3,), np.float32)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, Info]:
        """Begin an episode; ``options`` may name a ``level``."""
        super().reset(seed=seed)
        self._task.rngs = [self.np_random]
        numbers = self._task.reset(_ONE, (options or {}).get("level"))
        self._begun = True
        self._show()
        return self._observation(numbers[0]), self._info(End.NONE)

    def step(self, action: Action) -> tuple[Any, float, bool, bool, Info]:
        """Let joint forces act, action times ``force``, for ``step_seconds`` of game time.

        Raises ValueError, with nothing changed, for an action that is not three finite numbers.
        """
        if not self._begun:
            raise gymnasium.error.ResetNeeded("step was called before reset")
        given = as_numbers(action)
        if given.shape != (3,):
            raise ValueError(f"an action must have the shape (3,), not {given.shape}")
        outcome = self._task.step(given[np.newaxis])
        end = End(outcome.ends[0])
        self._show()
        return (
            self._observation(outcome.observations[0]),
            float(outcome.rewards[0]),
            end not in (End.NONE, End.STEPS),
            end is End.STEPS,
            self._info(end),
        )

    def render(self) -> NDArray[np.uint8] | None:
        """Return the camera's image (height, width, 3), RGB, in render mode "rgb_array"."""
        if self.render_mode != "rgb_array" or not self._begun:
            return None
        image: NDArray[np.uint8] = self._task.images()[0]
        return image

    def close(self) -> None:
        """End the connection and the window. Idempotent."""
        self._begun = False
        self._task.close()
        if self._window is not None:
            self._window.close()
            self._window = None

    def _observation(self, numbers: Singles) -> Any:
        raise NotImplementedError

    def _info(self, end: End) -> Info:
        info: Info = {
            key: value.item(0) if value.ndim == 1 else value[0]
            for key, value in self._task.info(np.array([end], np.int8)).items()
        }
        return info

    def _show(self) -> None:
        if self.render_mode == "human":
            if self._window is None:
                self._window = Window("RoboSkate", self.metadata["render_fps"])
            self._window.show(self._task.images()[0])


class RoboSkateNumerical(_Environment):
    """Ten numbers, see rules.py: the original's RoboSkateNumerical."""

    def __init__(self, *, render_mode: str | None = None, **options: Any) -> None:
        super().__init__(render_mode=render_mode, **options)
        self.observation_space = Box(-OBSERVATION_LIMIT, OBSERVATION_LIMIT, (10,), np.float32)

    def _observation(self, numbers: Singles) -> Singles:
        return numbers


class RoboSkateMultiInput(_Environment):
    """An image (3, height, width) and nine numbers: the steering angle must be seen.

    The original divides the image by 255 and declares it uint8; here it is uint8, 0 to 255.
    """

    def __init__(self, *, render_mode: str | None = None, **options: Any) -> None:
        options = {"width": 98, "height": 30, **options}
        super().__init__(render_mode=render_mode, **options)
        chosen = self._task.options
        self.observation_space = Dict(
            image=Box(0, 255, (3, chosen.height, chosen.width), np.uint8),
            numeric=Box(-OBSERVATION_LIMIT, OBSERVATION_LIMIT, (9,), np.float32),
        )

    def _observation(self, numbers: Singles) -> dict[str, NDArray[Any]]:
        image = np.ascontiguousarray(self._task.images()[0].transpose(2, 0, 1))
        return {"image": image, "numeric": numbers[:9]}


class RoboSkateImage(_Environment):
    """The camera's image (height, width, 3), RGB, and nothing else."""

    def __init__(self, *, render_mode: str | None = None, **options: Any) -> None:
        options = {**asdict(IMAGE_SIZE), **options}
        super().__init__(render_mode=render_mode, **options)
        chosen = self._task.options
        self.observation_space = Box(0, 255, (chosen.height, chosen.width, 3), np.uint8)

    def _observation(self, numbers: Singles) -> NDArray[np.uint8]:
        image: NDArray[np.uint8] = self._task.images()[0]
        return image
