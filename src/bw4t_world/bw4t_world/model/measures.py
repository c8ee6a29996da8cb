# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What is measured of a team: the figures that the original writes into its log."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class RobotMeasures:
    """The counters of one robot (docs/originals/bw4t.md, 3, ``agentsummary``)."""

    good_drops: int = 0
    """Blocks delivered in the colour that was due."""
    wrong_drops: int = 0
    """Blocks dropped in the drop zone in another colour."""
    messages: int = 0
    """Messages sent, a broadcast counting once."""
    idle_ticks: int = 0
    """Ticks without a target to go to."""
    rooms_entered: int = 0
    """How often the robot entered a room; the drop zone is one."""
    blocks_picked_up: int = 0
    collisions: int = 0
    """How often a goTo failed at a wall, a door, a zone or a robot."""


@dataclass(frozen=True, slots=True)
class RobotSummary:
    """The measures of one robot at some tick; the fields are those of :class:`RobotMeasures`."""

    name: str
    kind: str
    good_drops: int
    wrong_drops: int
    messages: int
    idle_seconds: float
    rooms_entered: int
    blocks_picked_up: int
    collisions: int


@dataclass(frozen=True, slots=True)
class TeamSummary:
    """The measures of a run.

    ``completion_seconds`` is ``None`` until the sequence is complete; all times are simulated.
    Robots that were removed count, too.
    """

    ticks: int
    seconds: float
    completion_ticks: int | None
    completion_seconds: float | None
    sequence_length: int
    delivered: int
    good_drops: int
    wrong_drops: int
    messages: int
    idle_seconds: float
    rooms_entered: int
    robots: tuple[RobotSummary, ...]

    def lines(self) -> list[str]:
        """Return the summary as lines of a log, one for the team and one for each robot."""
        if self.completion_seconds is None:
            first = f"sequence not finished: {self.delivered} of {self.sequence_length}"
        else:
            first = f"time to finish sequence is {self.completion_seconds:.2f} s"
        team = (
            f"team: {self.ticks} ticks, gooddrops {self.good_drops}, wrongdrops "
            f"{self.wrong_drops}, nmessage {self.messages}, idletime {self.idle_seconds:.2f} s, "
            f"nroomsentered {self.rooms_entered}"
        )
        robots = [
            f"agentsummary {robot.name} {robot.kind}: gooddrops {robot.good_drops}, wrongdrops "
            f"{robot.wrong_drops}, nmessage {robot.messages}, idletime {robot.idle_seconds:.2f} "
            f"s, nroomsentered {robot.rooms_entered}"
            for robot in self.robots
        ]
        return [first, team, *robots]
