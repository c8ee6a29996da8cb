# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""How many processors and how much memory there are for this process."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

CGROUPS = Path("/sys/fs/cgroup")


def available_memory() -> int:
    """Return the memory (bytes) that programs can take without swapping (Linux)."""
    lines = Path("/proc/meminfo").read_text().splitlines()
    return next(int(x.split()[1]) for x in lines if x.startswith("MemAvailable:")) * 1024


def available_processors() -> int:
    """Return the number of processors, at least 1: by affinity, and by a container's quota."""
    count = len(os.sched_getaffinity(0))
    for text in _quotas():
        quota, _, period = text.partition(" ")
        if quota.isdigit() and period:  # not "max", nor -1
            count = min(count, max(1, int(quota) // int(period)))
    return count


def _quotas() -> Iterator[str]:
    """Yield the quota and period (us) of each control group above this process."""
    try:
        groups = Path("/proc/self/cgroup").read_text().splitlines()
    except OSError:
        return
    for _, controllers, name in (group.split(":", 2) for group in groups):
        if controllers and "cpu" not in controllers.split(","):
            continue
        place = Path(name.lstrip("/"))
        for parent in (place, *place.parents):
            try:
                if controllers:  # version 1
                    files = [CGROUPS / "cpu" / parent / f"cpu.cfs_{n}_us" for n in _VERSION_1]
                    yield " ".join(file.read_text().strip() for file in files)
                else:
                    yield (CGROUPS / parent / "cpu.max").read_text().strip()
            except OSError:
                continue


_VERSION_1 = ("quota", "period")
