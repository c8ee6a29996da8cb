# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A node that skates by itself: a demonstration, and an example of how to use the bridge."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

from legacy_robots_common.node.main import run
from legacy_robots_common.node.parameters import parameter
from roboskate_bridge.drivers.driver import Driver, DriverParameters
from roboskate_game.learning.scripted_policy import Skater
from roboskate_game.model.coordinates import BoardInRos
from roboskate_game.model.levels import CourseProgress
from roboskate_game.protocol.dialect import FORCE_RANGE
from roboskate_game.protocol.messages import Keys


@dataclass(frozen=True)
class Parameters(DriverParameters):
    """The autopilot's parameters."""

    whole_map: bool = parameter(True, "go on with the next levels after the last checkpoint")
    force_scale: float = parameter(
        FORCE_RANGE,
        "the bridge's, in profile game: it is made for the force of a key; launch passes it on",
        minimum=0.1,
        maximum=100000.0,
    )


class Autopilot(Driver[Parameters]):
    """Drives along the checkpoints."""

    def __init__(self, **node_arguments: Any) -> None:
        super().__init__("autopilot", Parameters, **node_arguments)
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
