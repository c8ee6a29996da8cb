# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Memory and processor time of processes."""

from __future__ import annotations

import os
import re
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path


def cpu_seconds(pid: int) -> float:
    """Return the CPU time that process ``pid`` has used so far, in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def cpu_percent(pid: int, seconds: float) -> float:
    """Watch process ``pid`` for ``seconds``; return its load in per cent of one core."""
    before, begun = cpu_seconds(pid), time.monotonic()
    time.sleep(seconds)
    return 100.0 * (cpu_seconds(pid) - before) / (time.monotonic() - begun)


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
    waited: float
    """Time (s) in which its threads were ready to run and had no processor, in sum."""


def package_of(pid: int) -> str:
    """Return which program a process runs, as PACKAGE/EXECUTABLE."""
    words = Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace").split("\0")
    for word in words:
        if match := re.search(r"/lib/([^/]+)/([^/]+)$", word):
            return f"{match[1]}/{match[2]}"
    return Path(words[0]).name


def sample(pid: int, at: float = 0.0) -> Sample:
    """Look at a process. Raises OSError when it is gone."""
    cpu = cpu_seconds(pid)
    kilobytes = {"Anonymous": 0, "Rss": 0, "Pss": 0}
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        name, _, rest = line.partition(":")
        if name in kilobytes:
            kilobytes[name] = int(rest.split()[0])
    own, resident, proportional = (kilobytes[n] / 1024 for n in ("Anonymous", "Rss", "Pss"))
    return Sample(at, own, resident, proportional, cpu, waited_seconds(pid))


def waited_seconds(pid: int) -> float:
    """Return how long the threads of process ``pid`` have waited for a processor, in s."""
    waited = 0
    for thread in Path(f"/proc/{pid}/task").iterdir():
        with suppress(FileNotFoundError):  # it has just ended
            waited += int((thread / "schedstat").read_text().split()[1])
    return waited * 1e-9
