# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What is drawn at random in an episode, always from the generator of its own game."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from roboskate_game.model.rules import Singles

Doubles = NDArray[np.float64]
Worlds = NDArray[np.intp]
Rngs = Sequence[np.random.Generator]

_SIMULATED = ("start_shift", "start_turn", "mass", "friction", "look")
_LIMITS = {"action_drop": 0.99, "mass": 0.9, "friction": 0.9, "start_turn": math.pi, "look": 1.0}
_LONGEST_DELAY = 50


@dataclass(frozen=True)
class Randomness:
    """Spreads of what is drawn; with all of them 0 the game is as it is.

    Parameters
    ----------
    start_shift, start_turn
        By how much the board's start is off at most, to a side (m) and in heading (rad).
    start_crane
        By how much joints 2 and 3 are off at most when an episode begins, rad.
    sensor_noise
        Standard deviation of what is added to each number of an observation; rewards and ends
        follow from the true state.
    action_delay
        Least and most steps by which actions are late; drawn for each episode.
    action_drop
        Probability, for each step, that its action is lost and the one before acts on.
    mass, friction
        Fractions by which ``board_mass`` and ``tip_friction`` of Physics are off at most.
    look
        Strength of random_look for the images.

    Raises ValueError, which names the field and its limits.

    """

    start_shift: float = 0.0
    start_turn: float = 0.0
    start_crane: float = 0.0
    sensor_noise: float = 0.0
    action_delay: tuple[int, int] = (0, 0)
    action_drop: float = 0.0
    mass: float = 0.0
    friction: float = 0.0
    look: float = 0.0

    def __post_init__(self) -> None:
        for each in fields(self):
            if each.name == "action_delay":
                continue
            value, limit = getattr(self, each.name), _LIMITS.get(each.name, 10.0)
            if isinstance(value, bool) or not isinstance(value, (int, float)):
                raise ValueError(f"randomness: {each.name} must be a number, not {value!r}")
            if not 0.0 <= value <= limit:
                raise ValueError(f"randomness: {each.name} must be 0 to {limit:g}, not {value}")
        delay = self.action_delay
        # From JSON it comes as a list.
        if not isinstance(delay, (tuple, list)) or [*map(type, delay)] != [int, int]:
            raise ValueError(f"randomness: action_delay must be two whole numbers, not {delay!r}")
        if not 0 <= delay[0] <= delay[1] <= _LONGEST_DELAY:
            raise ValueError(
                f"randomness: action_delay must be 0 <= least <= most <= {_LONGEST_DELAY}, "
                f"not {tuple(delay)}"
            )
        object.__setattr__(self, "action_delay", tuple(delay))

    @property
    def simulated_only(self) -> list[str]:
        """Names of the fields in use that need a game in this process."""
        return [name for name in _SIMULATED if getattr(self, name)]

    @property
    def variation(self) -> dict[str, tuple[float, float]]:
        """Factors of Physics, as SimulatedGames takes them."""
        spreads = {"board_mass": self.mass, "tip_friction": self.friction}
        return {name: (1.0 - each, 1.0 + each) for name, each in spreads.items() if each}

    def crane_offsets(self, rngs: Rngs) -> Doubles:
        """Draw how far joints 2 and 3 are off at the start: degrees (n, 2)."""
        if not self.start_crane:
            return np.zeros((len(rngs), 2))
        most = math.degrees(self.start_crane)
        return np.array([rng.uniform(-most, most, 2) for rng in rngs])


NOMINAL = Randomness()
_WIRE = {"start_crane": 0.1, "sensor_noise": 0.01, "action_delay": (0, 2), "action_drop": 0.02}
ROBUST_WIRE = Randomness(**_WIRE)  # type: ignore[arg-type]
ROBUST = Randomness(**_WIRE, start_shift=0.3, start_turn=0.1, mass=0.05, friction=0.05, look=1.0)  # type: ignore[arg-type]
PRESETS: Mapping[str, Randomness] = MappingProxyType(
    {"nominal": NOMINAL, "robust": ROBUST, "robust_wire": ROBUST_WIRE}
)
"""``robust_wire`` is that part of ``robust`` which a game over the wire can have."""


def randomness_of(value: Any) -> Randomness:
    """Return the randomness that an option means: a preset's name, a dictionary of fields, or one.

    Raises ValueError.
    """
    if isinstance(value, Randomness):
        return value
    if isinstance(value, str) and value in PRESETS:
        return PRESETS[value]
    if isinstance(value, Mapping):
        unknown = sorted(set(value) - {each.name for each in fields(Randomness)})
        if unknown:
            raise ValueError(f"randomness has no {', '.join(map(str, unknown))}")
        return Randomness(**value)
    raise ValueError(
        f"randomness must be one of {', '.join(PRESETS)}, or a dictionary, not {value!r}"
    )


class Disturbance:
    """Late and lost actions, and noise, in ``count`` games. ``rngs``: those of all games."""

    def __init__(self, count: int, randomness: Randomness) -> None:
        self._randomness = randomness
        self._delay: Worlds = np.zeros(count, np.intp)
        self._queue: Doubles = np.zeros((count, randomness.action_delay[1] + 1, 3))
        self._noise: Singles = np.zeros((count, 10), np.float32)

    def begin(self, worlds: Worlds, rngs: Rngs) -> None:
        """Draw the delay of an episode; what was on its way is forgotten."""
        least, most = self._randomness.action_delay
        self._queue[worlds] = 0.0
        if most > 0:
            self._delay[worlds] = [
                rngs[i].integers(least, most, endpoint=True) for i in worlds.tolist()
            ]

    def delayed(self, forces: Doubles, worlds: Worlds, rngs: Rngs) -> Doubles:
        """Return the forces (n, 3) of ``worlds`` that act when ``forces`` are sent."""
        drop = self._randomness.action_drop
        if not drop and self._queue.shape[1] == 1:
            return forces
        queue = self._queue[worlds]
        queue[:, 1:] = queue[:, :-1].copy()
        kept: NDArray[np.bool_] = np.ones(len(worlds), bool)
        if drop:
            kept = np.array([rngs[i].random() >= drop for i in worlds.tolist()], bool)
        queue[kept, 0] = forces[kept]
        self._queue[worlds] = queue
        late: Doubles = queue[np.arange(len(worlds)), self._delay[worlds]]
        return late

    def noisy(self, observations: Singles, worlds: Worlds, rngs: Rngs) -> Singles:
        """Return observations of all games with noise, which is drawn anew for ``worlds``."""
        spread = self._randomness.sensor_noise
        if not spread:
            return observations
        for i in worlds.tolist():
            self._noise[i] = rngs[i].normal(0.0, spread, 10)
        return observations + self._noise
