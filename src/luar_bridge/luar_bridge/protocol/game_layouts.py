# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""How each version of the GameController's broadcast is laid out. No I/O.

Integers are little endian. Source: docs/originals/luar.md, 8.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

HEADER = b"RGme"


class Record:
    """A part of a structure: a format of ``struct``, and a name of each value."""

    def __init__(self, form: str, names: str) -> None:
        self._struct = struct.Struct(f"<{form}")
        self.names = tuple(names.split())
        self.size = self._struct.size

    def unpack(self, data: bytes, at: int) -> dict[str, Any]:
        """Return the values by name."""
        return dict(zip(self.names, self._struct.unpack_from(data, at), strict=True))

    def pack(self, values: Mapping[str, Any]) -> bytes:
        """Return the bytes. Raises struct.error for what does not fit."""
        return self._struct.pack(*(values[name] for name in self.names))


@dataclass(frozen=True)
class Layout:
    """One version: a head behind HEADER and two teams, each with its players behind it.

    The names are those of GameData, TeamInfo and PlayerInfo.
    """

    head: Record
    team: Record
    player: Record
    players: int
    has_coach: bool = False
    """One more record of a player before the players."""
    kicks_by_color: bool = False
    """The kicking team is named by its colour, not by its number."""
    has_standby: bool = False

    @property
    def size(self) -> int:
        """Bytes of the whole structure."""
        robots = self.players + self.has_coach
        return len(HEADER) + self.head.size + 2 * (self.team.size + robots * self.player.size)


_EARLY = "state first_half kicking_team game_phase"
_DROP = "drop_in_team drop_in_seconds seconds_remaining"
_LATE = "set_play first_half kicking_team"
_TIMES = "seconds_remaining secondary_time"
_PACKET = "version packet players_per_team"
_TYPES = f"{_PACKET} competition_phase competition_type game_phase state {_LATE}"
_HSL = Record("10B2h", f"{_PACKET} competition_type stopped game_phase state {_LATE} {_TIMES}")
_NUMBERED = Record("H8B3h", f"{_PACKET} competition_type {_EARLY} {_DROP} secondary_time")
_PHASED = Record("10B2h", f"{_TYPES} {_TIMES}")
_SHOTS = "number color score penalty_shot single_shots"
_COACHED = f"{_SHOTS} coach_sequence coach_message"
_KEEPER = Record(
    "6B2H", "number color keeper_color keeper score penalty_shot single_shots message_budget"
)
_BYTES = Record("2B", "penalty seconds")
_CARDS = Record("6B", "penalty seconds warnings cautions red_cards is_keeper")

LAYOUTS: Mapping[int, Layout] = {
    7: Layout(
        Record("I6Bhi", f"version players_per_team {_EARLY} {_DROP}"),
        Record("4B", "number color goal_color score"),
        Record("2H", "penalty seconds"),
        players=11,
        kicks_by_color=True,
    ),
    8: Layout(
        Record("8B3h", f"{_PACKET} {_EARLY} {_DROP} secondary_time"),
        Record("4BH40s", f"{_SHOTS} coach_message"),
        _BYTES,
        players=11,
        has_coach=True,
        kicks_by_color=True,
    ),
    9: Layout(_NUMBERED, Record("4BHB81s", _COACHED), _BYTES, players=11, has_coach=True),
    10: Layout(_NUMBERED, Record("4BHB253s", _COACHED), _BYTES, players=11, has_coach=True),
    11: Layout(
        Record("H10B3h", f"{_TYPES} {_DROP} secondary_time"),
        Record("4BH", _SHOTS),
        _BYTES,
        players=6,
    ),
    12: Layout(_PHASED, Record("4BH", _SHOTS), _BYTES, players=6),
    13: Layout(_PHASED, Record("4BH", _SHOTS), _BYTES, players=6),
    14: Layout(_PHASED, Record("4B2H", f"{_SHOTS} message_budget"), _BYTES, players=7),
    15: Layout(_PHASED, _KEEPER, _BYTES, players=20),
    16: Layout(_PHASED, _KEEPER, _BYTES, players=20),
    17: Layout(_PHASED, _KEEPER, _BYTES, players=20),
    18: Layout(_PHASED, _KEEPER, _BYTES, players=20, has_standby=True),
    19: Layout(_HSL, _KEEPER, Record("4B", "penalty seconds warnings cautions"), players=20),
    20: Layout(_HSL, _KEEPER, Record("3B", "penalty seconds cautions"), players=20),
}
"""The Standard Platform League's by version; from 19 on the Humanoid Soccer League's."""
HUMANOID_LAYOUTS: Mapping[int, Layout] = {
    12: Layout(
        Record(
            "H7B4sB3h",
            f"{_PACKET} competition_type {_EARLY} secondary_info {_DROP} secondary_time",
        ),
        Record("4BHB253s", _COACHED),
        _CARDS,
        players=11,
        has_coach=True,
    )
}
"""The Humanoid League's of 2017 to 2025, which has a number of its own."""
