# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The decoder of the GameController's broadcast: a game of a known version, or its one error."""

from luar_bridge.protocol.game_control import GameControlError, GameState, decode, encode
from luar_bridge.protocol.game_layouts import LAYOUTS
from luar_bridge.simulator.match_rules import Match


def seeds() -> list[bytes]:
    return [encode(Match().data(version)) for version in LAYOUTS]


def one_input(data: bytes) -> None:
    """Decode one packet; what is accepted can be encoded again and tells the same."""
    try:
        game = decode(data)
    except GameControlError:
        return
    assert game.state in GameState
    assert decode(encode(game)) == game
