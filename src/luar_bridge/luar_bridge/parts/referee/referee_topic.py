# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The GameController's broadcast as a topic, and into gcmGame where that is allowed."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable
from ipaddress import IPv4Address, IPv4Network

from legacy_robots_common.node import qos
from legacy_robots_common.node.parameters import ParameterError
from legacy_robots_common.node.parts import NodePart
from legacy_robots_common.node.times import header
from legacy_robots_msgs.msg import LuarReferee, LuarRefereeTeam
from luar_bridge.bridge.part_context import PartContext
from luar_bridge.parts.referee.relay import GameControllerRelay
from luar_bridge.parts.robot_answer import RobotAnswer
from luar_bridge.protocol import writer
from luar_bridge.protocol.boost_layout import ProtocolError
from luar_bridge.protocol.datagrams import datagrams, udp_socket
from luar_bridge.protocol.game_control import (
    MAXIMUM_BYTES,
    PORT,
    GameControlError,
    GameData,
    TeamInfo,
    as_read_in_2013,
    decode,
)
from luar_bridge.protocol.game_return import return_packet, return_port
from luar_bridge.protocol.segment import Segment, SegmentBusyError, SegmentUnavailableError
from luar_bridge.protocol.writer import WriteRefusedError

POLL_PERIOD_S = 0.1
ANSWER_PERIOD_S = 0.45
"""Least time between two answers: the GameController sends, and expects them, twice a second."""
SILENCE_S = 10.0
"""Time without a broadcast after which the original's robots play without the referee."""
FOLLOW_S = 2.0
"""Time without a broadcast after which another sender of the same match is followed."""
BUDGET_RESERVE = 10
"""Messages that are left to the mates, as r2r_spl of ros-sports does."""
HALF_S = 600


def referee_message(game: GameData | None, stamp: float) -> LuarReferee:
    """Return the game; without one it is not valid."""
    message = LuarReferee(header=header(stamp, ""), kicking_team=-1, drop_in_team=-1)
    message.drop_in_seconds = -1
    if game is None:
        return message
    message.valid = True
    message.kicking_team = -1 if game.kicking_team is None else game.kicking_team
    message.state, message.first_half, message.stopped = (
        game.state,
        game.first_half,
        game.stopped == 1,
    )
    message.secondary_info = list(game.secondary_info)
    if "drop_in_team" in game.layout.head.names and game.drop_in_seconds >= 0:
        message.drop_in_team = game.drop_in_team
        message.drop_in_seconds = game.drop_in_seconds
    for name in _AS_THEY_ARE:
        setattr(message, name, getattr(game, name))
    message.teams = [_team_message(game, team) for team in game.teams]
    return message


_AS_THEY_ARE = (
    *("version", "humanoid_league", "seconds_remaining", "players_per_team", "game_phase"),
    *("secondary_time", "set_play", "competition_phase", "competition_type"),
)


def _team_message(game: GameData, team: TeamInfo) -> LuarRefereeTeam:
    has = {*game.layout.team.names, *game.layout.player.names}
    players = team.players[: game.players_per_team]
    message = LuarRefereeTeam(number=team.number, color=team.color, score=team.score)
    message.keeper_color = team.keeper_color if "keeper_color" in has else team.color
    keepers = [number for number, player in enumerate(players, 1) if player.is_keeper == 1]
    message.keeper = team.keeper or next(iter(keepers), -1)
    message.penalty_shot, message.single_shots = team.penalty_shot, team.single_shots
    message.message_budget = team.message_budget if "message_budget" in has else -1
    message.penalties = [player.penalty for player in players]
    message.seconds_penalised = [player.seconds for player in players]
    for field in ("warnings", "cautions", "red_cards"):
        if field in has:
            setattr(message, field, [getattr(player, field) for player in players])
    message.coach_message = list(team.coach_message)
    return message


def game_variables(game: GameData, own: int, now: float) -> dict[str, list[float]]:
    """Return what the original's GameControl process writes into gcmGame of a robot.

    ``own`` is which of the teams is the robot's.
    """
    state, seconds = as_read_in_2013(game)
    return {
        "state": [float(state)],
        "kickoff": [float(game.kicker == own)],
        "half": [1.0 if game.first_half else 2.0],
        "time_remaining": [float(seconds)],
        "penalty": [float(player.penalty) for player in game.teams[own].players],
        "last_update": [now],
    }


def least_period(game: GameData, own: int) -> float:
    """Return the seconds between two messages of a robot by which the team's budget lasts.

    0 where the version has no budget; infinite when it is spent but for BUDGET_RESERVE.
    """
    if "message_budget" not in game.layout.team.names:
        return 0.0
    left = game.teams[own].message_budget - BUDGET_RESERVE
    if left < 0:
        return math.inf
    seconds = max(game.seconds_remaining, 0) + HALF_S * game.first_half
    return seconds * game.players_per_team / max(left, 1)


def _told(game: GameData) -> tuple[object, ...]:
    """Return what two broadcasts of one match must agree in."""
    penalties = [[player.penalty for player in team.players] for team in game.teams]
    scores = [team.score for team in game.teams]
    return game.state, game.first_half, game.stopped, scores, penalties


def allowed_senders(texts: Iterable[str]) -> tuple[IPv4Network, ...]:
    """Return the addresses and networks from which broadcasts are accepted.

    Raises ParameterError.
    """
    try:
        return tuple(IPv4Network(text, strict=False) for text in texts if text)
    except ValueError as error:
        raise ParameterError(f"parameter 'game_controller_senders': {error}") from error


