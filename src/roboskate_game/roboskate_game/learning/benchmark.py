# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Train PPO, SAC, and PPO from pictures with several seeds, and evaluate them by one protocol.

    pip install stable-baselines3 numba
    python -m roboskate_game.learning.benchmark --output runs

A run is a directory RUN-SEED of --output; one that is there in whole is not trained again, so an
interrupted benchmark goes on where it was. Prints a Markdown table.
"""

from __future__ import annotations

import argparse
import csv
import json
import logging
import math
import os
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from legacy_robots_core.printable import set_up_logging
from roboskate_game.environments.randomness import PRESETS
from roboskate_game.learning.evaluate import Episode, contestant_named, episodes
from roboskate_game.model.levels import PLAYABLE

_LOG = logging.getLogger("benchmark")
_DONE = "done"
_COLUMNS = ("Best seed", "Checkpoint", "Median time", "Training")
_STUDENT = (12.71, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262)
"""Student's t of a 95 % interval for 2 to 10 seeds."""


@dataclass(frozen=True)
class Run:
    """What is trained: ``options`` of train_sb3, and the file with its policy."""

    options: tuple[str, ...]
    steps: int
    policy: str = "policy.npz"


RUNS = {
    "ppo": Run(("--algorithm", "ppo", "--history", "4"), 5_000_000),
    "sac": Run(("--algorithm", "sac", "--history", "4"), 300_000),
    "pictures": Run(("--environment", "RoboSkateImage-v0"), 100_000, "model.zip"),
}
BASELINES = ("random", "hand", "autopilot", "shipped")


def train(name: str, seed: int, arguments: argparse.Namespace) -> bool:
    """Train one run in a process of its own, unless it is there; return whether it is now."""
    directory = arguments.output / f"{name}-{seed}"
    if (directory / _DONE).exists():
        return True
    directory.mkdir(parents=True, exist_ok=True)
    for left in ("curve.csv", "policy.npz"):  # of a run that was interrupted
        (directory / left).unlink(missing_ok=True)
    run = RUNS[name]
    steps = max(1, round(run.steps * arguments.scale))
    command = [
        sys.executable, "-m", "roboskate_game.learning.train_sb3",
        "--randomness", arguments.randomness, "--seed", str(seed), "--steps", str(steps),
        "--report-every", str(max(1, steps // 20)), "--output", str(directory),
        *run.options,
    ]  # fmt: skip
    with (directory / "log").open("wb") as log:
        status = subprocess.run(command, stdout=log, stderr=log, check=False).returncode
    if status:
        _LOG.error("%s-%d ended with status %d: see %s", name, seed, status, directory / "log")
        return False
    (directory / _DONE).touch()
    return True


def interval(values: Sequence[float]) -> float:
    """Return half the 95 % interval of a mean by Student's t; nan for one value."""
    count = len(values)
    if count < 2:
        return math.nan
    factor = _STUDENT[count - 2] if count - 2 < len(_STUDENT) else 1.96
    return float(factor * np.std(values, ddof=1) / math.sqrt(count))


def row(name: str, level: int, played: Sequence[Sequence[Episode]], cost: str) -> str:
    """Return a row of the table; ``played``: the episodes of each seed's policy."""
    parts = [100.0 * float(np.mean([each.end == "finished" for each in one])) for one in played]
    reached = [float(np.mean([each.reached for each in one])) for one in played]
    times = [each.seconds for one in played for each in one if each.end == "finished"]

    def mean(values: Sequence[float], digits: int) -> str:
        spread = f" ± {interval(values):.{digits}f}" if len(values) > 1 else ""
        return f"{np.mean(values):.{digits}f}{spread}"

    best = f"{max(parts):.0f}" if len(parts) > 1 else ""
    median = f"{np.median(times):.1f} s" if times else ""
    cells = (name, str(level), mean(parts, 0), best, mean(reached, 1), median, cost)
    return f"| {' | '.join(cells)} |"


def training_cost(directories: Sequence[Path]) -> str:
    """Return steps and minutes of the runs' curves."""
    steps, seconds = [], []
    for directory in directories:
        with (directory / "curve.csv").open(newline="", encoding="utf-8") as file:
            *_, last = csv.DictReader(file)
        steps.append(float(last["steps"]))
        seconds.append(float(last["seconds"]))
    return f"{np.mean(steps) / 1e6:.2g} million, {np.mean(seconds) / 60.0:.0f} min"


def main() -> None:
    """Train and evaluate as the command line says."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--output", type=Path, required=True, help="directory of the runs")
    parser.add_argument("--runs", nargs="*", choices=RUNS, default=list(RUNS))
    parser.add_argument("--seeds", nargs="+", type=int, default=[0, 1, 2, 3, 4])
    parser.add_argument("--scale", type=float, default=1.0, help="of the steps of training")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="runs at once")
    parser.add_argument("--randomness", choices=PRESETS, default="robust")
    parser.add_argument("--episodes", type=int, default=10, help="of each policy and level")
    arguments = parser.parse_args()
    set_up_logging(format="%(message)s", force=False)
    work = [(name, seed) for name in arguments.runs for seed in arguments.seeds]
    with ThreadPoolExecutor(arguments.jobs) as pool:
        trained = list(pool.map(lambda each: train(each[0], each[1], arguments), work))
    _LOG.info(
        "| Policy | From level | Finished, % | Best seed | Checkpoint | Median time | Training |"
    )
    _LOG.info("|---|---|---|---|---|---|---|")
    everything: dict[str, list[object]] = {}
    for name in (*BASELINES, *arguments.runs):
        runs = [arguments.output / f"{name}-{seed}" for seed in arguments.seeds]
        runs = [directory for directory in runs if (directory / _DONE).exists()]
        cost = training_cost(runs) if name in RUNS and runs else ""
        names = [str(each / RUNS[name].policy) for each in runs] if name in RUNS else [name]
        for level in range(PLAYABLE):
            played = [
                episodes(
                    contestant_named(each), level, count=arguments.episodes,
                    seeds=arguments.seeds, randomness=PRESETS[arguments.randomness],
                )
                for each in names
            ]  # fmt: skip
            everything.setdefault(name, []).extend(asdict(e) for one in played for e in one)
            if played:
                _LOG.info("%s", row(name, level, played, cost))
    (arguments.output / "episodes.json").write_text(json.dumps(everything), encoding="utf-8")
    if not all(trained):
        raise SystemExit("some runs failed, see above; the same command trains them again")


if __name__ == "__main__":
    main()
