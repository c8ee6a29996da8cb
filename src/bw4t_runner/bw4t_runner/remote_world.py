# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A world that runs in another process, behind a connection. ROS-free."""

from __future__ import annotations

from abc import abstractmethod
from typing import NoReturn

from bw4t_runner.world_port import WorldPort
from bw4t_world.maps import MapSpec
from bw4t_world.scenarios import BotSpec, EPartnerSpec, Scenario


class RemoteWorld(WorldPort):
    """A world behind a connection; what only a world in this process can do is refused.

    All methods but ``interrupt`` are for the runner's thread. Without a connection every method
    that needs one raises WorldError. ``now`` counts cycles since the connection was made, in ticks
    of the profile; ``is_paused`` is always False, because the runner polls also while the remote
    time stands still; ``step`` perceives once, and raises LinkLost or LinkFault.
    """

    is_paused = False
    seed = -1
    collisions = True

    @abstractmethod
    def open(self) -> None:
        """Connect, with new players; raises LinkLost or LinkFault."""

    @abstractmethod
    def close(self) -> None:
        """End the connection."""

    @abstractmethod
    def interrupt(self) -> None:
        """End the connection and all further attempts. On any thread."""

    @abstractmethod
    def refuse(self, request: str) -> NoReturn:
        """Raise WorldError for what only a world in this process can do."""

    def stop(self, name: str) -> None:
        """Refuse to stop a robot."""
        self.refuse(f"stop {name} on its way: the robot goes on to its target")

    def note(self, name: str, text: str) -> None:
        """Do nothing: this world has no listeners."""

    def reset(self, *, seed: int | None = None) -> None:
        """Refuse to begin again."""
        self.refuse("begin again")

    def load(
        self, spec: MapSpec, scenario: Scenario | None = None, *, seed: int | None = None
    ) -> None:
        """Refuse another map."""
        self.refuse("load another map")

    def add_robot(self, spec: BotSpec) -> str:
        """Refuse another robot."""
        self.refuse("add players later: robots and human say how many to ask for")

    def add_epartner(self, spec: EPartnerSpec) -> str:
        """Refuse an e-partner."""
        self.refuse("add players later: robots and human say how many to ask for")

    def remove(self, name: str) -> None:
        """Refuse to remove a player."""
        self.refuse(f"remove {name}")
