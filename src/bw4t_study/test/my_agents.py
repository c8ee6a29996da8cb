# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""An agent of one's own, as ``module:Class`` names it."""

from __future__ import annotations

from bw4t_world.agents import Agent
from bw4t_world.messages import Message


class Dropper(Agent):
    """Stands, and puts down whatever it holds."""

    def decide(self) -> None:
        """Put a block down."""
        if self.beliefs.holding:
            self.try_to("putDown")

    def hear(self, sender: str, message: Message) -> None:
        """Ignore messages."""


class Wanderer(Agent):
    """Goes to the rooms in the order of their names, without end."""

    def decide(self) -> None:
        """Go to the next room now and then."""
        rooms = sorted(zone for zone in self.beliefs.zones if str(zone).startswith("Room"))
        if rooms and self.steps % 50 == 1:
            self.try_to("goTo", rooms[self.steps // 50 % len(rooms)])

    def hear(self, sender: str, message: Message) -> None:
        """Ignore messages."""
