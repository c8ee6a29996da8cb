# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""How goals of a Luar robot end."""

from __future__ import annotations

import enum

from legacy_robots_common.goals.goal_server import Ending
from legacy_robots_msgs.msg import LuarOutcome


class Outcome(enum.IntEnum):
    """How a goal ended, as LuarOutcome."""

    SUCCEEDED = LuarOutcome.SUCCEEDED
    CANCELED = LuarOutcome.CANCELED
    INVALID = LuarOutcome.INVALID
    LINK_LOST = LuarOutcome.LINK_LOST
    SHUTDOWN = LuarOutcome.SHUTDOWN
    PREEMPTED = LuarOutcome.PREEMPTED
    FAILED = LuarOutcome.FAILED


def outcome(ending: Ending) -> LuarOutcome:
    """Return the message of an ending."""
    return LuarOutcome(code=int(ending.outcome), message=ending.message)
