# SPDX-License-Identifier: Apache-2.0
"""What a link to a robot's memory tells."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from luar_bridge.frames import Frame, Refusal
from luar_bridge.segment import Snapshot


@dataclass(frozen=True)
class Interest:
    """The segments that somebody waits for at the moment; others are read now and then."""

    at_once: frozenset[str] = frozenset()
    """Segments of which every change is to be told soon."""
    each_cycle: frozenset[str] = frozenset()
    """Segments that are to be read once cognition has gone through a cycle."""

    def __or__(self, other: Interest) -> Interest:
        return Interest(self.at_once | other.at_once, self.each_cycle | other.each_cycle)


class Listener(ABC):
    """What a link tells, on its own thread; nothing here may block."""

    @abstractmethod
    def interest(self) -> Interest:
        """Return what is waited for; asked every LOOK_AROUND_SECONDS."""

    @abstractmethod
    def on_change(self, segment: str, snapshot: Snapshot, stamp: float) -> None:
        """Take a segment's new contents, seen to change at ``stamp``.

        A stamp (Unix seconds) of 0 means that nobody knows how old the contents are: the segment
        was just found like this.
        """

    @abstractmethod
    def on_gone(self, segment: str) -> None:
        """Know that a segment was removed, or cannot be read any more."""

    @abstractmethod
    def on_alive(self) -> None:
        """Know that cognition runs: what its segments hold is of now."""

    @abstractmethod
    def on_stale(self) -> None:
        """Know that cognition stands still or is gone: what its segments hold is old."""

    @abstractmethod
    def on_frame(self, camera: str, frame: Frame, stamp: float) -> None:
        """Take an image; ``camera`` is the prefix of its topics."""

    @abstractmethod
    def on_refusal(self, camera: str, refusal: Refusal) -> None:
        """Know that an image was left out."""

    @abstractmethod
    def on_cycle(self, stamp: float) -> None:
        """Know that cognition has gone through a cycle: what it sees is of ``stamp``.

        Told only while the interest has segments of ``each_cycle``, which were read before.
        """

    @abstractmethod
    def on_look_around(self) -> None:
        """Do what is to be done now and then; called every LOOK_AROUND_SECONDS."""

    @abstractmethod
    def on_problem(self, segment: str, text: str) -> None:
        """Know, once, that a segment cannot be read and why."""
