# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What a process and its files take over hours, and whether it stays bounded."""

from __future__ import annotations

import itertools
import os
import statistics
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from measure.processes import Sample, package_of, sample

WARM_UP = 1 / 3
"""Part of the time in which memory may grow: caches fill, the first goals come."""
GROWTH_LIMIT = 6.0
"""MB by which a process may grow while it is watched, after the warm-up."""
STARVED_S = 0.5
"""Time without a processor, of a process between two looks, after which a link may time out."""
MOST_POINTS = 200
"""Points between which slopes are taken; more are thinned out."""
FILES_LIMIT = 5
"""Files that a process may have opened and kept since the warm-up."""
SHARED_MEMORY = Path("/dev/shm")
PERIOD = 2.0
"""Seconds between two looks."""
COLUMNS = ("process", "CPU", "own first", "own last", "PSS", "RSS", "growth", "files", "judged")


def slope(points: Sequence[tuple[float, float]]) -> float:
    """Return the median slope between any two points (Theil and Sen): outliers do not count."""
    thinned = points[:: 1 + len(points) // MOST_POINTS]
    slopes = [
        (y1 - y0) / (x1 - x0)
        for (x0, y0), (x1, y1) in itertools.combinations(thinned, 2)
        if x1 > x0
    ]
    return statistics.median(slopes) if slopes else 0.0


class Course:
    """The samples of one process."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.name = package_of(pid)
        self.samples: list[Sample] = []
        self.files: list[int] = []
        """How many files it has open, at each sample."""

    def look(self, at: float) -> None:
        """Take another sample, at ``at`` seconds; none of a process that is gone."""
        with suppress(OSError):
            found = sample(self.pid, at)
            self.files.append(len(os.listdir(f"/proc/{self.pid}/fd")))
            self.samples.append(found)

    @property
    def warm(self) -> Sequence[Sample]:
        """The samples after the warm-up."""
        return self.samples[int(len(self.samples) * WARM_UP) :]

    @property
    def growth(self) -> float:
        """MB by which it has grown since the warm-up, by the lesser of its halves' median slopes.

        What grows without end grows in both; what is loaded once, late, grows in one.
        """
        warm = self.warm
        middle = len(warm) // 2
        slopes = [slope([(s.at, s.own) for s in half]) for half in (warm[:middle], warm[middle:])]
        return min(slopes) * (warm[-1].at - warm[0].at)

    @property
    def opened(self) -> int:
        """How many more files it has open than after the warm-up, by the medians of its halves."""
        warm = self.files[int(len(self.files) * WARM_UP) :]
        middle = len(warm) // 2
        return round(statistics.median(warm[middle:]) - statistics.median(warm[: middle + 1]))

    @property
    def bounded(self) -> bool:
        """Whether memory and files have stayed as they were."""
        return self.growth <= GROWTH_LIMIT and self.opened <= FILES_LIMIT

    @property
    def load(self) -> float:
        """Its part of a core, in per cent, since the warm-up."""
        first, last = self.warm[0], self.warm[-1]
        return 100.0 * (last.cpu - first.cpu) / (last.at - first.at)

    def was_starved(self, at: float) -> bool:
        """Return whether it had to wait for a processor in the looks before and after a moment."""
        near = [s.waited for s in self.samples if abs(s.at - at) < 3 * PERIOD]
        return any(after - before > STARVED_S for before, after in pairwise(near))

    def row(self) -> tuple[str, ...]:
        """Return the cells of the table."""
        first, last = self.warm[0], self.warm[-1]
        return (
            self.name,
            f"{self.load:.1f} %",
            f"{first.own:.1f} MB",
            f"{last.own:.1f} MB",
            f"{last.proportional:.1f} MB",
            f"{last.resident:.1f} MB",
            f"{self.growth:+.2f} MB",
            f"{self.files[-1]}, {self.opened:+d}",
            "bounded" if self.bounded else "TOO MUCH",
        )


@dataclass(frozen=True)
class Disk:
    """What files take at one moment, in MB."""

    logs: float
    shared_memory: float
    recording: float

    @classmethod
    def look(cls, recording: Path | None) -> Disk:
        """Look at them; logs are those of ROS, which has a directory of its own for them."""
        logs = sum(p.stat().st_size for p in Path(os.environ["ROS_LOG_DIR"]).rglob("*.log"))
        shared = sum(p.stat().st_size for p in SHARED_MEMORY.iterdir() if p.exists())
        parts = [] if recording is None else recording.parent.glob(f"{recording.stem}*.mcap")
        recorded = sum(part.stat().st_size for part in parts)
        return cls(logs / 1e6, shared / 1e6, recorded / 1e6)

    def growth(self, later: Disk, seconds: float) -> str:
        """Return how much they grow in an hour."""
        hour = 3600.0 / max(1.0, seconds)
        return (
            f"logs {hour * (later.logs - self.logs):.2f} MB, "
            f"/dev/shm {hour * (later.shared_memory - self.shared_memory):+.1f} MB, "
            f"recording {hour * (later.recording - self.recording):.0f} MB"
        )
