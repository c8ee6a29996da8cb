# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A node that drives the board with a trained policy, as the learning environments would."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from legacy_robots_common.node.main import run
from legacy_robots_common.node.parameters import parameter
from legacy_robots_common.node.program_node import StartupError
from roboskate_bridge.drivers.driver import Driver, DriverParameters
from roboskate_game.learning.policy import PolicyError, load_policy
from roboskate_game.model.coordinates import BoardInRos
from roboskate_game.model.levels import LEVELS
from roboskate_game.model.rules import (
    START_STEPS,
    End,
    Rules,
    Scorer,
    Wire,
    lowering,
)
from roboskate_game.protocol.messages import Keys

_ENDS = {End.FINISHED: "all checkpoints reached", End.TIPPED: "the board has tipped over"}
_SLACK_S = 1e-6
"""Seconds that a stamp may be early: stamps are whole nanoseconds."""


@dataclass(frozen=True)
class Parameters(DriverParameters):
    """The policy node's parameters."""

    policy: str = parameter("", "a policy.npz; empty: the package's")
    force_scale: float = parameter(
        250.0,
        "the bridge's, in profile game: at least the force that the policy was trained with; "
        "launch passes it on",
        minimum=0.1,
        maximum=100000.0,
    )


class PolicyNode(Driver[Parameters]):
    """Acts once for each step of the environment. Raises StartupError for a bad policy."""

    def __init__(self, **node_arguments: Any) -> None:
        super().__init__("policy", Parameters, **node_arguments)
        settings = self._settings
        try:
            self._policy = load_policy(Path(settings.policy) if settings.policy else None)
        except PolicyError as error:
            raise StartupError(f"parameter 'policy': {error}") from error
        if settings.force_scale < self._policy.force:
            raise StartupError(
                f"the policy needs joint forces up to {self._policy.force:g}, the bridge sends up "
                f"to {settings.force_scale:g}: start it with profile:=game "
                f"force_scale:={self._policy.force:g}"
            )
        self.begin()

    def begin(self) -> None:
        """Drive from the start of the level."""
        self._player = self._policy.player(level=self._settings.level)
        self._scorer = Scorer(1, Rules.MODERN, maximum_steps=sys.maxsize)
        self._first = LEVELS[self._settings.level].first_checkpoint or 0
        self._steps = 0
        self._due = -math.inf
        self._end = End.NONE

    def drive(self, board: BoardInRos, seconds: float) -> Keys | None:
        """Return the keys to hold down once a step of the environment is over."""
        period = self._policy.step_seconds
        if self._due - 2.0 * period <= seconds < self._due - _SLACK_S:
            return None
        # On the grid of the steps, unless one was missed or the clock was set back.
        on_time = abs(seconds - self._due) < period
        self._due = (self._due if on_time else seconds) + period
        state = wire_state(board)
        self._steps += 1
        if self._steps <= START_STEPS:
            return self._sent(lowering(state[:, 12:])[0])
        only = np.zeros(1, np.intp)
        if self._steps == START_STEPS + 1:
            self._scorer.begin(state, only, np.array([self._first]))
        else:
            self._scorer.score(state, only)
            self._end = End(int(self._scorer.column("end")[0]))
        return self._sent(self._player.act(self._scorer.observations)[0])

    def _sent(self, action: Any) -> Keys:
        scale = self._policy.force / self._settings.force_scale
        return Keys(*(scale * float(value) for value in action))

    @property
    def until(self) -> float:
        """Simulated time (s) of the next step: a late machine slows the game, not the rider."""
        return self._due

    @property
    def reached(self) -> int:
        """Checkpoints reached since the beginning."""
        begun = self._steps > START_STEPS
        return int(self._scorer.column("next")[0]) - self._first if begun else 0

    @property
    def end(self) -> str:
        """Why the level is over, empty while it is not."""
        return _ENDS.get(self._end, "")


def wire_state(board: BoardInRos) -> Wire:
    """Return a board in the game's axes, as the game reports it."""
    (fx, _, ux), (fy, _, uy), (fz, _, uz) = board.rotation
    (x, y, z), (vx, vy, vz) = board.position, board.linear_velocity_world
    joints = np.degrees([*board.joint_angles, *board.joint_velocities])
    row = np.array([(x, z, y, vx, vz, vy, fx, fz, fy, ux, uz, uy, *joints)], np.float32)
    return row.astype(float)


def main() -> None:
    """Run the policy until SIGINT or SIGTERM."""
    sys.exit(run(PolicyNode, Parameters))
