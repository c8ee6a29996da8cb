# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""RoboSkate for learning: gymnasium environments without ROS, in this process or over the wire.

Needs gymnasium, which is optional::

    import gymnasium
    import roboskate_game.environments  # registers the names

    env = gymnasium.make("RoboSkateNumerical-v0", level=1)
    envs = gymnasium.make_vec("RoboSkateNumerical-v0", num_envs=64)
"""

from __future__ import annotations

try:
    import gymnasium
except ImportError as missing:
    raise ImportError(
        "roboskate_game.environments needs gymnasium, which is optional: pip install gymnasium"
    ) from missing

from roboskate_game.environments.randomness import PRESETS, Randomness
from roboskate_game.environments.single import (
    RoboSkateImage,
    RoboSkateMultiInput,
    RoboSkateNumerical,
)
from roboskate_game.environments.vector import RoboSkateImageVector, RoboSkateVector
from roboskate_game.model.rules import End, Rules

EPISODE_STEPS = 1000
"""Of the registered environments, as of the original's; the classes themselves: 2000."""
REWARD_THRESHOLD = 1480.0
"""Return of the shipped policy in an episode from level 0, by the original's rules."""

for _name, _class, _vector in (
    ("RoboSkateNumerical-v0", "single:RoboSkateNumerical", "vector:RoboSkateVector"),
    ("RoboSkateMultiInput-v0", "single:RoboSkateMultiInput", None),
    ("RoboSkateImage-v0", "single:RoboSkateImage", "vector:RoboSkateImageVector"),
):
    if _name not in gymnasium.registry:
        gymnasium.register(
            _name,
            entry_point=f"{__name__}.{_class}",
            vector_entry_point=f"{__name__}.{_vector}" if _vector else None,
            max_episode_steps=EPISODE_STEPS,
            reward_threshold=REWARD_THRESHOLD,
        )

__all__ = [
    "EPISODE_STEPS",
    "PRESETS",
    "REWARD_THRESHOLD",
    "End",
    "Randomness",
    "RoboSkateImage",
    "RoboSkateImageVector",
    "RoboSkateMultiInput",
    "RoboSkateNumerical",
    "RoboSkateVector",
    "Rules",
]
