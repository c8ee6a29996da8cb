# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Train a policy with stable-baselines3, PPO or SAC, by state or from pictures.

    pip install stable-baselines3 numba
    python -m roboskate_game.learning.train_sb3 --algorithm ppo --steps 10000000 --output run

The worlds are in this process. Writes to the output directory: curve.csv (a row per report),
policy.npz (by state, for numpy and the node ``policy``), and model.zip with normalisation.pkl (to
go on with --resume; from pictures it is the policy).
"""

from __future__ import annotations

import argparse
from pathlib import Path

from legacy_robots_core.printable import set_up_logging
from roboskate_game.environments.randomness import PRESETS
from roboskate_game.learning.evaluate import randomness_argument
from roboskate_game.model.rules import FORCE, Rules


def main() -> None:
    """Train as the command line says."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--algorithm", choices=("ppo", "sac"), default="ppo")
    parser.add_argument(
        "--environment", choices=("RoboSkateNumerical-v0", "RoboSkateImage-v0"),
        default="RoboSkateNumerical-v0", help="by state, or (PPO) from four pictures",
    )  # fmt: skip
    parser.add_argument("--steps", type=int, default=10_000_000, help="of all worlds together")
    parser.add_argument("--worlds", type=int, help="default: 256; SAC: 32; pictures: 8")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--rules", choices=[r.value for r in Rules], default=Rules.MODERN.value)
    parser.add_argument(
        "--randomness", type=randomness_argument, default=PRESETS["nominal"],
        help="a preset, or a JSON object as for evaluate (default: nominal)",
    )  # fmt: skip
    parser.add_argument("--force", type=float, default=FORCE, help="joint force of an action of 1")
    parser.add_argument("--history", type=int, default=0, help="steps that the policy remembers")
    parser.add_argument(
        "--place", action="store_true", help="the policy estimates its place on the map, too"
    )
    parser.add_argument(
        "--critic", choices=("observation", "truth"), default="observation",
        help="what PPO's critic sees: as the policy, or also where the board really is",
    )  # fmt: skip
    zoo = parser.add_argument_group("hyperparameters", "instead of those of zoo_*.yml")
    zoo.add_argument("--width", type=int, help="of the two hidden layers")
    zoo.add_argument("--rate", type=float, help="learning rate")
    zoo.add_argument("--gamma", type=float, help="discount of a step")
    zoo.add_argument("--entropy", type=float, help="weight of entropy (PPO)")
    zoo.add_argument("--target-kl", type=float, help="ends an update's epochs early (PPO)")
    zoo.add_argument("--rollout", type=int, help="steps of a world per update (PPO)")
    zoo.add_argument("--gradient-steps", type=int, help="per step of all worlds (SAC)")
    parser.add_argument("--report-every", type=int, default=250_000, help="steps")
    parser.add_argument("--threads", type=int, default=1, help="of torch")
    parser.add_argument("--resume", type=Path, help="the output directory of an earlier run")
    parser.add_argument("--start", type=Path, help="a policy.npz whose weights are the first")
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    pictures = arguments.environment == "RoboSkateImage-v0"
    by_state = arguments.history or arguments.place or arguments.start is not None
    if pictures and (by_state or arguments.algorithm != "ppo"):
        parser.error("from pictures there is PPO without --history, --place and --start")
    if arguments.critic == "truth" and (pictures or arguments.algorithm != "ppo"):
        parser.error("--critic truth is of PPO by state")
    if arguments.worlds is None:
        arguments.worlds = 8 if pictures else {"ppo": 256, "sac": 32}[arguments.algorithm]
    set_up_logging(format="%(message)s", force=False)
    from roboskate_game.learning.sb3_training import train  # needs the libraries: --help does not

    train(arguments)


if __name__ == "__main__":
    main()
