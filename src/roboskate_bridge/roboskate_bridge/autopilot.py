# SPDX-License-Identifier: Apache-2.0
"""A node that skates by itself: a demonstration, and an example of how to use the bridge."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

from legacy_robots_common.main import run
from legacy_robots_common.parameters import declare_parameters, parameter
from roboskate_bridge.controller import Skater
from roboskate_bridge.coordinates import BoardInRos
from roboskate_bridge.driver import Driver
from roboskate_bridge.levels import PLAYABLE, CourseProgress
from roboskate_bridge.protocol import FORCE_RANGE, Keys


@dataclass(frozen=True)
class Parameters:
    """The autopilot's parameters."""

    level: int = parameter(
        0, "the level that is begun again and again", minimum=0, maximum=PLAYABLE - 1
    )
    whole_map: bool = parameter(True, "go on with the next levels' checkpoints after the last")
    force_scale: float = parameter(
        FORCE_RANGE, "the bridge's, in profile game: it is made for the force of a key",
        minimum=0.1, maximum=100000.0,
    )  # fmt: skip
    stuck_after: float = parameter(
        20.0, "s of simulated time without a metre of progress, after which it begins again",
        minimum=1.0, maximum=3600.0,
    )  # fmt: skip


class Autopilot(Driver):
    """Drives along the checkpoints."""

    def __init__(self, **node_arguments: Any) -> None:
        super().__init__("autopilot", **node_arguments)
        self._settings = declare_parameters(self, Parameters)
        self.level, self.stuck_after = self._settings.level, self._settings.stuck_after
        self.begin()

    def begin(self) -> None:
        """Drive from the start of the level."""
        settings = self._settings
        self._skater = Skater(CourseProgress(settings.level, whole_map=settings.whole_map))

    def drive(self, board: BoardInRos, seconds: float) -> Keys:
        """Return the keys to hold down."""
        scale = FORCE_RANGE / self._settings.force_scale
        return Keys(*(scale * value for value in self._skater.keys(board).values()))

    @property
    def reached(self) -> int:
        """Checkpoints reached since the beginning."""
        return self._skater.course.reached

    @property
    def end(self) -> str:
        """Why the level is over, empty while it is not."""
        return "all checkpoints reached" if self._skater.course.target is None else ""


def main() -> None:
    """Run the autopilot until SIGINT or SIGTERM."""
    sys.exit(run(Autopilot, Parameters))
