# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Play by a policy from pictures, a model.zip of stable-baselines3's PPO."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from roboskate_game.environments.task import IMAGE_SIZE, Task
from roboskate_game.learning.contestants import Agent, Contestant
from roboskate_game.learning.policy import PolicyError
from roboskate_game.model.rules import FORCE, STEP_SECONDS

try:
    from stable_baselines3 import PPO
except ImportError as missing:
    raise ImportError(
        "a model.zip needs stable-baselines3, which is optional: pip install stable-baselines3"
    ) from missing

FRAMES = 4
"""How many pictures such a policy sees, the latest last."""
_SHAPE = (3 * FRAMES, IMAGE_SIZE.height, IMAGE_SIZE.width)


class _PictureAgent:
    def __init__(self, model: PPO, task: Task) -> None:
        self._model, self._task = model, task
        self._frames = np.zeros((task.count, *_SHAPE), np.uint8)

    def act(self, observations: Any) -> Any:
        """Return actions for what the cameras see."""
        self._frames[:, :-3] = self._frames[:, 3:].copy()
        self._frames[:, -3:] = self._task.images().transpose(0, 3, 1, 2)
        return self._model.predict(self._frames, deterministic=True)[0]


def picture_policy(path: Path) -> Contestant:
    """Return the policy in a file as a contestant. Raises PolicyError."""
    try:
        model = PPO.load(path, device="cpu")
    except (OSError, ValueError, KeyError, zipfile.BadZipFile) as error:
        raise PolicyError(f"{path} holds no policy: {error}") from error
    shape = model.observation_space.shape
    if shape != _SHAPE:
        raise PolicyError(f"{path} is of a policy for observations of {shape}, not {_SHAPE}")

    def agent(task: Task, level: int) -> Agent:
        return _PictureAgent(model, task)

    return Contestant(FORCE, STEP_SECONDS, agent)
