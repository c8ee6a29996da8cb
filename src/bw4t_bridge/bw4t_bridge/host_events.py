# SPDX-License-Identifier: Apache-2.0
"""What a host tells about its world, and who looks at it. ROS-free."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from bw4t_world import Snapshot

LOG = logging.getLogger("bw4t_bridge.host")


class HostEvent(Enum):
    """What happens to a world beside the passing of time."""

    CLOCK = "clock"
    """It was paused or resumed, or its speed has changed."""
    ROSTER = "roster"
    """A player was added or removed."""
    RUN = "run"
    """It began again, perhaps with another map and other players."""
    END = "end"
    """The host is closed, or its thread has failed: nothing more will happen."""


@dataclass(frozen=True, slots=True)
class HostStatus:
    """How the world runs.

    ``speed`` is how many times as fast as nominal it runs unless ``is_paused``; ``run`` counts
    resets and loads; ``ticks_per_cycle`` see :mod:`bw4t_bridge.host`. ``lateness`` and
    ``max_lateness`` tell (in seconds) by how much the last cycle began later than due, and the
    worst since the start; ``skipped_ticks`` were left out because the thread could not keep up.
    ``failure`` says why the thread has died.
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
    failure: str


class Observation:
    """A registered observer, until :meth:`close`."""

    def __init__(
        self,
        callback: Callable[[Snapshot], None],
        min_period: float,
        forget: Callable[[Observation], None],
    ) -> None:
        self._callback = callback
        self._min_period = min_period
        self._forget = forget
        self._next = -math.inf
        self._seen: Snapshot | None = None

    def close(self) -> None:
        """Get no more snapshots. Idempotent."""
        self._forget(self)

    def is_due(self, now: float) -> bool:
        """Whether a snapshot may be given at this moment."""
        return now >= self._next

    def give(self, snapshot: Snapshot, now: float) -> None:
        """Hand over a snapshot. Called by the host."""
        if snapshot is self._seen:
            return
        # A little early is on time, or 10 Hz of 50 Hz would become 8.3 Hz.
        self._next = now + 0.9 * self._min_period
        self._seen = snapshot
        guarded(self._callback, snapshot)


def guarded(callback: Callable[..., None], *args: object) -> None:
    """Call an observer, whose faults must not stop the world."""
    try:
        callback(*args)
    except Exception:
        LOG.exception("an observer of the world has failed")
