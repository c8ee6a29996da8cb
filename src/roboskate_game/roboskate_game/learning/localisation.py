# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Where a board is on the map, estimated from its observations alone.

An extended Kalman filter of place and heading. An observation has the board's speed, and its crane
and lean by which it turns: dead reckoning from the start. It also has the angle to the next
checkpoint, a bearing; where that jumps, a checkpoint has been passed, and its edge is where the
board is.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from roboskate_game.model.levels import LEVELS
from roboskate_game.model.rules import CHECKPOINT_DISCS, LAST_CHECKPOINT, SPEED_SCALE, STEP_SECONDS

Doubles = NDArray[np.float64]
Flags = NDArray[np.bool_]

FEATURES = LAST_CHECKPOINT + 5
"""How many numbers an estimate is for a policy."""
_FEATURE_METRES = 10.0
_JOINT, _JOINT_RATE, _SPEED, _ROLL, _STEERING = 0, 3, 6, 8, 9
"""Places in an observation."""

# Fitted to 12,000 steps of the simulated game, by its observations' numbers.
_TURN_BY_LEAN, _TURN_BY_JOINT, _TURN_BY_RATE, _TURN_BY_ROLL = 0.406, 1.289, -0.106, -0.601
"""Radians that the board turns in a step of 0.2 s."""

# Standard deviations, in m and rad.
_START_PLACE, _START_HEADING = 0.3, 0.1
_STEP_ALONG, _STEP_ACROSS, _STEP_HEADING = 0.04, 0.02, 0.11
_BEARING = 0.02
_EDGE = 0.4
"""Of the edge, when a board is first seen behind it."""


