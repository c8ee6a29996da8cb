# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What the robot answers the GameController: who and where it is, and where the ball is."""

from __future__ import annotations

import math

from luar_bridge.bridge.fresh_memory import FreshMemory
from luar_bridge.model import beliefs, motion
from luar_bridge.model.pose import turned
from luar_bridge.model.snapshots import Memory
from luar_bridge.protocol.game_return import NEVER_SEEN_S, RobotStatus
from luar_bridge.protocol.naming import RobotIdentity

FALLEN_RAD = math.radians(40.0)
"""Inclination of the torso from which the original's Motion takes a fall.

Source: docs/originals/luar.md, 9.
"""
_READ = ("wcmRobot", "wcmBall", "gcmTeam", "mcmWalk", "dcmSensor")


class RobotAnswer:
    """Follows the ball's age between looks at the memory. Times are of any clock, in seconds."""

    def __init__(self, identity: RobotIdentity, memory: FreshMemory) -> None:
        self._identity = identity
        self._memory = memory
        self._ball_seen: float | None = None
        """wcmBall.t, which is of the robot's own clock; None: not read yet.

        The memory outlives the robot's processes: how old its first ball is, is not known.
        """
        self._seen_at = -math.inf

    def look(self, now: float) -> None:
        """Note when the robot has seen the ball last."""
        ball = beliefs.ball_model(self._memory.read("wcmBall"))
        seen = ball.last_seen if ball else None
        if seen is None:
            return
        if self._ball_seen is not None and seen and seen != self._ball_seen:
            self._seen_at = now
        self._ball_seen = seen

    def ball_age(self, now: float) -> float | None:
        """Return the seconds since the ball was seen; None where it has not been."""
        return now - self._seen_at if math.isfinite(self._seen_at) else None

    def status(self, now: float) -> RobotStatus | None:
        """Return the answer; None where the memory has no pose. The field's frame is turned.

        In the memory x is towards the yellow goal, in the answer towards the one that is attacked.
        """
        memory = self._memory.read(*_READ)
        robot = beliefs.robot_pose(memory)
        if robot is None:
            return None
        team, ball = beliefs.team(memory), beliefs.ball_model(memory)
        pose = turned(robot.pose) if team and team.color == beliefs.RED else robot.pose
        age = self.ball_age(now)
        place = (ball.x, ball.y) if ball and age is not None else (0.0, 0.0)
        age = NEVER_SEEN_S if age is None else age
        identity, fallen = self._identity, is_fallen(memory)
        return RobotStatus(identity.team, identity.player, fallen, pose, place, age)


def is_fallen(memory: Memory) -> bool:
    """Return whether the robot lies on the ground, by its own word or its torso's inclination."""
    flags = (("mcmWalk", "isFallDown"), ("wcmRobot", "is_fall_down"))
    if any(memory.number(*flag) for flag in flags):
        return True
    torso = motion.inertia(memory)
    return torso is not None and max(abs(torso.roll), abs(torso.pitch)) > FALLEN_RAD
