# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""How the simulated Nao is: its speed, its sight, how long it takes, and what goes wrong."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields


@dataclass(frozen=True)
class NaoSettings:
    """How the simulated Nao is. Raises ValueError for a value that makes no sense."""

    agent_id: int = 1
    speed: float = 0.5
    """Rooms per second."""
    see_rate: float = 1.0
    """How often the markers in sight are reported again, Hz; 0: only when the Nao has moved."""
    sight_range: float = 5.9
    """Rooms from the Nao to a mark that it can spot (docs/originals/nao.md: about 5.9)."""
    grab_time: float = 2.0
    """Seconds to pick up an object."""
    put_down_time: float = 2.0
    """Seconds to lay one down."""
    sit_time: float = 1.0
    """Seconds from Exit to its Success."""
    queue_limit: int = 8
    """How many commands wait behind the one that runs."""
    grab_failure: float = 0.0
    """Probability that a grab fails."""
    drop: float = 0.0
    """Probability that the Nao drops what it holds, for each room that it enters."""

    def __post_init__(self) -> None:
        if not -(2**31) <= self.agent_id < 2**31:
            raise ValueError(f"agent_id must fit 32 bits, {self.agent_id} does not")
        for field in fields(self):
            value = getattr(self, field.name)
            if not math.isfinite(value) or (value < 0 and field.name != "agent_id"):
                raise ValueError(f"{field.name} must be 0 or greater, not {value!r}")
        if self.speed == 0:
            raise ValueError("speed must be greater than 0")
        if self.see_rate > 1000:
            raise ValueError(f"see_rate must be at most 1000, not {self.see_rate!r}")
        for name in ("grab_failure", "drop"):
            if getattr(self, name) > 1:
                raise ValueError(f"{name} must be at most 1, not {getattr(self, name)!r}")
