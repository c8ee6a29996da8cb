# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Run the tests again and again, to find those that fail sometimes."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence

from workspace.processors import available_processors

_FAILED = re.compile(r"^(?:FAILED|ERROR) (\S+)")
BUSY_LOOP = [sys.executable, "-c", "while True: pass"]


def repeat(command: Sequence[str], env: Mapping[str, str], count: int) -> int:
    """Run ``command``, pytest, ``count`` times; print what failed; return 1 if something did."""
    failures: Counter[str] = Counter()
    for number in range(1, count + 1):
        loops = available_processors() if number % 2 == 0 else 0
        busy = [subprocess.Popen(BUSY_LOOP) for _ in range(loops)]
        begun = time.monotonic()
        try:
            found = _run(command, {**env, "LEGACY_ROBOTS_TEST_ORDER": str(number)})
        finally:
            for process in busy:
                process.kill()
                process.wait()
        failures.update(found)
        load = f", beside {loops} busy loops" if loops else ""
        seconds = time.monotonic() - begun
        print(f"run {number} of {count}: {seconds:.0f} s{load}, {len(found)} failed", flush=True)
    for test, times in failures.most_common():
        print(f"{times:4} of {count}  {test}")
    return 1 if failures else 0


def _run(command: Sequence[str], env: Mapping[str, str]) -> set[str]:
    """Run the tests once; return which failed."""
    with subprocess.Popen(
        command, env={**os.environ, **env}, stdout=subprocess.PIPE, text=True, errors="replace"
    ) as process:
        assert process.stdout is not None
        found = set()
        for line in process.stdout:
            sys.stdout.write(line)
            if match := _FAILED.match(line):
                found.add(match[1])
    if process.returncode not in (0, 1):
        found.add(f"(pytest ended with {process.returncode})")
    return found
