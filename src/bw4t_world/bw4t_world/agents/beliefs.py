# SPDX-License-Identifier: Apache-2.0
"""What a robot's percepts of all polls add up to."""

from __future__ import annotations

from collections.abc import Callable
from math import hypot
from typing import Any

from bw4t_world.percepts import NEGATION, Percept, PerceptUpdate


class Beliefs:
    """The world as one robot has perceived it so far.

    Understands every send policy of both deliveries. Values of which there is one at a time
    (``state``, ``at``, ...) are kept until the next one comes; facts that come and go (``in``,
    ``occupied``, ...) until they are negated or deleted; and what is sent always (``color``)
    as long as it is repeated or not deleted.
    """

    def __init__(self) -> None:
        self.name = ""
        self.players: set[str] = set()
        self.places: list[str] = []
        self.zones: dict[str, tuple[float, float, tuple[str, ...]]] = {}
        """Centre and neighbours of every place."""
        self.sequence: tuple[str, ...] = ()
        self.sequence_index = 0
        self.state = "arrived"
        self.at = ""
        self.location = (0.0, 0.0)
        self.capacity = 1
        self.size = 2.0
        """Width of the robot, in map units."""
        self.color_blind = False
        self.battery = 100.0
        self.battery_per_unit = 0.0
        """Percent of the battery that a unit of way takes, as far as was seen."""
        self.chargers: set[str] = set()
        """Places where the battery was seen to fill up."""
        self.rooms_in: set[str] = set()
        self.occupied: set[str] = set()
        self.bumped: set[str] = set()
        """What the robot ran into: robots, and by the document also places."""
        self.holding: list[int] = []
        """Blocks in the gripper, the top first."""
        self.visible: dict[int, str] = {}
        """Colours of the blocks in sight, by id."""
        self.steps_in_room = 0
        """For how many polls the robot has been in the room it is in."""
        self.colors: dict[int, str] = {}
        """Colours of all blocks ever seen, by id."""
        self.inbox: list[tuple[str, str]] = []
        """Messages that came with the last poll: sender and text."""
        self._repeats = True
        self._id: int | None = None
        self._sizes: dict[int, float] = {}
        self._way = 0.0
        self._used = 0.0
        self._readers: dict[str, Callable[..., None]] = {
            "ownName": self._set_name,
            "robot": self._set_id,
            "robotSize": self._set_size,
            "place": self.places.append,
            "zone": self._add_zone,
            "sequence": self._set_sequence,
            "sequenceIndex": self._set_index,
            "state": self._set_state,
            "at": self._set_at,
            "location": self._set_location,
            "gripperCapacity": self._set_capacity,
            "colorblind": self._set_color_blind,
            "battery": self._set_battery,
            "holdingblocks": self._set_holding,
            "color": self._see,
            "message": self._hear,
        }
        self._facts = {
            "player": self.players,
            "in": self.rooms_in,
            "occupied": self.occupied,
            "bumped": self.bumped,
        }

    @property
    def room(self) -> str | None:
        """The room that the robot is in."""
        return next(iter(self.rooms_in), None)

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
        return self.bumped - self.zones.keys()

    @property
    def needed(self) -> tuple[str, ...]:
        """The colours that are still to be delivered, in order."""
        return self.sequence[self.sequence_index :]

    def is_occupied_by_another(self, room: str) -> bool:
        """Whether somebody else is in a room."""
        return room in self.occupied and room not in self.rooms_in

    def update(self, update: PerceptUpdate) -> None:
        """Take in one poll."""
        self.inbox = []
        room = self.room
        # A delivery that deletes does not repeat: what was seen is seen until it is deleted.
        self._repeats = self._repeats and not update.delete
        if self._repeats:
            self.visible = {}
        for percept in update.delete:
            self._retract(percept)
        for percept in update.add:
            if percept.name == NEGATION:
                self._retract(percept.args[0])
            elif percept.name in self._facts:
                self._facts[percept.name].add(percept.args[0])
            elif percept.name in self._readers:
                self._readers[percept.name](*percept.args)
        self.steps_in_room = self.steps_in_room + 1 if self.room and self.room == room else 0

    def _retract(self, percept: Percept) -> None:
        if percept.name in self._facts:
            self._facts[percept.name].discard(percept.args[0])
        elif percept.name == "color" and percept.args[0] in self.visible:
            del self.visible[percept.args[0]]

    def _set_name(self, name: str) -> None:
        self.name = name

    def _set_id(self, number: int) -> None:
        self._id = number
        self.size = self._sizes.get(number, self.size)

    def _set_size(self, number: int, width: float, _: float) -> None:
        self._sizes[number] = float(width)
        if number == self._id:
            self.size = float(width)

    def _add_zone(
        self, _: int, name: str, x: float, y: float, neighbours: tuple[str, ...]
    ) -> None:
        self.zones[name] = (float(x), float(y), tuple(neighbours))

    def _set_sequence(self, colors: tuple[str, ...]) -> None:
        self.sequence = tuple(colors)

    def _set_index(self, index: int) -> None:
        self.sequence_index = index

    def _set_state(self, state: str) -> None:
        self.state = state

    def _set_at(self, place: str) -> None:
        self.at = place

    def _set_location(self, x: float, y: float) -> None:
        self._way += hypot(x - self.location[0], y - self.location[1]) if self.places else 0.0
        self.location = (float(x), float(y))

    def _set_capacity(self, capacity: int) -> None:
        self.capacity = capacity

    def _set_color_blind(self, color_blind: bool | str) -> None:
        self.color_blind = color_blind in (True, "true")

    def _set_battery(self, percent: float) -> None:
        if percent > self.battery and self.at:
            self.chargers.add(self.at)
        elif percent < self.battery:
            self._used += self.battery - percent
        self.battery = float(percent)
        if self._way > 1.0 and self._used > 0.0:
            self.battery_per_unit = self._used / self._way

    def _set_holding(self, blocks: tuple[int, ...]) -> None:
        self.holding = list(blocks)

    def _see(self, block: int, color: str) -> None:
        self.visible[block] = color
        self.colors[block] = color

    def _hear(self, *content: Any) -> None:
        # message(Sender, Text) in the document, message([Sender, Text]) from the servers.
        sender, text = content if len(content) == 2 else content[0]
        self.inbox.append((str(sender), str(text)))
