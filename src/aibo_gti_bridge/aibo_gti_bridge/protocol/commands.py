# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What client and server send each other: commands and replies, as frozen dataclasses.

Values are in the units of the wire (docs/originals/aibo.md, 4 and 5), which the fields name; how
they are written as bytes is the business of :mod:`aibo_gti_bridge.protocol.codec`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, TypeAlias


@dataclass(frozen=True, slots=True)
class QuerySensors:
    """Ask for the latest values of some sensors, by id (querySensors)."""

    name: ClassVar[str] = "query_sensors"
    ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class QueryBall:
    """Ask for what the camera last saw of the ball of one colour (queryBall)."""

    name: ClassVar[str] = "query_ball"
    colour: int


@dataclass(frozen=True, slots=True)
class SearchBall:
    """Look around for the ball of one colour; the server answers when it is done (searchBall)."""

    name: ClassVar[str] = "search_ball"
    colour: int


@dataclass(frozen=True, slots=True)
class JointTarget:
    """Move one joint to ``target`` (degrees) within ``duration_ms``."""

    joint: int
    target: float
    duration_ms: int = 0


@dataclass(frozen=True, slots=True)
class MoveJoints:
    """Move any number of joints, each to its own target in its own time (moveJoints)."""

    name: ClassVar[str] = "move_joints"
    targets: tuple[JointTarget, ...]


@dataclass(frozen=True, slots=True)
class Motion:
    """Play a motion sequence file that the robot has (motion)."""

    name: ClassVar[str] = "motion"
    file: str


@dataclass(frozen=True, slots=True)
class Walk:
    """Walk with a velocity, until the next walk command or for ``n`` steps (walk).

    x forward, y left, a counter-clockwise: mm/s, mm/s and rad/s. ``n`` below zero: no end.
    """

    name: ClassVar[str] = "walk"
    dx: float
    dy: float
    da: float
    n: int = -1


@dataclass(frozen=True, slots=True)
class WalkSteps:
    """Walk over a displacement, divided over ``n`` steps: mm, mm and rad.

    The predicate's name is lost; the document shows a second one with a WalkParam.
    """

    name: ClassVar[str] = "walk_steps"
    dx: float
    dy: float
    da: float
    n: int


STOP = Walk(0.0, 0.0, 0.0)
"""Stand still."""


@dataclass(frozen=True, slots=True)
class SensorValues:
    """One value for each requested id, in order; NaN for what is not available.

    Joints rad, distances mm, accelerations m/s², buttons 0 to 1, power as its name says.
    """

    values: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Ball:
    """Where a ball is in the image (generalised units) and how large its region is.

    x grows to the right, y grows down. Not meaningful unless ``visible``. ``colour`` is None where
    the layout has no room for it.
    """

    visible: bool
    x: float = 0.0
    y: float = 0.0
    area: float = 0.0
    colour: int | None = None


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Whether a search found its ball."""

    found: bool


@dataclass(frozen=True, slots=True)
class Acknowledgement:
    """The answer to a command without a result, where the wire table asks for one; 0 is good."""

    status: int = 0


Command: TypeAlias = QuerySensors | QueryBall | SearchBall | MoveJoints | Motion | Walk | WalkSteps
"""What a client sends."""
Reply: TypeAlias = SensorValues | Ball | SearchResult | Acknowledgement
"""What the server answers."""

COMMANDS: tuple[type[Command], ...] = (
    QuerySensors, QueryBall, SearchBall, MoveJoints, Motion, Walk, WalkSteps,
)  # fmt: skip
"""The classes of :data:`Command`, in the order of the document's table."""
