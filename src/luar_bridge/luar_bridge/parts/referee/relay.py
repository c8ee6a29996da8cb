# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The GameController's broadcast as other soccer stacks expect it: topic gc/data."""

from __future__ import annotations

from game_controller_spl_interfaces import msg
from rclpy.node import Node

from legacy_robots_common.node import qos
from luar_bridge.protocol.game_control import GameData, GameState, TeamInfo

_NO_TEAM = 255
_HUMANOID_SET_PLAYS = {4: 2, 5: 2, 6: 5, 7: 3, 8: 1, 9: 4}
"""Set play of a secondary state of the Humanoid League (docs/originals/luar.md, 8)."""
_SOCCER_SET_PLAYS = {1: 2, 2: 2, 3: 5, 4: 4, 5: 1, 6: 3}
"""Set play of one of the Humanoid Soccer League, versions 19 and 20. Phases are alike."""


class GameControllerRelay:
    """Publishes ``gc/data`` as the node of game_controller_spl does. Of the executor."""

    def __init__(self, node: Node, kind: str) -> None:
        self._kind = getattr(msg, kind)
        self._publisher = qos.publisher(node, self._kind, "gc/data", qos.stream(10))

    def publish(self, game: GameData) -> None:
        """Publish one broadcast."""
        self._publisher.publish(rcgcd(game, self._kind))


def rcgcd(game: GameData, kind: type) -> object:
    """Return the game as an RCGCD message of class ``kind``; what its fields cannot hold is cut.

    Phases and set plays of all leagues get the codes of the Standard Platform League. Penalties
    keep those of the broadcast's version.
    """
    phase, set_play = _phase_and_set_play(game)
    state = GameState.INITIAL if game.state is GameState.STANDBY or game.stopped else game.state
    return kind(
        packet_number=game.packet,
        players_per_team=game.players_per_team,
        competition_phase=game.competition_phase,
        competition_type=game.competition_type,
        game_phase=phase,
        state=int(state),
        set_play=set_play,
        first_half=int(game.first_half),
        kicking_team=_NO_TEAM if game.kicking_team is None else game.kicking_team,
        secs_remaining=_int16(game.seconds_remaining),
        secondary_time=_int16(game.secondary_time),
        teams=[_team(game, team) for team in game.teams],
    )


def _phase_and_set_play(game: GameData) -> tuple[int, int]:
    if not game.humanoid_league and game.version >= 19:
        return game.game_phase, _SOCCER_SET_PLAYS.get(game.set_play, 0)
    if game.humanoid_league and game.game_phase in _HUMANOID_SET_PLAYS:
        return 0, _HUMANOID_SET_PLAYS[game.game_phase]
    return game.game_phase, game.set_play


def _int16(seconds: int) -> int:
    return min(max(seconds, -(2**15)), 2**15 - 1)


def _team(game: GameData, team: TeamInfo) -> msg.TeamInfo15:
    keepers = [number for number, player in enumerate(team.players, 1) if player.is_keeper]
    message = msg.TeamInfo15(
        team_number=team.number,
        team_colour=team.color,
        field_player_colour=team.color,
        goalkeeper=team.keeper or next(iter(keepers), 0),
        score=team.score,
        penalty_shot=team.penalty_shot,
        single_shots=team.single_shots,
        message_budget=team.message_budget,
    )
    has_color = "keeper_color" in game.layout.team.names
    message.goalkeeper_colour = team.keeper_color if has_color else team.color
    for robot, player in zip(message.players, team.players, strict=False):
        robot.penalty = min(player.penalty, 255)
        robot.secs_till_unpenalised = min(player.seconds, 255)
    return message