class Localisation:
    """Estimates of place, heading and next checkpoint in ``count`` games.

    ``pose`` (n, 3): x and y in m and heading in rad, on the map; ``next`` (n): the number of the
    checkpoint that is steered to.
    """

    def __init__(self, count: int, step_seconds: float = STEP_SECONDS) -> None:
        self._step_seconds = step_seconds
        self.pose: Doubles = np.zeros((count, 3))
        self.next: NDArray[np.intp] = np.zeros(count, np.intp)
        self._covariance: Doubles = np.zeros((count, 3, 3))
        self._before: Doubles = np.zeros((count, 10))

    def begin(self, worlds: Any, levels: Any, observations: Any) -> None:
        """Begin episodes in games ``worlds`` (k), at ``levels`` (k), seen as (k, 10) there."""
        starts = [LEVELS[int(level)] for level in levels]
        first = np.array([each.first_checkpoint or 0 for each in starts])
        place = np.array([each.start for each in starts])
        distance = np.hypot(*(CHECKPOINT_DISCS[first, :2] - place).T)
        self.next[worlds] = first + (distance <= CHECKPOINT_DISCS[first, 2])
        self.pose[worlds, :2] = place
        self.pose[worlds, 2] = [each.heading for each in starts]
        self._covariance[worlds] = np.diag([_START_PLACE**2, _START_PLACE**2, _START_HEADING**2])
        self._before[worlds] = observations

    def update(self, observations: Any) -> None:
        """Take the observations (n, 10) of a step; call it once for each step, in order."""
        seen = np.asarray(observations, float)
        self._predict(self._before, seen)
        self._before = seen
        steering = np.pi * seen[:, _STEERING]
        after = np.minimum(self.next + 1, LAST_CHECKPOINT)
        reached, trust = self._reached(steering, after)
        # It is passed by half a step on average.
        half = SPEED_SCALE * np.abs(seen[:, _SPEED]) * self._step_seconds / 2.0
        distance, gradient = self._range(self.next)
        off = CHECKPOINT_DISCS[self.next, 2] - half - distance
        self._correct(reached * off, gradient, _EDGE**2 / np.maximum(reached * trust, 1e-9))
        self.next = np.where(reached, after, self.next)
        off, gradient = self._bearing(self.next, steering)
        self._correct(off, gradient, _BEARING**2)

    def _predict(self, before: Doubles, seen: Doubles) -> None:
        speed = SPEED_SCALE * (before[:, _SPEED] + seen[:, _SPEED]) / 2.0
        way = self._step_seconds * speed
        turned = _turned(before, seen) * (self._step_seconds / STEP_SECONDS)
        middle = self.pose[:, 2] + turned / 2.0
        cosine, sine = np.cos(middle), np.sin(middle)
        self.pose += np.stack((way * cosine, way * sine, turned), axis=1)
        move = np.tile(np.eye(3), (len(way), 1, 1))
        move[:, 0, 2], move[:, 1, 2] = -way * sine, way * cosine
        axes = np.zeros_like(move)
        axes[:, 0, 0], axes[:, 0, 1], axes[:, 1, 0], axes[:, 1, 1] = cosine, -sine, sine, cosine
        axes[:, 2, 2] = 1.0
        noise = np.diag([_STEP_ALONG**2, _STEP_ACROSS**2, _STEP_HEADING**2])
        self._covariance = move @ self._covariance @ move.transpose(
            0, 2, 1
        ) + axes @ noise @ axes.transpose(0, 2, 1)

    def _reached(self, steering: Doubles, after: Any) -> tuple[Flags, Doubles]:
        """Return whether the angle is rather to the checkpoint ``after`` the next one.

        And how clear that is, 0 to 1: not at all where both are in the same direction.
        """
        (to_next, next_gradient), (to_after, after_gradient) = (
            self._bearing(each, steering) for each in (self.next, after)
        )
        next_variance = self._variance(next_gradient) + _BEARING**2
        after_variance = self._variance(after_gradient) + _BEARING**2
        distance, gradient = self._range(self.next)
        spread = np.sqrt(self._variance(gradient) + _EDGE**2)
        likelihood = (
            to_next**2 / next_variance
            - to_after**2 / after_variance
            + np.log(next_variance / after_variance)
        ) / 2.0
        # 1.7: the logistic function is near the normal distribution's.
        before_edge = 1.7 * (distance - CHECKPOINT_DISCS[self.next, 2]) / spread
        apart = _wrapped(to_next - to_after) ** 2
        return likelihood > before_edge, apart / (apart + next_variance + after_variance)

    def _range(self, checkpoints: Any) -> tuple[Doubles, Doubles]:
        """Return distances to checkpoints, and their gradients by the pose (n, 3)."""
        away = self.pose[:, :2] - CHECKPOINT_DISCS[checkpoints, :2]
        distance: Doubles = np.maximum(np.hypot(*away.T), 1e-6)
        return distance, np.column_stack((away / distance[:, None], np.zeros(len(distance))))

    def _bearing(self, checkpoints: Any, steering: Doubles) -> tuple[Doubles, Doubles]:
        """Return seen less expected angles to checkpoints, and the latter's gradients (n, 3)."""
        x, y = (CHECKPOINT_DISCS[checkpoints, :2] - self.pose[:, :2]).T
        # Near a checkpoint the bearing is anything: it counts as 0.5 m away.
        square = np.maximum(x * x + y * y, 0.25)
        expected = np.arctan2(y, x) - self.pose[:, 2]
        gradient = np.column_stack((y / square, -x / square, np.full(len(x), -1.0)))
        return _wrapped(steering - expected), gradient

    def _variance(self, gradient: Doubles) -> Doubles:
        variance: Doubles = np.einsum("ni,nij,nj->n", gradient, self._covariance, gradient)
        return variance

    def _correct(self, off: Doubles, gradient: Doubles, variance: Doubles | float) -> None:
        """Correct poses by a measurement that is ``off`` (n) beside what they say."""
        across = np.einsum("nij,nj->ni", self._covariance, gradient)
        gain = across / (self._variance(gradient) + variance)[:, None]
        self.pose += gain * off[:, None]
        self._covariance = self._covariance - gain[:, :, None] * across[:, None, :]

    def features(self) -> NDArray[np.float32]:
        """Return the estimates as inputs of a network (n, FEATURES).

        A one for the number of the next checkpoint, the way to it (x and y, in 10 m), and the
        heading's cosine and sine.
        """
        columns = (
            np.eye(LAST_CHECKPOINT + 1)[self.next],
            (CHECKPOINT_DISCS[self.next, :2] - self.pose[:, :2]) / _FEATURE_METRES,
            np.cos(self.pose[:, 2]),
            np.sin(self.pose[:, 2]),
        )
        return np.column_stack(columns).astype(np.float32)


def _turned(before: Doubles, seen: Doubles) -> Doubles:
    """Return by how much boards have turned between observations (n, 10), about, in rad."""

    def lean(numbers: Doubles) -> Doubles:
        return numbers[:, _ROLL] - 0.5

    def trucks(numbers: Doubles) -> Doubles:
        return SPEED_SCALE * numbers[:, _SPEED] * lean(numbers)

    turned: Doubles = (
        # The trucks turn with the lean, and the crane's turning turns the board.
        _TURN_BY_LEAN * (trucks(before) + trucks(seen))
        + _TURN_BY_JOINT * (seen[:, _JOINT] - before[:, _JOINT])
        + _TURN_BY_RATE * (seen[:, _JOINT_RATE] + before[:, _JOINT_RATE])
        + _TURN_BY_ROLL * (lean(seen) - lean(before))
    )
    return turned


def _wrapped(angles: Doubles) -> Doubles:
    wrapped: Doubles = (angles + np.pi) % (2.0 * np.pi) - np.pi
    return wrapped
