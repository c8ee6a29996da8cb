# SPDX-License-Identifier: Apache-2.0
"""What the link tells whoever owns it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from roboskate_bridge.picture import Picture
from roboskate_bridge.protocol import BoardState, ImageSize


@dataclass(frozen=True)
class Step:
    """The state after a step; ``stamp`` is simulated time in nanoseconds, the same for all of it.

    ``total_simulated_time`` is the game's own count in seconds, which begins anew with a level.
    """

    stamp: int
    total_simulated_time: float
    board: BoardState


class Listener(Protocol):
    """Who hears of the game. Called on the link's thread, ``picture`` on the camera's."""

    def level_loaded(self, level: int, size: ImageSize) -> None:
        """Take note that a level has been loaded; images are of ``size`` from now on."""

    def step_done(self, step: Step) -> None:
        """Take note that the game has made a step, or a level has been loaded."""

    def state_wanted(self) -> bool:
        """Tell whether anybody looks at the state of every step."""

    def time_wanted(self) -> bool:
        """Tell whether anybody looks at anything that comes with every step."""

    def time_passed(self, stamp: int) -> None:
        """Take note of a step whose state has not been asked for; nobody looks at it."""

    def picture_wanted(self) -> bool:
        """Tell whether anybody looks at the camera."""

    def picture(self, picture: Picture, stamp: int) -> None:
        """Take an image. Raises ProtocolError when it turns out to be none."""
