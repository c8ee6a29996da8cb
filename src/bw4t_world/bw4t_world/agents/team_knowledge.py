# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What a team knows together: which room has which colours, and who is about to do what.

Every member keeps its own copy, from its own eyes and from what the others say. All decide by
the same rules, so that they agree as soon as they have heard of each other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

from bw4t_world.maps.model import BlockColor
from bw4t_world.messages import Message, MessageType

_T = MessageType


class Purpose(Enum):
    """What a player is about to do."""

    SEARCH = "search a room"
    FETCH = "fetch a block"
    DELIVER = "deliver a block"


@dataclass(frozen=True, slots=True)
class Intention:
    """What one player is about to do, as it said at some step of the listener."""

    purpose: Purpose
    room: str | None
    color: str | None
    said_at: int


class TeamKnowledge:
    """The team's knowledge, as one of its members has it."""

    def __init__(self) -> None:
        self.contents: dict[str, Counter[str]] = {}
        """How many blocks of which colour the rooms have that were looked into."""
        self.intentions: dict[str, Intention] = {}

    def hear(self, sender: str, message: Message, step: int) -> None:
        """Take in a message of another player."""
        room = message.room
        color = None if message.color is None else str(message.color)
        if message.type in (_T.CHECKED, _T.ROOM_IS_EMPTY) and room:
            self.contents[room] = Counter()
        elif message.type in (_T.ROOM_CONTAINS, _T.ROOM_CONTAINS_AMOUNT) and room and color:
            self.contents.setdefault(room, Counter())[color] = message.number or 1
        elif message.type is _T.GOING_TO_ROOM:
            self.intentions[sender] = Intention(Purpose.SEARCH, room, None, step)
        elif message.type is _T.AM_GETTING_COLOR:
            self.intentions[sender] = Intention(Purpose.FETCH, room, color, step)
        elif message.type is _T.HAS_COLOR:
            already = self.intentions.get(sender)
            if room and color and (already is None or already.purpose is not Purpose.DELIVER):
                self.take(room, color)
            self.intentions[sender] = Intention(Purpose.DELIVER, room, color, step)
        elif message.type is _T.DROPPED_OFF_BLOCK:
            self.intentions.pop(sender, None)

    def take(self, room: str, color: str) -> None:
        """Note that a block has been taken out of a room."""
        if self.contents.get(room, Counter())[color] > 0:
            self.contents[room][color] -= 1

    def forget_absent(self, present: Iterable[str], older_than: int) -> None:
        """Drop the intentions of those who are gone, or of whom nothing was heard for long."""
        here = set(present)
        self.intentions = {
            name: intention
            for name, intention in self.intentions.items()
            if name in here and intention.said_at >= older_than
        }

    def open_needs(self, needed: Sequence[str], me: str, mine: Intention | None) -> list[str]:
        """Return the colours that no player fetches or delivers, in the order of the sequence."""
        return self._distribute(needed, me, mine)[0]

    def is_surplus(self, needed: Sequence[str], me: str, mine: Intention) -> bool:
        """Whether others who go before me fetch or deliver all that is needed of my colour."""
        return me in self._distribute(needed, me, mine)[1]

    def _distribute(
        self, needed: Sequence[str], me: str, mine: Intention | None
    ) -> tuple[list[str], set[str]]:
        claims = {**self.intentions, me: mine} if mine else dict(self.intentions)
        # Who has a block goes before who is going to get one; else the name decides.
        order = sorted(
            (intention.purpose is not Purpose.DELIVER, name, intention.color)
            for name, intention in claims.items()
            if intention and intention.purpose is not Purpose.SEARCH and intention.color
        )
        remaining, surplus = list(needed), set()
        for _, name, color in order:
            if color in remaining:
                remaining.remove(color)
            else:
                surplus.add(name)
        return remaining, surplus

    def available(self, room: str, color: str) -> int:
        """Return how many blocks of a colour a room has that no other player is about to fetch."""
        fetched = sum(
            intention.purpose is Purpose.FETCH
            and intention.room == room
            and intention.color == color
            for intention in self.intentions.values()
        )
        return self.contents.get(room, Counter())[color] - fetched

    def searched_by_others(self) -> dict[str, str]:
        """Return who searches which room."""
        return {
            intention.room: name
            for name, intention in self.intentions.items()
            if intention.purpose is Purpose.SEARCH and intention.room
        }


def report(room: str, contents: Counter[str]) -> list[Message]:
    """Return the messages about what is in a room."""
    reported = [
        Message(_T.ROOM_CONTAINS, room=room, color=BlockColor.from_text(color))
        if count == 1
        else Message(
            _T.ROOM_CONTAINS_AMOUNT, room=room, color=BlockColor.from_text(color), number=count
        )
        for color, count in sorted(contents.items())
        if count > 0
    ]
    return (
        [Message(_T.CHECKED, room=room), *reported]
        if reported
        else [Message(_T.ROOM_IS_EMPTY, room=room)]
    )
