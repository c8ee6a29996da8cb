# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The simulated game: levels, time and the six calls' meaning, without wires.

Time is counted in whole microseconds. The board moves in steps of 0.02 s; what a call leaves over
is carried to the next one, so that the same keys at the same times give the same bits however the
time is cut into calls of whole steps.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass

from roboskate_game.model.coordinates import BoardInRos
from roboskate_game.model.levels import LEVELS
from roboskate_game.physics.dynamics import SkatingBoard
from roboskate_game.physics.ground import Ground, ScalarLookup, usual_ground
from roboskate_game.physics.mechanics import STEP, Physics
from roboskate_game.protocol.messages import NO_KEYS, ImageSize, Keys

_MICROSECONDS = 1_000_000
_STEP_MICROSECONDS = round(STEP * _MICROSECONDS)


class RefusedError(Exception):
    """The game does not do what it was asked for, and answers so."""


def check_level(level: int) -> None:
    """Raise RefusedError for a level that is not there."""
    if not 0 <= level < len(LEVELS):
        raise RefusedError(f"there is no level {level}, only 0 to {len(LEVELS) - 1}")


@dataclass(frozen=True)
class Scene:
    """What the camera needs to know."""

    board: BoardInRos
    size: ImageSize


class GameWorld:
    """A game that stands still until ``run_game``. Thread-safe.

    Parameters
    ----------
    default_size
        Size of the images unless initialize asks for another one.
    ground
        That of the course; None: made here.
    physics, sub_steps
        See SkatingBoard.

    """

    def __init__(
        self,
        default_size: ImageSize,
        ground: Ground | None = None,
        physics: Physics | None = None,
        sub_steps: int = 1,
    ) -> None:
        self.ground = ground or usual_ground()
        self._look = ScalarLookup(self.ground)
        self._default_size = default_size
        self._physics, self._sub_steps = physics, sub_steps
        self._lock = threading.Lock()
        self._board: SkatingBoard | None = None
        self._size = default_size
        self._keys = NO_KEYS
        self._total = 0
        self._pending = 0
        self.level: int | None = None

    def another(self) -> GameWorld:
        """Return a game like this one, with no level loaded."""
        return GameWorld(self._default_size, self.ground, self._physics, self._sub_steps)

    def initialize(self, level: int, size: ImageSize | None) -> ImageSize:
        """Load a level with the board at its start and no key held down.

        The total simulated time restarts. Raises RefusedError for a level that is not there.
        """
        check_level(level)
        chosen = LEVELS[level]
        with self._lock:
            self._put(*chosen.start, chosen.heading)
            self._size = size or self._default_size
            self._keys = NO_KEYS
            self._total = self._pending = 0
            self.level = level
            return self._size

    @property
    def size(self) -> ImageSize:
        """Size of the images."""
        return self._size

    def place(self, x: float, y: float, heading: float) -> None:
        """Put the board at rest elsewhere. Raises RefusedError when no level is loaded."""
        with self._lock:
            self._loaded()
            self._put(x, y, heading)

    def shutdown(self) -> None:
        """Close the level. Raises RefusedError when none is loaded."""
        with self._lock:
            self._loaded()
            self._board = None
            self._keys = NO_KEYS
            self.level = None

    def state(self) -> BoardInRos:
        """Return the state of the board. Raises RefusedError when no level is loaded."""
        with self._lock:
            return self._loaded().state()

    def scene(self) -> Scene:
        """Return what the camera sees. Raises RefusedError when no level is loaded."""
        with self._lock:
            return Scene(self._loaded().state(), self._size)

    @property
    def keys(self) -> Keys:
        """The keys that are held down."""
        with self._lock:
            return self._keys

    def hold(self, keys: Keys) -> None:
        """Hold keys down from now on. Raises RefusedError when no level is loaded."""
        with self._lock:
            self._loaded()
            self._keys = keys

    def run(self, seconds: float) -> float:
        """Let time pass; return the total simulated time in seconds.

        Raises RefusedError when no level is loaded.
        """
        with self._lock:
            board = self._loaded()
            microseconds = round(seconds * _MICROSECONDS)
            self._total += microseconds
            self._pending += microseconds
            while self._pending >= _STEP_MICROSECONDS:
                self._pending -= _STEP_MICROSECONDS
                board.step(self._keys)
            return self._total / _MICROSECONDS

    def _put(self, x: float, y: float, heading: float) -> None:
        self._board = SkatingBoard(
            self._look, x, y, heading, self._physics, sub_steps=self._sub_steps
        )

    def _loaded(self) -> SkatingBoard:
        if self._board is None:
            raise RefusedError("no level is loaded")
        return self._board
