# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""How a joint of the head comes to its target in time, on a port that knows targets only."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class HeadMove:
    """A joint of the head is on its way: rad, and s on the monotonic clock."""

    start: float
    began: float
    target: float
    duration: float

    def at(self, now: float) -> float:
        """Return where it has to be (rad)."""
        share = (now - self.began) / self.duration if self.duration > 0.0 else 1.0
        return self.start + (self.target - self.start) * min(max(share, 0.0), 1.0)
