# SPDX-License-Identifier: Apache-2.0
"""How a goal given to the robot can end."""

from __future__ import annotations

import enum
from typing import NamedTuple


class Outcome(enum.IntEnum):
    """How a goal ended; the numbers are those of legacy_robots_msgs/AiboOutcome."""

    SUCCEEDED = 0
    NOT_FOUND = 1
    CANCELED = 2
    LINK_LOST = 3
    TIMED_OUT = 4
    INTERRUPTED = 5
    INVALID = 6


class Ending(NamedTuple):
    """How a goal ended, and the same in a sentence."""

    outcome: Outcome
    message: str
