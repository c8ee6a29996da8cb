# SPDX-License-Identifier: Apache-2.0
"""What the team has to do."""

from __future__ import annotations

from collections.abc import Sequence

from bw4t_world.maps.model import BlockColor


class Task:
    """The sequence of colours to deliver, and how far the team is."""

    __slots__ = ("completed_at", "index", "sequence")

    def __init__(self, sequence: Sequence[BlockColor]) -> None:
        self.sequence = tuple(sequence)
        self.index = 0
        self.completed_at: int | None = None if self.sequence else 0

    @property
    def is_complete(self) -> bool:
        """Whether all colours have been delivered."""
        return self.index >= len(self.sequence)
