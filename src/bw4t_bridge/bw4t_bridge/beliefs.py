# SPDX-License-Identifier: Apache-2.0
"""What the percepts of a player add up to, under every send policy of both deliveries. ROS-free.

Percepts that are sent on change are kept until the next of their name, facts that come and go
until they are negated or deleted, and what is sent always (``color``) as long as it is repeated or
not deleted (specification, "Percepts"; docs/originals/bw4t.md, 4). Units are those of BW4T: map
units, y down, percent.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Flag, auto
from math import nan
from typing import Any, NamedTuple

from bw4t_bridge.streams import PerceptCycle
from bw4t_world import Percept
from bw4t_world.percepts import NEGATION

NOBODY = -1
"""The holder of an e-partner that nobody carries."""

Point = tuple[float, float]
_NOWHERE = (0, nan, nan)


class Change(Flag):
    """What a cycle has changed."""

    NOTHING = 0
    STATE = auto()
    """Something about the robot itself, except its position."""
    POSITION = auto()
    BATTERY = auto()
    BLOCKS = auto()
    PLAYERS = auto()
    EPARTNERS = auto()


class SeenBlock(NamedTuple):
    """A block in sight; the position is nan where it is not perceived."""

    id: int
    color: str
    x: float
    y: float


class SeenEPartner(NamedTuple):
    """An e-partner in sight; ``holder`` is the number of a robot, or NOBODY."""

    id: int
    name: str
    holder: int
    functionalities: tuple[str, ...]


class _Facts(dict[Any, None]):
    """A set that remembers the order in which its members came."""

    def retract(self, item: Any) -> None:
        self.pop(item, None)


class _Beliefs:
    """The bookkeeping that robots and e-partners share."""

    def __init__(self, *, repeats: bool) -> None:
        self._repeats = repeats
        self._values: dict[str, tuple[Any, ...]] = {}
        self._facts: dict[str, _Facts] = {}
        self._repeated: dict[str, _Facts] = {}
        self._lists: dict[str, _Facts] = {}
        self._positions: dict[int, tuple[int, float, float]] = {}
        self._ignored: frozenset[str] = frozenset()
        self.inbox: list[tuple[str, str]] = []
        """Messages that came with the last cycle: sender and text."""

    def take(self, cycle: PerceptCycle) -> None:
        """Take in one cycle."""
        self.inbox = []
        if cycle.number == 0:
            self._values.clear()
            self._positions.clear()
            for facts in (*self._facts.values(), *self._repeated.values(), *self._lists.values()):
                facts.clear()
        if self._repeats:
            for facts in self._repeated.values():
                facts.clear()
        for percept in cycle.update.delete:
            self._retract(percept)
        positions, ignored = self._positions, self._ignored
        for percept in cycle.update.add:
            name, args = percept
            if name == "position":  # there are many of them
                positions[args[0]] = args
            elif name == NEGATION:
                self._retract(args[0])
            elif name not in ignored:
                self._add(name, args)

    def _add(self, name: str, args: tuple[Any, ...]) -> None:
        for group in (self._facts, self._repeated, self._lists):
            if name in group:
                group[name][args] = None
                return
        if name == "message":
            # message(Sender, Text) in the document, message([Sender, Text]) from the servers.
            sender, text = args if len(args) == 2 else args[0]
            self.inbox.append((str(sender), str(text)))
            return
        self._values[name] = args

    def _retract(self, percept: Percept) -> None:
        for group in (self._facts, self._repeated):
            if percept.name in group:
                group[percept.name].retract(percept.args)

    def _value(self, default: Any, *names: str) -> Any:
        """Return the first argument of the last percept of one of these names."""
        for name in names:
            if name in self._values:
                return self._values[name][0]
        return default

    def _first_fact(self, default: Any, *names: str) -> Any:
        for name in names:
            for args in self._facts[name]:
                return args[0]
        return default

    def _all(self, group: dict[str, _Facts], *names: str) -> tuple[Any, ...]:
        return tuple(args[0] for name in names for args in group[name])


class RobotBeliefs(_Beliefs):
    """What a robot knows. ``repeats``: percepts are delivered as by EIS 0.5 (profile)."""

    def __init__(self, name: str, *, repeats: bool) -> None:
        super().__init__(repeats=repeats)
        self.name = name
        self._facts = {n: _Facts() for n in ("in", "atBlock", "player", "bumped")}
        self._repeated = {n: _Facts() for n in ("color", "getEPartners", "epartner")}
        self._ignored = frozenset({"zone", "place", "holding", "occupied"})
        self._sizes: dict[int, float] = {}
        self._parts: dict[Change, Any] = {}
        self._readers: dict[Change, Callable[[], Any]] = {
            Change.STATE: self._own_part,
            Change.POSITION: lambda: self.location,
            Change.BATTERY: lambda: self.battery,
            Change.BLOCKS: lambda: self.blocks,
            Change.PLAYERS: lambda: self.players,
            Change.EPARTNERS: lambda: self.epartners,
        }

    def apply(self, cycle: PerceptCycle) -> Change:
        """Take in one cycle and return what is different now; everything at the first one."""
        if cycle.number == 0:
            self._parts.clear()
        self.take(cycle)
        changes = Change.NOTHING
        for change, read in self._readers.items():
            part = read()
            if change not in self._parts or part != self._parts[change]:
                self._parts[change] = part
                changes |= change
        return changes

    def _add(self, name: str, args: tuple[Any, ...]) -> None:
        if name == "robotSize":
            self._sizes[args[0]] = args[1]
        else:
            super()._add(name, args)

    def _own_part(self) -> tuple[Any, ...]:
        return (
            self.id,
            self.place,
            self.room,
            self.state,
            self.holding,
            self.gripper_capacity,
            self.at_blocks,
            self.bumped,
            self.speed,
            self.size,
            self.color_blind,
            self.old_target_unreachable,
        )

    @property
    def id(self) -> int:
        """Number of the robot."""
        return int(self._value(0, "robot"))

    @property
    def location(self) -> Point:
        """Centre of the robot, in map units."""
        x, y = self._values.get("location", (nan, nan))
        return x, y

    @property
    def place(self) -> str:
        """The zone that it is in, or the nearest."""
        return str(self._value("", "at"))

    @property
    def room(self) -> str:
        """The room that it is in, or an empty text."""
        return str(self._first_fact("", "in"))

    @property
    def state(self) -> str:
        """``arrived``, ``traveling`` or ``collided``."""
        return str(self._value("arrived", "state"))

    @property
    def holding(self) -> tuple[int, ...]:
        """Blocks in the gripper, the top of the stack first."""
        return tuple(self._value((), "holdingblocks"))

    @property
    def gripper_capacity(self) -> int:
        """How many blocks it can hold."""
        return int(self._value(0, "gripperCapacity"))

    @property
    def at_blocks(self) -> tuple[int, ...]:
        """Blocks that it could pick up where it is."""
        return self._all(self._facts, "atBlock")

    @property
    def bumped(self) -> tuple[str, ...]:
        """What has stopped it."""
        return self._all(self._facts, "bumped")

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
        """Width in map units."""
        return self._sizes.get(self.id, nan)

    @property
    def color_blind(self) -> bool:
        """Whether it sees every colour as Dark_gray."""
        return bool(self._value(False, "colorblind"))

    @property
    def old_target_unreachable(self) -> bool:
        """Whether the last navigateObstacles found no way."""
        return bool(self._values.get("oldTargetUnreachable", (0, 0))[1])

    @property
    def blocks(self) -> tuple[SeenBlock, ...]:
        """The blocks in sight."""
        return tuple(
            SeenBlock(number, color, *self._positions.get(number, _NOWHERE)[1:])
            for number, color in self._repeated["color"]
        )

    @property
    def players(self) -> tuple[str, ...]:
        """The other players."""
        return self._all(self._facts, "player")

    @property
    def epartners(self) -> tuple[SeenEPartner, ...]:
        """The e-partners that it perceives."""
        seen = (*self._repeated["getEPartners"], *self._repeated["epartner"])
        return tuple(SeenEPartner(*args) for args in seen)


class EPartnerBeliefs(_Beliefs):
    """What an e-partner knows, under the names of the document or of the servers."""

    def __init__(self, name: str, *, repeats: bool) -> None:
        super().__init__(repeats=repeats)
        self.name = name
        self._facts = {n: _Facts() for n in ("getRoom", "in", "isTaken", "heldBy", "player")}
        self._lists = {
            n: _Facts() for n in ("getFunctionalities", "functionality", "getRooms", "place")
        }
        self._before: tuple[Any, ...] | None = None

    def apply(self, cycle: PerceptCycle) -> Change:
        """Take in one cycle; return STATE for any difference, POSITION for that one alone."""
        if cycle.number == 0:
            self._before = None
        self.take(cycle)
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

    @property
    def location(self) -> Point:
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
        """The room that it is in, as far as it was told."""
        return str(self._first_fact("", "getRoom", "in"))

    @property
    def rooms(self) -> tuple[str, ...]:
        """With GPS: the rooms of the map, or (servers) all places."""
        return self._all(self._lists, "getRooms", "place")

    @property
    def functionalities(self) -> tuple[str, ...]:
        """What it can do."""
        return self._all(self._lists, "getFunctionalities", "functionality")

    @property
    def held_by(self) -> int | None:
        """Number of the robot that carries it, or NOBODY; None without Forget-me-not."""
        number = self._first_fact(None, "heldBy")
        return None if number is None else int(number)

    @property
    def is_taken(self) -> bool:
        """Whether somebody carries it (Forget-me-not)."""
        return bool(self._first_fact(NOBODY, "isTaken") != NOBODY)

    @property
    def left_behind(self) -> bool:
        """Whether it was put down, having been carried (Forget-me-not)."""
        return bool(self._value(0, "leftBehind"))
