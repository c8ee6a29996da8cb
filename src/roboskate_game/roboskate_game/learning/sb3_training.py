# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What train_sb3 does once stable-baselines3 is there: models, their export and their reports."""

from __future__ import annotations

import argparse
import csv
import logging
import time
from collections import deque
from dataclasses import dataclass
from importlib import resources
from typing import Any

import numpy as np
import yaml

from roboskate_game.environments import EPISODE_STEPS
from roboskate_game.environments.randomness import NOMINAL, Randomness
from roboskate_game.learning.contestants import trained
from roboskate_game.learning.evaluate import episodes
from roboskate_game.learning.localisation import FEATURES
from roboskate_game.learning.memory import OBSERVATIONS, STEP_NUMBERS, policy_inputs
from roboskate_game.learning.policy import Policy, load_policy
from roboskate_game.model.levels import PLAYABLE

try:
    import torch
    from stable_baselines3 import PPO, SAC
    from stable_baselines3.common.callbacks import BaseCallback
    from stable_baselines3.common.policies import ActorCriticPolicy
    from stable_baselines3.common.torch_layers import MlpExtractor
    from stable_baselines3.common.vec_env import VecFrameStack, VecNormalize, VecTransposeImage

    from roboskate_game.learning.sb3_pictures import FRAMES
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


class _AsymmetricNetworks(MlpExtractor):
    """Networks of which the actor gets the first inputs only, and the critic all."""

    def __init__(self, known: int, policy: ActorCriticPolicy) -> None:
        def layers(inputs: int) -> MlpExtractor:
            return MlpExtractor(inputs, policy.net_arch, policy.activation_fn, policy.device)

        super().__init__(policy.features_dim, policy.net_arch, policy.activation_fn, policy.device)
        self.policy_net = layers(known).policy_net
        self._known = known

    def forward_actor(self, features: torch.Tensor) -> torch.Tensor:
        return super().forward_actor(features[:, : self._known])


class AsymmetricPolicy(ActorCriticPolicy):
    """PPO's policy with a critic that knows the truth behind the first ``known`` inputs.

    It is needed for training alone (asymmetric actor-critic, Pinto et al. 2017).
    """

    def __init__(self, *args: Any, known: int, **options: Any) -> None:
        self._known = known
        super().__init__(*args, **options)

    def _build_mlp_extractor(self) -> None:
        self.mlp_extractor = _AsymmetricNetworks(self._known, self)


def exported(model: Any, normalisation: Any, arguments: argparse.Namespace) -> Policy:
    """Return a model's deterministic policy; ``arguments``: those of train_sb3."""
    history, place = arguments.history, arguments.place
    layers = [
        (m.weight.detach().numpy().copy(), m.bias.detach().numpy().copy())
        for m in _actor_layers(model)
    ]
    statistics, known = normalisation.obs_rms, policy_inputs(history, place)
    deviation = np.sqrt(statistics.var[:known] + normalisation.epsilon)
    return Policy(
        layers, statistics.mean[:known].copy(), deviation,
        squash=isinstance(model, SAC), force=arguments.force, history=history, place=place,
    )  # fmt: skip


def _actor_layers(model: Any) -> list[Any]:
    if isinstance(model, SAC):
        modules = [*model.actor.latent_pi, model.actor.mu]
    else:
        modules = [*model.policy.mlp_extractor.policy_net, model.policy.action_net]
    return [each for each in modules if isinstance(each, torch.nn.Linear)]


def start_from(policy: Policy, model: Any, normalisation: Any, history: int, place: bool) -> None:
    """Give a new model the weights of a policy; what it knows beyond that one counts 0.

    Raises ValueError for other layers, or a policy that knows more.
    """
    statistics = normalisation.obs_rms
    known, steps = policy_inputs(history, place), policy_inputs(policy.history)
    layers = _actor_layers(model)
    sizes = [each.out_features for each in layers]
    more = policy.history > history or (policy.place and not place)
    if more or sizes != [len(biases) for _, biases in policy.layers]:
        raise ValueError(f"the policy has other layers than {sizes}, or knows more")
    # Where its inputs are among the model's: the place stands behind the longest history.
    own = np.r_[0:steps, known - FEATURES * policy.place : known]
    with torch.no_grad():
        for number, (module, (weights, biases)) in enumerate(
            zip(layers, policy.layers, strict=True)
        ):
            module.weight.zero_()
            module.weight[:, own if number == 0 else slice(None)] = torch.as_tensor(
                weights, dtype=torch.float32
            )
            module.bias[:] = torch.as_tensor(biases)
    # A step remembered is scaled as the present one; actions and the place as they are.
    for target, given, rest in (
        (statistics.mean, policy.mean, 0.0),
        (statistics.var, policy.deviation**2 - normalisation.epsilon, 1.0),
    ):
        now = given[:OBSERVATIONS]
        remembered = [*now, *[rest] * (STEP_NUMBERS - OBSERVATIONS)]
        target[:known] = [*now, *remembered * history, *[rest] * FEATURES * place]
        target[own] = given
    statistics.count = 1e6


