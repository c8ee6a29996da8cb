# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The players of a client of an original server: what they perceive, and for whom."""

from __future__ import annotations

from bw4t_java.original.perceived_team import PerceivedRobot
from bw4t_runner.percept_streams import EVENTS
from bw4t_world import Percept, PerceptUpdate, WorldError
from bw4t_world.model.percept_base import FACTS, REPEATED, RobotPercepts
from bw4t_world.model.percepts import NEGATION

BACKLOG_LIMIT = 1000
"""Updates that are kept for a consumer that does not poll; then it begins with all that holds."""


class HeldPercepts:
    """The percepts of an entity that hold, for consumers that connect later.

    ``repeats``: percepts are delivered as by EIS 0.5 (profile).
    """

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


class OriginalConsumer:
    """Percepts of one player for one consumer, from the polls of the whole client."""

    def __init__(self, player: OriginalPlayer) -> None:
        self.is_connected = True
        self._player = player
        self._updates: list[PerceptUpdate] = []
        self._events: list[Percept] = []
        self.begin_again()

    def begin_again(self) -> None:
        """Begin with everything that holds."""
        self._updates = [PerceptUpdate(self._player.held.everything(), [])]

    def poll(self) -> PerceptUpdate:
        """Return what there is to perceive since the last poll."""
        if not self.is_connected:
            raise WorldError(f"{self._player.robot.name} is not there any more")
        updates, events = self._updates, self._events
        self._updates, self._events = [], []
        add: list[Percept] = []
        delete: list[Percept] = []
        for update in updates:
            # By EIS 0.7 values are deleted after each poll, though they hold.
            gone = {p for p in update.delete if p.name in FACTS or p.name in REPEATED}
            add = [percept for percept in add if percept not in gone]
            add += update.add
            delete += update.delete
        return PerceptUpdate([*add, *events], delete)

    def take(self, update: PerceptUpdate) -> None:
        """Keep an update, which the player has taken in, until the next poll."""
        if len(self._updates) < BACKLOG_LIMIT:
            self._updates.append(update)
        else:
            self.begin_again()

    def notify(self, event: Percept) -> None:
        """Take a percept that is sent exactly once."""
        self._events.append(event)

    def close(self) -> None:
        """Stop perceiving. Idempotent."""
        self.is_connected = False
        if self in self._player.consumers:
            self._player.consumers.remove(self)


class OriginalPlayer:
    """One entity of this client."""

    def __init__(self, name: str, kind: str, *, repeats: bool) -> None:
        self.held = HeldPercepts(repeats=repeats)
        self.robot = PerceivedRobot(name, kind, RobotPercepts(repeats=repeats))
        self.consumers: list[OriginalConsumer] = []
        self._going_until: float | None = None

    def is_going(self, until: float) -> None:
        """Count as traveling until percepts say so, or for a while."""
        self._going_until = until
        self.robot.state = "traveling"

    def update(self, update: PerceptUpdate, now: float, *, is_paused: bool) -> None:
        """Take in one poll."""
        percepts, measures = self.robot.percepts, self.robot.measures
        room = percepts.room
        self.held.update(update)
        percepts.update(update)
        for consumer in self.consumers:
            consumer.take(update)
        reported = any(percept.name == "state" for percept in update.add)
        state = "traveling" if percepts.state.startswith("travel") else percepts.state
        if self._going_until is not None:
            if reported or (now >= self._going_until and not is_paused):
                self._going_until = None
            else:
                state = "traveling"
        if state == "collided" != self.robot.state:
            measures.collisions += 1
        self.robot.state = state
        if percepts.room and percepts.room != room:
            measures.rooms_entered += 1
