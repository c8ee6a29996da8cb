# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The events between GOAL, the agent language, and a Nao, as frozen dataclasses with ``opcode``.

:mod:`nao_goal_bridge.protocol.codec` writes them as bytes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import ClassVar, TypeAlias, get_args


class RobotState(IntEnum):
    """The states the document names (specification, 0.2.2, State)."""

    HALTED = 0
    WALKING = 1


# --- GOAL to Nao (specification, 0.2.1) ----------------------------------------------------


@dataclass(frozen=True, slots=True)
class Exit:
    """The Nao will sit down, end the connection and exit its program."""

    opcode: ClassVar[int] = 0x00


@dataclass(frozen=True, slots=True)
class GoTo:
    """Walk towards a marker and stop some rooms in front of it. Profile ``spec``."""

    opcode: ClassVar[int] = 0x01
    marker_id: int
    distance: int
    """Rooms between the Nao and the marker in the end."""


@dataclass(frozen=True, slots=True)
class TurnAndGoTo:
    """Turn by ``theta`` (whole radians, left is positive), then as GoTo. Profile ``may17``."""

    opcode: ClassVar[int] = 0x01
    theta: int
    marker_id: int
    distance: int


@dataclass(frozen=True, slots=True)
class GoToTiles:
    """Walk along map tiles, each an (x, y) pair in tiles. Profiles from ``may24`` on.

    The first one is the robot's own: its planner starts there.
    """

    opcode: ClassVar[int] = 0x01
    waypoints: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class PickUp:
    """Pick up an object; without an id (from ``june10`` on) the one in front of the Nao."""

    opcode: ClassVar[int] = 0x02
    object_id: int | None = None


@dataclass(frozen=True, slots=True)
class PutDown:
    """Lay down the object that the Nao holds."""

    opcode: ClassVar[int] = 0x03


@dataclass(frozen=True, slots=True)
class Halt:
    """Stop moving; fails while the Nao grabs or puts down an object."""

    opcode: ClassVar[int] = 0x04


# --- Nao to GOAL (specification, 0.2.2) ----------------------------------------------------


@dataclass(frozen=True, slots=True)
class KeepAlive:
    """A sign of life without meaning; only the robot sends it. Profile ``naovigate``."""

    opcode: ClassVar[int] = 0xFF


@dataclass(frozen=True, slots=True)
class Error:
    """A fatal error has occurred in the Nao; its state is unknown."""

    opcode: ClassVar[int] = 0x80


@dataclass(frozen=True, slots=True)
class Success:
    """The last command with this opcode has been carried out."""

    opcode: ClassVar[int] = 0x81
    code: int


@dataclass(frozen=True, slots=True)
class Failure:
    """The last command with this opcode has failed."""

    opcode: ClassVar[int] = 0x82
    code: int


@dataclass(frozen=True, slots=True)
class Location:
    """The Nao is in the room with this marker."""

    opcode: ClassVar[int] = 0x89
    marker_id: int


@dataclass(frozen=True, slots=True)
class See:
    """The Nao spotted a marker; 0 rooms away means in the same room."""

    opcode: ClassVar[int] = 0x8A
    marker_id: int
    distance: int
    """Rooms, rounded down."""


@dataclass(frozen=True, slots=True)
class SeeObject:
    """The Nao spotted an object. Profiles from ``june7`` on, in the place of See.

    The last version's ``object_id`` is always 0.
    """

    opcode: ClassVar[int] = 0x8A
    object_id: int
    tile_id: int | None = None
    """Where; None from ``june13`` on, which leave it out."""


@dataclass(frozen=True, slots=True)
class Dropped:
    """The Nao dropped or put down an object; without an id from ``june7`` on."""

    opcode: ClassVar[int] = 0x8C
    object_id: int | None = None


@dataclass(frozen=True, slots=True)
class Holding:
    """The Nao has picked up an object."""

    opcode: ClassVar[int] = 0x8D
    object_id: int


@dataclass(frozen=True, slots=True)
class Agent:
    """Which Nao this is."""

    opcode: ClassVar[int] = 0x8E
    agent_id: int


@dataclass(frozen=True, slots=True)
class State:
    """The state of the Nao: a :class:`RobotState`, or a number the document does not know."""

    opcode: ClassVar[int] = 0x8F
    state: int


Command: TypeAlias = Exit | GoTo | TurnAndGoTo | GoToTiles | PickUp | PutDown | Halt
"""What GOAL sends."""
Report: TypeAlias = (
    Error | Success | Failure | Location | See | SeeObject | Dropped | Holding | Agent | State
    | KeepAlive
)  # fmt: skip
"""What the Nao sends."""
Event: TypeAlias = Command | Report
"""What either side sends."""

COMMANDS: tuple[type[Event], ...] = get_args(Command)
"""The classes of :data:`Command`."""
REPORTS: tuple[type[Event], ...] = get_args(Report)
"""The classes of :data:`Report`."""
OPCODES: Mapping[type[Event], int] = {kind: kind.opcode for kind in COMMANDS + REPORTS}
"""The opcode of each class of event, as it is sent."""
