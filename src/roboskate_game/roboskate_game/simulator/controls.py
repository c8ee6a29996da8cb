# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What the control channel can do with a simulated RoboSkate. Metres in the frame ``odom``."""

from __future__ import annotations

import math
from collections.abc import Callable

from legacy_robots_simulation.controls import (
    ControlError,
    Controls,
    Entity,
    State,
    checked_seconds,
    found,
)
from roboskate_game.model.levels import LEVELS
from roboskate_game.physics.mechanics import STEP
from roboskate_game.physics.world import GameWorld, RefusedError

_BOARD = "board"


class GameControls(Controls):
    """The board of the game that was started last. Its time passes only in steps and run_game."""

    abilities = frozenset(("reset", "place", "load"))
    frame = "odom"
    step_s = STEP

    def __init__(self, world: Callable[[], GameWorld]) -> None:
        self._world = world

    def state(self) -> State:
        """Return STOPPED while no level is loaded; else the game waits for its next step."""
        return State.STOPPED if self._world().level is None else State.PAUSED

    def step(self, seconds: float = 0.0) -> float:
        """Let time pass with the present keys; return the game's total (s)."""
        try:
            return self._world().run(checked_seconds(seconds, self.step_s))
        except RefusedError as error:
            raise ControlError(str(error)) from error

    def entities(self) -> list[Entity]:
        """Return the board, if a level is loaded."""
        try:
            state = self._world().state()
        except RefusedError:
            return []
        x, y, _ = map(float, state.position)
        yaw = math.atan2(float(state.rotation[1][0]), float(state.rotation[0][0]))
        return [Entity(_BOARD, "robot", x, y, yaw)]

    def place(self, name: str, x: float, y: float, yaw: float) -> None:
        """Put the board, at rest, elsewhere on the course."""
        found(self.entities(), name)
        self._world().place(x, y, yaw)

    def reset(self) -> None:
        """Reload the present level."""
        world = self._world()
        if world.level is None:
            raise ControlError("no level is loaded")
        world.initialize(world.level, world.size)

    def load(self, uri: str) -> None:
        """Load the level whose number is ``uri``."""
        if not uri.isascii() or not uri.isdecimal() or int(uri) >= len(LEVELS):
            raise ControlError(f"{uri!r} is no level, those are 0 to {len(LEVELS) - 1}")
        self._world().initialize(int(uri), self._world().size)
