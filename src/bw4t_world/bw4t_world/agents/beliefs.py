# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What an agent knows of the world: its robot's percepts, and what it remembers of them."""

from __future__ import annotations

from math import hypot, isnan
from typing import Any

from bw4t_world.model.percept_base import RobotPercepts
from bw4t_world.model.percepts import Percept, PerceptUpdate


class Beliefs(RobotPercepts):
    """The world as one robot has perceived it so far."""

    def __init__(self) -> None:
        super().__init__()
        self.zones: dict[str, tuple[float, float, tuple[str, ...]]] = {}
        """Centre and neighbours of every place."""
        self.battery_per_unit = 0.0
        """Percent of the battery that a unit of way takes, as far as was seen."""
        self.chargers: set[str] = set()
        """Places where the battery was seen to fill up."""
        self.steps_in_room = 0
        """For how many polls the robot has been in the room it is in."""
        self.colors: dict[int, str] = {}
        """Colours of all blocks ever seen, by id."""
        self.version = 0
        """Changes with all but locations and positions."""
        self._way = 0.0
        self._used = 0.0

    @property
    def is_moving(self) -> bool:
        """Whether the robot is on its way (the document spells it in two ways)."""
        return self.state.startswith("travel")

    @property
    def has_collided(self) -> bool:
        """Whether the last way ended before its target."""
        return self.state == "collided"

    @property
    def bumped_robots(self) -> set[str]:
        """The robots that this one ran into, or that ran into it."""
        return set(self.bumped) - self.zones.keys()

    @property
    def needed(self) -> tuple[str, ...]:
        """The colours that are still to be delivered, in order."""
        return self.sequence[self.sequence_index :]

    def is_occupied_by_another(self, room: str) -> bool:
        """Whether another robot is in a room."""
        return room in self.occupied and room != self.room

    def update(self, update: PerceptUpdate) -> None:
        """Take in one poll."""
        room = self.room
        if self._held["color"]:
            self.version += 1  # what is not repeated is gone without a percept
        super().update(update)
        self.steps_in_room = self.steps_in_room + 1 if room and self.room == room else 0

    def _learn(self, name: str, args: tuple[Any, ...]) -> None:
        if name != "location":
            self.version += 1
        if name == "zone":
            _, zone, x, y, neighbours = args
            self.zones[zone] = (float(x), float(y), tuple(neighbours))
        elif name == "color":
            self.colors[args[0]] = args[1]
        elif name == "location":
            x, y = self.location
            if not isnan(x):
                self._way += hypot(args[0] - x, args[1] - y)
        elif name == "battery":
            self._watch_battery(float(args[0]))
        super()._learn(name, args)

    def _retract(self, percept: Percept) -> None:
        self.version += 1
        super()._retract(percept)

    def _watch_battery(self, percent: float) -> None:
        if percent > self.battery and self.at:
            self.chargers.add(self.at)
        elif percent < self.battery:
            self._used += self.battery - percent
        if self._way > 1.0 and self._used > 0.0:
            self.battery_per_unit = self._used / self._way
