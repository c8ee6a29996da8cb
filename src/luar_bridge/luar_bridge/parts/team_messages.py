# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The team's messages by UDP: mates and their balls as topics, and this robot's own to them."""

from __future__ import annotations

import math
import socket
import time
from dataclasses import dataclass, replace

from geometry_msgs.msg import Point
from soccer_model_msgs.msg import RobotArray
from soccer_vision_3d_msgs.msg import Ball, BallArray

from legacy_robots_common.node import qos
from legacy_robots_common.node.parameters import ParameterError
from legacy_robots_common.node.parts import NodePart
from legacy_robots_common.node.times import header
from luar_bridge.bridge.conversions import mate_array
from luar_bridge.bridge.part_context import PartContext
from luar_bridge.model import beliefs, field
from luar_bridge.model.beliefs import Mate
from luar_bridge.model.pose import pose_global, turned
from luar_bridge.parts.robot_answer import RobotAnswer, is_fallen
from luar_bridge.protocol import standard_message, team_packet
from luar_bridge.protocol.datagrams import datagrams, udp_socket
from luar_bridge.protocol.team_message import (
    MAXIMUM_BYTES,
    PORT,
    TeamMessage,
    TeamMessageError,
    decode,
    encode,
)

PERIOD_S = 0.1
"""Between two looks at what has come, and two messages of the robot's own in Lua's form."""
STANDARD_PERIOD_S = 0.2
"""Between two of its own in the standard form."""
_VERSIONS = {"standard": 6, "standard_7": 7, "standard_8": 8}
MATE_TIMEOUT_S = 5.0
"""Time without a message after which the original drops a mate (Config, team.msgTimeout)."""


@dataclass(frozen=True)
class _Heard:
    at: float
    message: TeamMessage


class TeamMessages(NodePart):
    """Publishes ``team/mates`` and ``team/balls``, and sends if it is to. Of the executor.

    The addresses are with or without a port. Raises ParameterError when one cannot be used.
    """

    def __init__(self, context: PartContext) -> None:
        node, p = context.node, context.settings
        self._node = node
        self._identity = context.identity
        self._memory = context.memory
        self._map = p.map_frame
        self._answer = RobotAnswer(context.identity, context.memory)
        self._form, self._budget = p.team_messages_form, context.budget
        of_lua = self._form == "lua"
        self._send_period = PERIOD_S if of_lua else STANDARD_PERIOD_S
        self._send_after = self._sent_at = -math.inf
        port = PORT if of_lua else standard_message.PORT_OF_TEAM_0 + p.team
        send = p.team_messages_to
        self._send_to = _address("team_messages_to", send, port) if send else None
        self._socket = _listen(p.team_messages, port)
        self._heard: dict[int, _Heard] = {}
        self._mates = qos.publisher(node, RobotArray, "team/mates", qos.stream(5))
        self._balls = qos.publisher(node, BallArray, "team/balls", qos.stream(5))
        node.timer(PERIOD_S, self._exchange)

    def close(self) -> None:
        """Release the port. Idempotent."""
        self._socket.close()

    def _exchange(self) -> None:
        now = time.monotonic()
        heard = False
        for data, _ in datagrams(self._socket, MAXIMUM_BYTES + 1):
            try:
                message = self._decode(data)
            except TeamMessageError as error:
                self._node.on_problem("refused team messages", f"team message: {error}")
                continue
            is_mate = 0 < message.player < 256 and message.player != self._identity.player
            if message.team == self._identity.team and is_mate:
                self._heard[message.player] = _Heard(now, message)
                heard = True
        known = len(self._heard)
        self._heard = {n: h for n, h in self._heard.items() if now - h.at < MATE_TIMEOUT_S}
        if heard or len(self._heard) < known:
            self._publish(now)
        if self._send_to is not None and self._node.connected and now >= self._send_after:
            if now < self._sent_at + self._budget.least_period:
                self._node.counters.add("team messages withheld by the budget")
            else:
                self._send(now, self._send_to)
                self._sent_at = now
            self._send_after = now + self._send_period - PERIOD_S / 2

    def _decode(self, data: bytes) -> TeamMessage:
        """Return a message of any form, with its pose in the world."""
        if data.startswith(standard_message.HEADER):
            message = standard_message.decode(data)
        elif self._form == "r2r" and not data.lstrip().startswith(b"{"):
            message = team_packet.decode(data)
        else:
            return decode(data)
        team = beliefs.team(self._memory.read("gcmTeam"))
        return _turned(message) if team and team.color == beliefs.RED else message

    def _encode(self, message: TeamMessage, now: float) -> bytes:
        if self._form == "lua":
            return encode(message, now)
        if message.color == beliefs.RED:
            message = _turned(message)
        if self._form == "r2r":
            return team_packet.encode(message)
        return standard_message.encode(message, _VERSIONS[self._form])

    def _publish(self, now: float) -> None:
        messages = [heard for _, heard in sorted(self._heard.items())]
        mates = tuple(
            Mate(m.pose, m.player, m.fallen, m.penalised) for m in (h.message for h in messages)
        )
        head = header(time.time(), self._map)
        self._mates.publish(mate_array(mates, head))
        balls = BallArray(header=head)
        for heard in messages:
            age = heard.message.ball_age
            if age is not None and age + now - heard.at < MATE_TIMEOUT_S:
                x, y, _ = pose_global((*heard.message.ball, 0.0), heard.message.pose)
                balls.balls.append(Ball(center=Point(x=x, y=y, z=field.BALL_RADIUS)))
        self._balls.publish(balls)

    def _send(self, now: float, to: tuple[str, int]) -> None:
        """Say where the robot and its ball are."""
        self._answer.look(now)
        memory = self._memory.read("wcmRobot", "wcmBall", "gcmTeam", "gcmGame", "mcmWalk")
        robot, ball = beliefs.robot_pose(memory), beliefs.ball_model(memory)
        team, game = beliefs.team(memory), beliefs.game(memory)
        if robot is None:
            return
        own, age = self._identity, self._answer.ball_age(now)
        penalties = game.penalties if game else ()
        message = TeamMessage(
            own.team,
            own.player,
            -1 if team is None or team.color is None else team.color,
            -1 if team is None or team.role is None else team.role,
            robot.pose,
            (ball.x, ball.y) if ball and age is not None else (0.0, 0.0),
            age,
            0 < own.player <= len(penalties) and penalties[own.player - 1] > 0,
            is_fallen(memory),
        )
        try:
            self._socket.sendto(self._encode(message, now), to)
        except (TeamMessageError, OSError) as error:
            self._node.on_problem("team messages not sent", f"team message: {error}")


def _turned(message: TeamMessage) -> TeamMessage:
    return replace(message, pose=turned(message.pose))


def _address(parameter: str, text: str, usual_port: int) -> tuple[str, int]:
    host, _, port = text.partition(":")
    if port and not (port.isdecimal() and 0 < int(port) < 65536):
        raise ParameterError(f"parameter '{parameter}': {port!r} is no port")
    return host, int(port or usual_port)


def _listen(text: str, usual_port: int) -> socket.socket:
    try:
        return udp_socket(*_address("team_messages", text, usual_port))
    except OSError as error:
        reason = f"parameter 'team_messages': {text!r} cannot be used: {error}"
        raise ParameterError(reason) from error