_LOG = logging.getLogger("train_sb3")
_CRITIC_UPDATES = 16
_STARTED_SPREAD = -1.2
"""Logarithm of the actions' standard deviation where the actor is not new."""
PICTURES = "RoboSkateImage-v0"
_TRIALS, _TRIAL_SEED = 20, 1000
"""Episodes from each level that choose between policies where there is randomness, and their
seed, which is none of an evaluation's."""


class CriticFirst(BaseCallback):
    """Keeps the actor as it is for PPO's first updates, until the critic knows its returns."""

    def _on_training_start(self) -> None:
        self._updates = 0

    def _on_rollout_start(self) -> None:
        learn = self._updates >= _CRITIC_UPDATES
        self._updates += 1
        policy = self.model.policy
        for each in (policy.mlp_extractor.policy_net, policy.action_net):
            each.requires_grad_(learn)
        policy.log_std.requires_grad_(learn)

    def _on_step(self) -> bool:
        return True


@dataclass(frozen=True)
class Trial:
    """How a policy does: episodes finished of ``count``, and means for each level."""

    count: int
    finished: int
    reached: tuple[float, ...]
    steps: tuple[float, ...]

    @classmethod
    def of(cls, policy: Policy, randomness: Randomness) -> Trial:
        """Let a policy play."""
        count = 1 if randomness == NOMINAL else _TRIALS
        played = [
            episodes(
                trained(policy), level, count=count, seeds=[_TRIAL_SEED], randomness=randomness
            )
            for level in range(PLAYABLE)
        ]
        return cls(
            count * PLAYABLE,
            sum(each.end == "finished" for group in played for each in group),
            tuple(float(np.mean([each.reached for each in group])) for group in played),
            tuple(
                float(np.mean([each.seconds for each in group])) / policy.step_seconds
                for group in played
            ),
        )

    @property
    def score(self) -> tuple[float, ...]:
        """What finishes most often counts most; then level 0; of two that finish, the faster."""
        return (self.finished, *self.reached, -sum(self.steps))

    def __str__(self) -> str:
        """Return it in a line."""
        ways = zip(self.reached, self.steps, strict=True)
        way = ", ".join(f"{reached:.1f} in {steps:.0f} steps" for reached, steps in ways)
        return f"finished {self.finished} of {self.count}, checkpoints {way}"


class Reporter(BaseCallback):
    """Writes a row of the curve and, when it is better, the policy, every ``every`` steps."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        super().__init__()
        self._arguments, self._output = arguments, arguments.output
        self._episodes: deque[dict[str, Any]] = deque(maxlen=500)
        self._next = 0
        self._started = time.monotonic()
        self._best: Trial | None = None

    def _on_step(self) -> bool:
        self._episodes.extend(info for info in self.locals["infos"] if "episode" in info)
        if self.num_timesteps >= self._next and self._episodes:
            self._next = self.num_timesteps + self._arguments.report_every
            self._report()
        return True

    def _on_training_start(self) -> None:
        kept = self._output / "policy.npz"
        if self._arguments.resume is not None and kept.exists():
            self._best = Trial.of(load_policy(kept), self._arguments.randomness)

    def _on_training_end(self) -> None:
        if self._episodes:
            self._report()

    def _report(self) -> None:
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
        ]  # fmt: skip
        _LOG.info("%d steps: reward %.1f, finished %.0f %%", row[0], row[2], 100.0 * row[4])
        self.model.save(self._output / "model.zip")
        self.training_env.save(str(self._output / "normalisation.pkl"))
        if self._arguments.environment != PICTURES:
            row += self._try_policy()
        path = self._output / "curve.csv"
        fresh = not path.exists()
        with path.open("a", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            if fresh:
                writer.writerow(COLUMNS)
            writer.writerow([f"{v:.3f}" if isinstance(v, float) else v for v in row])

    def _try_policy(self) -> list[float]:
        """Keep the policy if it is better; return how far it comes, and in how many steps."""
        policy = exported(self.model, self.training_env, self._arguments)
        trial = Trial.of(policy, self._arguments.randomness)
        _LOG.info("policy: %s", trial)
        policy.save(self._output / "latest.npz")
        if self._best is None or trial.score > self._best.score:
            self._best = trial
            policy.save(self._output / "policy.npz")
        return [*trial.reached, *trial.steps]


def zoo_settings(algorithm: str, environment: str) -> dict[str, Any]:
    """Return what the zoo's file has for "ppo" or "sac" and a registered environment."""
    source = resources.files("roboskate_game") / "learning" / f"zoo_{algorithm}.yml"
    settings: dict[str, Any] = yaml.safe_load(source.read_text(encoding="utf-8"))[environment]
    # The zoo's format: expressions in strings.
    network = settings["policy_kwargs"]
    settings["policy_kwargs"] = eval(network, {"__builtins__": {}, "dict": dict, "nn": torch.nn})
    return settings


