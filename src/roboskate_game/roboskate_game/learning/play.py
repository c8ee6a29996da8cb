# SPDX-License-Identifier: Apache-2.0
"""Play episodes with a policy, and draw some of their moments.

python -m roboskate_game.learning.play --policy run/policy.npz --episodes 20 --vary 0.02
python -m roboskate_game.learning.play --sheet episode.jpg
"""

from __future__ import annotations

import argparse
import logging
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from legacy_robots_common.printable import set_up_logging
from roboskate_game.environments import EPISODE_STEPS
from roboskate_game.environments.task import Options, Task
from roboskate_game.learning.policy import Policy, load_policy
from roboskate_game.model.levels import PLAYABLE
from roboskate_game.model.rules import End

_LOG = logging.getLogger("play")
_COLUMNS, _ROWS, _SIZE = 4, 4, (320, 180)


def results(
    policy: Policy, level: int, episodes: int = 1, vary: float = 0.0
) -> list[tuple[End, int, int]]:
    """Return end, steps and next checkpoint of episodes from the start of a level.

    ``vary``: board mass and tip friction are drawn for each episode, off by up to that fraction.
    """
    names = ("board_mass", "tip_friction") if vary else ()
    variation = dict.fromkeys(names, (1.0 - vary, 1.0 + vary))
    task = _task(policy, episodes, variation=variation)
    task.seed(0)
    seen = task.reset(np.arange(episodes), level)
    found: dict[int, tuple[End, int, int]] = {}
    for step in range(1, EPISODE_STEPS + 1):
        outcome = task.step(policy.act(seen))
        seen = outcome.observations
        for world in np.flatnonzero(outcome.ends).tolist():
            reached = int(task.info(outcome.ends)["next_checkpoint"][world])
            found.setdefault(world, (End(outcome.ends[world]), step, reached))
        if len(found) == episodes:
            break
    return list(found.values())


def sheet(policy: Policy) -> Any:
    """Return one image of moments, evenly spaced, of an episode over all levels."""
    ((_, steps, _),) = results(policy, 0)
    task = _task(policy, 1, width=_SIZE[0], height=_SIZE[1])
    seen = task.reset(np.arange(1), 0)
    chosen = np.linspace(1, steps - 1, _COLUMNS * _ROWS).round().astype(int).tolist()
    images = []
    for step in range(1, steps):
        seen = task.step(policy.act(seen)).observations
        if step in chosen:
            image = np.ascontiguousarray(task.images()[0])
            text = f"{step * policy.step_seconds:.0f} s"
            cv2.putText(image, text, (8, 20), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (0, 0, 0), 2)
            images.append(image)
    rows = [np.hstack(images[i : i + _COLUMNS]) for i in range(0, len(images), _COLUMNS)]
    return np.vstack(rows)


def _task(policy: Policy, count: int, **options: Any) -> Task:
    chosen = Options(
        force=policy.force,
        step_seconds=policy.step_seconds,
        max_episode_length=EPISODE_STEPS - 1,
        **options,
    )
    return Task(chosen, count)


def main() -> None:
    """Play as the command line says."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--policy", type=Path, help="a policy.npz; none: that of the package")
    parser.add_argument("--episodes", type=int, default=1, help="from the start of each level")
    parser.add_argument("--vary", type=float, default=0.0, help="mass and friction, such as 0.02")
    parser.add_argument("--sheet", type=Path, help="image file to write")
    arguments = parser.parse_args()
    set_up_logging(format="%(message)s")
    policy = load_policy(arguments.policy)
    for level in range(PLAYABLE):
        played = results(policy, level, arguments.episodes, arguments.vary)
        lengths = sorted(steps for end, steps, _ in played if end is End.FINISHED)
        failed = [f"{end.name.lower()} at {n}" for end, _, n in played if end is not End.FINISHED]
        median = f", median {np.median(lengths):g} steps" if lengths else ""
        others = f"; {', '.join(failed)}" if failed else ""
        _LOG.info(
            "from level %d: %d of %d finished%s%s",
            level, len(lengths), len(played), median, others,
        )  # fmt: skip
    if arguments.sheet is not None:
        image = cv2.cvtColor(sheet(policy), cv2.COLOR_RGB2BGR)
        cv2.imwrite(str(arguments.sheet), image, [cv2.IMWRITE_JPEG_QUALITY, 80])


if __name__ == "__main__":
    main()
