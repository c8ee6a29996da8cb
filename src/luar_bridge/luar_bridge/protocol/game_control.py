# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The broadcast of the RoboCup GameController: bytes to and from one form of the game. No I/O.

Each version of its structure is frozen by its number (game_layouts). Nothing in the bytes is
trusted.
"""

from __future__ import annotations

import enum
import struct
from dataclasses import dataclass

from luar_bridge.protocol.game_layouts import HEADER, HUMANOID_LAYOUTS, LAYOUTS, Layout

PORT = 3838
"""The UDP port of the broadcast."""
MAXIMUM_BYTES = 1024
"""More than any known version has."""
MANUAL_PENALTY = 15
"""Code of a penalty that every version of 2013 to 2016 has."""
_NO_TEAM = 255


class GameControlError(Exception):
    """The bytes are no broadcast that is known; the message says why."""


class GameState(enum.IntEnum):
    """State of the game; the same codes in all versions, and up to FINISHED in gcmGame.state."""

    INITIAL = 0
    READY = 1
    SET = 2
    PLAYING = 3
    FINISHED = 4
    STANDBY = 5


@dataclass(frozen=True)
class PlayerInfo:
    """A player as the referee sees it: code of its penalty (0: none), and seconds left of it."""

    penalty: int = 0
    seconds: int = 0
    warnings: int = 0
    cautions: int = 0
    red_cards: int = 0
    is_keeper: int = 0


@dataclass(frozen=True)
class TeamInfo:
    """One of the two teams. What a version does not have keeps its default."""

    number: int
    color: int
    """0 blue, 1 red, and further ones from version 9 on."""
    score: int
    players: tuple[PlayerInfo, ...]
    keeper_color: int = 0
    keeper: int = 0
    """Number of the goalkeeper, counted from 1."""
    goal_color: int = 0
    penalty_shot: int = 0
    single_shots: int = 0
    message_budget: int = 0
    coach: PlayerInfo = PlayerInfo()
    coach_sequence: int = 0
    coach_message: bytes = b""
    """Without zeros at its end."""


@dataclass(frozen=True)
class GameData:
    """The game as one broadcast has it. What a version does not have keeps its default."""

    version: int
    packet: int
    """Counts the packets, modulo 256; 0 in version 7, which does not count them."""
    players_per_team: int
    state: GameState
    first_half: bool
    kicker: int | None
    """Which of ``teams`` kicks off or has the free kick; None for none."""
    seconds_remaining: int
    """In this half; negative after its end."""
    teams: tuple[TeamInfo, TeamInfo]
    humanoid_league: bool = False
    """The version is one of HUMANOID_LAYOUTS."""
    game_phase: int = 0
    """Up to version 10 and in the Humanoid League the secondary state."""
    secondary_info: bytes = bytes(4)
    secondary_time: int = 0
    set_play: int = 0
    stopped: int = 0
    competition_phase: int = 0
    competition_type: int = 0
    """Up to version 10 and in the Humanoid League the type of the game."""
    drop_in_team: int = 0
    drop_in_seconds: int = 0

    @property
    def layout(self) -> Layout:
        """The layout of its version. Raises GameControlError for an unknown one."""
        layouts = HUMANOID_LAYOUTS if self.humanoid_league else LAYOUTS
        if self.version not in layouts:
            raise GameControlError(f"version {self.version} is none of {_known()}")
        return layouts[self.version]

    @property
    def kicking_team(self) -> int | None:
        """Number of the team that kicks off; None for none."""
        return None if self.kicker is None else self.teams[self.kicker].number


def _known() -> str:
    return ", ".join(map(str, LAYOUTS))


def decode(data: bytes) -> GameData:
    """Return the game of a broadcast. Raises GameControlError."""
    if data[:4] != HEADER:
        raise GameControlError(f"it begins with {data[:4]!r}, not with {HEADER!r}")
    # Wider version fields, of 7, 9 and 10, are little endian with zeros behind.
    version = data[4] if len(data) > 4 else 0
    layout, humanoid_league = _find(version, len(data))
    head = layout.head.unpack(data, len(HEADER))
    state = head["state"]
    is_known = state <= GameState.FINISHED or (layout.has_standby and state == GameState.STANDBY)
    if head["version"] != version or not is_known:
        raise GameControlError(f"state {state} of version {head['version']} is unknown")
    if not 0 < head["players_per_team"] <= layout.players:
        raise GameControlError(f"{head['players_per_team']} players a team")
    at = len(HEADER) + layout.head.size
    size = (len(data) - at) // 2
    teams = _team(layout, data, at), _team(layout, data, at + size)
    keys = [team.color if layout.kicks_by_color else team.number for team in teams]
    kicking = head.pop("kicking_team")
    kicker = keys.index(kicking) if kicking in keys and kicking != _NO_TEAM else None
    return GameData(
        **head
        | {
            "packet": head.get("packet", 0),
            "state": GameState(state),
            "first_half": head["first_half"] == 1,
            "kicker": kicker,
            "teams": teams,
            "humanoid_league": humanoid_league,
        }
    )


def _find(version: int, size: int) -> tuple[Layout, bool]:
    """Return the layout of a version and size, and whether it is the Humanoid League's."""
    found = [
        (layouts[version], layouts is HUMANOID_LAYOUTS)
        for layouts in (LAYOUTS, HUMANOID_LAYOUTS)
        if version in layouts
    ]
    if not found:
        raise GameControlError(f"version {version} is none of {_known()}")
    for layout, humanoid_league in found:
        if layout.size == size:
            return layout, humanoid_league
    sizes = " or ".join(str(layout.size) for layout, _ in found)
    raise GameControlError(f"version {version} has {sizes} bytes, this broadcast {size}")