def model_settings(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the zoo's hyperparameters, for our number of worlds, and what overrules them."""
    settings = zoo_settings(arguments.algorithm, arguments.environment)
    zoo_worlds = settings.pop("n_envs")
    for own in ("normalize", "n_timesteps", "policy", "frame_stack"):
        settings.pop(own, None)
    if arguments.algorithm == "ppo":
        settings["n_steps"] = max(1, settings["n_steps"] * zoo_worlds // arguments.worlds)
        given = {
            "n_steps": arguments.rollout,
            "ent_coef": arguments.entropy,
            "target_kl": arguments.target_kl,
        }
        if arguments.start is not None:
            settings["policy_kwargs"]["log_std_init"] = _STARTED_SPREAD
    else:
        settings["gradient_steps"] = settings["gradient_steps"] * arguments.worlds // zoo_worlds
        given = {"gradient_steps": arguments.gradient_steps}
    if arguments.width is not None:
        settings["policy_kwargs"]["net_arch"] = [arguments.width] * 2
    given |= {"learning_rate": arguments.rate, "gamma": arguments.gamma}
    return settings | {name: value for name, value in given.items() if value is not None}


def make_model(arguments: argparse.Namespace, worlds: Any) -> Any:
    """Return a new model, or the one in the directory to resume."""
    kind = {"ppo": PPO, "sac": SAC}[arguments.algorithm]
    if arguments.resume is not None:
        overruled = {} if arguments.rate is None else {"learning_rate": arguments.rate}
        return kind.load(arguments.resume / "model.zip", env=worlds, device="cpu", **overruled)
    settings = model_settings(arguments)
    policy: Any = "CnnPolicy" if arguments.environment == PICTURES else "MlpPolicy"
    if arguments.critic == "truth":
        policy = AsymmetricPolicy
        settings["policy_kwargs"]["known"] = policy_inputs(arguments.history, arguments.place)
    return kind(policy, worlds, seed=arguments.seed, device="cpu", **settings)


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
    pictures = arguments.environment == PICTURES
    worlds: Any = Worlds(
        arguments.worlds, arguments.seed, arguments.history, place=arguments.place,
        truth=arguments.critic == "truth", pictures=pictures, **options,
    )  # fmt: skip
    if pictures:
        worlds = VecFrameStack(VecTransposeImage(worlds), FRAMES, channels_order="first")
    if arguments.resume is not None:
        normalised = VecNormalize.load(str(arguments.resume / "normalisation.pkl"), worlds)
    else:
        gamma = model_settings(arguments)["gamma"]
        normalised = VecNormalize(worlds, norm_obs=not pictures, clip_obs=10.0, gamma=gamma)
    model = make_model(arguments, normalised)
    callbacks: list[BaseCallback] = []
    if arguments.start is not None:
        start = load_policy(arguments.start)
        start_from(start, model, normalised, arguments.history, arguments.place)
        callbacks.append(CriticFirst())
    callbacks.append(Reporter(arguments))
    model.learn(arguments.steps, callback=callbacks, reset_num_timesteps=arguments.resume is None)
