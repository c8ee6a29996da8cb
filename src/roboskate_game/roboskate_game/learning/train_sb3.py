# SPDX-License-Identifier: Apache-2.0
"""Train a policy with stable-baselines3, PPO or SAC, on worlds in this process.

    pip install stable-baselines3 numba
    python -m roboskate_game.learning.train_sb3 --algorithm ppo --steps 10000000 --output run

Writes to the output directory: curve.csv (a row per report), policy.npz (for numpy and the node
``policy``), and model.zip with normalisation.pkl (to go on with --resume).
"""

from __future__ import annotations

import argparse
import csv
import logging
import time
from collections import deque
from pathlib import Path
from typing import Any

import numpy as np

from legacy_robots_common.printable import set_up_logging
from roboskate_game.environments import EPISODE_STEPS
from roboskate_game.learning.play import results
from roboskate_game.learning.policy import Policy
from roboskate_game.model.levels import PLAYABLE
from roboskate_game.model.rules import FORCE, Rules

try:
    import torch
    from stable_baselines3 import PPO, SAC
    from stable_baselines3.common.callbacks import BaseCallback
    from stable_baselines3.common.vec_env import VecNormalize

    from roboskate_game.learning.sb3_worlds import Worlds
except ImportError as missing:
    raise ImportError(
        "train_sb3 needs stable-baselines3, which is optional: pip install stable-baselines3"
    ) from missing

COLUMNS = (
    "steps", "seconds", "reward_mean", "length_mean", "finished_part",
    *(f"level_{i}_checkpoint" for i in range(PLAYABLE)),
    *(f"policy_{i}_checkpoint" for i in range(PLAYABLE)),
    *(f"policy_{i}_steps" for i in range(PLAYABLE)),
)  # fmt: skip


def exported(model: Any, normalisation: Any, force: float) -> Policy:
    """Return a model's deterministic policy."""
    if isinstance(model, SAC):
        modules = [*model.actor.latent_pi, model.actor.mu]
    else:
        modules = [*model.policy.mlp_extractor.policy_net, model.policy.action_net]
    layers = [
        (m.weight.detach().numpy().copy(), m.bias.detach().numpy().copy())
        for m in modules
        if isinstance(m, torch.nn.Linear)
    ]
    statistics = normalisation.obs_rms
    deviation = np.sqrt(statistics.var + normalisation.epsilon)
    return Policy(
        layers, statistics.mean.copy(), deviation, squash=isinstance(model, SAC), force=force
    )


_LOG = logging.getLogger("train_sb3")


