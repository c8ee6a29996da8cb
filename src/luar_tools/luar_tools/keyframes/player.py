# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Play a motion with the arithmetic of the original's keyframe.lua."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from luar_tools.keyframes.motion import Keyframe, KeyframeMotion


class Command(NamedTuple):
    """What one cycle sets, an entry a servo of the motion."""

    angles: tuple[float, ...]
    """rad."""
    stiffness: tuple[float, ...]
    """0 to 1; empty: it is left as it is."""


class KeyframePlayer:
    """One motion from where its servos are; times in seconds of any one clock.

    A keyframe begins at the target of the one before it, not at what is measured, in the cycle
    after the one that reached it.
    """

    def __init__(self, motion: KeyframeMotion, present: Sequence[float], now: float) -> None:
        self.motion = motion
        self._from = tuple(present)
        self._began = now
        self._index = 0

    @property
    def frame(self) -> Keyframe | None:
        """The keyframe that it is on the way to; None: the motion is over."""
        frames = self.motion.keyframes
        return frames[self._index] if self._index < len(frames) else None

    @property
    def number(self) -> int:
        """How many keyframes have been reached."""
        return self._index

    def update(self, now: float) -> Command:
        """Return what the original sets in the cycle at ``now``."""
        frame = self.frame
        if frame is None:
            return Command(self._from, ())
        h = min((now - self._began) / frame.duration, 1.0)
        pairs = zip(self._from, frame.angles, strict=True)
        angles = tuple(a + h * (b - a) for a, b in pairs)
        if h >= 1.0:
            self._from, self._began = frame.angles, now
            self._index += 1
        is_whole = len(frame.stiffness) == len(self.motion.servos)
        return Command(angles, frame.stiffness if is_whole else ())
