# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What the percepts of a player add up to, under every send policy of both deliveries.

Percepts that are sent on change are kept until the next of their name, facts that come and go
until they are negated or deleted, and what is sent always (``color``) as long as it is repeated or
not deleted (specification, "Percepts"; facts, section 4). Units are those of BW4T: map units, y
down, percent.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import nan
from typing import Any, NamedTuple

from bw4t_world.model.percepts import NEGATION, Percept, PerceptUpdate, message_content

FACTS = frozenset(
    {"in", "getRoom", "atBlock", "occupied", "holding", "player", "bumped", "isTaken", "heldBy"}
)
REPEATED = frozenset({"color", "getEPartners", "epartner"})
"""Percepts that the delivery of EIS 0.5 repeats in every poll as long as they hold."""

_LISTS = frozenset({"getRooms", "place", "getFunctionalities", "functionality"})

NOBODY = -1
"""The holder of an e-partner that is not carried."""


class SeenEPartner(NamedTuple):
    """An e-partner in sight; ``holder`` is the number of a robot, or -1."""

    id: int
    name: str
    holder: int
    functionalities: tuple[str, ...]


class PerceptBase:
    """What robots and e-partners have in common.

    ``repeats``: percepts come as by EIS 0.5. A delivery that deletes does not repeat, so it need
    not be known.
    """

    def __init__(self, *, repeats: bool = True) -> None:
        self.inbox: list[tuple[str, str]] = []
        """Messages that came with the last update: sender and text."""
        self.positions: dict[int, tuple[int, float, float]] = {}
        """Number, x and y of all that has been perceived at a position, by number."""
        self.sizes: dict[int, float] = {}
        """Widths of robots, by number."""
        self._repeats = repeats
        self._values: dict[str, tuple[Any, ...]] = {}
        self._held: dict[str, dict[tuple[Any, ...], None]] = {
            name: {} for name in (*FACTS, *REPEATED, *_LISTS)
        }

    def clear(self) -> None:
        """Forget everything."""
        for group in (self.positions, self.sizes, self._values, *self._held.values()):
            group.clear()  # type: ignore[attr-defined]

    def update(self, update: PerceptUpdate) -> None:
        """Take in one poll."""
        self.inbox = []
        self._repeats = self._repeats and not update.delete
        if self._repeats:
            for name in REPEATED:
                self._held[name].clear()
        for percept in update.delete:
            self._retract(percept)
        positions = self.positions
        for percept in update.add:
            name, args = percept
            if name == "position":  # there are many of them
                positions[args[0]] = args
            elif name == NEGATION:
                self._retract(args[0])
            else:
                self._learn(name, args)

    def facts(self) -> Iterator[Percept]:
        """Yield the percepts that hold until they are retracted or not repeated."""
        for name in (*FACTS, *REPEATED):
            for args in self._held[name]:
                yield Percept(name, args)

    def _learn(self, name: str, args: tuple[Any, ...]) -> None:
        if name in self._held:
            self._held[name][args] = None
        elif name == "message":
            self.inbox.append(message_content(args))
        elif name == "robotSize":
            self.sizes[args[0]] = float(args[1])
        else:
            self._values[name] = args

    def _retract(self, percept: Percept) -> None:
        if percept.name in FACTS or percept.name in REPEATED:
            self._held[percept.name].pop(percept.args, None)

    def _value(self, default: Any, *names: str) -> Any:
        """Return the first argument of the last percept of one of these names."""
        for name in names:
            if name in self._values:
                return self._values[name][0]
        return default

    def _all(self, *names: str) -> tuple[Any, ...]:
        """Return the first arguments of all percepts of these names that hold."""
        return tuple(args[0] for name in names for args in self._held[name])


