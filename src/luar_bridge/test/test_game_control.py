# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The GameController's broadcast: by its structures, and any bytes."""

from __future__ import annotations

import dataclasses
import json
import math
import struct
from pathlib import Path
from typing import Any

import pytest
from game_controller_spl_interfaces.msg import RCGCD15
from hypothesis import given
from hypothesis import strategies as st

from luar_bridge.parts.referee.referee_topic import least_period
from luar_bridge.parts.referee.relay import rcgcd
from luar_bridge.protocol.game_control import (
    MAXIMUM_BYTES,
    GameControlError,
    GameData,
    GameState,
    PlayerInfo,
    TeamInfo,
    as_read_in_2013,
    decode,
    encode,
)
from luar_bridge.protocol.game_layouts import HUMANOID_LAYOUTS, LAYOUTS
from luar_bridge.protocol.game_return import RobotStatus, return_packet, return_port

SIZES = {
    7: 116, 8: 158, 9: 244, 10: 588, 11: 58, 12: 54, 13: 54, 14: 62, 15: 118, 16: 118, 17: 118,
    18: 118, 19: 198, 20: 158,
}  # fmt: skip
"""Bytes of the structures, by hand from their fields."""
ALL = [*((version, False) for version in LAYOUTS), (12, True)]


def game(version: int, humanoid_league: bool = False) -> GameData:
    """Return a game that has something in each field of its version."""
    layout = (HUMANOID_LAYOUTS if humanoid_league else LAYOUTS)[version]
    names = {*layout.head.names, *layout.team.names, *layout.player.names}

    def own(**values: Any) -> dict[str, Any]:
        return {name: value for name, value in values.items() if name in names}

    player = PlayerInfo(2, 28, **own(warnings=1, cautions=2, red_cards=3, is_keeper=1))
    blue = (PlayerInfo(), player, *[PlayerInfo()] * (layout.players - 2))
    coach = {"coach": PlayerInfo(1, 3)} if layout.has_coach else {}
    first = TeamInfo(
        17, 0, 1, blue, **coach,
        **own(
            keeper_color=3, keeper=2, goal_color=1, penalty_shot=4, single_shots=513,
            message_budget=1200, coach_sequence=7, coach_message=b"go left",
        ),
    )  # fmt: skip
    return GameData(
        version, 0 if version == 7 else 9, 5, GameState.PLAYING, True, 0, -594,
        (first, TeamInfo(3, 1, 2, (PlayerInfo(),) * layout.players)),
        humanoid_league,
        **own(
            game_phase=2, secondary_info=b"\x11\1\0\0", secondary_time=-7, set_play=4, stopped=1,
            competition_phase=1, competition_type=1, drop_in_team=3, drop_in_seconds=20,
        ),
    )  # fmt: skip


@pytest.mark.parametrize("version,humanoid_league", ALL)
def test_what_is_encoded_is_decoded(version: int, humanoid_league: bool) -> None:
    reported = game(version, humanoid_league)
    data = encode(reported)
    assert len(data) == (688 if humanoid_league else SIZES[version])
    assert len(data) <= MAXIMUM_BYTES
    assert decode(data) == reported
    assert reported.kicking_team == 17
    no_kicker = dataclasses.replace(reported, kicker=None)
    assert decode(encode(no_kicker)) == no_kicker


UNSIGNED_ONCE = ("seconds_remaining", "secondary_time", "drop_in_seconds")
"""Fields that are unsigned in the headers up to version 11, though written with a sign."""


@pytest.mark.parametrize("version,humanoid_league", ALL)
def test_every_field_is_where_the_originals_structures_have_it(
    version: int, humanoid_league: bool, captures: Path
) -> None:
    every = json.loads((captures / "game_control_packets.json").read_text())
    reported = every[f"humanoid {version}" if humanoid_league else str(version)]
    packet = bytes.fromhex(reported["packet"])
    found = decode(packet)
    assert encode(found) == packet
    layout = found.layout
    assert set(reported["head"]) == set(layout.head.names)
    teams = {team.color if layout.kicks_by_color else team.number: team for team in found.teams}
    for name, value in reported["head"].items():
        if name == "kicking_team":
            assert found.kicker is not None
            assert found.teams[found.kicker] is teams[value]
        elif name in UNSIGNED_ONCE:
            bits = 32 if version == 7 and name == "seconds_remaining" else 16
            assert (getattr(found, name) - value) % 2**bits == 0, name
        else:
            assert _plain(getattr(found, name)) == value, name
    for team, values in zip(found.teams, reported["teams"], strict=True):
        players, coach = values.pop("players"), values.pop("coach", {})
        assert set(players) == set(layout.player.names)
        for name, value in values.items():
            assert _plain(getattr(team, name)) == value, name
        for name, column in players.items():
            assert [getattr(player, name) for player in team.players] == column, name
        for name, value in coach.items():
            assert getattr(team.coach, name) == value, name


