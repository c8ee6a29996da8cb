# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What comes of an action."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple


class Effect(Enum):
    """What an action did."""

    STARTED = "started"
    PICKED_UP = "picked up"
    PUT_IN_ROOM = "put into the room"
    DELIVERED = "delivered"
    WRONG_DROP = "dropped without being due"
    VANISHED = "vanished"
    SENT = "sent"
    ANSWERED = "answered"
    NOTHING_IN_REACH = "nothing in reach"
    GRIPPER_FULL = "gripper full"
    NO_GRIPPER = "no gripper"
    NOT_A_HUMAN = "not a human"
    HANDS_FULL = "already holding an e-partner"
    HANDS_EMPTY = "not holding an e-partner"
    UNREACHABLE = "unreachable"


_SILENT_FAILURES = frozenset(
    {
        Effect.NOTHING_IN_REACH,
        Effect.GRIPPER_FULL,
        Effect.NO_GRIPPER,
        Effect.NOT_A_HUMAN,
        Effect.HANDS_FULL,
        Effect.HANDS_EMPTY,
        Effect.UNREACHABLE,
    }
)


class Outcome(NamedTuple):
    """What came of an action: its effect, a sentence about it, and a value.

    ``value`` is the id of the block or e-partner that was handled, the answer of
    ``checkSequenceDone``, the number of receivers of a message, or ``None``.
    """

    effect: Effect
    text: str
    value: int | bool | None = None

    @property
    def succeeded(self) -> bool:
        """Whether the action did something; ``False`` for what the original fails silently."""
        return self.effect not in _SILENT_FAILURES
