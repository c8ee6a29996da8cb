# SPDX-License-Identifier: Apache-2.0
"""What the link to a game tells its observer, and what it asks for."""

from __future__ import annotations

from dataclasses import dataclass

from roboskate_bridge.picture import Picture
from roboskate_bridge.protocol import BoardState, ImageSize


@dataclass(frozen=True)
class Demand:
    """What has subscribers at the moment."""

    state: bool = False
    """The state of every step."""
    time: bool = False
    """Anything that comes with every step."""
    pictures: bool = False
    """The camera."""


@dataclass(frozen=True)
class LevelLoaded:
    """A level has been loaded; images are of ``size`` from now on."""

    level: int
    size: ImageSize


@dataclass(frozen=True)
class Step:
    """The state after a step; ``stamp`` is simulated time in nanoseconds, the same for all of it.

    ``total_simulated_time`` is the game's own count in seconds, which begins anew with a level.
    """

    stamp: int
    total_simulated_time: float
    board: BoardState


@dataclass(frozen=True)
class TimePassed:
    """A step whose state was not asked for, as it has no subscriber; ``stamp`` as that of Step."""

    stamp: int


@dataclass(frozen=True)
class PictureReceived:
    """An image of the step at ``stamp``; told on the camera's thread.

    The observer may raise ProtocolError when it turns out to be none.
    """

    picture: Picture
    stamp: int


Event = LevelLoaded | Step | TimePassed | PictureReceived