def _plain(value: Any) -> Any:
    return value.hex() if isinstance(value, bytes) else value


def test_two_teams_of_one_number_or_colour() -> None:
    for version in LAYOUTS:
        reported = game(version)
        twins = tuple(dataclasses.replace(team, number=5) for team in reported.teams)
        by_color = dataclasses.replace(reported, teams=twins, kicker=1)
        again = decode(encode(by_color))
        assert again.kicker == (1 if version in (7, 8) else 0)  # the first of equal numbers
        assert decode(encode(again)) == again


@pytest.mark.parametrize(
    "version,seconds,as_read",
    [(7, -1, 2**32 - 1), (7, 100000, 100000), (9, -1, 65535), (18, -1, -1)],
)
def test_seconds_have_a_sign_but_not_for_the_original(
    version: int, seconds: int, as_read: int
) -> None:
    reported = decode(encode(dataclasses.replace(game(version), seconds_remaining=seconds)))
    assert reported.seconds_remaining == seconds
    assert as_read_in_2013(reported) == (3, as_read)


def test_standby_is_of_version_18_and_initial_for_the_original() -> None:
    standby = dataclasses.replace(game(18), state=GameState.STANDBY)
    assert as_read_in_2013(decode(encode(standby)))[0] == GameState.INITIAL
    with pytest.raises(GameControlError, match="state 5"):
        decode(encode(dataclasses.replace(game(17), state=GameState.STANDBY)))


def test_a_stopped_game_is_initial_for_the_original() -> None:
    stopped = decode(encode(dataclasses.replace(game(20), stopped=1)))
    assert stopped.state == GameState.PLAYING
    assert as_read_in_2013(stopped)[0] == GameState.INITIAL
    assert rcgcd(stopped, RCGCD15).state == GameState.INITIAL
    going = decode(encode(dataclasses.replace(game(20), stopped=0)))
    assert as_read_in_2013(going)[0] == GameState.PLAYING


@pytest.mark.parametrize(
    "version, budget, period", [(17, 0, 0.0), (18, 9, math.inf), (18, 1010, 6.0), (18, 10, 6000.0)]
)
def test_messages_are_as_rare_as_the_budget_wants(
    version: int, budget: int, period: float
) -> None:
    teams = TeamInfo(1, 0, 0, (PlayerInfo(),) * 5, message_budget=budget), TeamInfo(2, 1, 0, ())
    version = 13 if version == 17 else version
    data = GameData(version, 1, 5, GameState.PLAYING, True, 0, 600, teams)
    assert least_period(data, 0) == period


ROBOT = RobotStatus(17, 2, True, (1.5, -0.25, 0.5), (0.75, 0.125), 2.0)


def test_answers_by_the_offsets_of_the_structures() -> None:
    assert return_packet(game(7), ROBOT) == struct.pack("<4sIHHI", b"RGrt", 1, 17, 2, 2)
    for reported in (game(8), game(10), game(12, True)):
        assert return_packet(reported, ROBOT) == b"RGrt\x02\x11\x02\x02"
    assert return_packet(game(13), ROBOT) == b"RGrt\x03\x11\x02\x00"
    for version in (14, 18, 20):
        header = b"RGrt\x04\x02\x11\x01"
        numbers = (1500.0, -250.0, 0.5, 2.0, 750.0, 125.0)
        assert return_packet(game(version), ROBOT) == header + struct.pack("<6f", *numbers)
    assert [return_port(game(v)) for v in (7, 8, 9, 20)] == [3838, 3838, 3939, 3939]


@pytest.mark.parametrize(
    "wrong",
    [
        *({"team": 0}, {"team": 256}, {"player": 0}, {"player": 21}),
        *({"ball_age": math.nan}, {"ball": (0.0, math.inf)}, {"pose": (1e36, 0.0, 0.0)}),
    ],
)
def test_answers_that_a_game_controller_would_not_accept(wrong: dict[str, Any]) -> None:
    with pytest.raises(GameControlError, match="no answer"):
        return_packet(game(18), dataclasses.replace(ROBOT, **wrong))


