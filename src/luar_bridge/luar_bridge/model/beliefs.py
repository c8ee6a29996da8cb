# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What the robot believes of the world, and the game it plays. Metres, radians and seconds."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from luar_bridge.model.pose import Pose, mod_angle, pose_global, pose_relative
from luar_bridge.model.snapshots import Memory


@dataclass(frozen=True)
class RobotPose:
    """The robot in the world, with the covariance of (x, y, a) by rows if there are particles."""

    pose: Pose
    covariance: tuple[float, ...] | None


def robot_pose(memory: Memory) -> RobotPose | None:
    """Read wcmRobot.pose and, of later branches, wcmParticle."""
    pose = memory.pose("wcmRobot", "pose")
    return None if pose is None else RobotPose(pose, _particle_covariance(memory, pose))


def _particle_covariance(memory: Memory, mean: Pose) -> tuple[float, ...] | None:
    if memory.length("wcmParticle", "x") < 2:
        return None
    x, y, a, w = (np.array(memory.all_numbers("wcmParticle", name)) for name in "xyaw")
    if not 2 <= len(x) == len(y) == len(a) == len(w):
        return None
    weight = np.exp(w - w.max())  # they are logarithms
    turned = np.mod(a - mean[2] + math.pi, 2 * math.pi) - math.pi
    spread = np.stack([x - mean[0], y - mean[1], turned])
    covariance = (spread * weight) @ spread.T / weight.sum()
    return tuple(covariance.ravel().tolist())


@dataclass(frozen=True)
class BallModel:
    """The filtered ball in the robot's frame."""

    x: float
    y: float
    velocity: tuple[float, float] | None
    last_seen: float | None
    """In the time of the robot's body, which under Webots is that of the simulation."""


def ball_model(memory: Memory) -> BallModel | None:
    """Read wcmBall in the document's form (xy, velocity) or the later one (x, y, velx, vely)."""
    place = memory.numbers("wcmBall", "xy", 2)
    velocity = memory.numbers("wcmBall", "velocity", 2)
    if place is None:
        x, y = memory.number("wcmBall", "x"), memory.number("wcmBall", "y")
        if x is None or y is None:
            return None
        place = (x, y)
        vx, vy = memory.number("wcmBall", "velx"), memory.number("wcmBall", "vely")
        velocity = None if vx is None or vy is None else (vx, vy)
    speed = (velocity[0], velocity[1]) if velocity else None
    return BallModel(place[0], place[1], speed, memory.number("wcmBall", "t"))


@dataclass(frozen=True)
class GoalModel:
    """Both goals in the world."""

    attack: Pose
    defend: Pose


def goal_model(memory: Memory) -> GoalModel | None:
    """Read wcmGoal."""
    attack, defend = memory.pose("wcmGoal", "attack"), memory.pose("wcmGoal", "defend")
    return None if attack is None or defend is None else GoalModel(attack, defend)


@dataclass(frozen=True)
class Obstacle:
    """Another robot, in this robot's frame."""

    x: float
    y: float
    opponent: bool


def obstacles(memory: Memory) -> tuple[Obstacle, ...] | None:
    """Read wcmObstacle of later branches; None where there is no such segment."""
    count = memory.whole("wcmObstacle", "num")
    if count is None:
        return None
    x, y = (memory.all_numbers("wcmObstacle", name) for name in "xy")
    roles = memory.all_numbers("wcmObstacle", "role")
    rows = list(zip(x, y, roles, strict=False))[: max(0, count)]
    return tuple(Obstacle(px, py, role >= 5) for px, py, role in rows)


@dataclass(frozen=True)
class Mate:
    """Another robot of the own team, where it has reported to be, in the world."""

    pose: Pose
    player: int
    """Number of the player; 0 where only its role is known."""
    fallen: bool = False
    penalised: bool = False


_ROLES = ("goalie", "attacker", "defender", "defender2", "supporter")


def mates(memory: Memory) -> tuple[Mate, ...] | None:
    """Read the team's messages; None where a robot keeps none in its memory.

    UPennalizers of 2016 keep them by player (wcmTeamdata), those of 2013 by role (wcmTeam). A
    place of zeros, a message of a team of another colour and the robot's own are left out.
    """
    own = memory.whole("gcmTeam", "player_id")
    columns = [
        memory.all_numbers("wcmTeamdata", name)
        for name in ("posex", "posey", "posea", "robotId", "teamColor", "fall", "penalty")
    ]
    if all(columns):
        color = memory.whole("gcmTeam", "color")
        return tuple(
            Mate((x, y, a), int(player), fall > 0.0, penalty > 0.0)
            for x, y, a, player, team, fall, penalty in zip(*columns, strict=False)
            if 0 < player < 256 and player != own and (color is None or team == color)
        )
    poses = [memory.pose("wcmTeam", f"{role}_pose") for role in _ROLES]
    if not any(poses):
        return None
    return tuple(Mate(pose, 0) for pose in poses if pose and any(pose))


# --- game ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Game:
    """The game as the referee's computer reports it, from this team's point of view."""

    state: int | None
    half: int | None
    kickoff: int | None
    penalties: tuple[int, ...]
    time_remaining: float | None
    players: int | None


def game(memory: Memory) -> Game | None:
    """Read gcmGame."""
    state = memory.whole("gcmGame", "state")
    if state is None:
        return None
    penalties = memory.all_numbers("gcmGame", "penalty")
    return Game(
        state,
        memory.whole("gcmGame", "half"),
        memory.whole("gcmGame", "kickoff"),
        tuple(int(p) for p in penalties),
        memory.number("gcmGame", "time_remaining"),
        memory.whole("gcmGame", "nplayers"),
    )


RED = 1
"""The colour, in gcmTeam, of the team that attacks the cyan goal, towards -x."""


@dataclass(frozen=True)
class Team:
    """Who the robot is."""

    number: int | None
    player: int | None
    color: int | None
    role: int | None


def team(memory: Memory) -> Team | None:
    """Read gcmTeam."""
    player, role = memory.whole("gcmTeam", "player_id"), memory.whole("gcmTeam", "role")
    if player is None and role is None:
        return None
    return Team(memory.whole("gcmTeam", "number"), player, memory.whole("gcmTeam", "color"), role)


def odom_in_map(pose: Pose, odometry: Pose) -> Pose:
    """Return the odometry's origin in the world: from where ``odometry`` leads to ``pose``."""
    x, y, a = pose_global(pose_relative((0.0, 0.0, 0.0), odometry), pose)
    return x, y, mod_angle(a)
