# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The packet with which a robot answers the GameController. No I/O.

Source: docs/originals/luar.md, 8.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

from luar_bridge.protocol.game_control import PORT, GameControlError, GameData

RETURN_PORT = 3939
"""The UDP port of the GameController, from version 9 on; before, that of the broadcast."""
NEVER_SEEN_S = -1.0
_HEADER = b"RGrt"
_ALIVE, _ALIVE_3 = 2, 0
_FIRST = struct.Struct("<4sI2HI")
_SHORT = struct.Struct("<4s4B")
_POSED = struct.Struct("<4s4B6f")
_LARGEST = 3.4e38
"""Of a float, about."""


@dataclass(frozen=True)
class RobotStatus:
    """What a robot says of itself: m and rad.

    ``pose`` has its x axis towards the goal that the team attacks; ``ball`` is in the robot's
    frame, ``ball_age`` the seconds since it was seen, or NEVER_SEEN_S.
    """

    team: int
    player: int
    fallen: bool
    pose: tuple[float, float, float]
    ball: tuple[float, float]
    ball_age: float


def return_packet(game: GameData, robot: RobotStatus) -> bytes:
    """Return the answer that the GameController of a broadcast understands.

    Raises GameControlError for numbers that it would not accept.
    """
    team, player, version = robot.team, robot.player, game.version
    if not (0 < team < 256 and 0 < player <= game.layout.players):
        raise GameControlError(f"no answer for player {player} of team {team}")
    if version >= 14:
        x, y, ball_x, ball_y = (1000.0 * metres for metres in (*robot.pose[:2], *robot.ball))
        numbers = (x, y, robot.pose[2], robot.ball_age, ball_x, ball_y)
        if not all(abs(number) <= _LARGEST for number in numbers):
            raise GameControlError("no answer with numbers that are not finite or too large")
        return _POSED.pack(_HEADER, 4, player, team, robot.fallen, *numbers)
    if version == 7:
        return _FIRST.pack(_HEADER, 1, team, player, _ALIVE)
    if version <= 10 or game.humanoid_league:
        return _SHORT.pack(_HEADER, 2, team, player, _ALIVE)
    return _SHORT.pack(_HEADER, 3, team, player, _ALIVE_3)


def return_port(game: GameData) -> int:
    """Return the UDP port at which the sender of a broadcast listens."""
    return PORT if game.version <= 8 else RETURN_PORT
