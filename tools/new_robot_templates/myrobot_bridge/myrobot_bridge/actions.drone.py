# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The actions ``take_off`` and ``land``; the newer of two goals ends the other."""

from __future__ import annotations

import enum
import math
from typing import TYPE_CHECKING, Any

from legacy_robots_common.goals.goal_server import Ending, Goal, GoalRefusedError, GoalServer
from legacy_robots_msgs.action import DroneLand, DroneTakeOff
from legacy_robots_msgs.msg import DroneOutcome

from . import protocol

if TYPE_CHECKING:
    from .node import MyrobotBridge

LIMIT_S = 20.0
"""Seconds that a goal may take."""
ALTITUDE_M = 1.0
"""Where it hovers if the goal does not say."""


class Outcome(enum.IntEnum):
    """How a goal can end: the codes of DroneOutcome."""

    SUCCEEDED = DroneOutcome.SUCCEEDED
    CANCELED = DroneOutcome.CANCELED
    LINK_LOST = DroneOutcome.LINK_LOST
    INVALID = DroneOutcome.INVALID
    SHUTDOWN = DroneOutcome.SHUTDOWN
    INTERRUPTED = DroneOutcome.INTERRUPTED
    TIMED_OUT = DroneOutcome.TIMED_OUT


class DroneAction(GoalServer[Goal]):
    """A goal that is over when the drone is in ``state``."""

    node: MyrobotBridge
    state = ""
    others: list[DroneAction]

    def command(self, request: Any) -> bytes:
        """Return the command of a goal. Raises GoalRefusedError."""
        raise NotImplementedError

    def begin(self, goal: Goal) -> None:
        """Send the command; older goals end. Raises GoalRefusedError."""
        command = self.command(goal.request)
        for server in (self, *self.others):
            for other in server.goals:
                if other is not goal:
                    other.end(Outcome.INTERRUPTED, "a newer goal was given")
        self.node.link.command(command)

    def follow(self, reading: protocol.Reading) -> None:
        """End the goal that is reached, or takes too long. On the link's thread."""
        for goal in self.goals:
            took = self.node.now() - goal.began
            # Readings may have been under way when the command was sent.
            is_there = reading.state == self.state and self.is_at(goal.request, reading.altitude)
            if is_there and took > 0.25:
                goal.end(Outcome.SUCCEEDED, f"it {self.state.lower()}")
            elif took > LIMIT_S:
                goal.end(Outcome.TIMED_OUT, f"no end after {LIMIT_S} s")
            else:
                goal.publish_feedback(self.action_type.Feedback(altitude=reading.altitude))

    def is_at(self, request: Any, altitude: float) -> bool:
        """Return whether the goal is at this altitude (m)."""
        return True

    def cancel(self, goal: Goal) -> bool:
        """End the goal; the drone goes on to a safe state by itself."""
        return goal.end(Outcome.CANCELED, "cancelled")

    def result(self, goal: Goal, ending: Ending) -> Any:
        """Return the outcome."""
        outcome = DroneOutcome(code=int(ending.outcome), message=ending.message)
        return self.action_type.Result(outcome=outcome)


class TakeOffAction(DroneAction):
    """The action ``take_off``."""

    state = "HOVERS"

    def __init__(self, node: MyrobotBridge) -> None:
        super().__init__(node, DroneTakeOff, "take_off", Outcome)

    def command(self, request: DroneTakeOff.Goal) -> bytes:
        """Return TAKEOFF. Raises GoalRefusedError."""
        altitude = request.altitude or ALTITUDE_M
        highest = self.node.settings.max_altitude
        if not (math.isfinite(altitude) and 0.1 <= altitude <= highest):
            raise GoalRefusedError(f"cannot take off to {altitude} m, from 0.1 to {highest} m")
        return protocol.take_off(altitude)

    def is_at(self, request: DroneTakeOff.Goal, altitude: float) -> bool:
        """Return whether it hovers where it was to go."""
        return abs(altitude - (request.altitude or ALTITUDE_M)) < 0.1


class LandAction(DroneAction):
    """The action ``land``."""

    state = "LANDED"

    def __init__(self, node: MyrobotBridge) -> None:
        super().__init__(node, DroneLand, "land", Outcome)

    def command(self, request: DroneLand.Goal) -> bytes:
        """Return LAND."""
        return protocol.land()
