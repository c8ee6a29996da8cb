# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What a runner, and those who submit jobs to it, need of a world. ROS-free.

:class:`bw4t_world.World` is one; a world in another process is a
:class:`bw4t_runner.remote_world.RemoteWorld`. All methods are for the runner's thread.
"""

from __future__ import annotations

from typing import Any, Protocol

from bw4t_world import Outcome, Percept, PerceptUpdate, Profile, Snapshot, TeamSummary
from bw4t_world.maps import MapSpec
from bw4t_world.model.choices import Delivery
from bw4t_world.scenarios import BotSpec, EPartnerSpec, Scenario


class PerceptSource(Protocol):
    """The percepts of one player for one consumer, see :class:`bw4t_world.Consumer`."""

    @property
    def is_connected(self) -> bool:
        """Whether the player is there."""

    def poll(self) -> PerceptUpdate:
        """Return what there is to perceive since the last poll; WorldError if not connected."""

    def notify(self, event: Percept) -> None:
        """Take a percept that is sent exactly once."""

    def close(self) -> None:
        """Stop perceiving. Idempotent."""


class WorldPort(Protocol):
    """A world; see :class:`bw4t_world.World` for the methods. What it cannot do is WorldError."""

    @property
    def profile(self) -> Profile:
        """The rules."""

    @property
    def map(self) -> MapSpec:
        """The map."""

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the players."""

    @property
    def seed(self) -> int:
        """The seed of all random choices; -1 where it is not known."""

    @property
    def collisions(self) -> bool:
        """Whether robots collide with each other; True where it is not known."""

    @property
    def now(self) -> int:
        """Ticks since the start."""

    @property
    def seconds(self) -> float:
        """Simulated seconds since the start."""

    @property
    def is_paused(self) -> bool:
        """Whether time passes by steps only."""

    def step(self, ticks: int) -> object:
        """Let ticks pass; for the runner only."""

    def pause(self) -> None:
        """Let time stand still."""

    def resume(self) -> None:
        """Let time pass."""

    def reset(self, *, seed: int | None = None) -> None:
        """Start again at tick 0."""

    def load(
        self, spec: MapSpec, scenario: Scenario | None = None, *, seed: int | None = None
    ) -> None:
        """Start at tick 0 with another map."""

    def snapshot(self) -> Snapshot:
        """Return what is in the world now."""

    def measures(self) -> TeamSummary:
        """Return the measures of this run so far."""

    def contains(self, x: float, y: float) -> bool:
        """Whether a point, in map units with y down, is on the map."""

    def connect(
        self, name: str, *, player: bool = True, delivery: Delivery | None = None
    ) -> PerceptSource:
        """Return a new source of a player's percepts; WorldError for an unknown name."""

    def act(self, name: str, action: str, *args: Any) -> Outcome:
        """Let a player act; raises ActionError."""

    def stop(self, name: str) -> None:
        """Let a robot stand still where it is."""

    def user_request(self, name: str, request: str, *args: Any) -> None:
        """Tell the agent of a human bot what its user asks for."""

    def note(self, name: str, text: str) -> None:
        """Give the world's listeners, such as a record, an event of a player's connection."""

    def add_robot(self, spec: BotSpec) -> str:
        """Add a robot; return its full name."""

    def add_epartner(self, spec: EPartnerSpec) -> str:
        """Add an e-partner; return its full name."""

    def remove(self, name: str) -> None:
        """Take a player out of the world."""
