# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Robots and e-partners: what they are, what they hold, and where they stand."""

from __future__ import annotations

from collections import deque
from enum import Enum
from math import ceil
from typing import Protocol

from bw4t_world.model.choices import BatteryUse
from bw4t_world.model.ground import Block, Zone
from bw4t_world.model.measures import RobotMeasures
from bw4t_world.model.motion import Leg
from bw4t_world.model.percepts import Percept
from bw4t_world.model.profiles import Profile
from bw4t_world.scenarios.model import BotSpec, Controller, EPartnerSpec

MAX_STEP = 0.5
"""What a robot at full speed moves in a tick, in map units (docs/originals/bw4t.md, 3)."""

DEFAULT_SIZE = 2.0
"""Side of a robot without the size-overload handicap, in map units."""

DEFAULT_SPEED = 0.5
"""Speed of a robot without the move-speed handicap, as a part of full speed."""

EPARTNER_SIZE = 1.0
"""Side of an e-partner, in map units."""

_CHARGE_GRAINS = 2.0**52


class State(Enum):
    """What a robot does (specification, "State")."""

    ARRIVED = "arrived"
    TRAVELING = "traveling"
    COLLIDED = "collided"


class Stop(Enum):
    """Why a robot came to stand; it is ``NONE`` while it moves and before it ever did."""

    NONE = "none"
    ARRIVED = "arrived"
    WALL = "wall"
    CLOSED_DOOR = "closed door"
    OCCUPIED_ZONE = "occupied zone"
    ROBOT = "robot"
    BATTERY = "battery empty"


class Kind(Enum):
    """The entity types of the original."""

    BOT = "bot"
    HUMAN = "human"
    EPARTNER = "epartner"


class Battery:
    """The charge of a robot, in grains so small and whole that draining is exact.

    ``rate`` is what a moving tick takes, as a part of the full charge of 1.0.
    """

    __slots__ = ("charge", "rate")

    def __init__(self, rate: float) -> None:
        self.rate = round(rate * _CHARGE_GRAINS) / _CHARGE_GRAINS
        self.charge = 1.0

    @property
    def percent(self) -> float:
        """The charge in percent, from 0 to 100."""
        return self.charge * 100.0

    def drain(self, moves: int = 1) -> None:
        """Take what a number of moving ticks use, but no more than there is."""
        self.charge = max(0.0, self.charge - moves * self.rate)

    def moves_left(self) -> int | None:
        """Return how many moves take the last of the charge; ``None`` if it lasts forever."""
        return ceil(self.charge / self.rate) if self.rate > 0 else None


def battery_of(spec: BotSpec, profile: Profile) -> Battery | None:
    """Return the battery of a robot, or ``None`` where it never runs down."""
    if not spec.battery_enabled:
        return None
    counts = profile.battery_ignores_handicap
    size = spec.size if counts or spec.size_overload_handicap else DEFAULT_SIZE
    speed = spec.speed if counts or spec.move_speed_handicap else DEFAULT_SPEED * 100
    if profile.battery_use is BatteryUse.FRACTION_OF_FULL:
        return Battery(0.0002 * size + 0.0004 * speed / 100)
    return Battery((0.0002 * size + 0.0004 * speed) / spec.battery_capacity)


class Perceiver(Protocol):
    """A consumer of percepts, as entities know it."""

    def receive(self, sender: str, text: str) -> None:
        """Take a message that the entity got."""

    def notify(self, event: Percept) -> None:
        """Take a percept that is sent exactly once."""


class Entity:
    """What robots and e-partners have in common.

    ``consumers`` perceive through this entity. Messages that come while there is
    none are kept in ``backlog`` for the first. ``players`` counts the consumers that act for
    it: an entity is a player while there is one.
    """

    __slots__ = ("backlog", "consumers", "id", "kind", "name", "players", "x", "y")

    def __init__(self, number: int, name: str, kind: Kind, x: float, y: float) -> None:
        self.id = number
        self.name = name
        self.kind = kind
        self.x = x
        self.y = y
        self.consumers: list[Perceiver] = []
        self.players = 0
        self.backlog: deque[tuple[str, str]] = deque()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.id} {self.name}>"


