# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What players know, cycle by cycle, and what each cycle has changed of it. ROS-free."""

from __future__ import annotations

from collections.abc import Callable
from math import nan
from typing import Any, NamedTuple

from bw4t_runner.percept_streams import PerceptCycle
from bw4t_world.model.percept_base import EPartnerPercepts, RobotPercepts
from bw4t_world.model.percepts import PerceptUpdate

_NOWHERE = (0, nan, nan)


_MOVEMENT = frozenset({"location", "position"})
"""Percepts that a robot on its way gets with every tick."""


class Change:
    """What a cycle has changed, as bits (of an int, as operations on an enum are slow)."""

    NOTHING = 0
    STATE = 1
    """Something about the robot itself, except its position."""
    POSITION = 2
    BATTERY = 4
    BLOCKS = 8
    PLAYERS = 16
    EPARTNERS = 32
    EVERYTHING = 63


class SeenBlock(NamedTuple):
    """A block in sight; the position is nan where it is not perceived."""

    id: int
    color: str
    x: float
    y: float


class RobotBeliefs(RobotPercepts):
    """What a robot knows. ``repeats``: percepts are delivered as by EIS 0.5 (profile)."""

    def __init__(self, *, repeats: bool) -> None:
        super().__init__(repeats=repeats)
        self._before: dict[int, Any] = {}
        self._readers: dict[int, Callable[[], Any]] = {
            Change.STATE: self._own_state,
            Change.POSITION: lambda: self.location,
            Change.BATTERY: lambda: self.battery,
            Change.BLOCKS: lambda: self.blocks,
            Change.PLAYERS: lambda: (self.players, self.others),
            Change.EPARTNERS: lambda: [(p, self.position_of(p.id)) for p in self.epartners],
        }

    def apply(self, cycle: PerceptCycle) -> int:
        """Take in one cycle and return what is different now; everything at the first one."""
        if cycle.number == 0:
            self._before.clear()
            self.clear()
        self.update(cycle.update)
        if self._is_movement(cycle.update):
            return self._compare(Change.POSITION, self.location)
        changes = Change.NOTHING
        for change, read in self._readers.items():
            changes |= self._compare(change, read())
        return changes

    def _compare(self, change: int, now: Any) -> int:
        """Return ``change`` if there is another value now."""
        if change in self._before and now == self._before[change]:
            return Change.NOTHING
        self._before[change] = now
        return change

    def _is_movement(self, update: PerceptUpdate) -> bool:
        """Whether an update can have changed nothing but the robot's place."""
        before = self._before
        if update.delete or not before or before[Change.BLOCKS] or before[Change.EPARTNERS]:
            return False
        return all(percept[0] in _MOVEMENT for percept in update.add)

    def _own_state(self) -> tuple[Any, ...]:
        return (
            self.id,
            self.at,
            self.room,
            self.state,
            self.holding,
            self.capacity,
            self.at_blocks,
            self.bumped,
            self.speed,
            self.size,
            self.color_blind,
            self.unreachable,
        )

    @property
    def others(self) -> list[tuple[int, float]]:
        """Number and width (map units) of each other robot whose size was perceived."""
        return [(number, size) for number, size in self.sizes.items() if number != self.id]

    def position_of(self, number: int) -> tuple[float, float]:
        """Return where a thing was perceived last, in map units; nan where it was not."""
        _, x, y = self.positions.get(number, _NOWHERE)
        return x, y

    @property
    def blocks(self) -> tuple[SeenBlock, ...]:
        """The blocks in sight."""
        return tuple(
            SeenBlock(number, color, *self.positions.get(number, _NOWHERE)[1:])
            for number, color in self.visible.items()
        )


class EPartnerBeliefs(EPartnerPercepts):
    """What an e-partner knows, under the names of the document or of the servers."""

    def __init__(self, name: str, *, repeats: bool) -> None:
        super().__init__(repeats=repeats)
        self.name = name
        self._before: tuple[Any, ...] | None = None

    def apply(self, cycle: PerceptCycle) -> int:
        """Take in one cycle; return STATE for any difference, POSITION for that one alone."""
        if cycle.number == 0:
            self._before = None
            self.clear()
        self.update(cycle.update)
        now = (
            self.location,
            (
                self.place,
                self.room,
                self.rooms,
                self.functionalities,
                self.held_by,
                self.is_taken,
                self.left_behind,
            ),
        )
        before, self._before = self._before, now
        if before is None or now[1] != before[1]:
            return Change.STATE | Change.POSITION
        return Change.POSITION if now[0] != before[0] else Change.NOTHING
