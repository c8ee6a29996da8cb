# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Teams that share intentions, world knowledge, both or nothing, and are equal otherwise."""

from __future__ import annotations

from typing import ClassVar

from bw4t_world.agents import Searcher
from bw4t_world.messages import Message, MessageType

_T = MessageType
KNOWLEDGE = frozenset({_T.CHECKED, _T.ROOM_IS_EMPTY, _T.ROOM_CONTAINS, _T.ROOM_CONTAINS_AMOUNT})
"""What is in a room."""
INTENTIONS = frozenset({_T.GOING_TO_ROOM, _T.AM_GETTING_COLOR, _T.HAS_COLOR, _T.DROPPED_OFF_BLOCK})
"""Which room a robot searches, which block it fetches or delivers, and that this is over."""


class Both(Searcher):
    """A member of the team ``searchers`` that says only what is :attr:`shared`."""

    shared: ClassVar[frozenset[MessageType]] = KNOWLEDGE | INTENTIONS

    def say(self, message: Message) -> None:
        """Tell all players, where it is shared."""
        if message.type in self.shared:
            super().say(message)


class Knowledge(Both):
    """Shares what it sees."""

    shared = KNOWLEDGE


class Intentions(Both):
    """Shares what it is about to do."""

    shared = INTENTIONS


class Nothing(Both):
    """Does not talk."""

    shared = frozenset()
