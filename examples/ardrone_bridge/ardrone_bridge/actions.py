# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The actions ``take_off`` and ``land``; the newer of two goals ends the other."""

from __future__ import annotations

import enum
import math
from typing import TYPE_CHECKING, Any, ClassVar

from legacy_robots_common.goals.goal_server import Ending, Goal, GoalRefusedError, GoalServer
from legacy_robots_msgs.action import DroneLand, DroneTakeOff
from legacy_robots_msgs.msg import DroneOutcome

from . import protocol

if TYPE_CHECKING:
    from .node import ArdroneBridge

LIMIT_S = 20.0
"""Seconds that a goal may take."""
SETTLED_S = 0.25
"""Navdata that are under way when a goal begins come until then."""
NEAR_M, LOWEST_M = 0.05, 0.3
"""How exact an altitude is, and the lowest that can be asked for."""


class Outcome(enum.IntEnum):
    """How a goal can end: the codes of DroneOutcome."""

    SUCCEEDED = DroneOutcome.SUCCEEDED
    CANCELED = DroneOutcome.CANCELED
    LINK_LOST = DroneOutcome.LINK_LOST
    INVALID = DroneOutcome.INVALID
    SHUTDOWN = DroneOutcome.SHUTDOWN
    INTERRUPTED = DroneOutcome.INTERRUPTED
    TIMED_OUT = DroneOutcome.TIMED_OUT
    REFUSED = DroneOutcome.REFUSED


class DroneAction(GoalServer[Goal]):
    """A goal whose command is repeated until the drone has done it."""

    node: ArdroneBridge
    ref: ClassVar[protocol.Command]
    others: list[DroneAction]

    def begin(self, goal: Goal) -> None:
        """Send the command; older goals end."""
        for server in (self, *self.others):
            for other in server.goals:
                if other is not goal:
                    other.end(Outcome.INTERRUPTED, "a newer goal was given")
        self.node.link.fly(0.0, 0.0, 0.0, 0.0)
        self.node.link.command(self.ref)

    def follow(self, reading: protocol.Reading, emergency: bool) -> None:
        """Go on with the goal, or end it. On the link's thread."""
        for goal in self.goals:
            took = self.node.now() - goal.began
            if emergency:
                goal.end(Outcome.REFUSED, "the drone is in emergency: its motors are cut")
            elif took > SETTLED_S and self.is_done(goal, reading):
                goal.end(Outcome.SUCCEEDED, f"done, at {reading.altitude:.2f} m")
            elif took > LIMIT_S:
                goal.end(Outcome.TIMED_OUT, f"no end after {LIMIT_S} s")
            else:
                self.node.link.command(self.ref)
                goal.publish_feedback(self.action_type.Feedback(altitude=reading.altitude))

    def is_done(self, goal: Goal, reading: protocol.Reading) -> bool:
        """Return whether the drone is where it is to be."""
        raise NotImplementedError

    def cancel(self, goal: Goal) -> bool:
        """End the goal; the drone hovers, or goes on to land."""
        self.node.link.fly(0.0, 0.0, 0.0, 0.0)
        return goal.end(Outcome.CANCELED, "cancelled")

    def result(self, goal: Goal, ending: Ending) -> Any:
        """Return the outcome."""
        outcome = DroneOutcome(code=int(ending.outcome), message=ending.message)
        return self.action_type.Result(outcome=outcome)


class TakeOffAction(DroneAction):
    """The action ``take_off``: the drone rises by itself to hover, and climbs from there."""

    ref = protocol.TAKE_OFF

    def __init__(self, node: ArdroneBridge) -> None:
        super().__init__(node, DroneTakeOff, "take_off", Outcome)

    def begin(self, goal: Goal) -> None:
        """Send the command. Raises GoalRefusedError."""
        wanted, highest = goal.request.altitude, self.node.settings.max_altitude
        if wanted and not (math.isfinite(wanted) and LOWEST_M <= wanted <= highest):
            raise GoalRefusedError(
                f"cannot take off to {wanted} m, from {LOWEST_M} to {highest} m"
            )
        super().begin(goal)

    def is_done(self, goal: Goal, reading: protocol.Reading) -> bool:
        """Return whether it hovers there; if lower or higher, climb or sink."""
        if reading.mode not in (protocol.HOVERING, protocol.FLYING):
            return False
        missing = goal.request.altitude - reading.altitude if goal.request.altitude else 0.0
        there = abs(missing) < NEAR_M
        self.node.link.fly(0.0, 0.0, 0.0, 0.0 if there else missing)
        return there


class LandAction(DroneAction):
    """The action ``land``."""

    ref = protocol.LAND

    def __init__(self, node: ArdroneBridge) -> None:
        super().__init__(node, DroneLand, "land", Outcome)

    def is_done(self, goal: Goal, reading: protocol.Reading) -> bool:
        """Return whether it stands on the ground."""
        return reading.mode == protocol.LANDED
