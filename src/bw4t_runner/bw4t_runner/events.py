# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The events of a runner, which its observer gets, and how its world runs. ROS-free."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from enum import Enum

from bw4t_world import Snapshot
from legacy_robots_core.link.base import LinkObserver, LinkState, LinkStatus

LOG = logging.getLogger("bw4t_runner.world_runner")


class RunnerEvent(Enum):
    """What happens to a world besides the passing of time."""

    CLOCK = "clock"
    """It was paused or resumed, or its speed has changed."""
    ROSTER = "roster"
    """A player was added or removed."""
    RUN = "run"
    """It began again, perhaps with another map and other players."""


@dataclass(frozen=True, slots=True)
class Cycle:
    """A cycle is over, and all of its percepts have been handed over; ``stamp`` in ns."""

    snapshot: Snapshot
    stamp: int


@dataclass(frozen=True, slots=True)
class Going:
    """A robot gets another target; reported before that target's action returns."""

    player: str


@dataclass(frozen=True, slots=True)
class WorldStatus:
    """How the world runs.

    ``speed`` is how many times as fast as nominal it runs unless ``is_paused``; ``run`` counts
    resets and loads; ``ticks_per_cycle`` see :mod:`bw4t_runner.world_runner`. ``lateness``
    and ``max_lateness`` are by how much the last cycle began later than due, and the worst since
    the start, in seconds; ``skipped_ticks`` were left out because the thread could not keep up.
    """

    tick: int
    seconds: float
    speed: float
    is_paused: bool
    run: int
    ticks_per_cycle: int
    lateness: float
    max_lateness: float
    skipped_ticks: int


class LoggingObserver(LinkObserver):
    """Logs what goes wrong in a runner, for programs without ROS."""

    def on_status(self, status: LinkStatus) -> None:
        """Log a fault."""
        if status.state is LinkState.FAULT:
            LOG.error("the world failed: %s", status.detail)

    def on_problem(self, counter: str, text: str) -> None:
        """Log a problem."""
        LOG.error("%s", text)