class Robot(Entity):
    """A robot, driven by an agent or a human.

    Position: ``x`` and ``y`` are the centre after ``moved`` moves of ``leg``; ``since`` is the
    tick that they hold for. ``zones`` contain the centre, in creation order; ``zone`` is the
    first of them. ``goal`` is the waypoint on the way, ``plan`` those after it, and
    ``target`` where the last goTo went.
    ``version`` changes with everything discrete that the robot perceives of itself.
    """

    __slots__ = (
        "abandoned",
        "battery",
        "can_grip",
        "capacity",
        "collided",
        "color_blind",
        "epartner",
        "free",
        "goal",
        "held",
        "idle_since",
        "leg",
        "measures",
        "moved",
        "next_change",
        "obstacles",
        "plan",
        "schedule_id",
        "since",
        "size",
        "spawn",
        "spec",
        "speed",
        "step",
        "stop",
        "stopped_by",
        "target",
        "unreachable",
        "version",
        "zone",
        "zone_changes",
        "zones",
    )

    def __init__(
        self,
        number: int,
        name: str,
        spec: BotSpec,
        spawn: tuple[float, float],
        profile: Profile,
    ) -> None:
        kind = Kind.HUMAN if spec.controller is Controller.HUMAN else Kind.BOT
        super().__init__(number, name, kind, *spawn)
        self.spec = spec
        self.spawn = spawn
        self.size = float(spec.size) if spec.size_overload_handicap else DEFAULT_SIZE
        self.speed = spec.speed / 100 if spec.move_speed_handicap else DEFAULT_SPEED
        self.step = MAX_STEP * self.speed
        self.can_grip = not spec.gripper_handicap
        self.capacity = spec.grippers if self.can_grip else 0
        self.color_blind = spec.color_blind_handicap
        self.battery = battery_of(spec, profile)
        self.held: list[Block] = []
        self.epartner: EPartner | None = None
        self.zones: tuple[Zone, ...] = ()
        self.zone: Zone | None = None
        self.goal: tuple[float, float] | None = None
        self.plan: deque[tuple[float, float]] = deque()
        self.target: tuple[float, float] | None = None
        self.abandoned: list[tuple[float, float]] | None = None
        self.leg: Leg | None = None
        self.zone_changes: tuple[int, ...] = ()
        self.next_change = 0
        self.moved = 0
        self.since = 0
        self.schedule_id = 0
        self.collided = False
        self.stop = Stop.NONE
        self.stopped_by = ""
        self.obstacles: list[Robot] = []
        self.unreachable = False
        self.free = False
        self.idle_since = 0
        self.measures = RobotMeasures()
        self.version = 0

    @property
    def state(self) -> State:
        """What the robot does."""
        if self.collided:
            return State.COLLIDED
        return State.ARRIVED if self.goal is None else State.TRAVELING

    @property
    def percent(self) -> float:
        """The charge of the battery in percent; always 100 without a battery."""
        return 100.0 if self.battery is None else self.battery.percent

    @property
    def in_charging_zone(self) -> bool:
        """Whether the battery is being filled."""
        return any(zone.is_charging for zone in self.zones)

    @property
    def gripper_is_free(self) -> bool:
        """Whether the robot can pick up one more block."""
        return self.can_grip and len(self.held) < self.capacity

    @property
    def reach(self) -> float:
        """Greatest distance of the centre of a block that can be picked up, in map units."""
        return self.size + 1.0

    def waypoints(self) -> tuple[tuple[float, float], ...]:
        """Return the points that are still to be passed, in order."""
        return () if self.goal is None else (self.goal, *self.plan)


class EPartner(Entity):
    """An e-partner. A human bot can carry it; GPS and Forget-me-not are its functionalities.

    ``host`` is the human that it was spawned at, if it did not take a spawn point.
    """

    __slots__ = ("holder", "host", "spawn", "spec", "was_held")

    def __init__(self, number: int, name: str, spec: EPartnerSpec, x: float, y: float) -> None:
        super().__init__(number, name, Kind.EPARTNER, x, y)
        self.spec = spec
        self.spawn = (x, y)
        self.host: Robot | None = None
        self.holder: Robot | None = None
        self.was_held = False

    @property
    def functionalities(self) -> tuple[str, ...]:
        """The names of what it can do."""
        gps = ("GPS",) if self.spec.gps else ()
        return (*gps, "Forget-me-not") if self.spec.forget_me_not else gps
