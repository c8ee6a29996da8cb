# SPDX-License-Identifier: Apache-2.0
"""The percepts of an entity that hold, for those who begin to perceive later."""

from __future__ import annotations

from bw4t_bridge.streams import EVENTS
from bw4t_world import Percept, PerceptUpdate
from bw4t_world.percept_base import FACTS, REPEATED
from bw4t_world.percepts import NEGATION


class PerceptMemory:
    """What the polls of one entity add up to. ``repeats``: as by EIS 0.5 (profile)."""

    def __init__(self, *, repeats: bool) -> None:
        self._repeats = repeats
        self._facts: dict[Percept, None] = {}
        self._groups: dict[str, list[Percept]] = {}
        """The last group of a name: percepts that are sent once or on change."""

    def update(self, update: PerceptUpdate) -> None:
        """Take in one poll."""
        if self._repeats:
            self._facts = {p: None for p in self._facts if p.name not in REPEATED}
        for percept in update.delete:
            self._facts.pop(percept, None)
        groups: dict[str, list[Percept]] = {}
        for percept in update.add:
            if percept.name == NEGATION:
                self._facts.pop(percept.args[0], None)
            elif percept.name in FACTS or percept.name in REPEATED:
                self._facts[percept] = None
            elif percept.name not in EVENTS:
                groups.setdefault(percept.name, []).append(percept)
        self._groups |= groups

    def everything(self) -> list[Percept]:
        """Return all percepts that hold."""
        return [*(p for group in self._groups.values() for p in group), *self._facts]
