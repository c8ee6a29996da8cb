# SPDX-License-Identifier: Apache-2.0
"""The GameController's broadcast: by its structures, and any bytes."""

from __future__ import annotations

import dataclasses
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from luar_bridge.protocol.game_control import (
    LAYOUTS,
    GameControlError,
    GameData,
    GameState,
    PlayerInfo,
    TeamInfo,
    decode,
    encode,
)

SIZES = {7: 116, 8: 158, 9: 244, 18: 118, 19: 198}
"""Bytes of the structures, by hand from their fields."""


def game(version: int) -> GameData:
    players = LAYOUTS[version].players
    blue = (PlayerInfo(), PlayerInfo(2, 28), *[PlayerInfo()] * (players - 2))
    return GameData(
        version, 0 if version == 7 else 9, 5, GameState.PLAYING, True, 17, 594,
        (TeamInfo(17, 0, 1, blue), TeamInfo(3, 1, 2, (PlayerInfo(),) * players)),
    )  # fmt: skip


@pytest.mark.parametrize("version", LAYOUTS)
def test_what_is_encoded_is_decoded(version: int) -> None:
    data = encode(game(version))
    assert len(data) == SIZES[version]
    assert decode(data) == game(version)
    no_kicker = dataclasses.replace(game(version), kicking_team=None)
    assert decode(encode(no_kicker)) == no_kicker


def test_by_the_offsets_of_the_structures() -> None:
    old, new = encode(game(7)), encode(game(9))
    assert struct.unpack_from("<4sIBB", old) == (b"RGme", 7, 5, 3)
    assert struct.unpack_from("<I", old, 16) == (594,)
    assert struct.unpack_from("<BBBB", old, 20) == (17, 0, 0, 1)  # the goal's colour before score
    assert struct.unpack_from("<HH", old, 28) == (2, 28)  # the second player
    assert struct.unpack_from("<4sHBB", new) == (b"RGme", 9, 9, 5)
    assert struct.unpack_from("<BBB", new, 9) == (3, 1, 17)
    assert struct.unpack_from("<H", new, 16) == (594,)
    assert struct.unpack_from("<BB", new, 20 + 4 + 2 + 1 + 81 + 2 + 2) == (2, 28)
    hsl = encode(game(19))
    assert struct.unpack_from("<BBBB", hsl, 18 + 10 + 4) == (2, 28, 0, 0)


@pytest.mark.parametrize(
    "data,message",
    [
        (b"", "not with"),
        (b"RGrt" + bytes(4), "not with"),
        (b"RGme", "version 0"),
        (b"RGme\x0b" + bytes(200), "version 11"),
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
    with pytest.raises(GameControlError, match="version 10"):
        encode(dataclasses.replace(game(8), version=10))


@given(st.binary(max_size=300), st.sampled_from([b"", *(encode(game(v))[:5] for v in LAYOUTS)]))
def test_any_bytes_give_a_game_or_an_error(data: bytes, begin: bytes) -> None:
    try:
        found = decode(begin + data)
    except GameControlError:
        return
    assert found.version in LAYOUTS
