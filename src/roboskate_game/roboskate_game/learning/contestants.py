# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Who can be evaluated: scripted agents, trained policies, and what all of them have."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from roboskate_game.environments.task import Task
from roboskate_game.learning.policy import Policy
from roboskate_game.learning.scripted_policy import Skater
from roboskate_game.model.levels import CourseProgress
from roboskate_game.model.rules import FORCE, JOINT_SCALES, STEP_SECONDS
from roboskate_game.protocol.dialect import FORCE_RANGE


class Agent(Protocol):
    """What chooses actions in N games."""

    def act(self, observations: Any) -> Any:
        """Return actions (n, 3) for observations (n, 10); called once for each step, in order."""


class Hand:
    """The original's hand-made agent: it steers with joint 1 and rows with the others."""

    def __init__(self) -> None:
        self._step = 0

    def act(self, observations: Any) -> Any:
        """Return actions: parts of the errors of the three joints."""
        joints = np.asarray(observations, float)[:, :3] * JOINT_SCALES[:3]
        pitch, steering = observations[:, 7], 180.0 * observations[:, 9]
        turn = 0.3 * self._step
        self._step += 1
        return np.column_stack(
            (
                (np.clip(steering, -70.0, 70.0) - joints[:, 0]) / 180.0,
                (60.0 + 200.0 * (pitch - 0.5) - 30.0 * math.cos(turn) - joints[:, 1]) / 90.0,
                3.0 * (55.0 + 70.0 * math.sin(turn) - joints[:, 2]) / 125.0,
            )
        ).clip(-1.0, 1.0)


class Random:
    """Actions drawn evenly."""

    def __init__(self) -> None:
        self._rng = np.random.default_rng(0)

    def act(self, observations: Any) -> Any:
        """Return random actions."""
        return self._rng.uniform(-1.0, 1.0, (len(observations), 3))


class Autopilot:
    """The scripted skater, with the force of a key; it knows the true state, and the map."""

    def __init__(self, task: Task, level: int) -> None:
        self._task = task
        self._skaters = [Skater(CourseProgress(level, whole_map=True)) for _ in range(task.count)]

    def act(self, observations: Any) -> Any:
        """Return the keys of each skater."""
        boards = self._task.boards()
        keys = [
            skater.keys(board).values()
            for skater, board in zip(self._skaters, boards, strict=True)
        ]
        return np.array(keys)


@dataclass(frozen=True)
class Contestant:
    """What an evaluation is of.

    ``force`` and ``step_seconds`` are those of Options; ``agent`` returns what plays the games of
    a task, which it may look at, from their beginnings at a level.
    """

    force: float
    step_seconds: float
    agent: Callable[[Task, int], Agent]


def trained(policy: Policy) -> Contestant:
    """Return a policy as a contestant."""
    return Contestant(
        policy.force, policy.step_seconds, lambda task, level: policy.player(task.count, level)
    )


SCRIPTED = {
    "random": Contestant(FORCE, STEP_SECONDS, lambda task, level: Random()),
    "hand": Contestant(FORCE, STEP_SECONDS, lambda task, level: Hand()),
    "autopilot": Contestant(FORCE_RANGE, 0.04, Autopilot),
}
