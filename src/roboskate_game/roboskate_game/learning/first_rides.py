# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Let plain PPO learn from nothing, and judge it from the ordinary start of level 0.

    pip install stable-baselines3 numba matplotlib
    python -m roboskate_game.learning.first_rides --seeds 0 1 2 3 4 --output first

Stable-Baselines3's PPO with its default hyperparameters and eight worlds, one seed after the
other, each for some minutes of wall time or until all episodes pass. Prints a Markdown table;
writes curve.csv, what came of it on the way by the original's rewards, curve.png, the same beside
the original's published runs, and the models as SEED.zip. Episodes differ by the actions, which
are sampled; without sampling all of a model are the same.
"""

from __future__ import annotations

import argparse
import csv
import logging
import os
import time
from pathlib import Path
from typing import Any

import numpy as np

from legacy_robots_core.printable import set_up_logging
from roboskate_game.environments import EPISODE_STEPS
from roboskate_game.learning.contestants import Contestant
from roboskate_game.learning.evaluate import episodes, finished_interval
from roboskate_game.model.rules import STEP_SECONDS, Rules

try:
    import torch
    from matplotlib.figure import Figure
    from stable_baselines3 import PPO
    from stable_baselines3.common.callbacks import BaseCallback

    from roboskate_game.learning.sb3_worlds import Worlds
except ImportError as missing:
    raise ImportError(
        "first_rides needs optional packages: pip install stable-baselines3 matplotlib"
    ) from missing

WORLDS, CHECKPOINT, EPISODES = 8, 3, 100
"""Checkpoint 3 is to be passed; episodes of each row of the curve, and at the end."""
COLUMNS = ("seed", "steps", "seconds", "passed", "reward", "alone_passed", "alone_reward")
"""Of the curve; ``alone``: without sampling."""
ORIGINAL_RUNS = {
    "1, level 1": ((250_000, 119), (410_000, 931)),
    "2, levels 0 to 2, goes on from another": (
        (0, -8), (10_000, 149), (110_000, 1034), (610_000, 1565), (1_060_000, 991),
    ),
    "3, level 0": ((10_000, -117), (100_000, 147), (290_000, 791)),
}  # fmt: skip
"""Steps and median rewards of the original's runs, docs/originals/roboskate.md, "The start"."""
_LOG = logging.getLogger("first_rides")


class _Rider:
    def __init__(self, model: PPO, deterministic: bool) -> None:
        self._model, self._deterministic = model, deterministic

    def act(self, observations: Any) -> Any:
        return self._model.predict(observations, deterministic=self._deterministic)[0]


class Judge:
    """Judges a model in the ordinary game, with sampled actions and without, into the curve."""

    def __init__(self, output: Path, force: float, seed: int) -> None:
        self._output, self._force, self._seed = output, force, seed
        self._begun = time.monotonic()

    @property
    def seconds(self) -> float:
        """Wall time since the seed has begun, with what the rows of the curve cost."""
        return time.monotonic() - self._begun

    def row(self, model: PPO) -> tuple[float, ...]:
        """Add a row to the curve, and return it: see COLUMNS."""
        row: tuple[float, ...] = (self._seed, model.num_timesteps, round(self.seconds))
        for count, deterministic in ((EPISODES, False), (1, True)):
            rider = _Rider(model, deterministic)
            contestant = Contestant(self._force, STEP_SECONDS, lambda *_, rider=rider: rider)
            played = episodes(contestant, 0, count=count)
            passed = sum(each.reached > CHECKPOINT for each in played)
            row += (passed, round(float(np.median([each.reward for each in played])), 1))
        with (self._output / "curve.csv").open("a", newline="") as file:
            csv.writer(file).writerow(row)
        _LOG.info("seed %d: %d steps, %d s: %d pass, reward %.0f; without sampling %d, %.0f", *row)
        return row


