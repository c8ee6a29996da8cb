# SPDX-License-Identifier: Apache-2.0
"""What the benchmarks share: percentiles, CPU time of a process, and the table that is printed."""

from __future__ import annotations

import math
import os
import platform
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path


def own_domain(stack: ExitStack) -> None:
    """Take a ROS domain of our own, on loopback only, until ``stack`` is closed."""
    from domain_coordinator import domain_id

    os.environ["ROS_AUTOMATIC_DISCOVERY_RANGE"] = "LOCALHOST"
    os.environ["ROS_DOMAIN_ID"] = str(stack.enter_context(domain_id()))


def percentile(values: Sequence[float], percent: float) -> float:
    """Return the nearest-rank percentile; nan for no values."""
    if not values:
        return math.nan
    ordered = sorted(values)
    return ordered[max(0, math.ceil(percent / 100 * len(ordered)) - 1)]


def cpu_seconds(pid: int) -> float:
    """Return the CPU time that process ``pid`` has used so far, in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def cpu_percent(pid: int, seconds: float) -> float:
    """Watch process ``pid`` for ``seconds``; return its load in per cent of one core."""
    before, begun = cpu_seconds(pid), time.monotonic()
    time.sleep(seconds)
    return 100.0 * (cpu_seconds(pid) - before) / (time.monotonic() - begun)


def machine() -> str:
    """Return the size of this machine in a line."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    model = "unknown processor"
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            model = line.split(":", 1)[1].strip()
            break
    return (
        f"{os.cpu_count()} cores ({model}), {memory:.0f} GiB, "
        f"Python {platform.python_version()}, load {os.getloadavg()[0]:.1f}"
    )


@dataclass
class Table:
    """Rows of figures with their targets; knows whether all targets were met."""

    title: str
    rows: list[tuple[str, str, str, str]] = field(default_factory=list)
    missed: int = 0

    def add(self, what: str, figure: str, target: str = "", met: bool | None = None) -> None:
        """Add a row; ``met`` is None where there is no target."""
        verdict = "" if met is None else "met" if met else "MISSED"
        self.missed += met is False
        self.rows.append((what, figure, target, verdict))

    def add_ratio(
        self, what: str, ours: Sequence[float], floor: Sequence[float], target: float
    ) -> None:
        """Add latencies (s) of ours and of the floor, and the ratio of their medians."""
        for name, values in ((what, ours), (f"{what}: floor", floor)):
            self.add(
                name,
                f"median {percentile(values, 50) * 1e6:.0f} µs, "
                f"p99 {percentile(values, 99) * 1e6:.0f} µs, n {len(values)}",
            )
        ratio = percentile(ours, 50) / percentile(floor, 50)
        self.add(f"{what}: ratio", f"{ratio:.2f}", f"<= {target}", ratio <= target)

    def print(self) -> int:
        """Print the table; return 1 when a target was missed, else 0."""
        print(f"\n{self.title}\n{machine()}\n")
        widths = [max((len(row[i]) for row in self.rows), default=0) for i in range(4)]
        for row in self.rows:
            print("  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip())
        return 1 if self.missed else 0