def _team(layout: Layout, data: bytes, at: int) -> TeamInfo:
    values = layout.team.unpack(data, at)
    at += layout.team.size
    robots = [
        PlayerInfo(**layout.player.unpack(data, at + number * layout.player.size))
        for number in range(layout.players + layout.has_coach)
    ]
    if layout.has_coach:
        values["coach"] = robots.pop(0)
    if "coach_message" in values:
        values["coach_message"] = values["coach_message"].rstrip(b"\0")
    return TeamInfo(**values, players=tuple(robots))


def encode(game: GameData) -> bytes:
    """Return the broadcast of a game in its version.

    Raises GameControlError for an unknown version, and for what its fields cannot hold.
    """
    layout = game.layout
    kicker = None if game.kicker is None else game.teams[game.kicker]
    kicking = kicker and (kicker.color if layout.kicks_by_color else kicker.number)
    head = vars(game) | {"kicking_team": _NO_TEAM if kicking is None else kicking}
    try:
        parts = [HEADER, layout.head.pack(head)]
        for team in game.teams:
            if len(team.players) > layout.players:
                raise GameControlError(f"{len(team.players)} players are more than fit")
            rest = [PlayerInfo()] * (layout.players - len(team.players))
            parts.append(layout.team.pack(vars(team)))
            coach = [team.coach] if layout.has_coach else []
            parts += [layout.player.pack(vars(p)) for p in (*coach, *team.players, *rest)]
    except struct.error as error:
        raise GameControlError(f"a value does not fit: {error}") from error
    return b"".join(parts)


def as_read_in_2013(game: GameData) -> tuple[int, int]:
    """Return state and seconds as the original's own GameControl reads them.

    It knows no STANDBY and no stopped game, which are as INITIAL, and seconds below 0 are 2^16 or
    2^32 more, as in the unsigned fields of the structures up to version 11
    (docs/originals/luar.md, 8).
    """
    stands = game.state is GameState.STANDBY or game.stopped
    state = GameState.INITIAL if stands else game.state
    seconds = game.seconds_remaining
    if game.humanoid_league or game.version <= 11:
        seconds %= 2**32 if game.version == 7 else 2**16
    return int(state), seconds