def test_by_the_offsets_of_the_structures() -> None:
    old, new = encode(game(7)), encode(game(9))
    assert struct.unpack_from("<4sIBB", old) == (b"RGme", 7, 5, 3)
    assert struct.unpack_from("<i", old, 16) == (-594,)
    assert struct.unpack_from("<BBBB", old, 20) == (17, 0, 1, 1)  # the goal's colour before score
    assert struct.unpack_from("<HH", old, 28) == (2, 28)  # the second player
    assert struct.unpack_from("<4sHBB", new) == (b"RGme", 9, 9, 5)
    assert struct.unpack_from("<BBB", new, 9) == (3, 1, 17)
    assert struct.unpack_from("<h", new, 16) == (-594,)
    assert struct.unpack_from("<BB", new, 20 + 4 + 2 + 1 + 81 + 2 + 2) == (2, 28)
    hsl = encode(game(19))
    assert struct.unpack_from("<BBBB", hsl, 18 + 10 + 4) == (2, 28, 1, 2)


@pytest.mark.parametrize(
    "data,message",
    [
        (b"", "not with"),
        (b"RGrt" + bytes(4), "not with"),
        (b"RGme", "version 0"),
        (b"RGme\x06" + bytes(200), "version 6"),
        (b"RGme\x0c" + bytes(200), "54 or 688 bytes"),
        (encode(game(8))[:-1], "158 bytes"),
        (encode(game(8)) + b"\0", "158 bytes"),
        (b"RGme\x08\0\5\x09" + encode(game(8))[8:], "state 9"),
        (b"RGme\x08\0\0" + encode(game(8))[7:], "0 players"),
    ],
)
def test_what_is_no_broadcast(data: bytes, message: str) -> None:
    with pytest.raises(GameControlError, match=message):
        decode(data)


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(GameControlError, match="does not fit"):
        encode(dataclasses.replace(game(8), seconds_remaining=1 << 20))
    with pytest.raises(GameControlError, match="version 21"):
        encode(dataclasses.replace(game(8), version=21))


@given(st.binary(max_size=700), st.sampled_from([b"", *(encode(game(v))[:5] for v in LAYOUTS)]))
def test_any_bytes_give_a_game_or_an_error(data: bytes, begin: bytes) -> None:
    try:
        found = decode(begin + data)
    except GameControlError:
        return
    assert found.version in LAYOUTS


@pytest.mark.parametrize("version, humanoid_league", ALL)
def test_every_version_is_relayed(version: int, humanoid_league: bool) -> None:
    reported: Any = rcgcd(game(version, humanoid_league), RCGCD15)
    state = 3 if humanoid_league or version < 19 else 0  # of a stopped game
    assert (reported.state, reported.secs_remaining, reported.kicking_team) == (state, -594, 17)
    first, second = reported.teams
    assert (first.team_number, first.score, second.team_number, second.score) == (17, 1, 3, 2)
    assert (first.players[1].penalty, first.players[1].secs_till_unpenalised) == (2, 28)
    assert first.players[19].penalty == 0


@pytest.mark.parametrize(
    "version, humanoid_league, fields, reported",
    [
        (18, False, {"game_phase": 3, "set_play": 5}, (3, 5)),  # as they are
        (12, True, {"game_phase": 9}, (0, 4)),  # a throw-in is a kick-in
        (12, True, {"game_phase": 1}, (1, 0)),  # penalty shoot-out
        (19, False, {"game_phase": 0, "set_play": 6}, (0, 3)),  # corner kick
        (20, False, {"game_phase": 3}, (3, 0)),  # time-out
    ],
)
def test_phases_and_set_plays_of_all_leagues_get_the_codes_of_one(
    version: int, humanoid_league: bool, fields: dict[str, int], reported: tuple[int, int]
) -> None:
    played = dataclasses.replace(game(version, humanoid_league), set_play=0)
    message: Any = rcgcd(dataclasses.replace(played, **fields), RCGCD15)
    assert (message.game_phase, message.set_play) == reported


def test_what_the_relayed_message_cannot_hold_is_cut() -> None:
    long = PlayerInfo(300, 40000)
    team = TeamInfo(3, 1, 0, (long,) * 11)
    message: Any = rcgcd(
        GameData(7, 0, 11, GameState.STANDBY, True, None, 100_000, (team, team)), RCGCD15
    )
    assert (message.state, message.kicking_team, message.secs_remaining) == (0, 255, 32767)
    player = message.teams[0].players[10]
    assert (player.penalty, player.secs_till_unpenalised) == (255, 255)
    assert (message.teams[0].field_player_colour, message.teams[0].goalkeeper_colour) == (1, 1)
