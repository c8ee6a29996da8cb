# SPDX-License-Identifier: Apache-2.0
"""Shared memory that processes of Fast DDS left behind when they were killed."""

from __future__ import annotations

import fcntl
import os
import re
import time
from contextlib import ExitStack
from pathlib import Path

SHARED_MEMORY = Path("/dev/shm")
SETTLED_S = 10.0
"""Age from which a lock is looked at: until then its process may be about to take it."""
_LOCK = re.compile(r"(fastrtps_(?:[0-9a-z]{16}|port\d{1,5}))_[es]l").fullmatch


def remove_left_behind(directory: Path = SHARED_MEMORY) -> int:
    """Remove segments and ports that no process holds, as ``fastdds shm clean``; return how many.

    A process holds the lock of a file for as long as it lives, so files in use stay. Without the
    right to a file, that file stays. Takes a few milliseconds.
    """
    found = {match[1] for file in directory.glob("fastrtps_*l") if (match := _LOCK(file.name))}
    return sum(_remove(directory, name) for name in found)


def _remove(directory: Path, name: str) -> bool:
    locks = [path for end in "es" if (path := directory / f"{name}_{end}l").exists()]
    try:
        with ExitStack() as stack:
            for lock in locks:
                handle = stack.enter_context(lock.open("ab"))
                if time.time() - os.fstat(handle.fileno()).st_mtime < SETTLED_S:
                    return False
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            for file in (directory / name, directory / f"sem.{name}_mutex", *locks):
                file.unlink(missing_ok=True)
    except OSError:
        return False  # held by a process, another user's, or just gone
    return True