class RobotPercepts(PerceptBase):
    """What a robot knows."""

    @property
    def name(self) -> str:
        """Its name."""
        return str(self._value("", "ownName"))

    @property
    def id(self) -> int:
        """Its number."""
        return int(self._value(0, "robot"))

    @property
    def location(self) -> tuple[float, float]:
        """Its centre."""
        x, y = self._values.get("location", (nan, nan))
        return float(x), float(y)

    @property
    def at(self) -> str:
        """The place that it is in, or the nearest."""
        return str(self._value("", "at"))

    @property
    def room(self) -> str:
        """The room that it is in, or an empty text."""
        return str(next(iter(self._held["in"]), ("",))[0])

    @property
    def state(self) -> str:
        """``arrived``, ``traveling`` (the document also spells it with ll) or ``collided``."""
        return str(self._value("arrived", "state"))

    @property
    def holding(self) -> tuple[int, ...]:
        """Blocks in the gripper, the top of the stack first."""
        return tuple(self._value((), "holdingblocks"))

    @property
    def capacity(self) -> int:
        """How many blocks it can hold."""
        return int(self._value(0, "gripperCapacity"))

    @property
    def at_blocks(self) -> tuple[int, ...]:
        """Blocks that it could pick up where it is."""
        return self._all("atBlock")

    @property
    def bumped(self) -> tuple[str, ...]:
        """What has stopped it: robots, and by the document also places."""
        return self._all("bumped")

    @property
    def battery(self) -> float:
        """Charge in percent."""
        return float(self._value(nan, "battery"))

    @property
    def speed(self) -> float:
        """Part of full speed."""
        return float(self._value(nan, "speed"))

    @property
    def size(self) -> float:
        """Its width."""
        return self.sizes.get(self.id, nan)

    @property
    def color_blind(self) -> bool:
        """Whether it sees every colour as Dark_gray."""
        return self._value(False, "colorblind") in (True, "true")

    @property
    def unreachable(self) -> bool:
        """Whether the last navigateObstacles found no way."""
        return bool(self._values.get("oldTargetUnreachable", (0, 0))[1])

    @property
    def visible(self) -> dict[int, str]:
        """Colours of the blocks in sight, by number."""
        return dict(self._held["color"].keys())

    @property
    def players(self) -> tuple[str, ...]:
        """The other players."""
        return self._all("player")

    @property
    def occupied(self) -> tuple[str, ...]:
        """The rooms with a robot inside."""
        return self._all("occupied")

    @property
    def epartners(self) -> tuple[SeenEPartner, ...]:
        """The e-partners that it perceives."""
        seen = (*self._held["getEPartners"], *self._held["epartner"])
        return tuple(SeenEPartner(*args) for args in seen)

    @property
    def sequence(self) -> tuple[str, ...]:
        """The colours to deliver, in order."""
        return tuple(self._value((), "sequence"))

    @property
    def sequence_index(self) -> int:
        """How many of them are delivered."""
        return int(self._value(0, "sequenceIndex"))


class EPartnerPercepts(PerceptBase):
    """What an e-partner knows, under the names of the document or of the servers."""

    @property
    def location(self) -> tuple[float, float]:
        """Where it is, in map units."""
        for name in ("getLocation", "location"):
            if name in self._values:
                x, y = self._values[name]
                return x, y
        return nan, nan

    @property
    def place(self) -> str:
        """The zone that it is in; empty without GPS."""
        return str(self._value("", "getAt", "at"))

    @property
    def room(self) -> str:
        """The room that it is in, as far as messages say."""
        return str(self._first("", "getRoom", "in"))

    @property
    def rooms(self) -> tuple[str, ...]:
        """With GPS: the rooms of the map, or (servers) all places."""
        return self._all("getRooms", "place")

    @property
    def functionalities(self) -> tuple[str, ...]:
        """What it can do."""
        return self._all("getFunctionalities", "functionality")

    @property
    def held_by(self) -> int | None:
        """Number of the robot that carries it, or NOBODY; None without Forget-me-not."""
        number = self._first(None, "heldBy")
        return None if number is None else int(number)

    @property
    def is_taken(self) -> bool:
        """Whether it is carried (Forget-me-not)."""
        return bool(self._first(NOBODY, "isTaken") != NOBODY)

    @property
    def left_behind(self) -> bool:
        """Whether it was put down, having been carried (Forget-me-not)."""
        return bool(self._value(0, "leftBehind"))

    def _first(self, default: Any, *names: str) -> Any:
        return next(iter(self._all(*names)), default)
