# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Evaluate policies by one protocol: levels, seeds, episodes, and figures with their intervals.

    python -m roboskate_game.learning.evaluate --policies shipped hand --randomness robust
    python -m roboskate_game.learning.evaluate --policies run/policy.npz --sheet episode.jpg

A policy is ``random``, ``hand`` (the original's hand-made agent, by its formulas), ``autopilot``,
``shipped``, a policy.npz, or a model.zip from pictures. Prints a Markdown table; ``--output``
writes each episode as JSON.
"""

from __future__ import annotations

import argparse
import json
import logging
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from legacy_robots_core.printable import set_up_logging
from roboskate_game.environments.randomness import (
    NOMINAL,
    PRESETS,
    Randomness,
    randomness_of,
)
from roboskate_game.environments.task import IMAGE_SIZE, Options, Task
from roboskate_game.learning.contestants import SCRIPTED, Contestant, trained
from roboskate_game.learning.policy import load_policy
from roboskate_game.model.levels import PLAYABLE
from roboskate_game.model.rules import End

EPISODE_SECONDS = 200.0
"""Game time of an episode at most: 1000 steps of the original's."""
_LOG = logging.getLogger("evaluate")
_COLUMNS, _ROWS, _SIZE = 4, 4, (320, 180)
_NORMAL = 1.96
"""Standard deviations of a normal distribution's 95 % interval."""


@dataclass(frozen=True)
class Episode:
    """How one went: ``end`` is a name of End, ``seconds`` are of game time."""

    level: int
    seed: int
    end: str
    seconds: float
    reached: int
    reward: float


def contestant_named(name: str) -> Contestant:
    """Return "random", "hand", "autopilot", "shipped", or the policy in a file (.npz, .zip).

    Raises PolicyError for a file that holds none, and ImportError for a .zip without
    stable-baselines3.
    """
    if name in SCRIPTED:
        return SCRIPTED[name]
    if name.endswith(".zip"):
        from roboskate_game.learning.sb3_pictures import picture_policy  # needs the library

        return picture_policy(Path(name))
    return trained(load_policy(None if name == "shipped" else Path(name)))


def episodes(
    contestant: Contestant,
    level: int,
    *,
    count: int = 1,
    seeds: Sequence[int] = (0,),
    randomness: Randomness = NOMINAL,
    rules: str = "original",
    seconds: float = EPISODE_SECONDS,
) -> list[Episode]:
    """Return ``count`` episodes for each seed, all from the start of a level."""
    owners = np.repeat(seeds, count).tolist()
    options = Options(
        force=contestant.force,
        step_seconds=contestant.step_seconds,
        max_episode_length=round(seconds / contestant.step_seconds) - 1,
        randomness=randomness,
        rules=rules,
        **asdict(IMAGE_SIZE),
    )
    task = Task(options, len(owners))
    task.rngs = [np.random.default_rng((seed, i)) for seed in seeds for i in range(count)]
    agent = contestant.agent(task, level)
    seen = task.reset(np.arange(task.count), level)
    rewards = np.zeros(task.count)
    found: dict[int, Episode] = {}
    for step in range(1, options.max_episode_length + 2):
        outcome = task.step(agent.act(seen))
        seen = outcome.observations
        rewards += outcome.rewards
        for world in np.flatnonzero(outcome.ends).tolist():
            if world not in found:
                found[world] = Episode(
                    level,
                    owners[world],
                    End(outcome.ends[world]).name.lower(),
                    step * contestant.step_seconds,
                    int(task.info(outcome.ends)["next_checkpoint"][world]),
                    float(rewards[world]),
                )
        if len(found) == task.count:
            break
    return [found[world] for world in sorted(found)]


def finished_interval(finished: int, count: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval of a part."""
    square = _NORMAL**2
    middle = (finished + square / 2.0) / (count + square)
    spread = _NORMAL * math.sqrt(
        finished * (count - finished) / count + square / 4.0
    ) / (count + square)  # fmt: skip
    return max(0.0, middle - spread), min(1.0, middle + spread)


def row(name: str, level: int, played: Sequence[Episode]) -> str:
    """Return a row of the table."""
    times = [each.seconds for each in played if each.end == "finished"]
    low, high = finished_interval(len(times), len(played))
    return " | ".join(
        (
            f"| {name}",
            str(level),
            f"{len(times)} of {len(played)}",
            f"{100.0 * low:.0f} to {100.0 * high:.0f} %",
            f"{np.median(times):.1f} s" if times else "",
            _mean([each.reached for each in played], 1),
            f"{_mean([each.reward for each in played], 0)} |",
        )
    )


def _mean(values: Sequence[float], digits: int) -> str:
    spread = _NORMAL * np.std(values, ddof=1) / math.sqrt(len(values)) if len(values) > 1 else 0.0
    return f"{np.mean(values):.{digits}f} ± {spread:.{digits}f}"


def sheet(contestant: Contestant) -> NDArray[np.uint8]:
    """Return one image of moments, evenly spaced, of an episode over all levels."""
    seconds = contestant.step_seconds
    steps = round(episodes(contestant, 0)[0].seconds / seconds)
    task = Task(
        Options(force=contestant.force, step_seconds=seconds, width=_SIZE[0], height=_SIZE[1]), 1
    )
    agent = contestant.agent(task, 0)
    seen = task.reset(np.arange(1), 0)
    chosen = np.linspace(1, steps - 1, _COLUMNS * _ROWS).round().astype(int).tolist()
    images = []
    for step in range(1, steps):
        seen = task.step(agent.act(seen)).observations
        if step in chosen:
            image = np.ascontiguousarray(task.images()[0])
            text = f"{step * seconds:.0f} s"
            cv2.putText(image, text, (8, 20), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (0, 0, 0), 2)
            images.append(image)
    rows = [np.hstack(images[i : i + _COLUMNS]) for i in range(0, len(images), _COLUMNS)]
    return np.vstack(rows)


def randomness_argument(text: str) -> Randomness:
    """Read a preset's name or a JSON object. Raises argparse.ArgumentTypeError."""
    try:
        return randomness_of(text if text in PRESETS else json.loads(text))
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r}: {error}") from error


def main() -> None:
    """Evaluate as the command line says."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--policies", nargs="+", default=["shipped"], metavar="POLICY")
    parser.add_argument("--levels", nargs="+", type=int, choices=range(PLAYABLE),
                        default=list(range(PLAYABLE)))  # fmt: skip
    parser.add_argument("--seeds", nargs="+", type=int, default=[0, 1, 2, 3, 4])
    parser.add_argument("--episodes", type=int, default=10, help="for each seed and level")
    parser.add_argument(
        "--randomness", type=randomness_argument, default=PRESETS["robust"],
        help="a preset, or a JSON object such as '{\"mass\": 0.02}' (default: robust)",
    )  # fmt: skip
    parser.add_argument("--rules", choices=("original", "modern"), default="original")
    parser.add_argument("--seconds", type=float, default=EPISODE_SECONDS, help="of an episode")
    parser.add_argument("--output", type=Path, help="JSON file with all episodes")
    parser.add_argument("--sheet", type=Path, help="image file: the first one's episode")
    arguments = parser.parse_args()
    set_up_logging(format="%(message)s", force=False)
    _LOG.info("| Policy | From level | Finished | 95 % | Median time | Checkpoint | Reward |")
    _LOG.info("|---|---|---|---|---|---|---|")
    everything: dict[str, list[Any]] = {}
    for name in arguments.policies:
        contestant = contestant_named(name)
        for level in arguments.levels:
            played = episodes(
                contestant, level, count=arguments.episodes, seeds=arguments.seeds,
                randomness=arguments.randomness, rules=arguments.rules, seconds=arguments.seconds,
            )  # fmt: skip
            everything.setdefault(name, []).extend(map(asdict, played))
            _LOG.info("%s", row(name, level, played))
    if arguments.output is not None:
        arguments.output.write_text(json.dumps(everything), encoding="utf-8")
    if arguments.sheet is not None:
        image = cv2.cvtColor(sheet(contestant_named(arguments.policies[0])), cv2.COLOR_RGB2BGR)
        cv2.imwrite(str(arguments.sheet), image, [cv2.IMWRITE_JPEG_QUALITY, 80])


if __name__ == "__main__":
    main()
