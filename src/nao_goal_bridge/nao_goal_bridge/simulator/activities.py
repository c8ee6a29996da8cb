# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What the simulated Nao does at a time: a walk, or a pause. Times in s of its world."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass


@dataclass
class Walk:
    """On the way to the centre of a room: ``ahead[0]``, or back to that of the present one."""

    code: int
    ahead: deque[int]
    going_back: bool
    due: float
    """When that centre is reached."""
    object_id: int | None
    """What to grab at the end."""
    halted: bool = False
    """Its last room is the end of the leg in which it was halted."""


@dataclass
class Pause:
    """Standing and busy until ``due``: grabbing, putting down or sitting."""

    code: int
    due: float
    object_id: int | None = None
