# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What a link to a robot's memory reports to its observer, and what it asks for."""

from __future__ import annotations

from dataclasses import dataclass

from luar_bridge.protocol.camera_frames import Frame
from luar_bridge.protocol.segment import Snapshot


@dataclass(frozen=True)
class Demand:
    """The segments that have subscribers; the others are read every RESTING_PERIOD_S."""

    at_once: frozenset[str] = frozenset()
    """Segments of which every change is to be reported soon."""
    each_cycle: frozenset[str] = frozenset()
    """Segments that are to be read once cognition has completed a cycle."""
    often: frozenset[str] = frozenset()
    """Segments that are to be read every REFRESH_PERIOD_S in any case."""

    def __or__(self, other: Demand) -> Demand:
        return Demand(
            self.at_once | other.at_once,
            self.each_cycle | other.each_cycle,
            self.often | other.often,
        )


@dataclass(frozen=True)
class SegmentChanged:
    """A segment has new contents, written at ``stamp``.

    A stamp (Unix seconds) of 0 says that their age is unknown: the segment was found like this.
    """

    segment: str
    inode: int
    snapshot: Snapshot
    stamp: float


@dataclass(frozen=True)
class SegmentGone:
    """A segment was removed, or can no longer be read."""

    segment: str


@dataclass(frozen=True)
class CognitionRuns:
    """Whether cognition runs has changed; while it does not, what its segments hold is old."""

    runs: bool


@dataclass(frozen=True)
class CycleCompleted:
    """Cognition has completed a cycle: what it sees is of ``stamp`` (Unix seconds).

    Reported only while the demand has segments of ``each_cycle``, which were read before.
    """

    stamp: float


@dataclass(frozen=True)
class ImageReceived:
    """An image, written at ``stamp`` (Unix seconds); ``camera`` is the prefix of its topics."""

    camera: str
    frame: Frame
    stamp: float


@dataclass(frozen=True)
class Refreshed:
    """The segments have been looked through; reported every REFRESH_PERIOD_S."""


Event = SegmentChanged | SegmentGone | CognitionRuns | CycleCompleted | ImageReceived | Refreshed
