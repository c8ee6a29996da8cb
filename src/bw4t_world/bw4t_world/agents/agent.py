# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What all example agents share: one step after the other, and a voice."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod

from bw4t_world.agents.beliefs import Beliefs
from bw4t_world.agents.driver import Driver
from bw4t_world.agents.geography import Geography
from bw4t_world.agents.player import Player
from bw4t_world.messages import (
    Message,
    MessageError,
    MessageType,
    Phrasing,
    format_term,
    format_text,
    parse_term,
    parse_text,
)
from bw4t_world.model.errors import ActionError

ALL_PLAYERS = "all"


class Agent(ABC):
    """Drives one robot: in every step it perceives, decides, and acts at most once or twice.

    Steps are meant to follow each other every tenth of a second of the world or so. Equal seeds
    and percepts give equal actions.
    """

    def __init__(
        self, player: Player, *, seed: int = 0, phrasing: Phrasing = Phrasing.DOCUMENT
    ) -> None:
        self.player = player
        self.beliefs = Beliefs()
        self.choose = random.Random(seed)
        self.driver = Driver(player, self.beliefs, self.choose)
        self.steps = 0
        self._phrasing = phrasing
        self._geography: Geography | None = None

    @property
    def geography(self) -> Geography:
        """The ways between the places that were perceived."""
        if self._geography is None or len(self._geography.centers) != len(self.beliefs.zones):
            self._geography = Geography(self.beliefs.zones)
        return self._geography

    def step(self) -> None:
        """Perceive, decide and act."""
        self.steps += 1
        self.beliefs.update(self.player.percepts())
        self.driver.tick()
        if not self.beliefs.name or not self.beliefs.zones:
            return  # the percepts of the start have not come yet
        for sender, text in self.beliefs.inbox:
            if sender != self.beliefs.name:
                self.hear(sender, self._understand(sender, text))
        self.decide()

    def _understand(self, sender: str, text: str) -> Message:
        message = parse_text(text, self._phrasing)
        if message.type is MessageType.UNKNOWN:
            message = parse_term(text, sender, self._phrasing)
        return message

    @abstractmethod
    def decide(self) -> None:
        """Choose and carry out the next action."""

    @abstractmethod
    def hear(self, sender: str, message: Message) -> None:
        """Take in a message of another player."""

    def say(self, message: Message) -> None:
        """Tell all players, as a term where odd names would make the text ambiguous."""
        for write in (self._text, self._term):
            try:
                text = write(message)
            except MessageError:
                continue
            self.try_to("sendMessage", ALL_PLAYERS, text)
            return

    def _text(self, message: Message) -> str:
        return format_text(message, self._phrasing)

    def _term(self, message: Message) -> str:
        return format_term(message, self.beliefs.name, self._phrasing)

    def try_to(self, action: str, *arguments: str | int) -> bool:
        """Act, and return whether the environment took it."""
        try:
            self.player.act(action, *arguments)
        except ActionError:
            return False
        return True
