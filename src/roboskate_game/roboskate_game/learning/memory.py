# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What a policy gets beyond an observation: the steps before, and its place on the map."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from roboskate_game.learning.localisation import FEATURES, Localisation

Singles = NDArray[np.float32]

OBSERVATIONS, ACTIONS = 10, 3
STEP_NUMBERS = OBSERVATIONS + ACTIONS
"""What is remembered of a step."""


def policy_inputs(history: int, place: bool = False) -> int:
    """Return how many numbers a policy takes; see Memory."""
    return OBSERVATIONS + STEP_NUMBERS * history + FEATURES * place


class Memory:
    """What policies remember of their episodes in ``count`` games.

    Parameters
    ----------
    history
        How many steps, observation and action, are remembered.
    place
        Whether the place on the map is estimated too.
    step_seconds
        As of the environment.

    """

    def __init__(self, count: int, history: int, place: bool, step_seconds: float) -> None:
        self._past: Singles = np.zeros((count, history, STEP_NUMBERS), np.float32)
        self._localisation = Localisation(count, step_seconds) if place else None

    def begin(self, worlds: Any, levels: Any, observations: Any) -> None:
        """Begin episodes in games ``worlds`` (k), at ``levels`` (k), seen as (k, 10) there."""
        self._past[worlds] = 0.0
        if self._localisation is not None:
            self._localisation.begin(worlds, levels, observations)

    def add(self, observations: Any, actions: Any, following: Any) -> None:
        """Remember a step of all games: what was seen (n, 10) and done (n, 3), and seen next."""
        if self._past.shape[1]:
            self._past[:, 1:] = self._past[:, :-1].copy()
            self._past[:, 0] = np.concatenate((observations, actions), axis=1)
        if self._localisation is not None:
            self._localisation.update(following)

    def inputs(self, observations: Any) -> Singles:
        """Return observations (n, 10) with the steps before, the latest first, and the place."""
        past = self._past.reshape(len(self._past), -1)
        parts = [np.asarray(observations, np.float32), past]
        if self._localisation is not None:
            parts.append(self._localisation.features())
        return np.concatenate(parts, axis=1)
