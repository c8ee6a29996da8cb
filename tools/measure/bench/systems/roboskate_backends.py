# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""RoboSkate's back ends: whether episodes in process, over gRPC and over HTTP are the same."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from contextlib import ExitStack

import numpy as np

from measure.bench.table import Table
from roboskate_game.environments import RoboSkateNumerical
from roboskate_game.learning.policy import load_policy
from roboskate_game.model.levels import PLAYABLE
from roboskate_game.protocol.dialect import Dialect, Profile
from roboskate_game.simulator.program import Simulator, SimulatorConfig

WIRES = ("grpc", "http")
SIZE = {"width": 64, "height": 36}
QUANTITIES = ("observations", "rewards", "ends", "pictures")


def episode(envs: Sequence[RoboSkateNumerical], level: int, seed: int) -> tuple[int, list[int]]:
    """Play the package's policy in all environments; return steps, and differing ones of each.

    The differences are those of QUANTITIES between the first environment and any other.
    """
    player = load_policy().player(level=level)
    chosen = {"level": level}
    seen = [env.reset(seed=seed, options=chosen)[0] for env in envs]
    differing, steps, over = [0] * len(QUANTITIES), 0, False
    while not over:
        action = player.act(seen[0][np.newaxis])[0]
        results = [env.step(action) for env in envs]
        pictures = [env.render() for env in envs]
        seen = [result[0] for result in results]
        columns = (
            [each.tobytes() for each in seen],
            [result[1] for result in results],
            [(*result[2:4], result[4]["end"]) for result in results],
            [None if each is None else each.tobytes() for each in pictures],
        )
        for i, column in enumerate(columns):
            differing[i] += len(set(column)) > 1
        steps += 1
        over = any(results[0][2:4])
    return steps, differing


def main(argv: Sequence[str] | None = None) -> int:
    """Compare; return 1 if anything differs."""
    parser = argparse.ArgumentParser(prog="tools/bench roboskate_backends", description=__doc__)
    parser.add_argument("--episodes", type=int, default=10, help="of each level")
    parser.add_argument("--steps", type=int, default=150, help="of an episode at most")
    arguments = parser.parse_args(argv)
    table = Table("RoboSkate in process, over gRPC and over HTTP (bench roboskate_backends)")
    game = Simulator(SimulatorConfig(port=0, http_port=0, dialect=Dialect(Profile.GAME)))
    with ExitStack() as stack:
        game.start()
        stack.callback(game.close)
        common = {"render_mode": "rgb_array", "randomness": "robust_wire",
                  "max_episode_length": arguments.steps - 1, **SIZE}  # fmt: skip
        envs = [RoboSkateNumerical(**common)]
        for wire, port in zip(WIRES, (game.port, game.http_port), strict=True):
            envs.append(RoboSkateNumerical(backend=wire, port=port, **common))
        for env in envs:
            stack.callback(env.close)
        for level in range(PLAYABLE):
            played = [episode(envs, level, seed) for seed in range(arguments.episodes)]
            steps = sum(count for count, _ in played)
            for i, what in enumerate(QUANTITIES):
                differing = sum(each[i] for _, each in played)
                table.add(
                    f"level {level}, {arguments.episodes} episodes, {what} that differ",
                    f"{differing} of {steps}", "0", differing == 0,
                )  # fmt: skip
    return table.print()


if __name__ == "__main__":
    sys.exit(main())
