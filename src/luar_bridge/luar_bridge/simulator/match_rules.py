# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The rules of a match, as far as a simulated one needs them. No I/O."""

from __future__ import annotations

import dataclasses
import itertools
from dataclasses import dataclass, field

from luar_bridge.model import field as soccer_field
from luar_bridge.protocol.game_control import (
    MANUAL_PENALTY,
    GameData,
    GameState,
    PlayerInfo,
    TeamInfo,
)
from luar_bridge.protocol.game_layouts import LAYOUTS
from luar_bridge.simulator.world import Ball


@dataclass(frozen=True)
class Durations:
    """Seconds of each part of a match, by the rules of the Standard Platform League."""

    initial: float = 5.0
    ready: float = 15.0
    set: float = 5.0
    half: float = 600.0
    half_time: float = 15.0
    penalty: float = 30.0
    finished: float = 15.0


@dataclass
class Match:
    """A match of two teams, and its ball, whose referee sees everything.

    INITIAL, READY, SET and PLAYING follow each other, and FINISHED is followed by the next match.
    After a goal the game goes on with READY and a kick-off of the team that conceded it; the first
    half is kicked off by the first team, the second half, after the half time (INITIAL), by the
    second one. A ball that leaves the field is put back on the line where it left it.

    Parameters
    ----------
    teams
        Numbers of the blue team, which attacks towards +x, and of the red one.

    """

    teams: tuple[int, int] = (0, 1)
    players: int = 3
    durations: Durations = field(default_factory=Durations)

    def __post_init__(self) -> None:
        self._packets = itertools.count()
        self._begin()

    def _begin(self) -> None:
        self.state = GameState.INITIAL
        self.first_half = True
        self.scores = [0, 0]
        self.kicking = 0
        """Index of the team that kicks off."""
        self.ball = Ball()
        self._remaining = self.durations.half
        self._until = self.durations.initial
        self._penalties: dict[tuple[int, int], tuple[int, float]] = {}
        """Code and seconds left, by indices of team and player."""

    def penalise(self, team: int, player: int, code: int = MANUAL_PENALTY) -> None:
        """Penalise a player (number of the team, and of the player from 1). Raises ValueError."""
        if team not in self.teams or not 1 <= player <= self.players:
            raise ValueError(f"there is no player {player} of team {team}")
        self._penalties[self.teams.index(team), player - 1] = code, self.durations.penalty

    def kick(self, team: int, player: int, vx: float, vy: float) -> None:
        """Give the ball a speed (m/s), if this player may play it."""
        if team not in self.teams:
            return
        index = self.teams.index(team)
        if self.state is GameState.PLAYING and (index, player - 1) not in self._penalties:
            self.ball.vx, self.ball.vy = vx, vy

    def advance(self, dt: float) -> str:
        """Let ``dt`` seconds go by; return what the referee says, empty for nothing."""
        for key, (code, left) in list(self._penalties.items()):
            if left <= dt:
                del self._penalties[key]
            else:
                self._penalties[key] = code, left - dt
        if self.state is GameState.PLAYING:
            self._remaining -= dt
            self.ball.roll(dt, bounces=False)
            if self._remaining <= 0.0:
                return self._end_half()
            return self._judge_ball()
        self._until -= dt
        if self._until > 0.0:
            return ""
        if self.state is GameState.FINISHED:
            self._begin()
            return "next match: INITIAL"
        if self.state is GameState.INITIAL:
            return self._enter(GameState.READY, self.durations.ready)
        if self.state is GameState.READY:
            self.ball = Ball()
            return self._enter(GameState.SET, self.durations.set)
        return self._enter(GameState.PLAYING, 0.0)

    def data(self, version: int) -> GameData:
        """Return what the GameController broadcasts now."""
        teams = [
            TeamInfo(number, index, self.scores[index], self._player_infos(index, version))
            for index, number in enumerate(self.teams)
        ]
        return GameData(
            version,
            0 if version == 7 else next(self._packets) % 256,
            self.players,
            self.state,
            self.first_half,
            self.kicking,
            max(0, round(self._remaining)),
            (teams[0], teams[1]),
        )

    def _player_infos(self, team: int, version: int) -> tuple[PlayerInfo, ...]:
        infos = [PlayerInfo()] * LAYOUTS[version].players
        for (index, player), (code, left) in self._penalties.items():
            if index == team:
                infos[player] = PlayerInfo(code, min(255, round(left)))
        return tuple(infos)

    def _enter(self, state: GameState, seconds: float) -> str:
        self.state, self._until = state, seconds
        return state.name

    def _end_half(self) -> str:
        if not self.first_half:
            return self._enter(GameState.FINISHED, self.durations.finished)
        self.first_half, self.kicking = False, 1
        self._remaining = self.durations.half
        self._penalties.clear()
        return "half time: " + self._enter(GameState.INITIAL, self.durations.half_time)

    def _judge_ball(self) -> str:
        length, width = soccer_field.HALF_LENGTH, soccer_field.HALF_WIDTH
        ball = self.ball
        if abs(ball.x) > length and abs(ball.y) < soccer_field.GOAL_HALF_WIDTH:
            scorer = 0 if ball.x > 0 else 1
            self.scores[scorer] += 1
            self.kicking = 1 - scorer
            self.ball = Ball()
            self._enter(GameState.READY, self.durations.ready)
            return f"goal for team {self.teams[scorer]}: {self.scores[0]} to {self.scores[1]}"
        if abs(ball.x) > length or abs(ball.y) > width:
            x, y = (min(max(v, -m), m) for v, m in ((ball.x, length), (ball.y, width)))
            self.ball = dataclasses.replace(ball, x=x, y=y, vx=0.0, vy=0.0)
            return f"ball out at {x:.1f}, {y:.1f}"
        return ""