class Reporter(BaseCallback):
    """Writes a row of the curve and, when it is better, the policy, every ``every`` steps."""

    def __init__(self, output: Path, every: int, options: dict[str, Any]) -> None:
        super().__init__()
        self._output, self._every, self._options = output, every, options
        self._episodes: deque[dict[str, Any]] = deque(maxlen=500)
        self._next = 0
        self._started = time.monotonic()
        self._best: tuple[float, ...] = (-1.0,)

    def _on_step(self) -> bool:
        self._episodes.extend(info for info in self.locals["infos"] if "episode" in info)
        if self.num_timesteps >= self._next and self._episodes:
            self._next = self.num_timesteps + self._every
            self._report()
        return True

    def _report(self) -> None:
        policy = exported(self.model, self.training_env, self._options["force"])
        played = [results(policy, level)[0] for level in range(PLAYABLE)]
        episodes = list(self._episodes)
        mean = {
            level: np.mean([e["next_checkpoint"] for e in episodes if e["level"] == level] or [0])
            for level in range(PLAYABLE)
        }
        row = [
            self.num_timesteps, round(time.monotonic() - self._started),
            np.mean([e["episode"]["r"] for e in episodes]),
            np.mean([e["episode"]["l"] for e in episodes]),
            np.mean([e["end"] == "finished" for e in episodes]),
            *mean.values(),
            *(reached for _, _, reached in played),
            *(steps for _, steps, _ in played),
        ]  # fmt: skip
        path = self._output / "curve.csv"
        fresh = not path.exists()
        with path.open("a", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            if fresh:
                writer.writerow(COLUMNS)
            writer.writerow([f"{v:.3f}" if isinstance(v, float) else v for v in row])
        _LOG.info(
            "%d steps: reward %.1f, finished %.0f %%, policy: checkpoints %s",
            row[0], row[2], 100.0 * row[4],
            ", ".join(f"{c} ({e.name.lower()} after {s} steps)" for e, s, c in played),
        )  # fmt: skip
        # From level 0 on counts most; of two that finish, the faster.
        score = (
            *(float(reached) for _, _, reached in played),
            -float(sum(steps for _, steps, _ in played)),
        )
        self.model.save(self._output / "model.zip")
        self.training_env.save(str(self._output / "normalisation.pkl"))
        policy.save(self._output / "latest.npz")
        if score > self._best:
            self._best = score
            policy.save(self._output / "policy.npz")


def make_model(arguments: argparse.Namespace, worlds: Any) -> Any:
    """Return a new model, or the one in the directory to resume."""
    kind = {"ppo": PPO, "sac": SAC}[arguments.algorithm]
    if arguments.resume is not None:
        return kind.load(arguments.resume / "model.zip", env=worlds, device="cpu")
    network = {"net_arch": [arguments.width] * 2, "activation_fn": torch.nn.Tanh}
    settings: dict[str, Any] = {"learning_rate": arguments.rate, "gamma": 0.99}
    if kind is PPO:
        settings.update(
            n_steps=arguments.rollout, batch_size=4096, n_epochs=5, gae_lambda=0.95,
            ent_coef=0.003, policy_kwargs={**network, "log_std_init": -0.5},
        )  # fmt: skip
    else:
        settings.update(
            batch_size=256, learning_starts=10_000, train_freq=1,
            gradient_steps=arguments.gradient_steps, policy_kwargs=network,
        )  # fmt: skip
    return kind("MlpPolicy", worlds, seed=arguments.seed, device="cpu", **settings)


def main() -> None:
    """Train as the command line says."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--algorithm", choices=("ppo", "sac"), default="ppo")
    parser.add_argument("--steps", type=int, default=10_000_000, help="of all worlds together")
    parser.add_argument("--worlds", type=int, default=256)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--rules", choices=[r.value for r in Rules], default=Rules.MODERN.value)
    parser.add_argument("--force", type=float, default=FORCE, help="joint force of an action of 1")
    parser.add_argument("--width", type=int, default=64, help="of the two hidden layers")
    parser.add_argument("--rate", type=float, default=3e-4, help="learning rate")
    parser.add_argument(
        "--rollout", type=int, default=64, help="steps of a world per update (PPO)"
    )
    parser.add_argument(
        "--gradient-steps", type=int, default=8, help="per step of all worlds (SAC)"
    )
    parser.add_argument("--report-every", type=int, default=250_000, help="steps")
    parser.add_argument("--threads", type=int, default=1, help="of torch")
    parser.add_argument("--resume", type=Path, help="the output directory of an earlier run")
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    set_up_logging(format="%(message)s")
    arguments.output.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(arguments.threads)
    options = {
        "rules": arguments.rules,
        "force": arguments.force,
        "random_start_level": True,
        "max_episode_length": EPISODE_STEPS - 1,
    }
    worlds = Worlds(arguments.worlds, arguments.seed, **options)
    if arguments.resume is not None:
        normalised = VecNormalize.load(str(arguments.resume / "normalisation.pkl"), worlds)
    else:
        normalised = VecNormalize(worlds, clip_obs=10.0)
    model = make_model(arguments, normalised)
    model.learn(
        arguments.steps, callback=Reporter(arguments.output, arguments.report_every, options)
    )


if __name__ == "__main__":
    main()
