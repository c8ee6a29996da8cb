# SPDX-License-Identifier: Apache-2.0
"""The broadcast of the RoboCup GameController: bytes to and from one form of the game. No I/O.

Five versions of its structure are known, each frozen by its version number: those that the robots
of 2013 to 2016 were written for (7, 8 and 9) and those of today, 18 of the Standard Platform
League until 2025 and 19 of the Humanoid Soccer League. Nothing in the bytes is trusted.
"""

from __future__ import annotations

import enum
import struct
from dataclasses import dataclass

PORT = 3838
"""The UDP port of the broadcast."""
HEADER = b"RGme"
MAXIMUM_BYTES = 512
"""More than any known version has."""


class GameControlError(Exception):
    """The bytes are no broadcast that is known; the message says why."""


class GameState(enum.IntEnum):
    """State of the game; the same codes in all versions and in gcmGame.state."""

    INITIAL = 0
    READY = 1
    SET = 2
    PLAYING = 3
    FINISHED = 4


MANUAL_PENALTY = 15
"""Code of a penalty that every version of 2013 to 2016 has."""


@dataclass(frozen=True)
class PlayerInfo:
    """A player as the referee sees it: code of its penalty (0: none), and seconds left of it."""

    penalty: int = 0
    seconds: int = 0


@dataclass(frozen=True)
class TeamInfo:
    """One of the two teams."""

    number: int
    color: int
    """0 blue, 1 red, and further ones from version 9 on."""
    score: int
    players: tuple[PlayerInfo, ...]


@dataclass(frozen=True)
class GameData:
    """The game as one broadcast tells it."""

    version: int
    packet: int
    """Counts the packets, modulo 256; 0 in version 7, which does not count them."""
    players_per_team: int
    state: GameState
    first_half: bool
    kicking_team: int | None
    """Number of the team that kicks off; None for none."""
    seconds_remaining: int
    """In this half."""
    teams: tuple[TeamInfo, TeamInfo]


@dataclass(frozen=True)
class _Layout:
    """How one version lays out its structure; ``head`` begins behind HEADER."""

    head: struct.Struct
    fields: tuple[str, ...]
    """What each value of the head is; others than those of GameData are not used."""
    team: struct.Struct
    team_fields: tuple[str, ...]
    player: struct.Struct
    players: int
    kicks_by_color: bool
    """The kicking team is told by its colour, not by its number."""

    @property
    def size(self) -> int:
        """Bytes of the whole structure."""
        team = self.team.size + self.players * self.player.size
        return len(HEADER) + self.head.size + 2 * team


def _layout(
    head: tuple[str, str], team: tuple[str, str], player: str, *, players: int, by_color: bool
) -> _Layout:
    (head_form, head_fields), (team_form, team_fields) = head, team
    return _Layout(
        struct.Struct(head_form),
        tuple(head_fields.split()),
        struct.Struct(team_form),
        tuple(team_fields.split()),
        struct.Struct(player),
        players,
        by_color,
    )


_EARLY = "state first_half kicking_team secondary_state drop_team drop_time seconds_remaining"
_LATE = "state set_play first_half kicking_team seconds_remaining secondary_time"
_SHOTS = "number color score penalty_shot single_shots"
_KEEPER = "number color keeper_color keeper score penalty_shot single_shots budget"
_TYPES = "competition_phase competition_type game_phase"
LAYOUTS = {
    7: _layout(
        ("<I6BHI", f"version players_per_team {_EARLY}"),
        ("<4B", "number color goal_color score"),
        "<2H",
        players=11,
        by_color=True,
    ),
    8: _layout(
        ("<8B3H", f"version packet players_per_team {_EARLY} secondary_time"),
        ("<4BH40s2B", f"{_SHOTS} message coach coach_seconds"),
        "<2B",
        players=11,
        by_color=True,
    ),
    9: _layout(
        ("<H8B3H", f"version packet players_per_team game_type {_EARLY} secondary_time"),
        ("<4BHB81s2B", f"{_SHOTS} sequence message coach coach_seconds"),
        "<2B",
        players=11,
        by_color=False,
    ),
    18: _layout(
        ("<10B2h", f"version packet players_per_team {_TYPES} {_LATE}"),
        ("<6B2H", _KEEPER),
        "<2B",
        players=20,
        by_color=False,
    ),
    19: _layout(
        ("<10B2h", f"version packet players_per_team competition_type stopped game_phase {_LATE}"),
        ("<6B2H", _KEEPER),
        "<4B",
        players=20,
        by_color=False,
    ),
}
"""The structures by version; integers are little endian."""
_NO_TEAM = 255
_VERSION = struct.Struct("<H")


