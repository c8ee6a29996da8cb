# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The table of a benchmark: figures, floors, ratios and targets."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from legacy_robots_testing.report import machine, markdown, percentile

ROWS_FILE = "LEGACY_ROBOTS_BENCH_ROWS"
"""Environment variable that names a file to which a table is added as lines of JSON."""
COLUMNS = ("quantity", "value", "floor", "ratio", "target", "met")


@dataclass(frozen=True)
class Row:
    """One figure; ``met`` is None where there is no target."""

    quantity: str
    value: str
    floor: str = ""
    ratio: str = ""
    target: str = ""
    met: bool | None = None

    def cells(self) -> tuple[str, ...]:
        """Return what is printed."""
        met = "" if self.met is None else "yes" if self.met else "NO"
        return (self.quantity, self.value, self.floor, self.ratio, self.target, met)


def latency_text(values: Sequence[float]) -> str:
    """Return median and 99th percentile of times in seconds."""
    median, p99 = percentile(values, 50) * 1e3, percentile(values, 99) * 1e3
    return f"median {median:.2f} ms, p99 {p99:.2f} ms, n {len(values)}"


@dataclass
class Table:
    """Figures with their targets; knows whether all targets were met."""

    title: str
    rows: list[Row] = field(default_factory=list)

    @property
    def missed(self) -> int:
        """How many targets were missed."""
        return sum(row.met is False for row in self.rows)

    def add(self, what: str, figure: str, target: str = "", met: bool | None = None) -> None:
        """Add a row; ``met`` is None where there is no target."""
        self.rows.append(Row(what, figure, target=target, met=met))

    def add_ratio(
        self, what: str, ours: Sequence[float], floor: Sequence[float], target: float | None
    ) -> None:
        """Add latencies (s) of ours and of the floor, and the ratio of their medians.

        With ``target`` None there is no ratio: both tell of something else, such as a queue for
        the processor.
        """
        ratio = percentile(ours, 50) / percentile(floor, 50)
        shown = "–" if target is None else f"{ratio:.2f}"
        aim = "" if target is None else f"<= {target}"
        met = None if target is None else ratio <= target
        self.rows.append(Row(what, latency_text(ours), latency_text(floor), shown, aim, met))

    def print(self) -> int:
        """Print the table, and add it to ROWS_FILE; return 1 when a target was missed, else 0."""
        print(f"\n{self.title}\n{machine()}\n")
        print(markdown(COLUMNS, [row.cells() for row in self.rows]))
        if path := os.environ.get(ROWS_FILE):
            with Path(path).open("a", encoding="utf-8") as file:
                file.writelines(json.dumps(asdict(row)) + "\n" for row in self.rows)
        return 1 if self.missed else 0
