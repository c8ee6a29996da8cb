# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Events of the link to a game, and the demand of its observer."""

from __future__ import annotations

from dataclasses import dataclass

from roboskate_game.protocol.image import Picture
from roboskate_game.protocol.messages import BoardState, ImageSize


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

    ``total_simulated_time`` is the game's own count in seconds, which restarts with a level.
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
    """An image of the step at ``stamp``; reported on the camera's thread.

    The observer may raise ProtocolError for data that are no image.
    """

    picture: Picture
    stamp: int


Event = LevelLoaded | Step | TimePassed | PictureReceived
