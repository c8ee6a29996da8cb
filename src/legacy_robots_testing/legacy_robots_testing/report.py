# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Tables of measurements: percentiles, the machine's size, and figures kept in a document."""

from __future__ import annotations

import datetime
import math
import os
import platform
import re
from collections.abc import Sequence
from pathlib import Path


def percentile(values: Sequence[float], percent: float) -> float:
    """Return the nearest-rank percentile; nan for no values."""
    if not values:
        return math.nan
    ordered = sorted(values)
    return ordered[max(0, math.ceil(percent / 100 * len(ordered)) - 1)]


def machine() -> str:
    """Return the size of this machine and how busy it is, in a line."""
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


def today() -> str:
    """Return the date, as documents write it."""
    now = datetime.datetime.now()
    return f"{now.day} {now:%B %Y}"


def markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table; its columns are aligned, so that it can be read as it is."""
    table = [list(head), *map(list, rows)]
    widths = [max(len(row[i]) for row in table) for i in range(len(head))]
    table.insert(1, ["-" * width for width in widths])
    lines = (
        "| " + " | ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)) + " |"
        for row in table
    )
    return "\n".join(lines)


def keep(document: Path, section: str, text: str) -> None:
    """Put ``text`` between the marks ``<!-- section -->`` and ``<!-- /section -->``.

    Raises ValueError when the document does not have them.
    """
    begin, end = f"<!-- {section} -->", f"<!-- /{section} -->"
    before = document.read_text(encoding="utf-8")
    pattern = re.compile(f"{re.escape(begin)}.*?{re.escape(end)}", re.DOTALL)
    if not pattern.search(before):
        raise ValueError(f"{document} has no place for {section}: {begin} and {end}")
    after = pattern.sub(lambda _: f"{begin}\n{text.strip()}\n{end}", before, count=1)
    document.write_text(after, encoding="utf-8")
