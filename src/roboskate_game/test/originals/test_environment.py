# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The original's environment and hand-made agent, unmodified, on our simulator.

Needs ROBOSKATE_ORIGINAL, the directory that docs/how_to/test_with_originals.md makes.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("gymnasium")

from roboskate_game.environments import RoboSkateNumerical

VARIABLE = "ROBOSKATE_ORIGINAL"
DRIVER = Path(__file__).with_name("driver.py")
pytestmark = [
    pytest.mark.node,
    pytest.mark.skipif(
        VARIABLE not in os.environ,
        reason=f"needs the original: docs/how_to/test_with_originals.md, {VARIABLE}",
    ),
]


@pytest.fixture
def play(make_game):
    """Return a function that has the original play a plan and gives its episodes."""

    def play(*plan):
        directory = os.environ[VARIABLE]
        python = Path(directory, "venv", "bin", "python")
        game = make_game("game")
        done = subprocess.run(
            [python, DRIVER, directory, str(game.port), json.dumps(plan)],
            capture_output=True,
            text=True,
            timeout=600,
        )
        assert done.returncode == 0, done.stderr
        episodes = []
        for line in map(json.loads, done.stdout.splitlines()):
            if "level" in line:
                episodes.append((line, []))
            else:
                episodes[-1][1].append(line)
        return episodes

    return play


def replay(episodes):
    """Play the same actions in our environment; return the largest differences and the ends."""
    env = RoboSkateNumerical()
    errors, ends = [0.0], []
    for begin, steps in episodes:
        observation, info = env.reset(options={"level": begin["level"]})
        errors.append(np.abs(observation - begin["observation"]).max())
        for theirs in steps:
            observation, reward, terminated, truncated, info = env.step(
                np.array(theirs["action"], np.float32)
            )
            errors.append(np.abs(observation - theirs["observation"]).max())
            errors.append(abs(reward - theirs["reward"]))
            assert (terminated or truncated) == theirs["done"]
            assert info["next_checkpoint"] == theirs["checkpoint"]
        ends.append(info["end"])
    return max(errors), ends


@pytest.mark.timeout(900)
def test_rewards_and_observations_are_the_originals(play):
    # The agent gets on; without steering it falls off; random actions tip the board over.
    plan = [(0, 150, "hand"), (1, 130, "hand"), (2, 600, "straight")]
    plan += [(level, 120, seed) for seed in range(3) for level in (0, 1, 2)]
    episodes = play(*plan)
    steps = [step for _, each in episodes for step in each]
    error, ends = replay(episodes)
    print(f"{len(steps)} steps, ends {ends}, largest difference {error:.3g}")
    assert len(steps) >= 500
    assert error <= 1e-6
    assert {"tipped", "fallen"} <= set(ends)
    assert sum(step["reward"] == 3.0 for step in steps) >= 3


@pytest.mark.timeout(900)
def test_the_hand_made_agent_finishes_level_0(play):
    episodes = play(*((level, 2001, "hand") for level in range(3)))
    error, ends = replay(episodes)
    assert error <= 1e-6
    reached = [steps[-1]["checkpoint"] for _, steps in episodes]
    level_0 = episodes[0][1]
    taken = next((i for i, step in enumerate(level_0) if step["checkpoint"] >= 7), None)
    returns = [round(sum(step["reward"] for step in steps)) for _, steps in episodes]
    print(f"level 0 in {taken} steps; checkpoints {reached}, returns {returns}, ends {ends}")
    # Two runs of level 0 were about 2,000 steps; it was made for that level only.
    assert taken is not None
    assert 700 <= taken <= 1300
