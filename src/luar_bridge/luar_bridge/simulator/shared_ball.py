# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""One ball for several simulated robots: the referee broadcasts it on loopback, robots kick it.

Datagrams of UDP: the referee's have place and speed of the ball, a robot's its team and player and
the speed that it gives the ball. Whatever else arrives is left out. No ROS.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator

from luar_bridge.protocol.datagrams import datagrams, udp_socket
from luar_bridge.simulator.world import Ball

BROADCAST = "127.255.255.255"
"""All programs of this machine, and no other one."""
BALL_PORT = 3840
"""The default port; kicks go to the next one."""

_BALL = struct.Struct("<4s4d")
_KICK = struct.Struct("<4sBB2d")


class BallOfAll:
    """The ball as the referee has it. Raises OSError when the port cannot be used."""

    def __init__(self, port: int = BALL_PORT) -> None:
        self._port = port
        self._socket = udp_socket("127.0.0.1", port + 1)

    def close(self) -> None:
        """Release the port. Idempotent."""
        self._socket.close()

    def tell(self, ball: Ball) -> None:
        """Broadcast the ball. Raises OSError."""
        data = _BALL.pack(b"Ball", ball.x, ball.y, ball.vx, ball.vy)
        self._socket.sendto(data, (BROADCAST, self._port))

    def kicks(self) -> Iterator[tuple[int, int, float, float]]:
        """Yield team, player and speed (m/s) of each kick that has arrived."""
        for data, _ in datagrams(self._socket, 64):
            if len(data) == _KICK.size and data[:4] == b"Kick":
                _, team, player, vx, vy = _KICK.unpack(data)
                if math.isfinite(vx) and math.isfinite(vy):
                    yield team, player, vx, vy


class BallOfRobot:
    """The same ball as one robot has it. Raises OSError when the port cannot be used."""

    def __init__(self, team: int, player: int, port: int = BALL_PORT) -> None:
        self._team, self._player, self._port = team, player, port
        self._socket = udp_socket(BROADCAST, port)

    def close(self) -> None:
        """Release the port. Idempotent."""
        self._socket.close()

    def newest(self) -> Ball | None:
        """Return the ball that the referee has sent last, None for nothing new."""
        ball = None
        for data, _ in datagrams(self._socket, 64):
            if len(data) == _BALL.size and data[:4] == b"Ball":
                place = _BALL.unpack(data)[1:]
                if all(map(math.isfinite, place)):
                    ball = Ball(*place)
        return ball

    def kick(self, vx: float, vy: float) -> None:
        """Tell the referee that the ball is kicked. Raises OSError."""
        data = _KICK.pack(b"Kick", self._team & 0xFF, self._player & 0xFF, vx, vy)
        self._socket.sendto(data, ("127.0.0.1", self._port + 1))
