# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Whether programs of this machine have come to rest: all of their threads wait. Linux only.

Where two looks in a row find every thread asleep, and none has been woken in between, there was
a moment at which all of them slept, with nothing left to read: a message that is under way within
one machine makes its reader runnable at once. Only what a program does at a date of real time
cannot be foreseen.
"""

from __future__ import annotations

import contextlib
import functools
import os
import time
from collections.abc import Callable, Iterable

NAP_S = 0.001
"""Between two looks."""
FAMILY_PERIOD_S = 1.0
"""Between two looks for new programs."""


class RestlessError(Exception):
    """Raised where programs do not come to rest; the message names one."""


def descendants(parent: int) -> set[int]:
    """Return the processes that ``parent`` and its children have started, itself not included."""
    children: dict[int, list[int]] = {}
    for name in os.listdir("/proc"):
        if name.isdecimal():
            with contextlib.suppress(OSError):
                with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as file:
                    fields = file.read().rpartition(")")[2].split()
                children.setdefault(int(fields[1]), []).append(int(name))
    found: set[int] = set()
    left = [parent]
    while left:
        new = [child for child in children.get(left.pop(), ()) if child not in found]
        found.update(new)
        left += new
    return found


class ProcessTree:
    """The processes that were started by ``parent`` and those after it, but for ``ourselves``."""

    def __init__(self, parent: int, ourselves: int) -> None:
        self._parent = parent
        self._ourselves = ourselves
        self._known: set[int] = set()
        self._looked_at = float("-inf")

    def __call__(self) -> set[int]:
        """Return them; up to FAMILY_PERIOD_S old."""
        now = time.monotonic()
        if now - self._looked_at >= FAMILY_PERIOD_S:
            self._looked_at = now
            self._known = descendants(self._parent) - {self._ourselves}
        return self._known


def wait_for_rest(processes: Callable[[], Iterable[int]], timeout: float) -> None:
    """Wait until all ``processes`` rest. Raises RestlessError after ``timeout`` seconds."""
    deadline = time.monotonic() + timeout
    before: dict[str, bytes] | None = None
    while True:
        on_its_way = before is None or _packets()
        seen, awake = _look(processes())
        if not awake and not on_its_way and seen == before:
            return
        before = None if awake else seen
        if time.monotonic() > deadline:
            text = f"process {awake} is busy" if awake else "they are woken again and again"
            raise RestlessError(f"after {timeout:g} s the programs do not rest: {text}")
        time.sleep(NAP_S)


def _look(processes: Iterable[int]) -> tuple[dict[str, bytes], int]:
    """Return how often each thread has been switched away, and a process that does not sleep.

    The latter is 0 where all sleep. Threads of DDS, which are woken for its own messages all the
    time, come first, and only have to sleep: what they have received has woken its reader then.
    """
    threads: list[tuple[bool, int, str]] = []
    for process in processes:
        directory = f"/proc/{process}/task"
        with contextlib.suppress(OSError):  # it has ended
            for thread in os.listdir(directory):
                path = f"{directory}/{thread}"
                threads.append((not _is_of_dds(path), process, path))
    seen: dict[str, bytes] = {}
    for counts, process, path in sorted(threads):
        try:
            text = _read(f"{path}/status")
        except OSError:
            continue
        state = text[text.index(b"State:") + 6 :].lstrip()[:1]
        if state in b"RDW":
            return seen, process
        if counts:
            seen[path] = text[text.index(b"\nvoluntary_ctxt_switches") :]
    return seen, 0


def _packets() -> bool:
    """Return whether the kernel has yet to hand over packets, as a busy machine's may be late."""
    try:
        rows = _read("/proc/net/softnet_stat").split(b"\n")
    except OSError:
        return False
    return any(int(row.split()[11], 16) for row in rows if len(row.split()) > 11)


@functools.cache
def _is_of_dds(thread: str) -> bool:
    """Return whether a thread has a name such as Fast DDS gives."""
    try:
        return _read(f"{thread}/comm").startswith(b"dds.")
    except OSError:
        return False


def _read(path: str) -> bytes:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        return os.read(descriptor, 8192)
    finally:
        os.close(descriptor)
