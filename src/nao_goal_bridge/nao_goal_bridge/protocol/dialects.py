# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The dialects of the GOAL-Nao protocol: which arguments each event has, and how wide they are.

The original changed its wire with its commits of 2013. All profiles send an opcode byte and
int32 arguments, big endian; a Code is as wide as ``code_width`` says.

========== ============= ===== ====== ====================================================
profile    commits       bytes Code   differs from the profile before it
========== ============= ===== ====== ====================================================
spec       13-16 May     raw   1 byte the document: GoTo(marker, distance)
may17      17-23 May     raw   1      GoTo(theta, marker, distance)
may24      24-30 May     raw   1      GoTo(n, n x (x, y)): tiles of a map
may31      31 May-6 June bits  1      each byte as eight characters 0 or 1, then a newline
june7      7-9 June      bits  1      a tile coordinate v as 10 v + 5; See(object, tile);
                                      Dropped without an object
june10     10-12 June    bits  1      PickUp without an object
june13     13 June       bits  1      See(object)
naovigate  from 14 June  bits  4      the last version: KeepAlive from the robot
========== ============= ===== ====== ====================================================
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import TypeAlias

from nao_goal_bridge.protocol import events

CODE_KINDS: Mapping[int, str] = MappingProxyType({1: "B", 4: "i"})
"""Struct character of a Code, by its width in bytes."""

Arguments: TypeAlias = tuple[tuple[str, str], ...]
"""Names in the order of the wire, each with ``i`` for int32 or ``c`` for a Code."""


class Profile(str, Enum):
    """A dialect by name: the document's, or the original's from a date of 2013 on."""

    SPEC = "spec"
    MAY17 = "may17"
    MAY24 = "may24"
    MAY31 = "may31"
    JUNE7 = "june7"
    JUNE10 = "june10"
    JUNE13 = "june13"
    NAOVIGATE = "naovigate"


class Side(Enum):
    """Which end reads."""

    ROBOT = "robot"
    """Decodes what GOAL sends."""
    GOAL = "goal"
    """Decodes what the robot sends."""


@dataclass(frozen=True)
class _Grammar:
    arguments: Mapping[type[events.Event], Arguments | None]
    """Of each event; None: the list of tiles, the one argument whose length varies."""
    in_bits: bool = False
    code_width: int = 1
    tile_scale: int = 1
    """A tile coordinate v travels as ``tile_scale`` v + ``tile_offset``."""
    tile_offset: int = 0


def _with(
    before: Mapping[type[events.Event], Arguments | None],
    changes: Mapping[type[events.Event], Arguments | None],
    without: type[events.Event] | None = None,
) -> Mapping[type[events.Event], Arguments | None]:
    kept = {kind: arguments for kind, arguments in before.items() if kind is not without}
    return MappingProxyType({**kept, **changes})


_SPEC = _with(
    {
        events.Exit: (),
        events.GoTo: (("marker_id", "i"), ("distance", "i")),
        events.PickUp: (("object_id", "i"),),
        events.PutDown: (),
        events.Halt: (),
        events.Error: (),
        events.Success: (("code", "c"),),
        events.Failure: (("code", "c"),),
        events.Location: (("marker_id", "i"),),
        events.See: (("marker_id", "i"), ("distance", "i")),
        events.Dropped: (("object_id", "i"),),
        events.Holding: (("object_id", "i"),),
        events.Agent: (("agent_id", "i"),),
        events.State: (("state", "i"),),
    },
    {},
)
_MAY17 = _with(
    _SPEC,
    {events.TurnAndGoTo: (("theta", "i"), ("marker_id", "i"), ("distance", "i"))},
    without=events.GoTo,
)
_MAY24 = _with(_SPEC, {events.GoToTiles: None}, without=events.GoTo)
_JUNE7 = _with(
    _MAY24,
    {events.SeeObject: (("object_id", "i"), ("tile_id", "i")), events.Dropped: ()},
    without=events.See,
)
_JUNE10 = _with(_JUNE7, {events.PickUp: ()})
_JUNE13 = _with(_JUNE10, {events.SeeObject: (("object_id", "i"),)})
_NAOVIGATE = _with(_JUNE13, {events.KeepAlive: ()})
_GRAMMARS = MappingProxyType(
    {
        Profile.SPEC: _Grammar(_SPEC),
        Profile.MAY17: _Grammar(_MAY17),
        Profile.MAY24: _Grammar(_MAY24),
        Profile.MAY31: _Grammar(_MAY24, True),
        Profile.JUNE7: _Grammar(_JUNE7, True, 1, 10, 5),
        Profile.JUNE10: _Grammar(_JUNE10, True, 1, 10, 5),
        Profile.JUNE13: _Grammar(_JUNE13, True, 1, 10, 5),
        Profile.NAOVIGATE: _Grammar(_NAOVIGATE, True, 4, 10, 5),
    }
)

_GREETINGS: Mapping[Profile, tuple[type[events.Event], ...]] = MappingProxyType(
    {
        Profile.SPEC: (events.Agent, events.Location, events.Holding, events.State),
        Profile.MAY17: (),
        Profile.MAY24: (),
        Profile.MAY31: (events.Agent,),
        Profile.JUNE7: (events.Agent,),
    }
)


@dataclass(frozen=True)
class Dialect:
    """How the events are written; never detected, as ``81 00`` has two readings.

    Raises ValueError for a code width other than 1 or 4; 0 stands for the profile's.
    """

    profile: Profile = Profile.SPEC
    code_width: int = 0
    """Bytes of the Code of Success and Failure."""

    def __post_init__(self) -> None:
        if not isinstance(self.profile, Profile):
            raise ValueError(f"profile must be a Profile, not {self.profile!r}")
        if self.code_width == 0:
            object.__setattr__(self, "code_width", self.grammar.code_width)
        if self.code_width not in CODE_KINDS:
            raise ValueError(f"code_width must be 1 or 4, not {self.code_width!r}")

    @property
    def grammar(self) -> _Grammar:
        """What the profile says."""
        return _GRAMMARS[self.profile]

    @property
    def walks_on(self) -> bool:
        """Whether a robot carries on over a lost link: the original since 29 May 2013."""
        return self.has(events.GoToTiles)

    @property
    def greets(self) -> bool:
        """Whether each connection surely begins with an Agent; in ``may31`` it does for some."""
        return not self.has(events.See)

    @property
    def greeting(self) -> tuple[type[events.Event], ...]:
        """What a robot reports when it connects, see docs/originals/nao.md.

        One that walks on names its start room as its Location, wherever it is.
        """
        return _GREETINGS.get(self.profile, (events.Agent, events.Location))

    def has(self, kind: type[events.Event]) -> bool:
        """Return whether the dialect has events of ``kind``."""
        return kind in self.grammar.arguments

    def carries(self, kind: type[events.Event], argument: str) -> bool:
        """Return whether events of ``kind`` have ``argument``."""
        return argument in dict(self.grammar.arguments.get(kind) or ())
