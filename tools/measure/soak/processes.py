# SPDX-License-Identifier: Apache-2.0
"""Memory and processor time of the processes that a launch has started."""

from __future__ import annotations

import itertools
import os
import re
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

MOST_POINTS = 200
"""Points between which slopes are taken; more are thinned out."""


@dataclass(frozen=True)
class Sample:
    """One process at one moment: memory in MB, processor time in s."""

    at: float
    own: float
    """What it has allocated; libraries, whose part grows when another user of them ends, are not
    in it."""
    resident: float
    proportional: float
    """Its part of what it shares with others counted in part: sums of it make sense (PSS)."""
    cpu: float


def package_of(pid: int) -> str:
    """Return which program a process runs, as PACKAGE/EXECUTABLE."""
    words = Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace").split("\0")
    for word in words:
        if match := re.search(r"/lib/([^/]+)/([^/]+)$", word):
            return f"{match[1]}/{match[2]}"
    return Path(words[0]).name


def sample(pid: int, at: float) -> Sample:
    """Look at a process. Raises OSError when it is gone."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    cpu = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    kilobytes = {"Anonymous": 0, "Rss": 0, "Pss": 0}
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        name, _, rest = line.partition(":")
        if name in kilobytes:
            kilobytes[name] = int(rest.split()[0])
    own, resident, proportional = (kilobytes[n] / 1024 for n in ("Anonymous", "Rss", "Pss"))
    return Sample(at, own, resident, proportional, cpu)


def slope(points: Sequence[tuple[float, float]]) -> float:
    """Return the median slope between any two points (Theil and Sen): outliers do not count."""
    thinned = points[:: 1 + len(points) // MOST_POINTS]
    slopes = [
        (y1 - y0) / (x1 - x0)
        for (x0, y0), (x1, y1) in itertools.combinations(thinned, 2)
        if x1 > x0
    ]
    return statistics.median(slopes) if slopes else 0.0