def decode(data: bytes) -> GameData:
    """Return the game that a broadcast tells. Raises GameControlError."""
    if data[:4] != HEADER:
        raise GameControlError(f"it begins with {data[:4]!r}, not with {HEADER!r}")
    # Wider version fields, of 7 and 9, are little endian with zeros behind.
    version = data[4] if len(data) > 4 else 0
    layout = LAYOUTS.get(version)
    if layout is None:
        known = ", ".join(map(str, LAYOUTS))
        raise GameControlError(f"version {version} is none of {known}")
    if len(data) != layout.size:
        raise GameControlError(
            f"version {version} has {layout.size} bytes, this broadcast {len(data)}"
        )
    head = dict(zip(layout.fields, layout.head.unpack_from(data, 4), strict=True))
    if head["version"] != version or head["state"] not in GameState.__members__.values():
        raise GameControlError(f"state {head['state']} of version {head['version']} is unknown")
    if not 0 < head["players_per_team"] <= layout.players:
        raise GameControlError(f"{head['players_per_team']} players a team")
    at = 4 + layout.head.size
    teams = []
    for _ in range(2):
        values = dict(zip(layout.team_fields, layout.team.unpack_from(data, at), strict=True))
        at += layout.team.size
        players = []
        for _ in range(layout.players):
            penalty, seconds = layout.player.unpack_from(data, at)[:2]
            players.append(PlayerInfo(penalty, seconds))
            at += layout.player.size
        team = TeamInfo(values["number"], values["color"], values["score"], tuple(players))
        teams.append(team)
    keys = [team.color if layout.kicks_by_color else team.number for team in teams]
    kicking = head["kicking_team"]
    kicks = kicking in keys and kicking != _NO_TEAM
    kicker = teams[keys.index(kicking)].number if kicks else None
    return GameData(
        version,
        head.get("packet", 0),
        head["players_per_team"],
        GameState(head["state"]),
        head["first_half"] == 1,
        kicker,
        head["seconds_remaining"],
        (teams[0], teams[1]),
    )


def encode(game: GameData) -> bytes:
    """Return the broadcast of a game in its version; what GameData does not hold is zero.

    Raises GameControlError for an unknown version, and for what its fields cannot hold.
    """
    layout = LAYOUTS.get(game.version)
    if layout is None:
        raise GameControlError(f"version {game.version} is none of {', '.join(map(str, LAYOUTS))}")
    kicker = next((team for team in game.teams if team.number == game.kicking_team), None)
    told = kicker and (kicker.color if layout.kicks_by_color else kicker.number)
    values = {
        "version": game.version,
        "packet": game.packet,
        "state": int(game.state),
        "players_per_team": game.players_per_team,
        "first_half": int(game.first_half),
        "kicking_team": _NO_TEAM if told is None else told,
        "seconds_remaining": game.seconds_remaining,
    }
    try:
        parts = [HEADER, layout.head.pack(*(values.get(name, 0) for name in layout.fields))]
        for team in game.teams:
            known = {"number": team.number, "color": team.color, "score": team.score}
            known["keeper_color"] = team.color
            empty = {"message": b""}
            filled = ({**empty, **known}.get(name, 0) for name in layout.team_fields)
            parts.append(layout.team.pack(*filled))
            if len(team.players) > layout.players:
                raise GameControlError(f"{len(team.players)} players are more than fit")
            rest = (0,) * (len(layout.player.unpack(bytes(layout.player.size))) - 2)
            for number in range(layout.players):
                player = team.players[number] if number < len(team.players) else PlayerInfo()
                parts.append(layout.player.pack(player.penalty, player.seconds, *rest))
    except struct.error as error:
        raise GameControlError(f"a value does not fit: {error}") from error
    return b"".join(parts)