class RefereeTopic(NodePart):
    """Publishes ``referee``, writes gcmGame, and answers if it is to. Of the executor.

    Raises ParameterError when the address cannot be used.
    """

    def __init__(self, context: PartContext) -> None:
        node, p = context.node, context.settings
        self._node = node
        self._identity = context.identity
        self._path = context.path("gcmGame")
        self._senders = allowed_senders(p.game_controller_senders)
        self._answer: RobotAnswer | None = None
        if p.game_controller_return:
            self._answer = RobotAnswer(context.identity, context.memory)
        address = p.game_controller
        host, _, port = address.partition(":")
        if port and not (port.isdecimal() and 0 < int(port) < 65536):
            raise ParameterError(f"parameter 'game_controller': {port!r} is no port")
        try:
            self._socket = udp_socket(host, int(port or PORT))
        except OSError as error:
            raise ParameterError(
                f"parameter 'game_controller': {address!r} cannot be used: {error}"
            ) from error
        if not (self._senders or host.startswith("127.")):
            node.get_logger().warning(
                f"game_controller listens at {address} and accepts every sender: "
                "game_controller_senders can name those that it should"
            )
        self._writable = context.writable
        self._budget = context.budget
        self._followed: tuple[tuple[str, int], GameData] | None = None
        self._publisher = qos.publisher(node, LuarReferee, "referee", qos.LATCHED)
        relay = p.game_controller_relay
        self._relay = None if relay == "none" else GameControllerRelay(node, relay)
        self._last = referee_message(None, time.time())
        self._publisher.publish(self._last)
        self._heard_at = 0.0
        self._answered_at = 0.0
        node.timer(POLL_PERIOD_S, self._poll)

    def close(self) -> None:
        """Release the port. Idempotent."""
        self._socket.close()

    def _poll(self) -> None:
        found: tuple[GameData, str] | None = None
        for data, sender in datagrams(self._socket, MAXIMUM_BYTES):
            address = sender[0]
            if self._senders and not any(IPv4Address(address) in n for n in self._senders):
                text = f"GameController: {address} is none of game_controller_senders"
                self._node.on_problem("broadcasts of others", text)
                continue
            try:
                game = decode(data)
            except GameControlError as error:
                self._node.on_problem("refused broadcasts", f"GameController: {error}")
                continue
            if self._is_own(game) and self._is_followed(sender, game):
                found = game, address
        if self._answer is not None:
            self._answer.look(time.monotonic())
        now = time.time()
        if found is not None:
            game, told_by = found
            self._heard_at = time.monotonic()
            self._node.counters.add("referee broadcasts")
            self._publish(referee_message(game, now))
            if self._relay is not None:
                self._relay.publish(game)
            own = [team.number for team in game.teams].index(self._identity.team)
            self._write(game_variables(game, own, now))
            self._budget.least_period = least_period(game, own)
            if self._answer is not None:
                self._send_answer(self._answer, game, told_by)
        elif self._last.valid and time.monotonic() - self._heard_at > SILENCE_S:
            self._last.valid = False
            self._budget.least_period = 0.0
            self._publisher.publish(self._last)

    def _is_own(self, game: GameData) -> bool:
        """Whether the own team plays; other matches of the network are left out."""
        numbers = [team.number for team in game.teams]
        if self._identity.team in numbers:
            return True
        text = (
            f"it is of teams {numbers[0]} and {numbers[1]}, the own one is {self._identity.team}"
        )
        self._node.on_problem("broadcasts of other matches", f"GameController: {text}")
        return False

    def _is_followed(self, sender: tuple[str, int], game: GameData) -> bool:
        """Whether a broadcast is of the sender that is followed, or takes its place."""
        is_silent = time.monotonic() - self._heard_at > FOLLOW_S
        if self._followed is None or is_silent or self._followed[0] == sender:
            self._followed = sender, game
            self._heard_at = time.monotonic()
            return True
        other, theirs = self._followed
        if _told(game) != _told(theirs):
            text = f"{sender[0]}:{sender[1]} contradicts {other[0]}:{other[1]}, which is followed"
            self._node.on_problem("contradicting broadcasts", f"GameController: {text}")
        return False

    def _send_answer(self, answer: RobotAnswer, game: GameData, to: str) -> None:
        """Answer the sender of a broadcast, as long as the robot runs."""
        now = time.monotonic()
        if not self._node.connected or now - self._answered_at < ANSWER_PERIOD_S:
            return
        self._answered_at = now
        robot = answer.status(now)
        if robot is None:
            return
        try:
            self._socket.sendto(return_packet(game, robot), (to, return_port(game)))
        except (GameControlError, OSError) as error:
            self._node.on_problem("answers not sent", f"GameController: {error}")

    def _publish(self, message: LuarReferee) -> None:
        stamp, self._last.header.stamp = self._last.header.stamp, message.header.stamp
        changed, self._last.header.stamp = message != self._last, stamp
        if changed:
            self._last = message
            self._publisher.publish(message)

    def _write(self, variables: dict[str, list[float]]) -> None:
        """Write the variables that may be written, each at the length that it has."""
        allowed = [name for name in variables if self._writable.allows("gcmGame", name)]
        if not allowed:
            return
        try:
            with Segment(self._path) as segment:
                lengths = {name: segment.snapshot.length(name) for name in allowed}
            for name, length in lengths.items():
                values = [*variables[name], *[0.0] * length][:length]
                if values:
                    writer.write_numbers(self._path, name, values)
        except (
            ProtocolError,
            SegmentBusyError,
            SegmentUnavailableError,
            WriteRefusedError,
        ) as error:
            self._node.on_problem("refused writes of the referee", f"gcmGame: {error}")
