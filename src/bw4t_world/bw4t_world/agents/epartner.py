# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""An agent for an e-partner: it answers who asks for the way, and reminds who leaves it.

With GPS it tells in which room it is carried, and answers "I am looking for a C block", "Where is
a C block?", "Where should I go?" and "What is in room R?" with what players have told and with the
room that is nearest to where it is, as far as it has been there. With Forget-me-not it reminds all
players when it was put down, and again until it is taken. It has nothing but its own percepts.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from math import hypot, inf

from bw4t_world.agents.agent import ALL_PLAYERS
from bw4t_world.agents.geography import DROP_ZONE
from bw4t_world.agents.player import Player
from bw4t_world.agents.team_knowledge import TeamKnowledge, report
from bw4t_world.maps.model import BlockColor
from bw4t_world.messages import (
    Message,
    MessageError,
    MessageType,
    Phrasing,
    format_text,
    parse_term,
    parse_text,
)
from bw4t_world.model.errors import ActionError
from bw4t_world.model.percept_base import EPartnerPercepts

_T = MessageType

REMIND_AFTER = 50
"""Steps (a tenth of a simulated second each) without a holder before it reminds the first time."""
REMIND_EVERY = 300


class EPartnerAgent:
    """Speaks for one e-partner; made and called as an :class:`bw4t_world.agents.Agent`."""

    def __init__(
        self, player: Player, *, seed: int = 0, phrasing: Phrasing = Phrasing.DOCUMENT
    ) -> None:
        self._player = player
        self._phrasing = phrasing
        self._percepts = EPartnerPercepts()
        self._knowledge = TeamKnowledge()
        self._sought: dict[str, str] = {}
        """By player, the colour that it said it looks for."""
        self._centers: dict[str, tuple[float, float]] = {}
        """Where it was in each room."""
        self._room = ""
        self._was_taken = False
        self._remind_at: int | None = None
        self.steps = 0

    def step(self) -> None:
        """Perceive, answer, and say what is new."""
        self.steps += 1
        percepts = self._percepts
        percepts.update(self._player.percepts())
        for sender, text in percepts.inbox:
            message = parse_text(text, self._phrasing)
            if message.type is _T.UNKNOWN:
                message = parse_term(text, sender, self._phrasing)
            self._hear(sender, message)
        if "GPS" in percepts.functionalities:
            self._tell_room()
        if percepts.held_by is not None:  # it has Forget-me-not
            self._remind()

    def _hear(self, sender: str, message: Message) -> None:
        self._knowledge.hear(sender, message, self.steps)
        if "GPS" not in self._percepts.functionalities:
            return
        color = "" if message.color is None else str(message.color)
        if message.type is _T.LOOKING_FOR and color:
            self._sought[sender] = color
            self._tell_where(sender, color)
        elif message.type is _T.WHERE_IS_COLOR and color:
            if not self._tell_where(sender, color):
                self._say(sender, Message(_T.I_DO_NOT_KNOW))
        elif message.type is _T.WHAT_IS_IN_ROOM and message.room:
            self._tell_contents(sender, message.room)
        elif message.type is _T.WHERE_SHOULD_I_GO:
            self._send(sender)

    def _tell_where(self, receiver: str, color: str) -> bool:
        rooms = [room for room in self._rooms() if self._knowledge.available(room, color) > 0]
        if not rooms:
            return False
        paint = BlockColor.from_text(color)
        self._say(receiver, Message(_T.ROOM_CONTAINS, room=self._nearest(rooms), color=paint))
        return True

    def _tell_contents(self, receiver: str, room: str) -> None:
        contents = self._knowledge.contents.get(room)
        if contents is None:
            self._say(receiver, Message(_T.I_DO_NOT_KNOW))
            return
        for message in report(room, contents):
            self._say(receiver, message)

    def _send(self, sender: str) -> None:
        """Send who asks to what it seeks, else to the nearest room of which nothing was told."""
        color = self._sought.get(sender, "")
        rooms = [room for room in self._rooms() if self._knowledge.available(room, color) > 0]
        unknown = [room for room in self._rooms() if room not in self._knowledge.contents]
        if rooms or unknown:
            room = self._nearest(rooms or unknown)
            self._say(sender, Message(_T.GO_TO_ROOM, room=room, player=sender))
        else:
            self._say(sender, Message(_T.I_DO_NOT_KNOW))

    def _rooms(self) -> list[str]:
        """Return the rooms that it knows; servers also name corridors as places."""
        rooms: Iterable[str] = self._percepts.rooms
        if self._phrasing is not Phrasing.DOCUMENT:
            rooms = self._centers.keys() | self._knowledge.contents.keys()
        return sorted(room for room in rooms if room != DROP_ZONE)

    def _nearest(self, rooms: list[str]) -> str:
        """Return the nearest of these rooms in a straight line, first those where it has been."""
        here = self._percepts.location

        def distance(room: str) -> float:
            x, y = self._centers.get(room, (inf, inf))
            return hypot(x - here[0], y - here[1])

        return min(rooms, key=distance)

    def _tell_room(self) -> None:
        """Tell all in which room it is carried; remember where that is."""
        room = self._percepts.room  # of the document only the first one
        if self._phrasing is Phrasing.DOCUMENT:
            room = self._percepts.place if self._percepts.place in self._rooms() else ""
        if room:
            self._centers[room] = self._percepts.location
        if room and room != self._room:
            self._say(ALL_PLAYERS, Message(_T.IN_ROOM, room=room))
        self._room = room

    def _remind(self) -> None:
        if self._percepts.is_taken:
            self._was_taken, self._remind_at = True, None
        elif self._was_taken and self._remind_at is None:
            self._remind_at = self.steps + REMIND_AFTER
        elif self._remind_at is not None and self.steps >= self._remind_at:
            self._remind_at = self.steps + REMIND_EVERY
            place = self._percepts.place or self._percepts.room or None
            self._say(ALL_PLAYERS, Message(_T.YOU_FORGOT_ME, room=place))

    def _say(self, receiver: str, message: Message) -> None:
        try:
            text = format_text(message, self._phrasing)
        except MessageError:
            return  # a name that no sentence can have
        with suppress(ActionError):  # who has left meanwhile
            self._player.act("sendMessage", receiver, text)
