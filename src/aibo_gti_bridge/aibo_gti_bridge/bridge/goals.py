# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What all actions of the bridge have in common."""

from __future__ import annotations

import enum
from collections.abc import Collection
from typing import Any, TypeVar, cast

from aibo_gti_bridge.bridge import conversions
from aibo_gti_bridge.bridge.robot import Robot
from aibo_gti_bridge.protocol.sensors import Reading
from legacy_robots_common.bridge.bridge_node import BridgeNode
from legacy_robots_common.goals.goal_server import Ending, Goal, GoalServer


class Outcome(enum.IntEnum):
    """How a goal ended; the numbers are those of legacy_robots_msgs/AiboOutcome."""

    SUCCEEDED = 0
    NOT_FOUND = 1
    CANCELED = 2
    LINK_LOST = 3
    TIMED_OUT = 4
    INTERRUPTED = 5
    INVALID = 6
    SHUTDOWN = 7


class RobotGoal(Goal):
    """A goal that moves joints. Its methods are called with the robot's lock held."""

    server: RobotServer[Any]
    has_begun = False
    """Whether ``begin`` was called: a goal is known before, and readings come meanwhile."""

    def interrupt(self, reason: str, taken: Collection[str]) -> None:
        """End it because another command takes joints of it; stop the others."""
        if not self.over:
            self.stop_joints(taken)
            self.end(Outcome.INTERRUPTED, reason)

    def stop_joints(self, but: Collection[str] = ()) -> None:
        """Stop what it moves, ``but`` some joints. May raise NotConnectedError."""


G = TypeVar("G", bound=RobotGoal)


class RobotServer(GoalServer[G]):
    """A server of goals that follow the robot's readings.

    Several goals may run at once where they move different joints; a newer one takes joints from
    an older one.
    """

    canceled = ""
    """What has happened to a goal that is cancelled, in a sentence."""

    def __init__(
        self,
        node: BridgeNode,
        robot: Robot,
        action_type: type[Any],
        name: str,
        goal_type: type[G],
    ) -> None:
        super().__init__(node, action_type, name, Outcome, goal_type=goal_type, lock=robot.lock)
        self.robot = robot

    def start(self, goal: Goal) -> None:
        """Begin a goal, on the executor."""
        with self.robot.lock:
            super().start(goal)
            cast(RobotGoal, goal).has_begun = True

    def on_reading(self, reading: Reading) -> None:
        """Go on with all goals that have begun. On the link's thread, with the lock held."""
        for goal in self.goals:
            if goal.has_begun:
                self.guarded(goal, self.follow, goal, reading)

    def follow(self, goal: G, reading: Reading) -> None:
        """Go on with a goal after a reading. May raise as ``begin``."""

    def cancel(self, goal: G) -> bool:
        """Stop what the goal moves."""
        goal.stop_joints()
        goal.end(Outcome.CANCELED, self.canceled)
        return True

    def result(self, goal: G, ending: Ending) -> Any:
        """Return the result message."""
        return self.action_type.Result(outcome=conversions.outcome(ending))

    def on_end(self, goal: Goal) -> None:
        """Give back the goal's joints."""
        with self.robot.lock:
            self.robot.claims.release(goal)  # type: ignore[arg-type]
        super().on_end(goal)
