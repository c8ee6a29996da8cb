# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Actions and services of other nodes, by name."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from rclpy.action import ActionClient
from rclpy.node import Node

from legacy_robots_common.goals.requests import (
    CallRequest,
    GoalRequest,
    Limits,
    Observer,
    Request,
)


class Remote(ABC):
    """An action or a service of another node."""

    message_type: type[Any]
    """Class of the goals or requests."""

    def __init__(self, node: Node, kind: type[Any], name: str) -> None:
        self.node = node
        self.name = name
        self.kind = kind

    @abstractmethod
    def send(self, message: Any, observer: Observer, limits: Limits | None = None) -> Request[Any]:
        """Send a goal or a request, as soon as the server is there."""

    @abstractmethod
    def destroy(self) -> None:
        """Destroy the client: rclpy's node does not know those of actions."""


class RemoteAction(Remote):
    """An action, its name relative to the node's namespace."""

    def __init__(self, node: Node, kind: type[Any], name: str) -> None:
        super().__init__(node, kind, name)
        self.message_type = kind.Goal
        self._client = ActionClient(node, kind, name)

    def is_ready(self) -> bool:
        """Return whether there is a server."""
        return bool(self._client.server_is_ready())

    def send(self, message: Any, observer: Observer, limits: Limits | None = None) -> GoalRequest:
        """Send a goal, as soon as the server is there."""
        return GoalRequest(self.node, self._client, self.name, message, observer, limits)

    def destroy(self) -> None:
        """Destroy the client."""
        self._client.destroy()


class RemoteService(Remote):
    """A service, its name relative to the node's namespace."""

    def __init__(self, node: Node, kind: type[Any], name: str) -> None:
        super().__init__(node, kind, name)
        self.message_type = kind.Request
        self._client = node.create_client(kind, name)

    def send(self, message: Any, observer: Observer, limits: Limits | None = None) -> CallRequest:
        """Call it, as soon as the server is there."""
        return CallRequest(self.node, self._client, self.name, message, observer, limits)

    def destroy(self) -> None:
        """Destroy the client."""
        self.node.destroy_client(self._client)
