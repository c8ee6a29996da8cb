# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Roles of a simulated team by distance, as the original has them. No ROS.

Source: docs/originals/luar.md, 11, Team.lua.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from luar_bridge.protocol.boost_layout import ProtocolError
from luar_bridge.protocol.naming import DIRECTORY, RobotIdentity
from luar_bridge.protocol.segment import Segment, SegmentBusyError, SegmentUnavailableError

GOALIE, ATTACK, DEFEND, SUPPORT = 0, 1, 2, 3
"""As gcmTeam.role has them."""
FIRST = (GOALIE, DEFEND, SUPPORT, ATTACK)
"""Of the players by their number, as the document has them."""
PLAYERS = range(1, 5)
_WALKS_M_S = 0.10
_NOT_ATTACKER_S, _NOT_DEFENDER_M = 6.0, 0.3
"""So much later at the ball, or farther from the own goal, is who has another role so far."""


@dataclass(frozen=True)
class Player:
    """One of the team: m to the ball, m to the own goal, its role so far."""

    ball_m: float
    goal_m: float
    role: int


def role_of(player: int, team: Mapping[int, Player]) -> int:
    """Return the role of a player: who is first at the ball attacks, the hindmost defends."""
    if player == 1:
        return GOALIE
    field = {number: mate for number, mate in team.items() if number != 1}
    if player not in field:
        return FIRST[(player - 1) % len(FIRST)]

    def arrives_s(number: int) -> float:
        mate = field[number]
        return mate.ball_m / _WALKS_M_S + (_NOT_ATTACKER_S if mate.role != ATTACK else 0.0)

    def behind_m(number: int) -> float:
        mate = field[number]
        return mate.goal_m + (_NOT_DEFENDER_M if mate.role != DEFEND else 0.0)

    attacker = min(field, key=arrives_s)
    if player == attacker:
        return ATTACK
    defender = min((number for number in field if number != attacker), key=behind_m)
    return DEFEND if player == defender else SUPPORT


def read_team(own: RobotIdentity, goal_x: float) -> dict[int, Player]:
    """Return the players of a team that have segments now and no penalty.

    ``goal_x`` (m) is of the own goal.
    """
    found = {}
    penalties = _read(own, "gcmGame").get("penalty", ())
    for number in PLAYERS:
        mate = RobotIdentity(own.team, number, own.user)
        pose = _read(mate, "wcmRobot").get("pose", ())
        world, role = _read(mate, "wcmBall"), _read(mate, "gcmTeam").get("role", ())
        ball = world.get("xy") or (*world.get("x", ()), *world.get("y", ()))
        penalised = any(penalties[number - 1 : number])
        whole = len(pose) == 3 and len(ball) == 2 and len(role) == 1
        # The memory may hold anything.
        if whole and not penalised and all(map(math.isfinite, (*pose, *ball, *role))):
            behind = math.hypot(pose[0] - goal_x, pose[1])
            found[number] = Player(math.hypot(*ball), behind, int(role[0]))
    return found


def _read(robot: RobotIdentity, name: str) -> dict[str, tuple[float, ...]]:
    """Return the variables of a segment; none where it is not there."""
    try:
        with Segment(DIRECTORY / robot.file_name(name)) as segment:
            snapshot = segment.snapshot
            return {variable: snapshot.all_numbers(variable) for variable in snapshot}
    except (SegmentUnavailableError, SegmentBusyError, ProtocolError):
        return {}
