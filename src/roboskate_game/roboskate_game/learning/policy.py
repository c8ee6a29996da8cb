# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A trained policy as arrays in a file, evaluated with numpy alone."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from roboskate_game.learning.memory import ACTIONS, Memory, Singles, policy_inputs
from roboskate_game.model.levels import PLAYABLE
from roboskate_game.model.rules import FORCE, STEP_SECONDS

Doubles = NDArray[np.float64]
Layer = tuple[Doubles, Doubles]

_CLIP = 10.0
"""Standard deviations at which an observation is cut off."""


class PolicyError(Exception):
    """A file holds no policy for these environments; the message gives file and reason."""


class Policy:
    """A network from the ten numbers of RoboSkateNumerical, and its memory, to joint forces.

    Parameters
    ----------
    layers
        Weights (outputs, inputs) and biases (outputs) from first to last; tanh in between.
    mean, deviation
        Of the inputs, by which they are normalised.
    squash
        Whether the last layer's values pass tanh (SAC) or are cut off at -1 and 1 (PPO).
    force, step_seconds
        As of the environment that it was trained in.
    history
        How many steps it remembers; its inputs are 10 numbers and 13 for each of these steps.
    place
        Whether behind these come the numbers of Localisation.

    """

    def __init__(
        self,
        layers: Sequence[Layer],
        mean: Doubles,
        deviation: Doubles,
        *,
        squash: bool = False,
        force: float = FORCE,
        step_seconds: float = STEP_SECONDS,
        history: int = 0,
        place: bool = False,
    ) -> None:
        self.history, self.place = int(history), bool(place)
        self.layers = [(np.asarray(w, float), np.asarray(b, float)) for w, b in layers]
        self.mean, self.deviation = np.asarray(mean, float), np.asarray(deviation, float)
        self.squash = bool(squash)
        self.force, self.step_seconds = float(force), float(step_seconds)
        self._check()

    def _check(self) -> None:
        if self.history < 0:
            raise ValueError("history must not be negative")
        width = policy_inputs(self.history, self.place)
        if self.mean.shape != (width,) or self.deviation.shape != (width,):
            raise ValueError(f"mean and deviation must have {width} numbers")
        for number, (weights, biases) in enumerate(self.layers):
            if weights.ndim != 2 or weights.shape[1] != width or biases.shape != weights.shape[:1]:
                raise ValueError(f"layer {number} does not fit {width} inputs")
            width = len(biases)
        if width != ACTIONS:
            raise ValueError(f"the last layer has {width} outputs, not {ACTIONS}")
        arrays = (self.mean, self.deviation, *(part for layer in self.layers for part in layer))
        if not all(np.isfinite(each).all() for each in arrays) or (self.deviation <= 0.0).any():
            raise ValueError("there are values that are not finite, or a deviation that is 0")
        if not (0.0 < self.force < np.inf and 0.0 < self.step_seconds < np.inf):
            raise ValueError("force and step_seconds must be positive")

    def player(self, count: int = 1, level: int | None = None) -> Player:
        """Return what plays ``count`` episodes from the beginning of a level.

        Raises ValueError without such a level where the policy has to know its place.
        """
        if self.place and level not in range(PLAYABLE):
            raise ValueError(
                f"this policy needs the level that its episodes begin at, 0 to {PLAYABLE - 1}, "
                f"not {level}"
            )
        return Player(self, count, level or 0)

    def act(self, inputs: Any) -> Singles:
        """Return actions (..., 3), -1 to 1, for inputs: without history observations (..., 10)."""
        values = (np.asarray(inputs, float) - self.mean) / self.deviation
        values = np.clip(values, -_CLIP, _CLIP)
        for weights, biases in self.layers[:-1]:
            values = np.tanh(values @ weights.T + biases)
        weights, biases = self.layers[-1]
        values = values @ weights.T + biases
        bounded = np.tanh(values) if self.squash else np.clip(values, -1.0, 1.0)
        actions: Singles = bounded.astype(np.float32)
        return actions

    def save(self, path: Path) -> None:
        """Write the policy to a .npz file. Raises OSError."""
        arrays = {
            f"{kind}_{i}": part.astype(np.float32)
            for i, layer in enumerate(self.layers)
            for kind, part in zip(("weights", "biases"), layer, strict=True)
        }
        np.savez_compressed(
            path,
            allow_pickle=False,
            mean=self.mean,
            deviation=self.deviation,
            squash=np.array(self.squash),
            force=np.array(self.force),
            step_seconds=np.array(self.step_seconds),
            history=np.array(self.history),
            place=np.array(self.place),
            **arrays,
        )


class Player:
    """A policy with its memory of the episodes in N games."""

    def __init__(self, policy: Policy, count: int, level: int) -> None:
        self.force, self.step_seconds = policy.force, policy.step_seconds
        self._policy = policy
        self._memory = Memory(count, policy.history, policy.place, policy.step_seconds)
        self._levels = np.full(count, level)
        self._last: tuple[Any, Singles] | None = None

    def act(self, observations: Any) -> Singles:
        """Return actions (n, 3) for observations (n, 10); call it once for each step, in order."""
        if self._last is None:
            self._memory.begin(np.arange(len(self._levels)), self._levels, observations)
        else:
            self._memory.add(*self._last, observations)
        actions = self._policy.act(self._memory.inputs(observations))
        self._last = (observations, actions)
        return actions


def load_policy(path: Path | None = None) -> Policy:
    """Return the policy in a file, without ``path`` the one that comes with the package.

    Raises PolicyError.
    """
    source = path or resources.files("roboskate_game") / "learning" / "policy.npz"
    try:
        with source.open("rb") as file, np.load(file, allow_pickle=False) as stored:
            count = sum(name.startswith("weights_") for name in stored.files)
            return Policy(
                [(stored[f"weights_{i}"], stored[f"biases_{i}"]) for i in range(count)],
                stored["mean"],
                stored["deviation"],
                squash=bool(stored["squash"]),
                force=float(stored["force"]),
                step_seconds=float(stored["step_seconds"]),
                history=int(stored["history"]) if "history" in stored.files else 0,
                place=bool(stored["place"]) if "place" in stored.files else False,
            )
    except (
        OSError, KeyError, ValueError, TypeError, EOFError, RuntimeError,
        zipfile.BadZipFile, zlib.error,
    ) as error:  # fmt: skip
        raise PolicyError(f"{source} holds no policy: {error}") from error
