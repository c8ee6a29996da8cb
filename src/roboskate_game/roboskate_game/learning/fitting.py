# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Fits parameters of Physics to rides, and says how far the result can be trusted.

What is compared are predictions one step ahead, see rides.repeated. Whole rides part at the first
contact that comes a step early, so that their cost has many minima; predictions do not. Each of
the 18 numbers counts by its own median error, and errors far beyond that count little: few
contacts would decide otherwise.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from roboskate_game.learning.rides import Rides, repeated
from roboskate_game.model.rules import WIRE_NUMBERS
from roboskate_game.physics.mechanics import Physics

Doubles = NDArray[np.float64]

SCALES = np.repeat((0.05, 0.2, 0.02, 0.02, 1.0, 10.0), 3)
"""Of positions (m), velocities (m/s), forward and up, joints (degrees) and their rates."""
EXACT = 1e-5
"""Parts of SCALES below which an error is that of float32."""
WIDEST = 0.2
"""Half of a 95 % interval, relative, from which on a parameter is not identifiable."""
MISFIT = 1.5
"""Factor by which predictions may be worse than noise explains."""
_SPREAD, _STARTS, _AGREE = 0.4, 12, 0.01
"""Of starts, in logarithms: how far from the usual values, how many, and how near is the same."""
_REPEATS, _STUDENT = 10, 2.262
"""Fits of simulated rides, and Student's t of a 95 % interval for so many."""
_GAIN_OF_NOISE = 0.5
_ROUNDS, _WIDTH, _LIMIT, _STEP = 30, 1e-4, 3.0, 0.2


class Verdict(str, enum.Enum):
    """What a fit is worth; the values are sentences."""

    GOOD = "the model fits"
    NOT_CONVERGED = "not converged: no two starts end alike; record more rides, or fit less"
    MISFIT = "the model does not fit: no values of these parameters explain the rides"


@dataclass(frozen=True)
class Fit:
    """The physics found; ``halves`` are half the 95 % intervals, relative, one for each name.

    ``misfit`` is by which factor predictions are worse than the rides' noise explains.
    """

    names: tuple[str, ...]
    physics: Physics
    halves: tuple[float, ...]
    verdict: Verdict
    starts: int
    misfit: float

    @property
    def not_identifiable(self) -> list[str]:
        """Names of the parameters that these rides say too little of."""
        return [n for n, half in zip(self.names, self.halves, strict=True) if half > WIDEST]


@dataclass(frozen=True)
class _Minimum:
    at: Doubles
    scales: Doubles
    """Median error of each number."""
    jacobian: Doubles
    """(parameters, rides, numbers)."""
    errors: Doubles
    """(rides, numbers), limited, in parts of the scales."""

    @property
    def cost(self) -> float:
        return float(np.log(self.scales / SCALES).mean())


def noise_of(rides: Rides) -> Doubles:
    """Return the standard deviations (18) of what is seen, by the steps in which rides are alike.

    Zeros for rides that differ from the beginning.
    """
    same = (rides.forces == rides.forces[0]).all(axis=(0, 2))
    steps = len(same) if same.all() else int(np.argmin(same))
    if len(rides.forces) < 2 or not steps:
        return np.zeros(WIRE_NUMBERS)
    variances = rides.seen[:, :steps].var(axis=0, ddof=1).mean(axis=0)
    return np.repeat(np.sqrt(variances.reshape(-1, 3).mean(axis=1)), 3)


