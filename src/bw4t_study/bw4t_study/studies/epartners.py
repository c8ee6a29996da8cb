# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A team whose human bot asks its e-partner, and forgets it where it lifts a block."""

from __future__ import annotations

from typing import Any

from bw4t_study.studies.sharing import KNOWLEDGE
from bw4t_world.agents import Searcher
from bw4t_world.maps import BlockColor
from bw4t_world.messages import Message, MessageType

ASK_EVERY = 20
"""Steps between two questions."""


class Holder(Searcher):
    """A member of the team ``searchers``; a human bot is one that an e-partner can help.

    The human bot takes in no reports of what is in rooms but those of its e-partner, which it
    takes at the beginning, and asks while it knows no block that is due. It forgets the e-partner
    where it picks up its first block; reminded, it goes back for it after the delivery, and keeps
    it from then on.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._partner = ""
        self._ask_at = 0
        self._left_at: tuple[float, float] | None = None
        self._reminded = False

    def hear(self, sender: str, message: Message) -> None:
        """Believe the e-partner, and of mates what they are about to do."""
        if message.type is MessageType.YOU_FORGOT_ME:
            self._reminded = self._left_at is not None
        elif sender == self._partner or message.type not in KNOWLEDGE or not self._is_human:
            super().hear(sender, message)

    @property
    def _is_human(self) -> bool:
        return self.beliefs.name.startswith("Human")

    def decide(self) -> None:
        """Take care of the e-partner, or else of the blocks."""
        own = self.beliefs.id
        near = [partner for partner in self.beliefs.epartners if partner.holder in (own, -1)]
        if self._is_human and near:
            self._partner = near[0].name
        held = bool(near) and near[0].holder == own
        if held:
            self._ask()
            if self.beliefs.holding and not self._reminded and self.try_to("putDownEPartner"):
                self._left_at = self.beliefs.location
        elif self._is_human and near and self._left_at is None and not self.beliefs.holding:
            self.try_to("pickUpEPartner")
        if self._reminded and self._left_at is not None and not self.beliefs.holding:
            self._go_back(*self._left_at)
        else:
            super().decide()

    def _ask(self) -> None:
        needed = self.knowledge.open_needs(self.beliefs.needed, self.beliefs.name, None)
        known = any(self._may_fetch(room, needed[0]) for room in self.knowledge.contents if needed)
        if needed and not known and self.steps >= self._ask_at:
            self._ask_at = self.steps + ASK_EVERY
            self.say(Message(MessageType.LOOKING_FOR, color=BlockColor.from_text(needed[0])))

    def _go_back(self, x: float, y: float) -> None:
        """Go to where the e-partner was left, and take it."""
        here = self.beliefs.location
        if abs(here[0] - x) + abs(here[1] - y) > 0.5:
            if not self.beliefs.is_moving:
                self.player.act("goTo", x, y)
        elif self.try_to("pickUpEPartner"):
            self._left_at = None
