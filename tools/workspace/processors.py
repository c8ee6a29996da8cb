# SPDX-License-Identifier: Apache-2.0
"""How many processors this process may use."""

from __future__ import annotations

import os
from pathlib import Path


def available_processors(cgroup: Path = Path("/sys/fs/cgroup")) -> int:
    """Return the number of processors, at least 1, by affinity and by a container's quota."""
    count = len(os.sched_getaffinity(0))
    for quota, period in _quotas(cgroup):
        count = min(count, max(1, round(quota / period)))
    return count


def _quotas(cgroup: Path) -> list[tuple[float, float]]:
    """Return quota and period of each control group above this process (versions 2 and 1)."""
    found = []
    try:
        own = Path("/proc/self/cgroup").read_text().splitlines()
    except OSError:
        own = []
    places = [Path(line.split(":", 2)[2].lstrip("/")) for line in own if line.count(":") >= 2]
    for place in {parent for each in [*places, Path()] for parent in [each, *each.parents]}:
        for files in (["cpu.max"], ["cpu/cpu.cfs_quota_us", "cpu/cpu.cfs_period_us"]):
            try:
                words = " ".join((cgroup / place / name).read_text() for name in files).split()
                found.append((float(words[0]), float(words[1])))
            except (OSError, ValueError, IndexError):
                continue  # no such file, or "max"
    return [(quota, period) for quota, period in found if quota > 0 and period > 0]
