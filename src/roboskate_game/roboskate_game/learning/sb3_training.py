# SPDX-License-Identifier: Apache-2.0
"""What train_sb3 does once stable-baselines3 is there: models, their export and their reports."""

from __future__ import annotations

import argparse
import csv
import logging
import time
from collections import deque
from pathlib import Path
from typing import Any

import numpy as np

from roboskate_game.environments import EPISODE_STEPS
from roboskate_game.environments.randomness import NOMINAL, randomness_of
from roboskate_game.learning.evaluate import episodes
from roboskate_game.learning.policy import OBSERVATIONS, STEP_NUMBERS, Policy, load_policy
from roboskate_game.model.levels import PLAYABLE

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


def exported(model: Any, normalisation: Any, force: float, history: int) -> Policy:
    """Return a model's deterministic policy."""
    layers = [
        (m.weight.detach().numpy().copy(), m.bias.detach().numpy().copy())
        for m in _actor_layers(model)
    ]
    statistics = normalisation.obs_rms
    deviation = np.sqrt(statistics.var + normalisation.epsilon)
    return Policy(
        layers, statistics.mean.copy(), deviation,
        squash=isinstance(model, SAC), force=force, history=history,
    )  # fmt: skip


def _actor_layers(model: Any) -> list[Any]:
    if isinstance(model, SAC):
        modules = [*model.actor.latent_pi, model.actor.mu]
    else:
        modules = [*model.policy.mlp_extractor.policy_net, model.policy.action_net]
    return [each for each in modules if isinstance(each, torch.nn.Linear)]


def start_from(policy: Policy, model: Any, normalisation: Any) -> None:
    """Give a new model the weights of a policy; what it remembers beyond that one counts 0.

    Raises ValueError for other layers, or a longer history.
    """
    statistics = normalisation.obs_rms
    width, steps = len(policy.mean), (len(statistics.mean) - OBSERVATIONS) // STEP_NUMBERS
    layers = _actor_layers(model)
    sizes = [each.out_features for each in layers]
    if width > len(statistics.mean) or sizes != [len(biases) for _, biases in policy.layers]:
        raise ValueError(f"the policy has other layers than {sizes}, or a longer history")
    with torch.no_grad():
        for module, (weights, biases) in zip(layers, policy.layers, strict=True):
            module.weight.zero_()
            module.weight[:, : weights.shape[1]] = torch.as_tensor(weights)
            module.bias[:] = torch.as_tensor(biases)
    # A step remembered is scaled as the present one, actions as they are.
    for target, own, rest in (
        (statistics.mean, policy.mean, 0.0),
        (statistics.var, policy.deviation**2 - normalisation.epsilon, 1.0),
    ):
        now = own[:OBSERVATIONS]
        remembered = [*now, *[rest] * (STEP_NUMBERS - OBSERVATIONS)]
        target[:] = [*now, *remembered * steps]
        target[:width] = own
    statistics.count = 1e6


_LOG = logging.getLogger("train_sb3")
_CRITIC_STEPS = 200_000
_TRIALS = 20
"""Episodes from each level that choose between policies where there is randomness."""


class CriticFirst(BaseCallback):
    """Keeps the actor as it is for the first steps of PPO, until the critic knows its returns."""

    def _on_rollout_start(self) -> None:
        learn = self.num_timesteps >= _CRITIC_STEPS
        policy = self.model.policy
        for each in (policy.mlp_extractor.policy_net, policy.action_net):
            each.requires_grad_(learn)
        policy.log_std.requires_grad_(learn)

    def _on_step(self) -> bool:
        return True


class Reporter(BaseCallback):
    """Writes a row of the curve and, when it is better, the policy, every ``every`` steps."""

    def __init__(self, output: Path, every: int, history: int, options: dict[str, Any]) -> None:
        super().__init__()
        self._output, self._every, self._options = output, every, options
        self._history = history
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
        policy = exported(self.model, self.training_env, self._options["force"], self._history)
        randomness = randomness_of(self._options["randomness"])
        count = 1 if randomness == NOMINAL else _TRIALS
        played = [
            episodes(policy, level, count=count, randomness=randomness)
            for level in range(PLAYABLE)
        ]
        reached = [float(np.mean([each.reached for each in group])) for group in played]
        steps = [
            float(np.mean([each.seconds for each in group])) / policy.step_seconds
            for group in played
        ]
        finished = sum(each.end == "finished" for group in played for each in group)
        recent = list(self._episodes)
        mean = {
            level: np.mean([e["next_checkpoint"] for e in recent if e["level"] == level] or [0])
            for level in range(PLAYABLE)
        }
        row = [
            self.num_timesteps, round(time.monotonic() - self._started),
            np.mean([e["episode"]["r"] for e in recent]),
            np.mean([e["episode"]["l"] for e in recent]),
            np.mean([e["end"] == "finished" for e in recent]),
            *mean.values(),
            *reached,
            *steps,
        ]  # fmt: skip
        path = self._output / "curve.csv"
        fresh = not path.exists()
        with path.open("a", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            if fresh:
                writer.writerow(COLUMNS)
            writer.writerow([f"{v:.3f}" if isinstance(v, float) else v for v in row])
        _LOG.info(
            "%d steps: reward %.1f, finished %.0f %%, policy: finished %d of %d, checkpoints %s",
            row[0], row[2], 100.0 * row[4], finished, count * PLAYABLE,
            ", ".join(f"{r:.1f} in {s:.0f} steps" for r, s in zip(reached, steps, strict=True)),
        )  # fmt: skip
        # What finishes most often counts most; then level 0; of two that finish, the faster.
        score = (finished, *reached, -sum(steps))
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
        return kind.load(
            arguments.resume / "model.zip", env=worlds, device="cpu",
            learning_rate=arguments.rate,
        )  # fmt: skip
    spread = -0.5 if arguments.start is None else -1.2
    network = {"net_arch": [arguments.width] * 2, "activation_fn": torch.nn.Tanh}
    settings: dict[str, Any] = {"learning_rate": arguments.rate, "gamma": 0.99}
    if kind is PPO:
        settings.update(
            n_steps=arguments.rollout, batch_size=4096, n_epochs=5, gae_lambda=0.95,
            ent_coef=0.003, policy_kwargs={**network, "log_std_init": spread},
        )  # fmt: skip
    else:
        settings.update(
            batch_size=256, learning_starts=10_000, train_freq=1,
            gradient_steps=arguments.gradient_steps, policy_kwargs=network,
        )  # fmt: skip
    return kind("MlpPolicy", worlds, seed=arguments.seed, device="cpu", **settings)


def train(arguments: argparse.Namespace) -> None:
    """Train as the command line of train_sb3 says."""
    arguments.output.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(arguments.threads)
    options = {
        "rules": arguments.rules,
        "force": arguments.force,
        "random_start_level": True,
        "max_episode_length": EPISODE_STEPS - 1,
        "randomness": arguments.randomness,
    }
    worlds = Worlds(arguments.worlds, arguments.seed, arguments.history, **options)
    if arguments.resume is not None:
        normalised = VecNormalize.load(str(arguments.resume / "normalisation.pkl"), worlds)
    else:
        normalised = VecNormalize(worlds, clip_obs=10.0)
    model = make_model(arguments, normalised)
    callbacks: list[BaseCallback] = []
    if arguments.start is not None:
        start_from(load_policy(arguments.start), model, normalised)
        callbacks.append(CriticFirst())
    callbacks.append(
        Reporter(arguments.output, arguments.report_every, arguments.history, options)
    )
    model.learn(arguments.steps, callback=callbacks)