def fit(rides: Rides, names: Sequence[str]) -> Fit:
    """Return the physics by which each step of the rides follows from the one before."""
    usual = np.array([getattr(Physics(), name) for name in names])

    def physics(logarithms: Doubles) -> Physics:
        values = (usual * np.exp(logarithms)).tolist()
        return replace(Physics(), **dict(zip(names, values, strict=True)))

    def predict(of: Rides, gain: float) -> Callable[[Doubles], Doubles]:
        """Return a function from logarithms (n, parameters) to errors (n, rides, steps, 18)."""
        return lambda many: (
            repeated(of.forces, [physics(each) for each in many], seen=of.seen, gain=gain)
            - of.seen
        )

    rng = np.random.default_rng(0)
    found: list[_Minimum] = []
    alike = 0
    while len(found) < _STARTS and alike < 2:
        start = rng.uniform(-_SPREAD, _SPREAD, len(names)) if found else np.zeros(len(names))
        found.append(_descended(start, predict(rides, 1.0)))
        best = min(found, key=lambda each: each.cost)
        # What the rides say nothing of stays where each start had it.
        told = _variances(best) < (WIDEST / _STUDENT) ** 2
        alike = sum(bool((np.abs(each.at - best.at)[told] < _AGREE).all()) for each in found)
    noise, gain = noise_of(rides), 1.0
    if (noise > EXACT * SCALES).any():
        # What is seen counts less than its prediction where it is noisy.
        gain = _GAIN_OF_NOISE
        best = _descended(best.at, predict(rides, gain))
    repeats, expected = [], []
    for _ in range(_REPEATS):
        made = repeated(rides.forces, [physics(best.at)])[0]
        made = (made + noise * rng.normal(size=made.shape)).astype(np.float32).astype(float)
        again = _descended(best.at, predict(Rides(rides.forces, made), gain), rounds=10)
        repeats.append(again.at - best.at)
        expected.append(again.cost)
    # The noise of what predictions start from pulls all fits to one side: so it did the first.
    at = best.at - np.mean(repeats, axis=0)
    variances = np.maximum(np.var(repeats, axis=0, ddof=1), _variances(best))
    halves = _STUDENT * np.sqrt(variances * (1.0 + 1.0 / _REPEATS))
    misfit = math.exp(best.cost - float(np.mean(expected)))
    verdict = (
        Verdict.MISFIT if misfit > MISFIT
        else Verdict.NOT_CONVERGED if alike < 2
        else Verdict.GOOD
    )  # fmt: skip
    return Fit(tuple(names), physics(at), tuple(halves.tolist()), verdict, len(found), misfit)


def _descended(
    at: Doubles, predict: Callable[[Doubles], Doubles], rounds: int = _ROUNDS
) -> _Minimum:
    """Return where some rounds of Levenberg and Marquardt from a point end."""
    count, damping = len(at), 1e-3
    shifts = _WIDTH * np.concatenate((np.zeros((1, count)), np.eye(count), -np.eye(count)))
    for last in range(rounds, -1, -1):
        errors = predict(at + shifts)
        scales = 1.4826 * np.median(np.abs(errors[0]), axis=(0, 1)) + EXACT * SCALES
        off, *moved = _limited(errors, scales)
        jacobian = (np.array(moved[:count]) - np.array(moved[count:])) / (2.0 * _WIDTH)
        if not last:
            break
        flat = jacobian.reshape(count, -1)
        square, slope = flat @ flat.T, flat @ off.ravel()
        dampings = damping * np.array((0.1, 1.0, 10.0, 100.0, 1e4))
        steps = np.array(
            [np.linalg.solve(square + d * np.diag(np.diag(square) + 1e-9), -slope)
             for d in dampings]
        ).clip(-_STEP, _STEP)  # fmt: skip
        costs = (_limited(predict(at + steps), scales) ** 2).sum(axis=(1, 2))
        chosen = int(np.argmin(costs))
        if not costs[chosen] < (1.0 - 1e-9) * (off**2).sum():
            break
        at, damping = at + steps[chosen], float(np.clip(dampings[chosen], 1e-9, 1e3))
        if np.abs(steps[chosen]).max() < 1e-7:
            break
    return _Minimum(at, scales, jacobian, off)


def _limited(errors: Doubles, scales: Doubles) -> Doubles:
    """Return errors (n, rides, numbers) in parts of their scales, no more than _LIMIT."""
    off = np.nan_to_num(errors / scales, posinf=1e9, neginf=-1e9)
    limited: Doubles = off / np.sqrt(1.0 + (off / _LIMIT) ** 2)
    flat: Doubles = limited.reshape(len(errors), errors.shape[1], -1)
    return flat


def _variances(minimum: _Minimum) -> Doubles:
    """Return variances by the curvature, rides being independent; infinite where there is none."""
    rides = minimum.jacobian.shape[1]
    square = np.einsum("irm,jrm->ij", minimum.jacobian, minimum.jacobian)
    slopes = np.einsum("irm,rm->ri", minimum.jacobian, minimum.errors)
    flat = np.diag(square) <= 1e-12 * max(float(np.diag(square).max()), 1e-300)
    inverse = np.linalg.pinv(square, rcond=1e-14)
    covariance = inverse @ (slopes.T @ slopes) @ inverse * rides / max(1, rides - 1)
    return np.where(flat, math.inf, np.diag(covariance))
