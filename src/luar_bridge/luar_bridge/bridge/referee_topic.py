# SPDX-License-Identifier: Apache-2.0
"""The GameController's broadcast as a topic, and into gcmGame where that is allowed."""

from __future__ import annotations

import time
from pathlib import Path

from legacy_robots_msgs.msg import LuarReferee, LuarRefereeTeam

from legacy_robots_common.bridge.bridge_node import BridgeNode
from legacy_robots_common.node import qos
from legacy_robots_common.node.parameters import ParameterError
from luar_bridge.bridge.conversions import header
from luar_bridge.protocol import writer
from luar_bridge.protocol.boost_layout import ProtocolError
from luar_bridge.protocol.datagrams import datagrams, udp_socket
from luar_bridge.protocol.game_control import (
    MAXIMUM_BYTES,
    PORT,
    GameControlError,
    GameData,
    TeamInfo,
    decode,
)
from luar_bridge.protocol.naming import RobotIdentity
from luar_bridge.protocol.segment import Segment, SegmentBusyError, SegmentUnavailableError
from luar_bridge.protocol.writer import AllowList, WriteRefusedError

POLL_PERIOD_S = 0.1
SILENCE_S = 10.0
"""After so long without a broadcast the original's robots play without the referee."""


def referee_message(game: GameData | None, stamp: float) -> LuarReferee:
    """Return the game; without one it is not valid."""
    message = LuarReferee(header=header(stamp, ""), kicking_team=-1)
    if game is None:
        return message
    message.valid = True
    message.version, message.state = game.version, int(game.state)
    message.first_half, message.seconds_remaining = game.first_half, game.seconds_remaining
    message.kicking_team = -1 if game.kicking_team is None else game.kicking_team
    for team in game.teams:
        players = team.players[: game.players_per_team]
        told = LuarRefereeTeam(number=team.number, color=team.color, score=team.score)
        told.penalties = [min(255, player.penalty) for player in players]
        told.seconds_penalised = [min(255, player.seconds) for player in players]
        message.teams.append(told)
    return message


def game_variables(game: GameData, own: TeamInfo, now: float) -> dict[str, list[float]]:
    """Return what the original's GameControl process writes into gcmGame of a robot of ``own``."""
    return {
        "state": [float(game.state)],
        "kickoff": [float(game.kicking_team == own.number)],
        "half": [1.0 if game.first_half else 2.0],
        "time_remaining": [float(game.seconds_remaining)],
        "penalty": [float(player.penalty) for player in own.players],
        "last_update": [now],
    }


class RefereeTopic:
    """Publishes ``referee`` and writes gcmGame. Of the executor.

    Raises ParameterError when the address cannot be used.
    """

    def __init__(
        self,
        node: BridgeNode,
        identity: RobotIdentity,
        directory: Path,
        writable: AllowList,
        address: str,
    ) -> None:
        self._node = node
        self._identity = identity
        self._path = directory / identity.file_name("gcmGame")
        host, _, port = address.partition(":")
        if port and not (port.isdecimal() and 0 < int(port) < 65536):
            raise ParameterError(f"parameter 'game_controller': {port!r} is no port")
        try:
            self._socket = udp_socket(host, int(port or PORT))
        except OSError as error:
            raise ParameterError(
                f"parameter 'game_controller': {address!r} cannot be used: {error}"
            ) from error
        self._writable = writable
        self._publisher = qos.publisher(node, LuarReferee, "referee", qos.LATCHED)
        self._last = referee_message(None, time.time())
        self._publisher.publish(self._last)
        self._heard_at = 0.0
        node.timer(POLL_PERIOD_S, self._poll)

    def close(self) -> None:
        """Release the port. Idempotent."""
        self._socket.close()

    def _poll(self) -> None:
        game = None
        for data in datagrams(self._socket, MAXIMUM_BYTES):
            try:
                game = decode(data)
            except GameControlError as error:
                self._node.on_problem("refused broadcasts", f"GameController: {error}")
        now = time.time()
        if game is not None:
            self._heard_at = time.monotonic()
            self._node.counters.add("referee broadcasts")
            self._publish(referee_message(game, now))
            own = next((team for team in game.teams if team.number == self._identity.team), None)
            if own is not None:
                self._write(game_variables(game, own, now))
        elif self._last.valid and time.monotonic() - self._heard_at > SILENCE_S:
            self._last.valid = False
            self._publisher.publish(self._last)

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