class _Callback(BaseCallback):
    """Judges every ``every`` updates; ends learning in time, or when all episodes pass."""

    def __init__(self, judge: Judge, minutes: float, every: int) -> None:
        super().__init__()
        self._judge, self._limit, self._every = judge, 60.0 * minutes, every
        self._updates = 0
        self._rides = False

    def _on_step(self) -> bool:
        return not self._rides and self._judge.seconds < self._limit

    def _on_rollout_start(self) -> None:
        if self._updates % self._every == 0:
            _, _, _, passed, _, alone, _ = self._judge.row(self.model)
            self._rides = passed == EPISODES and alone == 1
        self._updates += 1


def plot(directory: Path) -> None:
    """Draw ``curve.png`` of ``curve.csv``: each seed, median and range, the original's runs.

    A seed that has stopped keeps its last value.
    """
    rows = np.loadtxt(directory / "curve.csv", delimiter=",", skiprows=1)
    seed, step, reward = (rows[:, COLUMNS.index(name)] for name in ("seed", "steps", "reward"))
    steps = np.unique(step)
    own = [seed == each for each in np.unique(seed)]
    curves = [np.interp(steps, step[chosen], reward[chosen]) for chosen in own]
    figure = Figure(figsize=(7, 4), layout="constrained", dpi=90)
    axes = figure.subplots()
    axes.fill_between(steps, np.min(curves, 0), np.max(curves, 0), alpha=0.2, label="their range")
    axes.plot(steps, np.transpose(curves), color="C0", linewidth=0.5, alpha=0.5)
    axes.plot(steps, np.median(curves, 0), "C0", label=f"PPO here, median of {len(curves)} seeds")
    for (name, points), style in zip(
        ORIGINAL_RUNS.items(), ("C1s--", "C2^:", "C3o-."), strict=True
    ):
        axes.plot(*zip(*points, strict=True), style, linewidth=1, label=f"real game, run {name}")
    axes.set(xlabel="steps", ylabel="median reward of an episode, original rules")
    axes.grid(alpha=0.3)
    axes.legend(fontsize="small")
    figure.savefig(directory / "curve.png")


def main() -> None:
    """Learn as the command line says."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--seeds", nargs="+", type=int, default=[0, 1, 2, 3, 4])
    parser.add_argument("--minutes", type=float, default=10.0, help="of wall time for each seed")
    parser.add_argument("--rules", choices=[r.value for r in Rules], default=Rules.PROGRESS.value)
    parser.add_argument("--force", type=float, default=30.0, help="joint force of an action of 1")
    parser.add_argument("--every", type=int, default=6, help="updates to a row of the curve")
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    set_up_logging(format="%(message)s", force=False)
    torch.set_num_threads(1)
    arguments.output.mkdir(parents=True, exist_ok=True)
    (arguments.output / "curve.csv").write_text(f"{','.join(COLUMNS)}\n", encoding="utf-8")
    table = [
        f"| Seed | Steps | Wall time | Load | Of {EPISODES} pass checkpoint {CHECKPOINT} | 95 % "
        "| Median reward | Without sampling |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for seed in arguments.seeds:
        worlds = Worlds(
            WORLDS, seed, rules=arguments.rules, force=arguments.force,
            max_episode_length=EPISODE_STEPS - 1,
        )  # fmt: skip
        judge = Judge(arguments.output, arguments.force, seed)
        model = PPO("MlpPolicy", worlds, seed=seed, device="cpu")
        model.learn(10**9, callback=_Callback(judge, arguments.minutes, arguments.every))
        seconds, load = judge.seconds, os.getloadavg()[1]
        model.save(arguments.output / f"{seed}.zip")
        _, steps, _, passed, reward, alone, alone_reward = judge.row(model)
        low, high = finished_interval(int(passed), EPISODES)
        table.append(
            f"| {seed} | {steps:,} | {seconds:.0f} s | {load:.1f} | {passed} "
            f"| {100.0 * low:.0f} to {100.0 * high:.0f} % | {reward:.0f} "
            f"| {'passes' if alone else 'does not'}, {alone_reward:.0f} |"
        )
    for line in table:
        _LOG.info("%s", line)
    plot(arguments.output)


if __name__ == "__main__":
    main()
