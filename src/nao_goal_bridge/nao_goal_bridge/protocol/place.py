# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""In which room a robot is, by what it reports; no ROS, no sockets.

A way over tiles begins at the robot's own, so a wrong belief leads it into a wall. The last
original reports its room after the Success of a walk alone, and at each connection claims its
start room wherever it is (docs/originals/nao.md). Other profiles plan no ways here: what such a
robot reports is believed.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from enum import IntEnum

from nao_goal_bridge.protocol.dialects import Dialect
from nao_goal_bridge.protocol.events import Agent, GoToTiles, Location, PickUp, Report, Success
from nao_goal_bridge.protocol.robot_requests import Outcome

REPORT_TIMEOUT_S, OWED_REPORT_TIMEOUT_S = 1.0, 10.0
"""Time for a robot to report its room after each walk; for one that surely does so."""
_KEEP_ROOM = {
    GoToTiles.opcode: ("SUCCEEDED", "INVALID"),
    PickUp.opcode: ("SUCCEEDED", "INVALID", "FAILED"),
}
"""Outcomes after which the robot is not somewhere on its way; a failed PickUp found nothing."""
CLAIM = (
    "it is not known where the robot is: when it connects it claims its start room, wherever it is"
)


class PlaceBelief:
    """The room of the robot, or why that is not known. Changes on one thread at a time.

    ``believes_greeting``: the Location at each connection is believed, which comes before any
    reply. ``clock`` returns seconds.
    """

    def __init__(
        self,
        dialect: Dialect,
        *,
        believes_greeting: bool,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._plans_ways = dialect.has(GoToTiles)
        self._greets = dialect.greets
        # Those that surely greet are those that report their room after each walk.
        self.report_timeout = OWED_REPORT_TIMEOUT_S if dialect.greets else REPORT_TIMEOUT_S
        """Seconds for which a report is awaited after a walk."""
        self._believes_greeting = believes_greeting or not self._plans_ways
        self._clock = clock
        self._is_heard = False  # what comes is of this connection
        self._is_greeting = False  # the next Location is the greeting's
        self._due: float | None = None
        self.room: int | None = None
        """Marker id, or id of the tile; None: not known, for the reason in ``detail``."""
        self.detail = "no robot has reported its room"

    @property
    def is_missing(self) -> bool:
        """Whether a walk cannot be planned, as it is not known where its way begins."""
        return self._plans_ways and self.room is None

    @property
    def is_awaited(self) -> bool:
        """Whether the next way has to wait for the robot's report."""
        return self._plans_ways and self._due is not None

    def connected(self) -> None:
        """Begin anew with a robot that has connected."""
        self._is_heard = self._is_greeting = not self._greets
        unreported = "the robot has not reported its room"
        self.lose(unreported if self._believes_greeting else CLAIM)

    def report(self, report: Report, *, owes_reply: bool) -> bool:
        """Handle a report; return whether it says where the robot is.

        ``owes_reply``: a halted walk goes on, and what is reported from it is not where it ends.
        """
        if isinstance(report, Agent) and not self._is_heard:
            self._is_heard = self._is_greeting = True
        if not self._is_heard:
            return False
        if isinstance(report, Success) and report.code == GoToTiles.opcode:
            self._is_greeting = False
            self._due = self._clock() + self.report_timeout
            if self._plans_ways:
                self.room = None
                self.detail = "the robot has not reported its room since it walked"
        if not isinstance(report, Location):
            return False
        if self._is_greeting:
            self._is_greeting = False
            believed = self._believes_greeting
        else:
            believed = self.is_awaited or not owes_reply
        if believed:
            self.set(report.marker_id)
        return believed

    def expire(self) -> bool:
        """Await no report whose time has passed; return whether there was one."""
        due = self._due  # a report may take it away
        if due is None or self._clock() < due:
            return False
        self._due = None
        return True

    def ended(self, code: int, outcome: IntEnum) -> bool:
        """Handle the end of the command ``code``, of Outcome; return whether the room is lost."""
        lost = self._plans_ways and outcome.name not in _KEEP_ROOM.get(code, Outcome.__members__)
        if lost:
            self.lose(
                f"the last walk ended as {outcome.name}, and the robot does not report where"
            )
        return lost

    def set(self, room: int) -> None:
        """Believe that the robot is in ``room``."""
        self._due = None
        self.detail = ""
        self.room = room

    def lose(self, detail: str) -> None:
        """Believe nothing, for the reason ``detail``."""
        self._due = None
        self.room = None
        self.detail = detail
