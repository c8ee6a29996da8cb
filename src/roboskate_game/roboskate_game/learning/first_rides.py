# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Let plain PPO learn from nothing, and judge it from the ordinary start of level 0.

    pip install stable-baselines3 numba
    python -m roboskate_game.learning.first_rides --seeds 0 1 2 3 4 --output first

Stable-Baselines3's PPO with its default hyperparameters and eight worlds, for some minutes of CPU
time each. Prints a Markdown table; curve.csv has what came of it on the way, by the original's
rewards, and SEED.zip the models. Episodes differ by the actions, which are sampled.
"""

from __future__ import annotations

import argparse
import csv
import logging
import time
from pathlib import Path
from typing import Any

import numpy as np

from legacy_robots_core.printable import set_up_logging
from roboskate_game.environments import EPISODE_STEPS, PRESETS
from roboskate_game.learning.contestants import Contestant
from roboskate_game.learning.evaluate import episodes, finished_interval, randomness_argument
from roboskate_game.model.rules import STEP_SECONDS, Rules

try:
    import torch
    from stable_baselines3 import PPO
    from stable_baselines3.common.callbacks import BaseCallback

    from roboskate_game.learning.sb3_worlds import Worlds
except ImportError as missing:
    raise ImportError(
        "first_rides needs stable-baselines3, which is optional: pip install stable-baselines3"
    ) from missing

WORLDS, CHECKPOINT, EPISODES, ON_THE_WAY = 8, 3, 100, 20
"""Checkpoint 3 is to be passed; episodes at the end, and of each row of the curve."""
_LOG = logging.getLogger("first_rides")


class _Rider:
    def __init__(self, model: PPO, deterministic: bool) -> None:
        self._model, self._deterministic = model, deterministic

    def act(self, observations: Any) -> Any:
        return self._model.predict(observations, deterministic=self._deterministic)[0]


def judged(
    model: PPO, force: float, count: int, *, deterministic: bool = False
) -> tuple[int, float]:
    """Return how many of ``count`` episodes pass the checkpoint, and their median reward."""
    rider = Contestant(force, STEP_SECONDS, lambda task, level: _Rider(model, deterministic))
    played = episodes(rider, 0, count=count)
    passed = sum(each.reached > CHECKPOINT for each in played)
    return passed, float(np.median([each.reward for each in played]))


class _Reporter(BaseCallback):
    """Adds a row to the curve every ``every`` updates, and ends after some seconds of CPU time."""

    def __init__(self, arguments: argparse.Namespace, seed: int) -> None:
        super().__init__()
        self._arguments, self._seed = arguments, seed
        self._limit: float = 60.0 * arguments.minutes
        self._begun = time.process_time()
        self._updates = 0

    @property
    def seconds(self) -> float:
        """CPU time used for learning."""
        return time.process_time() - self._begun

    def _on_step(self) -> bool:
        return self.seconds < self._limit

    def _on_rollout_end(self) -> None:
        self._updates += 1
        if self._updates % self._arguments.every:
            return
        begun = time.process_time()
        row = [self._seed, self.num_timesteps, round(self.seconds)]
        row += judged(self.model, self._arguments.force, ON_THE_WAY)
        with (self._arguments.output / "curve.csv").open("a", newline="") as file:
            csv.writer(file).writerow(row)
        _LOG.info("seed %d: %d steps, %d s: %d of 20 pass, median reward %.0f", *row)
        self._begun += time.process_time() - begun


def main() -> None:
    """Learn as the command line says."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--seeds", nargs="+", type=int, default=[0, 1, 2, 3, 4])
    parser.add_argument("--minutes", type=float, default=20.0, help="of CPU time for each seed")
    parser.add_argument("--rules", choices=[r.value for r in Rules], default=Rules.MODERN.value)
    parser.add_argument(
        "--randomness", type=randomness_argument, default=PRESETS["steady"],
        help="in which it learns: a preset, or a JSON object (default: steady)",
    )  # fmt: skip
    parser.add_argument("--force", type=float, default=40.0, help="joint force of an action of 1")
    parser.add_argument("--every", type=int, default=4, help="updates to a row of the curve")
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    set_up_logging(format="%(message)s", force=False)
    torch.set_num_threads(1)
    arguments.output.mkdir(parents=True, exist_ok=True)
    table = ["| Seed | Steps | Passes checkpoint 3 | 95 % | Median reward | Without sampling |"]
    table.append("|---|---|---|---|---|---|")
    for seed in arguments.seeds:
        worlds = Worlds(
            WORLDS, seed, rules=arguments.rules, randomness=arguments.randomness,
            force=arguments.force, max_episode_length=EPISODE_STEPS - 1,
        )  # fmt: skip
        model = PPO("MlpPolicy", worlds, seed=seed, device="cpu")
        model.learn(10**9, callback=_Reporter(arguments, seed))
        model.save(arguments.output / f"{seed}.zip")
        passed, reward = judged(model, arguments.force, EPISODES)
        low, high = finished_interval(passed, EPISODES)
        alone = judged(model, arguments.force, 1, deterministic=True)
        table.append(
            f"| {seed} | {model.num_timesteps} | {passed} of {EPISODES} "
            f"| {100.0 * low:.0f} to {100.0 * high:.0f} % | {reward:.0f} "
            f"| {'passes' if alone[0] else 'does not'}, {alone[1]:.0f} |"
        )
    _LOG.info("%s", "\n".join(table))


if __name__ == "__main__":
    main()
