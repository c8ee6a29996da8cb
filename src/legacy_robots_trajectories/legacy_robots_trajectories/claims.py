# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Which goal or topic moves which parts of a robot (joints, legs). No ROS."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Protocol

__all__ = ["Claimant", "PartClaims"]


class Claimant(Protocol):
    """What moves parts of the robot: a goal, or a topic of velocities."""

    def interrupt(self, reason: str, taken: Collection[str]) -> None:
        """Give way to another command, for ``reason``, which takes the parts ``taken``.

        All else that it moves has to stop. May raise NotConnectedError.
        """


class PartClaims:
    """Which claimant moves which parts of a robot (joints, legs); the latest claim wins.

    Not thread-safe: call it with the lock of the robot held.
    """

    def __init__(self) -> None:
        self._owners: dict[str, Claimant] = {}

    def claim(self, claimant: Claimant, parts: Iterable[str], reason: str) -> None:
        """Take ``parts`` for ``claimant``; their owners are interrupted for ``reason``."""
        parts = list(parts)
        others = {
            id(owner): owner
            for part in parts
            if (owner := self._owners.get(part)) is not None and owner is not claimant
        }
        for other in others.values():
            self.release(other)
            other.interrupt(reason, parts)
        self._owners.update(dict.fromkeys(parts, claimant))

    def release(self, claimant: Claimant) -> None:
        """Release all parts of ``claimant``."""
        self._owners = {p: owner for p, owner in self._owners.items() if owner is not claimant}

    def interrupt_all(self, reason: str) -> None:
        """Interrupt every owner; all that they move stops."""
        owners = {id(owner): owner for owner in self._owners.values()}
        self._owners.clear()
        for owner in owners.values():
            owner.interrupt(reason, ())
