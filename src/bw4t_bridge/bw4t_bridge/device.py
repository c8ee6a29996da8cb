# SPDX-License-Identifier: Apache-2.0
"""What a host asks of a world that runs in another process. ROS-free.

A :class:`bw4t_bridge.host.WorldHost` owns a :class:`bw4t_world.World`, a
:class:`bw4t_bridge.remote_host.RemoteHost` a :class:`RemoteWorld`. This has those methods of World
that host and node use, and a connection besides. What it cannot do it refuses by WorldError.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from bw4t_world import Outcome, Profile, Snapshot, TeamSummary


class RemoteWorld(ABC):
    """A world behind a connection. All methods but ``interrupt`` are for the host's thread."""

    profile: Profile
    now: int
    """Cycles since the connection was made, in ticks of the profile."""
    seed: int
    is_paused: bool
    """Always False: the host has to poll also while the remote time stands still."""

    # --- The connection --------------------------------------------------------------------

    @abstractmethod
    def open(self) -> None:
        """Connect, with new players; raises LinkLost or LinkFault."""

    @abstractmethod
    def close(self) -> None:
        """Leave. Without a connection every method that needs one raises WorldError."""

    @abstractmethod
    def interrupt(self) -> None:
        """End the connection, and those that are tried, for ever. On any thread."""

    @abstractmethod
    def refuse(self, request: str) -> None:
        """Raise WorldError for what only a world in this process can do."""

    # --- As World has them -----------------------------------------------------------------

    @property
    @abstractmethod
    def names(self) -> tuple[str, ...]:
        """Names of the players."""

    @property
    @abstractmethod
    def seconds(self) -> float:
        """Seconds since the connection was made."""

    @abstractmethod
    def step(self, ticks: int) -> None:
        """Perceive once; raises LinkLost or LinkFault."""

    @abstractmethod
    def snapshot(self) -> Snapshot:
        """Return what all players perceive together."""

    @abstractmethod
    def measures(self) -> TeamSummary:
        """Return the measures of these players."""

    @abstractmethod
    def connect(self, name: str, *, player: bool = True) -> Any:
        """Return a consumer of a player's percepts; WorldError for an unknown name."""

    @abstractmethod
    def act(self, name: str, action: str, *args: Any) -> Outcome:
        """Let a player act; raises ActionError."""

    @abstractmethod
    def user_request(self, name: str, request: str, *args: Any) -> None:
        """Tell the agent of a human bot what its user asks for; raises WorldError."""

    @abstractmethod
    def contains(self, x: float, y: float) -> bool:
        """Whether a point is on the map."""

    @abstractmethod
    def pause(self) -> None:
        """Ask for time to stand still."""

    @abstractmethod
    def resume(self) -> None:
        """Ask for time to pass."""

    def stop(self, name: str) -> None:
        """Refuse to stop a robot."""
        self.refuse(f"stop {name} on its way: the robot goes on to its target")

    def reset(self, *, seed: int | None = None) -> None:
        """Refuse to begin again."""
        self.refuse("begin again")

    def load(self, spec: object, scenario: object = None, *, seed: int | None = None) -> None:
        """Refuse another map."""
        self.refuse("load another map")

    def add_robot(self, spec: object = None) -> str:
        """Refuse another robot."""
        self.refuse("add players later: robots and human say how many to ask for")
        raise AssertionError

    def add_epartner(self, spec: object = None) -> str:
        """Refuse an e-partner."""
        return self.add_robot(spec)

    def remove(self, name: str) -> None:
        """Refuse to remove a player."""
        self.refuse(f"remove {name}")
