# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Train a policy with Ray RLlib (PPO), its sampling spread over the nodes of a Ray cluster.

    pip install "ray[rllib]" torch numba
    ray start --head --port 6379                   # on the first machine
    ray start --address FIRST_MACHINE:6379         # on each further one
    python -m roboskate_game.learning.train_rllib --address auto --runners 4 --output run

Without --address a Ray of this machine alone is started. The package must be installed on every
machine. Writes curve.csv and RLlib's checkpoint to the output directory.
"""

from __future__ import annotations

import argparse
import csv
import logging
import time
from pathlib import Path
from typing import Any

from legacy_robots_core.printable import set_up_logging
from roboskate_game.environments import EPISODE_STEPS, RoboSkateNumerical
from roboskate_game.model.rules import FORCE, Rules

try:
    import ray
    from ray.rllib.algorithms.ppo import PPOConfig
    from ray.tune.registry import register_env
except ImportError as missing:
    raise ImportError(
        'train_rllib needs Ray, which is optional: pip install "ray[rllib]" torch'
    ) from missing

_LOG = logging.getLogger("train_rllib")

SAMPLE_TIMEOUT_S = 600.0
"""Seconds that runners may take for the samples of an update."""


def make_config(arguments: argparse.Namespace) -> Any:
    """Return RLlib's configuration."""
    options = {
        "rules": arguments.rules,
        "force": arguments.force,
        "random_start_level": True,
        "max_episode_length": EPISODE_STEPS - 1,
    }
    register_env("roboskate", lambda config: RoboSkateNumerical(**config))
    return (
        PPOConfig()
        .environment("roboskate", env_config=options)
        .env_runners(
            num_env_runners=arguments.runners,
            num_envs_per_env_runner=arguments.worlds,
            num_cpus_per_env_runner=arguments.cpus,
            # The first samples wait for numba, which compiles in each process.
            sample_timeout_s=SAMPLE_TIMEOUT_S,
        )
        .training(train_batch_size_per_learner=arguments.batch, lr=3e-4, gamma=0.99)
        .debugging(seed=arguments.seed)
    )


def _node(_: Any) -> str:
    """Return the id of the Ray node that this process is on."""
    return str(ray.get_runtime_context().get_node_id())


def main() -> None:
    """Train as the command line says."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--address", help="of a Ray cluster, or auto; none: this machine alone")
    parser.add_argument("--runners", type=int, default=2, help="processes that collect samples")
    parser.add_argument("--worlds", type=int, default=8, help="worlds of each of them")
    parser.add_argument("--cpus", type=float, default=1.0, help="CPUs that each of them needs")
    parser.add_argument("--batch", type=int, default=16_384, help="steps of an update")
    parser.add_argument("--iterations", type=int, default=600)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--rules", choices=[r.value for r in Rules], default=Rules.MODERN.value)
    parser.add_argument("--force", type=float, default=FORCE, help="joint force of an action of 1")
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    set_up_logging(format="%(message)s", force=False)
    arguments.output.mkdir(parents=True, exist_ok=True)
    ray.init(address=arguments.address, log_to_driver=False)
    algorithm = make_config(arguments).build_algo()
    nodes = set(algorithm.env_runner_group.foreach_env_runner(_node, local_env_runner=False))
    _LOG.info("%d runners on %d nodes", arguments.runners, len(nodes) or 1)
    started = time.monotonic()
    try:
        with (arguments.output / "curve.csv").open("w", newline="", encoding="utf-8") as file:
            curve = csv.writer(file)
            curve.writerow(("steps", "seconds", "reward_mean", "length_mean"))
            for _ in range(arguments.iterations):
                sampled = algorithm.train()["env_runners"]
                row = (
                    int(sampled["num_env_steps_sampled_lifetime"]),
                    round(time.monotonic() - started, 1),
                    sampled.get("episode_return_mean"),
                    sampled.get("episode_len_mean"),
                )
                curve.writerow(row)
                file.flush()
                _LOG.info("%d steps in %.1f s: reward %s, %s steps an episode", *row)
        algorithm.save_to_path(str((arguments.output / "checkpoint").resolve()))
    finally:
        algorithm.stop()
        ray.shutdown()


if __name__ == "__main__":
    main()
