# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What one robot of an episode perceives, remembers and tells."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress

import numpy as np
from numpy.typing import NDArray

from bw4t_world import Consumer
from bw4t_world.agents import Beliefs, Geography, Intention, Purpose, TeamKnowledge
from bw4t_world.agents.team_knowledge import report
from bw4t_world.maps import BlockColor
from bw4t_world.messages import (
    Message,
    MessageError,
    MessageType,
    Phrasing,
    format_text,
    parse_text,
)

Observation = NDArray[np.float32]
Mask = NDArray[np.int8]

DROP_ZONE = "DropZone"

LOOK_AHEAD = 3
"""Colours that an observation shows of those that are due and that no mate takes care of."""

_T = MessageType
_paint = BlockColor.from_text


class Robot:
    """What one robot has perceived, and what it tells the others."""

    def __init__(self, consumer: Consumer, talks: bool, phrasing: Phrasing) -> None:
        self.consumer = consumer
        self.beliefs = Beliefs()
        self.knowledge = TeamKnowledge()
        self.observation: Observation = np.zeros(0, np.float32)
        self.mask: Mask = np.zeros(0, np.int8)
        self.looked_at = -1
        """Version of the beliefs that these are of."""
        self._talks = talks
        self._phrasing = phrasing
        self._reported: dict[str, Counter[str]] = {}
        self._visible: dict[int, str] = {}
        self._held: tuple[int, ...] = ()
        self._geography: Geography | None = None

    @property
    def geography(self) -> Geography:
        """The ways between the places, which are perceived at once and stay."""
        if self._geography is None:
            self._geography = Geography(self.beliefs.zones)
        return self._geography

    def perceive(self) -> None:
        """Poll, count the blocks of the room, listen, and tell what is new."""
        version = self.beliefs.version
        self.beliefs.update(self.consumer.poll())
        room, contents = self.beliefs.room, self.knowledge.contents
        if self.beliefs.version != version:
            self._visible = self.beliefs.visible if room and room != DROP_ZONE else {}
            if room and room != DROP_ZONE:
                contents[room] = Counter(self._visible.values())
            for sender, text in self.beliefs.inbox:
                if sender != self.beliefs.name:
                    message = parse_text(text, self._phrasing)
                    self.knowledge.hear(sender, message, self.beliefs.version)
        if self._talks:
            self._tell_news(room)

    def _tell_news(self, room: str) -> None:
        contents, held = self.knowledge.contents, self.beliefs.holding
        if held != self._held:
            self._held = held
            for color in self.held_colors():
                self._say(Message(_T.HAS_COLOR, room=room or None, color=_paint(color)))
            if not held:
                self._say(Message(_T.DROPPED_OFF_BLOCK))
        # As soon as it has been there for two polls: then all there is to see was seen.
        settled = self.beliefs.steps_in_room > 0 and room in contents
        if settled and self._reported.get(room) != contents[room]:
            self._reported[room] = contents[room]
            for message in report(room, contents[room]):
                self._say(message)

    def _say(self, message: Message) -> None:
        with suppress(MessageError):  # a name that no sentence can have
            self.consumer.act("sendMessage", "all", format_text(message, self._phrasing))

    def go_to(self, place: str) -> None:
        """Go to a place, and tell what for, where robots talk."""
        self.consumer.act("goTo", place)
        if not self._talks or self.beliefs.holding:
            return
        known = self.knowledge.contents.get(place, Counter())
        color = next((color for color in self.to_get() if known[color]), None)
        if color is None:
            self._say(Message(_T.GOING_TO_ROOM, room=place))
        else:
            self._say(Message(_T.AM_GETTING_COLOR, room=place, color=_paint(color)))

    def held_colors(self) -> list[str]:
        """Return the colours of the blocks that it holds."""
        colors = self.beliefs.colors
        return [colors[block] for block in self.beliefs.holding if block in colors]

    def holds_surplus(self) -> bool:
        """Return whether it holds a block that is not due, or that a mate brings."""
        me, needed = self.beliefs.name, self.beliefs.needed
        return any(
            self.knowledge.is_surplus(needed, me, Intention(Purpose.DELIVER, None, color, 0))
            for color in self.held_colors()
        )

    def wanted(self) -> list[tuple[str, int]]:
        """Return the colours that are due and no mate takes care of, each with its place."""
        needed, taken = self.beliefs.needed, Counter[str]()
        if self.knowledge.intentions:
            free = self.knowledge.open_needs(needed, self.beliefs.name, None)
            taken = Counter(needed) - Counter(free)
        wanted = []
        for place, color in enumerate(needed):
            if taken[color] > 0:
                taken[color] -= 1
            else:
                wanted.append((color, place))
        return wanted

    def to_get(self) -> list[str]:
        """Return those of the wanted colours that the team, a block each, can deliver in order."""
        return [color for color, place in self.wanted() if place <= len(self.beliefs.players)]

    def due_block(self) -> int | None:
        """Return a block in sight of the first colour to get that is there."""
        for color in self.to_get() if self._visible else ():
            for block, seen in self._visible.items():
                if seen == color:
                    return block
        return None
