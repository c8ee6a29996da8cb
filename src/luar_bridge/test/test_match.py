# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The rules of a match, its referee, and robots that obey through gcmGame."""

from __future__ import annotations

import math

import pytest

from luar_bridge.protocol.game_control import GameState
from luar_bridge.protocol.naming import RobotIdentity
from luar_bridge.simulator.match_rules import Durations, Match
from luar_bridge.simulator.segment_owner import SegmentOwner
from luar_bridge.simulator.team_roles import (
    ATTACK,
    DEFEND,
    GOALIE,
    SUPPORT,
    Player,
    read_team,
    role_of,
)
from luar_bridge.simulator.world import Ball, SoccerScene

SHORT = Durations(
    initial=1.0, ready=2.0, set=1.0, half=10.0, half_time=1.0, penalty=3.0, finished=2.0
)


def run(match: Match, seconds: float) -> list[str]:
    return [said for _ in range(round(seconds * 50)) if (said := match.advance(0.02))]


def playing() -> Match:
    match = Match((7, 9), 3, SHORT)
    run(match, 4.1)
    assert match.state is GameState.PLAYING
    return match


def test_a_match_goes_through_its_states_in_both_halves() -> None:
    match = Match((7, 9), 3, SHORT)
    assert match.data(8).kicking_team == 7
    assert run(match, 14.5) == ["READY", "SET", "PLAYING", "half time: INITIAL"]
    assert (match.first_half, match.data(8).kicking_team) == (False, 9)
    assert match.data(8).seconds_remaining == 10
    assert run(match, 15.0) == ["READY", "SET", "PLAYING", "FINISHED"]
    assert match.data(8).state is GameState.FINISHED


def test_after_a_match_the_next_one_begins() -> None:
    match = Match((7, 9), 3, SHORT)
    run(match, 5.0)
    match.ball = Ball(2.9, 0.2, 60.0, 0.0)
    run(match, 1.0)
    assert match.scores == [1, 0]
    said = run(match, 60.0)
    assert said[said.index("FINISHED") + 1 :][:4] == [
        "next match: INITIAL",
        "READY",
        "SET",
        "PLAYING",
    ]
    assert match.scores == [0, 0]
    assert match.first_half


@pytest.mark.parametrize("x,scorer,kicks", [(2.9, 0, 9), (-2.9, 1, 7)])
def test_a_goal_counts_and_the_other_team_kicks_off(x: float, scorer: int, kicks: int) -> None:
    match = playing()
    match.ball = Ball(x, 0.2, 20.0 * x, 0.0)
    assert run(match, 0.1)[0].startswith("goal for team")
    assert (match.state, match.scores[scorer], match.scores[1 - scorer]) == (GameState.READY, 1, 0)
    assert match.data(8).kicking_team == kicks
    assert (match.ball.x, match.ball.y) == (0.0, 0.0)


def test_a_ball_that_leaves_the_field_comes_back_to_the_line() -> None:
    match = playing()
    match.ball = Ball(1.0, 1.9, 0.0, 20.0)
    assert run(match, 0.1) == ["ball out at 1.0, 2.0"]
    assert (match.state, match.scores, match.ball.vy) == (GameState.PLAYING, [0, 0], 0.0)


def test_who_may_kick() -> None:
    match = Match((7, 9), 3, SHORT)
    match.kick(7, 1, 1.0, 0.0)  # before the game
    assert match.ball.vx == 0.0
    match = playing()
    match.penalise(7, 1)
    match.kick(7, 1, 1.0, 0.0)
    match.kick(3, 1, 1.0, 0.0)  # of no team
    assert match.ball.vx == 0.0
    match.kick(9, 1, -1.0, 0.0)
    assert match.ball.vx == -1.0


def test_a_penalty_ends_by_itself() -> None:
    match = playing()
    match.penalise(9, 2)
    reported = match.data(8).teams[1].players[1]
    assert (reported.penalty, reported.seconds) == (15, 3)
    run(match, 3.1)
    assert match.data(8).teams[1].players[1].penalty == 0
    with pytest.raises(ValueError, match="player 4 of team 9"):
        match.penalise(9, 4)


@pytest.mark.parametrize(
    "order,penalised", [("INITIAL", False), ("SET", False), ("PLAYING", True), ("FINISHED", False)]
)
def test_a_robot_stands_when_it_is_ordered_to(order: str, penalised: bool) -> None:
    scene = SoccerScene(player=2, on_kick=lambda vx, vy: None)
    scene.ordered, scene.penalised = GameState[order], penalised
    before = scene.pose
    for _ in range(300):
        scene.advance(0.01)
    assert scene.pose == before
    scene.ordered, scene.penalised = GameState.PLAYING, False
    for _ in range(300):
        scene.advance(0.01)
    assert scene.pose != before


def test_a_robot_kicks_the_ball_of_all() -> None:
    kicks: list[tuple[float, float]] = []
    scene = SoccerScene(player=2, role=ATTACK, on_kick=lambda vx, vy: kicks.append((vx, vy)))
    scene.ordered = GameState.PLAYING
    for _ in range(6000):
        scene.advance(0.01)
    assert kicks
    assert kicks[0][0] > 0.0  # blue plays towards +x


def test_the_team_is_who_has_segments_and_no_penalty(user: str) -> None:
    own = RobotIdentity(1, 3, user)
    with SegmentOwner() as owner:
        for player in (2, 3, 4):
            values = {"wcmRobot": ("pose", [-2.0, 1.5, 0.0]), "gcmTeam": ("role", 2.0)}
            values["wcmBall"] = ("xy", [0.3, -0.4]) if player == 2 else ("x", 0.3)
            for segment, (variable, value) in values.items():
                file = RobotIdentity(1, player, user).file_name(segment)
                owner.create(file)
                owner.set(file, variable, value)
        owner.set(own.file_name("wcmBall"), "y", -0.4)  # of later branches; player 4 has none
        owner.create(own.file_name("gcmGame"))
        owner.sync()
        expected = Player(0.5, math.hypot(1.0, 1.5), DEFEND)
        assert read_team(own, -3.0) == {2: expected, 3: expected}
        owner.set(own.file_name("gcmGame"), "penalty", [0.0, 15.0, 0.0, 0.0])
        owner.sync()
        assert read_team(own, -3.0) == {3: expected}


def test_roles_are_by_distance_and_kept_while_it_is_nearly_the_same() -> None:
    team = {
        1: Player(0.1, 0.2, GOALIE),
        2: Player(1.5, 1.0, DEFEND),
        3: Player(1.0, 4.0, ATTACK),
        4: Player(2.0, 2.0, SUPPORT),
    }
    assert [role_of(number, team) for number in team] == [GOALIE, DEFEND, ATTACK, SUPPORT]
    team[4] = Player(0.5, 0.8, SUPPORT)  # 0.5 m nearer is 5 s, and it takes 6 s to change
    assert [role_of(number, team) for number in team] == [GOALIE, DEFEND, ATTACK, SUPPORT]
    team[4] = Player(0.3, 0.6, SUPPORT)
    assert [role_of(number, team) for number in team] == [GOALIE, DEFEND, SUPPORT, ATTACK]
    del team[4]  # penalised
    assert [role_of(number, team) for number in (1, 2, 3, 4)] == [GOALIE, DEFEND, ATTACK, ATTACK]
    assert role_of(2, {2: Player(3.0, 1.0, DEFEND)}) == ATTACK
