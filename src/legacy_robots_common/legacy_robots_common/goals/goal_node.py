# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What action servers need of the node that owns them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Protocol

from legacy_robots_common.node.program_node import ProgramNode

RESULT_GRACE_S = 0.4
"""How long a result may be on its way to a client that has asked for it."""


class OwnedServer(Protocol):
    """A GoalServer as its node knows it: ``goal_server`` imports this module, not the reverse."""

    @property
    def settled(self) -> bool:
        """Whether every goal's result has been given to its clients."""

    def end_goals(self, outcome: str, message: str) -> None:
        """End all goals with the outcome of this name. Thread-safe."""

    def destroy(self) -> None:
        """Destroy the server."""


class GoalNode(ProgramNode, ABC):
    """A node that owns action servers (:class:`~.goal_server.GoalServer`).

    Servers, navigation and trajectories need no more of a bridge, so that ``goals`` knows no links
    and ``bridge`` may import it.
    """

    def __init__(self, name: str, **node_arguments: Any) -> None:
        self._goal_servers: list[OwnedServer] = []
        super().__init__(name, **node_arguments)

    @property
    @abstractmethod
    def connected(self) -> bool:
        """Whether the device can be commanded. Thread-safe."""

    @property
    @abstractmethod
    def stopping(self) -> bool:
        """Whether the program ends: no further goal begins."""

    @abstractmethod
    def why_not_connected(self) -> str:
        """Return a sentence for a goal or a service that needs the device."""

    @abstractmethod
    def hold(self, goal: Any) -> bool:
        """Keep a ``Goal`` until the first connection; return whether it has to wait for that."""

    def end_goals(self, outcome: str, message: str) -> None:
        """End all goals of all servers, see GoalServer.end_goals. Thread-safe."""
        for server in list(self._goal_servers):
            server.end_goals(outcome, message)

    def add_goal_server(self, server: OwnedServer) -> None:
        """Own a server; called by it."""
        self._goal_servers.append(server)

    def remove_goal_server(self, server: OwnedServer) -> None:
        """Own it no longer; called by a server that was retired."""
        self._goal_servers.remove(server)

    @property
    def settled(self) -> bool:
        """Whether the results of all goals have reached their clients, as far as can be known."""
        return all(server.settled for server in self._goal_servers)

    def destroy_node(self) -> None:
        """Destroy the goal servers too, of which rclpy's node does not know."""
        for server in self._goal_servers:
            server.destroy()
        self._goal_servers = []
        super().destroy_node()
