# SPDX-License-Identifier: Apache-2.0
"""What the page needs of the owner of a world, which :class:`bw4t_bridge.host.WorldHost` is."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, Protocol, TypeVar

from bw4t_world import Outcome, World
from bw4t_world.scenarios import BotSpec

T = TypeVar("T")


class WorldPort(Protocol):
    """The owner of a world, who does everything on one thread.

    All methods may be called from any thread. On the owner's own thread they are carried out at
    once, so that their futures are done when they return; that is how the page's jobs use them.
    Futures get WorldEndedError once the owner has ended.
    """

    def submit(self, job: Callable[[World], T]) -> Future[T]:
        """Let ``job(world)`` run between two ticks."""

    def act_soon(self, player: str, action: str, *args: Any) -> Future[Outcome]:
        """Let a player act; the future has its Outcome, or an ActionError."""

    def user_request(self, player: str, request: str, *args: Any) -> Future[None]:
        """Tell the agent of a human bot what its user asks for; WorldError if it cannot be."""

    def add_player(self, spec: BotSpec) -> Future[str]:
        """Add a robot; the future has its full name, or SpawnError."""

    def remove_player(self, name: str) -> Future[None]:
        """Take a robot out of the world."""

    def pause(self) -> Future[None]:
        """Let time stand still."""

    def resume(self) -> Future[None]:
        """Let time pass."""

    def reset(self) -> Future[None]:
        """Start again at tick 0 with the same map and players."""
